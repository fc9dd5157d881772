class_name ProtoWire
extends RefCounted
## The parts of protobuf's wire format that generated code calls instead of writing them out.
##
## Functions that read take an array that is padded with zeros behind the message, as [method ProtoMessage.parse]
## does it. Functions that write append to the array that they are given.

## Why a message is refused: it could make the stack overflow.
const TOO_DEEP: String = "nested deeper than 100 messages"
## Why a message is refused: it ends in the middle of a field.
const CUT_OFF: String = "cut off, or a length that is too large"
## Why a message is refused: a tag or a wire type that there is not.
const MALFORMED: String = "malformed field"
## Why a message is refused: a number that does not end.
const BAD_VARINT: String = "a varint of more than ten bytes"
## Why a message is refused: a text that Godot's String cannot hold.
const BAD_TEXT: String = "not UTF-8, or with U+0000"

# One bit in each byte of eight: the lowest and the highest.
const _LOW_BITS: int = 0x0101010101010101
const _HIGH_BITS: int = -0x7F7F7F7F7F7F7F80
# The highest bits of the first none to seven bytes.
const _HIGH_BITS_OF: PackedInt64Array = [
	0, 0x80, 0x8080, 0x808080, 0x80808080, 0x8080808080, 0x808080808080, 0x80808080808080
]
const _MAX_TAG: int = 0xFFFFFFFF


## The varint at [param pos]. Only of use when [method after_varint] is not -1.
static func varint(data: PackedByteArray, pos: int) -> int:
	var value: int = 0
	var shift: int = 0
	while shift < 64:
		var byte: int = data[pos]
		pos += 1
		value |= (byte & 127) << shift
		if byte < 128:
			return value
		shift += 7
	return 0


## The position behind the varint at [param pos], or -1 when it has more than ten bytes.
static func after_varint(data: PackedByteArray, pos: int) -> int:
	for length: int in range(1, 11):
		if data[pos] < 128:
			return pos + 1
		pos += 1
	return -1


## The position behind the tag at [param pos], or -1 when it is no tag: more than five bytes, or more than 32 bits.
static func after_tag(data: PackedByteArray, pos: int) -> int:
	var after: int = after_varint(data, pos)
	return after if after - pos <= 5 and varint(data, pos) <= _MAX_TAG else -1


## The position behind the payload of a field, or -1 when it is malformed or not within [param end].
## A varint, or the length of bytes, has been read already and is [param value].
static func skip(data: PackedByteArray, tag: int, value: int, pos: int, end: int) -> int:
	if pos < 0 or tag < 8 or tag > _MAX_TAG:
		return -1
	match tag & 7:
		1:
			pos += 8
		2:
			if value < 0 or value > end - pos:
				return -1
			pos += value
		3:
			pos = _skip_group(data, tag, pos, end)
		5:
			pos += 4
		4, 6, 7:
			return -1
	return pos if pos <= end else -1


# Groups are long gone from protobuf, but a parser has to get past them. Counted, not recursive.
static func _skip_group(data: PackedByteArray, tag: int, pos: int, end: int) -> int:
	var open: Array[int] = [tag >> 3]
	while pos < end:
		tag = varint(data, pos)
		pos = after_tag(data, pos)
		if pos < 0:
			return -1
		match tag & 7:
			3:
				open.append(tag >> 3)
				if open.size() > ProtoMessage.MAX_DEPTH or tag < 8:
					return -1
			4:
				if open.pop_back() != tag >> 3:
					return -1
				if open.is_empty():
					return pos
			0, 2:
				var value: int = varint(data, pos)
				pos = skip(data, tag, value, after_varint(data, pos), end)
			_:
				pos = skip(data, tag, 0, pos, end)
		if pos < 0:
			return -1
	return -1


## Whether the [param length] bytes from [param pos] are UTF-8 that a String can hold. Godot's own decoder would log
## an error for every wrong byte and put in replacements.
static func is_text(data: PackedByteArray, pos: int, length: int) -> bool:
	var end: int = pos + length
	# Eight bytes at a time as long as all are ASCII. A zero byte sets its high bit by borrowing.
	while pos + 8 <= end:
		var word: int = data.decode_s64(pos)
		if ((word - _LOW_BITS) | word) & _HIGH_BITS != 0:
			return _is_utf8(data, pos, end)
		pos += 8
	var rest: int = data.decode_s64(pos)
	return ((rest - _LOW_BITS) | rest) & _HIGH_BITS_OF[end - pos] == 0 or _is_utf8(data, pos, end)


