extends SceneTree
## Reads messages that Python wrote, and writes down what became of each; tests/protoc_gdscript compares.
##
## Arguments: input and output file. The input is a row of records: index into [constant TYPES] (one byte), length
## (four), bytes. The output has for each a byte that is 1 when it was parsed, then two texts or byte strings with their
## lengths: the bytes written again and the text form, or the reason of the refusal and nothing.

const TYPES: Array[GDScript] = [
	WireTestV1Kinds.Singular,
	WireTestV1Kinds.Optionals,
	WireTestV1Kinds.Lists,
	WireTestV1Kinds.UnpackedLists,
	WireTestV1Kinds.Choices,
	WireTestV1Kinds.Maps,
	WireTestV1Kinds.Everything,
	WireTestV1Kinds.Older,
	GcsV1Battle.BattleState,
	GcsV1Events.Update,
	GcsV1Ges.Payload,
]


func _initialize() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var input: FileAccess = FileAccess.open(arguments[0], FileAccess.READ)
	var output: FileAccess = FileAccess.open(arguments[1], FileAccess.WRITE)
	var count: int = 0
	var differing: int = 0
	while input.get_position() < input.get_length():
		var type: GDScript = TYPES[input.get_8()]
		var bytes: PackedByteArray = input.get_buffer(input.get_32())
		var message: ProtoMessage = type.new()
		if message.parse(bytes):
			var written: PackedByteArray = message.to_bytes()
			_put(output, 1, written, message.to_text())
			if not _is_stable(message, type, bytes, written):
				differing += 1
		else:
			_put(output, 0, message.parse_error.to_utf8_buffer(), "")
		count += 1
	output.close()
	print("%d messages, %d of them differ after a copy" % [count, differing])
	quit(0 if differing == 0 else 1)


# A clone and a second parse into the same object have the same bytes.
func _is_stable(message: ProtoMessage, type: GDScript, bytes: PackedByteArray, written: PackedByteArray) -> bool:
	var copy: ProtoMessage = message.clone()
	if copy.to_bytes() != written:
		return false
	var empty: ProtoMessage = type.new()
	message.clear()
	return message.equals(empty) and message.parse(bytes) and message.to_bytes() == written


func _put(output: FileAccess, flag: int, bytes: PackedByteArray, text: String) -> void:
	output.store_8(flag)
	output.store_32(bytes.size())
	output.store_buffer(bytes)
	var text_bytes: PackedByteArray = text.to_utf8_buffer()
	output.store_32(text_bytes.size())
	output.store_buffer(text_bytes)
