class_name ProtoMessage
extends RefCounted
## The base of every generated protobuf message.
##
## A message is read with [method parse] and written with [method to_bytes]. Its fields are plain typed properties.
## Fields that this version of the [code].proto[/code] file does not know are kept in [member unknown_fields] and
## written again, so that a message can pass through an older program unharmed.[br]
## Strings must not hold U+0000, which Godot's String cannot; a message with one is refused.

## How many messages may lie inside each other when one is parsed.
const MAX_DEPTH: int = 100

# Decoding checks its bounds once a message, not at every byte: what it may read too far reads these zeros.
const _PADDING: PackedByteArray = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]

## Why the last [method parse] or [method merge_bytes] failed, with the path of the field; empty after a success.
var parse_error: String
## Fields that were read but are not known here, as they were on the wire.
var unknown_fields: PackedByteArray


## The message as protobuf bytes: fields in the order of their numbers, then unknown ones.
func to_bytes() -> PackedByteArray:
	var out: PackedByteArray = PackedByteArray()
	_encode(out)
	return out


## Replaces the whole content by what [param bytes] hold. False when they are malformed: cut off, nested deeper than
## [constant MAX_DEPTH], a text that is not UTF-8. The message is empty then, and [member parse_error] tells why.
func parse(bytes: PackedByteArray) -> bool:
	clear()
	return merge_bytes(bytes)


## Reads [param bytes] into what is there already, as [method merge] would. False as in [method parse].
func merge_bytes(bytes: PackedByteArray) -> bool:
	parse_error = ""
	if _decode(bytes + _PADDING, 0, bytes.size(), 0):
		return true
	var reason: String = parse_error
	clear()
	parse_error = reason
	return false


## Takes over what is set in [param other], a message of the same class: values replace values, lists are appended,
## maps are united, messages are merged in turn. Nothing is shared with [param other] afterwards.
func merge(other: ProtoMessage) -> void:
	ProtoReflection.merge(self, other)


## A deep copy.
func clone() -> ProtoMessage:
	var script: GDScript = get_script()
	var copy: ProtoMessage = script.new()
	copy.merge(self)
	return copy


## Whether [param other] is of the same class and has equal content, unknown fields included. NaN equals nothing.
func equals(other: ProtoMessage) -> bool:
	return ProtoReflection.equals(self, other)


## The message in protobuf's text format, for people and logs. Unknown fields are left out.
func to_text() -> String:
	return ProtoText.format(self)


## Sets every field to its default.
func clear() -> void:
	parse_error = ""
	unknown_fields = PackedByteArray()


## The message's full name in the [code].proto[/code] file, such as [code]gcs.v1.Card[/code].
func message_name() -> String:
	return ""


## The message's fields.
func message_fields() -> Array[ProtoField]:
	return []


func _to_string() -> String:
	return "%s {\n%s}" % [message_name(), to_text().indent("  ")]


# Appends the fields to _out. Generated classes override this and call it last.
func _encode(_out: PackedByteArray) -> void:
	if not unknown_fields.is_empty():
		_out.append_array(unknown_fields)


# Reads the fields that lie in _data from _pos up to _end. _data is padded. Generated classes override this; as it
# stands it is a message without fields.
func _decode(_data: PackedByteArray, _pos: int, _end: int, _depth: int) -> bool:
	if _depth > MAX_DEPTH:
		return _fail("", ProtoWire.TOO_DEEP)
	while _pos < _end:
		var start: int = _pos
		var tag: int = ProtoWire.varint(_data, _pos)
		_pos = ProtoWire.after_tag(_data, _pos)
		var value: int = 0
		if _pos >= 0 and tag & 5 == 0:
			value = ProtoWire.varint(_data, _pos)
			_pos = ProtoWire.after_varint(_data, _pos)
		_pos = _keep(_data, start, tag, value, _pos, _end)
		if _pos < 0:
			return false
	return true


# Keeps an unknown field. start is where its tag begins, pos where its payload does: behind the value for a varint,
# behind the length for bytes. Gives the position behind it, or -1 when it is malformed.
func _keep(data: PackedByteArray, start: int, tag: int, value: int, pos: int, end: int) -> int:
	var stop: int = ProtoWire.skip(data, tag, value, pos, end)
	if stop < 0:
		parse_error = ProtoWire.MALFORMED
		return -1
	unknown_fields.append_array(data.slice(start, stop))
	return stop


func _fail(field: String, reason: String) -> bool:
	parse_error = reason if field.is_empty() else "%s: %s" % [field, reason]
	return false


func _fail_inside(field: String, message: ProtoMessage) -> bool:
	# "units" and "id: not UTF-8" become "units.id: not UTF-8". Reasons themselves have no colon.
	var reason: String = message.parse_error
	parse_error = field + ("." if reason.contains(": ") else ": ") + reason
	return false
