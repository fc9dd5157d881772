extends Node
## What the listeners of the tests call.

var heard: Array[String] = []


func on_both(payload: Variant, sender: GcsUnit) -> void:
	heard.push_back("both %s %s" % [payload, sender.id if sender != null else "nobody"])


func on_payload(payload: int) -> void:
	heard.push_back("payload %d" % payload)


func on_text(payload: String) -> void:
	heard.push_back("text %s" % payload)


func on_card(payload: GcsCard) -> void:
	heard.push_back("card %s" % payload)


func on_float(payload: float) -> void:
	heard.push_back("float %.1f" % payload)


func on_wrong_sender(_payload: int, _sender: GcsCard) -> void:
	heard.push_back("never")


func on_nothing() -> void:
	heard.push_back("nothing")


func on_too_much(_payload: Variant, _sender: GcsUnit, _more: int) -> void:
	heard.push_back("never")
