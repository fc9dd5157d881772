extends RefCounted
## Decoder of HPACK's Huffman code (RFC 7541, section 5.2).

const Tables = preload("hpack_tables.gd")

const SHORTEST: int = 5
const LONGEST: int = 30
const END_OF_STRING: int = 256

## Per code length: one more than the largest code of that length, or of the shorter codes padded to it.
static var _limits: PackedInt64Array = PackedInt64Array()
## Per code length: what to subtract from a code to get its place in [member _symbols].
static var _offsets: PackedInt64Array = PackedInt64Array()
## Byte values ordered as their codes are.
static var _symbols: PackedInt32Array = PackedInt32Array()


## Decodes [param bytes] from [param from] to [param to] (exclusive). Appends nothing and returns null when the code is
## broken: padding longer than 7 bits or not all ones, or EOS inside. The result is a [PackedByteArray].
static func decode(bytes: PackedByteArray, from: int, to: int) -> Variant:
	if _symbols.is_empty():
		_build()
	var text: PackedByteArray = PackedByteArray()
	# The most characters that there can be: the + 1 stands for what the division leaves.
	@warning_ignore("integer_division")
	text.resize((to - from) * 8 / SHORTEST + 1)
	var written: int = 0
	var window: int = 0
	var bits: int = 0
	for index: int in range(from, to):
		window = (window << 8) | bytes[index]
		bits += 8
		var length: int = SHORTEST
		while length <= bits and length <= LONGEST:
			var code: int = window >> (bits - length)
			if code < _limits[length]:
				var symbol: int = _symbols[code - _offsets[length]]
				if symbol == END_OF_STRING:
					return null
				text[written] = symbol
				written += 1
				bits -= length
				window &= (1 << bits) - 1
				length = SHORTEST
			else:
				length += 1
	if bits > 7 or window != (1 << bits) - 1:
		return null
	return text.slice(0, written)


static func _build() -> void:
	var code: int = 0
	_limits.clear()
	_offsets.clear()
	for length: int in range(LONGEST + 1):
		code <<= 1
		var first: int = code - _symbols.size()
		for symbol: int in range(Tables.HUFFMAN_LENGTHS.size()):
			if Tables.HUFFMAN_LENGTHS[symbol] == length:
				_symbols.push_back(symbol)
				code += 1
		_limits.push_back(code)
		_offsets.push_back(first)