static func _is_utf8(data: PackedByteArray, pos: int, end: int) -> bool:
	while pos < end:
		var byte: int = data[pos]
		pos += 1
		if byte < 0x80:
			if byte == 0:
				return false
			continue
		# The second byte's bounds rule out overlong forms, surrogates and what lies above U+10FFFF.
		var low: int = 0x80
		var high: int = 0xBF
		var more: int = 0
		if byte < 0xC2:
			return false
		elif byte < 0xE0:
			more = 1
		elif byte < 0xF0:
			more = 2
			if byte == 0xE0:
				low = 0xA0
			elif byte == 0xED:
				high = 0x9F
		elif byte < 0xF5:
			more = 3
			if byte == 0xF0:
				low = 0x90
			elif byte == 0xF4:
				high = 0x8F
		else:
			return false
		if pos + more > end or data[pos] < low or data[pos] > high:
			return false
		for offset: int in range(1, more):
			if data[pos + offset] & 0xC0 != 0x80:
				return false
		pos += more
	return true


## Whether [param value] is 0 without a sign, which is the only number that is not written.
static func is_positive_zero(value: float) -> bool:
	return value == 0.0 and 1.0 / value > 0.0


## Appends a varint of 64 bits; negative numbers take ten bytes.
static func put_varint(out: PackedByteArray, value: int) -> void:
	while value & -128 != 0:
		out.append(value & 127 | 128)
		value = (value >> 7) & 0x01FFFFFFFFFFFFFF
	out.append(value)


## Appends an int32 or an enum. A number that does not fit is an error, and its low 32 bits are written.
static func put_int32(out: PackedByteArray, value: int) -> void:
	if value < -0x80000000 or value > 0x7FFFFFFF:
		push_error("%d does not fit an int32 field" % value)
		value = ((value & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
	put_varint(out, value)


## Appends a uint32. A number that does not fit is an error, and its low 32 bits are written.
static func put_uint32(out: PackedByteArray, value: int) -> void:
	put_varint(out, _checked_uint32(value))


## Appends a sint32 in zigzag form. A number that does not fit is an error, and its low 32 bits are written.
static func put_sint32(out: PackedByteArray, value: int) -> void:
	if value < -0x80000000 or value > 0x7FFFFFFF:
		push_error("%d does not fit a sint32 field" % value)
		value = ((value & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000
	put_varint(out, (value << 1) ^ (value >> 63))


## Appends a sint64 in zigzag form.
static func put_sint64(out: PackedByteArray, value: int) -> void:
	put_varint(out, (value << 1) ^ (value >> 63))


## Appends a fixed32. A number that does not fit is an error, and its low 32 bits are written.
static func put_fixed32(out: PackedByteArray, value: int) -> void:
	var at: int = out.size()
	out.resize(at + 4)
	out.encode_u32(at, _checked_uint32(value))


## Appends an sfixed32. A number that does not fit is an error, and its low 32 bits are written.
static func put_sfixed32(out: PackedByteArray, value: int) -> void:
	if value < -0x80000000 or value > 0x7FFFFFFF:
		push_error("%d does not fit an sfixed32 field" % value)
	var at: int = out.size()
	out.resize(at + 4)
	out.encode_u32(at, value & 0xFFFFFFFF)


## Appends a fixed64 or an sfixed64.
static func put_fixed64(out: PackedByteArray, value: int) -> void:
	var at: int = out.size()
	out.resize(at + 8)
	out.encode_s64(at, value)


## Appends a float, rounded to 32 bits.
static func put_float(out: PackedByteArray, value: float) -> void:
	var at: int = out.size()
	out.resize(at + 4)
	out.encode_float(at, value)


## Appends a double.
static func put_double(out: PackedByteArray, value: float) -> void:
	var at: int = out.size()
	out.resize(at + 8)
	out.encode_double(at, value)


## Appends a text with its length before it.
static func put_text(out: PackedByteArray, value: String) -> void:
	put_bytes(out, value.to_utf8_buffer())


## Appends bytes with their length before them.
static func put_bytes(out: PackedByteArray, value: PackedByteArray) -> void:
	put_varint(out, value.size())
	out.append_array(value)


## Appends a message with its length before it. Null in a list or a map is an error and written as an empty message.
static func put_message(out: PackedByteArray, message: ProtoMessage) -> void:
	if message == null:
		push_error("null in a list or a map of messages")
		out.append(0)
		return
	put_bytes(out, message.to_bytes())


static func _checked_uint32(value: int) -> int:
	if value < 0 or value > 0xFFFFFFFF:
		push_error("%d does not fit an unsigned 32-bit field" % value)
	return value & 0xFFFFFFFF
