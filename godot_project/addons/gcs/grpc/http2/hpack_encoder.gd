extends RefCounted
## Writes HPACK fields (RFC 7541) as literals without indexing and without Huffman coding, which every peer must accept.
##
## Names in the static table are sent as an index, and so are whole fields found there.

const Tables = preload("hpack_tables.gd")

## Put before a block: from here on the table has 0 bytes.
const NO_TABLE: PackedByteArray = [0x20]

static var _field_index: Dictionary[String, int] = {}
static var _name_index: Dictionary[String, int] = {}


## The bytes of one field. [param name] is lower case, both are printable ASCII. A [param secret] field is marked so
## that no relay stores it in a compression table.
static func field(name: String, value: String, secret: bool = false) -> PackedByteArray:
	if _name_index.is_empty():
		_build()
	var known: int = _field_index.get(name + "\n" + value, 0)
	if known > 0 and not secret:
		return integer(known, 7, 0x80)
	var index: int = _name_index.get(name, 0)
	var block: PackedByteArray = integer(index, 4, 0x10 if secret else 0x00)
	if index == 0:
		_append_string(block, name)
	_append_string(block, value)
	return block


## [param value] with a prefix of [param prefix_bits] bits below the bits of [param pattern].
static func integer(value: int, prefix_bits: int, pattern: int) -> PackedByteArray:
	var mask: int = (1 << prefix_bits) - 1
	if value < mask:
		return PackedByteArray([pattern | value])
	var block: PackedByteArray = PackedByteArray([pattern | mask])
	var rest: int = value - mask
	while rest >= 0x80:
		block.push_back(rest & 0x7f | 0x80)
		rest >>= 7
	block.push_back(rest)
	return block


static func _append_string(block: PackedByteArray, text: String) -> void:
	var bytes: PackedByteArray = text.to_ascii_buffer()
	block.append_array(integer(bytes.size(), 7, 0x00))
	block.append_array(bytes)


static func _build() -> void:
	for index: int in range(Tables.STATIC_COUNT, 0, -1):
		var name: String = Tables.STATIC_FIELDS[2 * index - 2]
		var value: String = Tables.STATIC_FIELDS[2 * index - 1]
		_name_index[name] = index
		if not value.is_empty():
			_field_index[name + "\n" + value] = index
