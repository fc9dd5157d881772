class_name ProtoText
extends RefCounted
## Messages in protobuf's text format, as other protobuf libraries read and write it.


## The fields that are set, one a line, messages indented by two spaces. Maps are in their own order.
static func format(message: ProtoMessage) -> String:
	var lines: PackedStringArray = PackedStringArray()
	_message(lines, message, "")
	return "" if lines.is_empty() else "\n".join(lines) + "\n"


static func _message(lines: PackedStringArray, message: ProtoMessage, indent: String) -> void:
	for field: ProtoField in message.message_fields():
		if not field.is_set(message):
			continue
		var value: Variant = message.get(field.property)
		match field.presence:
			ProtoField.Presence.REPEATED:
				var list: Array = value
				for element: Variant in list:
					_field(lines, field, element, field.name, indent)
			ProtoField.Presence.MAP:
				var map: Dictionary = value
				for key: Variant in map:
					lines.append("%s%s {" % [indent, field.name])
					lines.append("%s  key: %s" % [indent, _scalar(field.key_kind, key)])
					_field(lines, field, map[key], "value", indent + "  ")
					lines.append(indent + "}")
			_:
				_field(lines, field, value, field.name, indent)


static func _field(lines: PackedStringArray, field: ProtoField, value: Variant, label: String, indent: String) -> void:
	if field.kind != ProtoField.Kind.MESSAGE:
		var text: String = _enum(field, value) if field.kind == ProtoField.Kind.ENUM else _scalar(field.kind, value)
		lines.append("%s%s: %s" % [indent, label, text])
		return
	lines.append("%s%s {" % [indent, label])
	if value != null:
		var message: ProtoMessage = value
		_message(lines, message, indent + "  ")
	lines.append(indent + "}")


# An unknown number, and a name that GDScript had to change, are written as the number, which readers take as well.
static func _enum(field: ProtoField, value: Variant) -> String:
	var key: Variant = field.enum_values.find_key(value)
	if key == null:
		return str(value)
	var key_name: String = key
	return str(value) if key_name.ends_with("_") else key_name


static func _scalar(kind: ProtoField.Kind, value: Variant) -> String:
	match kind:
		ProtoField.Kind.STRING:
			var text: String = value
			return '"%s"' % _escaped(text)
		ProtoField.Kind.BYTES:
			var bytes: PackedByteArray = value
			return '"%s"' % _escaped_bytes(bytes)
		ProtoField.Kind.FLOAT, ProtoField.Kind.DOUBLE:
			var number: float = value
			return _number(number)
		ProtoField.Kind.UINT64, ProtoField.Kind.FIXED64:
			var integer: int = value
			return _unsigned(integer)
	return str(value)


static func _escaped(text: String) -> String:
	return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


static func _escaped_bytes(bytes: PackedByteArray) -> String:
	var text: String = ""
	for byte: int in bytes:
		text += "\\%03o" % byte
	return text


# Seventeen digits give a double back exactly.
static func _number(value: float) -> String:
	if is_nan(value):
		return "nan"
	if is_inf(value):
		return "inf" if value > 0.0 else "-inf"
	return String.num_scientific(value) if value != 0.0 else ("0" if ProtoWire.is_positive_zero(value) else "-0")


static func _unsigned(value: int) -> String:
	if value >= 0:
		return str(value)
	# The upper half of the range is negative here: divide by ten without a sign.
	@warning_ignore("integer_division")
	var tens: int = ((value >> 1) & 0x7FFFFFFFFFFFFFFF) / 5
	return "%d%d" % [tens, value - tens * 10]
