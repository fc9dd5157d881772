extends RefCounted
## Reads HPACK header blocks (RFC 7541) of a peer that was told to keep no dynamic table.
##
## With a table size of 0 an "indexed" literal is a literal like any other, and indices above 61 are errors. The decoder
## therefore has no state from one block to the next.

const Tables = preload("hpack_tables.gd")
const Huffman = preload("huffman.gd")

## What the fields of a block may add up to, counted as HTTP/2 does: name, value and 32 bytes each.
var max_list_bytes: int = 65_536
## Why the last [method decode] failed; empty when it did not.
var error: String = ""
## True when the last block was well coded but larger than [member max_list_bytes].
var too_large: bool = false

var _bytes: PackedByteArray = PackedByteArray()
var _at: int = 0
var _end: int = 0


## Decodes [param bytes] from [param from] to [param to] (exclusive) to a flat list: name, value, name, value. On
## failure the list is empty and [member error] or [member too_large] is set.
func decode(bytes: PackedByteArray, from: int, to: int) -> PackedStringArray:
	error = ""
	too_large = false
	_bytes = bytes
	_at = from
	_end = to
	var fields: PackedStringArray = PackedStringArray()
	var list_bytes: int = 0
	while _at < _end and error.is_empty():
		var first: int = _bytes[_at]
		if first & 0xe0 == 0x20:
			_read_size_update(fields.is_empty())
			continue
		var name: String = ""
		var value: String = ""
		if first & 0x80 != 0:
			var index: int = _read_integer(7)
			if _known(index):
				name = Tables.STATIC_FIELDS[2 * index - 2]
				value = Tables.STATIC_FIELDS[2 * index - 1]
		else:
			var index: int = _read_integer(6 if first & 0x40 != 0 else 4)
			if index == 0:
				name = _read_string()
			elif _known(index):
				name = Tables.STATIC_FIELDS[2 * index - 2]
			value = _read_string()
		list_bytes += name.length() + value.length() + 32
		if list_bytes > max_list_bytes:
			too_large = true
			break
		fields.push_back(name)
		fields.push_back(value)
	_bytes = PackedByteArray()
	if too_large or not error.is_empty():
		return PackedStringArray()
	return fields


func _known(index: int) -> bool:
	if not error.is_empty():
		return false
	if index < 1 or index > Tables.STATIC_COUNT:
		error = "header index %d, expected 1 to %d" % [index, Tables.STATIC_COUNT]
		return false
	return true


func _read_size_update(at_start: bool) -> void:
	var size: int = _read_integer(5)
	if not error.is_empty():
		return
	if not at_start:
		error = "table size update after the first field"
	elif size != 0:
		error = "table size update to %d, expected 0" % size


## An integer with a prefix of [param prefix_bits] bits. Four more bytes reach 2^28, more than any block may hold.
func _read_integer(prefix_bits: int) -> int:
	if not error.is_empty():
		return 0
	if _at >= _end:
		error = "header block ends inside a number"
		return 0
	var mask: int = (1 << prefix_bits) - 1
	var value: int = _bytes[_at] & mask
	_at += 1
	if value < mask:
		return value
	for shift: int in [0, 7, 14, 21]:
		if _at >= _end:
			error = "header block ends inside a number"
			return 0
		var byte: int = _bytes[_at]
		_at += 1
		value += (byte & 0x7f) << shift
		if byte < 0x80:
			return value
	error = "number of more than 28 bits in a header block"
	return 0


func _read_string() -> String:
	if not error.is_empty():
		return ""
	if _at >= _end:
		error = "header block ends before a string"
		return ""
	var coded: bool = _bytes[_at] & 0x80 != 0
	var length: int = _read_integer(7)
	if not error.is_empty():
		return ""
	if length > _end - _at:
		error = "string of %d bytes where %d are left in the header block" % [length, _end - _at]
		return ""
	var from: int = _at
	_at += length
	if not coded:
		return _to_text(_bytes.slice(from, _at))
	var text: Variant = Huffman.decode(_bytes, from, _at)
	if text == null:
		error = "broken Huffman code in a header block"
		return ""
	var decoded: PackedByteArray = text
	return _to_text(decoded)


## Header text is Latin-1, without the bytes that would end or split a line elsewhere.
func _to_text(text: PackedByteArray) -> String:
	if text.has(0) or text.has(10) or text.has(13):
		error = "NUL, CR or LF in a header"
		return ""
	return text.get_string_from_ascii()
