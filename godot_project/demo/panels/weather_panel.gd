extends Control
## Weather for the battle: raises GES events of the pack from the engine.

const Catalog = preload("../ui/catalog.gd")

## The category of events that are offered.
const CATEGORY: String = "weather"

@onready var _events: HBoxContainer = %Events
@onready var _strength: HSlider = %Strength
@onready var _strength_label: Label = %StrengthLabel
@onready var _answer: Label = %Answer


func _ready() -> void:
	_strength.value_changed.connect(func(_value: float) -> void: _show_strength())
	Gcs.raise_refused.connect(func(_guid: String, message: String) -> void: _answer.text = message)
	_show_strength()


## Offers the weather events of [param catalog]; false when it has none.
func offer(catalog: Catalog) -> bool:
	for child: Node in _events.get_children():
		child.queue_free()
	var count: int = 0
	for event: String in catalog.ids_of("events"):
		if catalog.field_of("events", event, "category") == CATEGORY:
			_events.add_child(_make_button(event, catalog))
			count += 1
	return count > 0


## Gives the first event the focus.
func focus_first() -> void:
	(_events.get_child(0) as Control).grab_focus()


func _make_button(event: String, catalog: Catalog) -> Button:
	var button: Button = Button.new()
	button.text = catalog.name_of("events", event)
	button.tooltip_text = catalog.field_of("events", event, "help")
	button.pressed.connect(_raise.bind(event, catalog))
	return button


func _raise(event: String, catalog: Catalog) -> void:
	_answer.text = ""
	var payload: Variant = null
	if catalog.field_of("events", event, "argument") == "int":
		payload = int(_strength.value)
	var raising: GcsRaise = Gcs.raise_event(catalog.field_of("events", event, "guid"), payload)
	if raising.status == null:
		raising.finished.connect(_on_answered.bind(raising), CONNECT_ONE_SHOT)


func _on_answered(raising: GcsRaise) -> void:
	match raising.result:
		GcsV1Ges.RaiseResult.RAISE_RESULT_DISPATCHED:
			_answer.text = "Nobody listens." if raising.receivers == 0 else "%d heard it." % raising.receivers
		GcsV1Ges.RaiseResult.RAISE_RESULT_QUEUED:
			_answer.text = "It waits for your choice."


func _show_strength() -> void:
	_strength_label.text = "Strength %d" % int(_strength.value)
