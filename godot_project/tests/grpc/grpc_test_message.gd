class_name GrpcTestMessage
extends ProtoMessage
## A message whose bytes are its text. Refuses to read what starts with an exclamation mark.

var text: String = ""


func to_bytes() -> PackedByteArray:
	return text.to_utf8_buffer()


func parse(bytes: PackedByteArray) -> bool:
	text = bytes.get_string_from_utf8()
	parse_error = "bad on request" if text.begins_with("!") else ""
	return parse_error.is_empty()
