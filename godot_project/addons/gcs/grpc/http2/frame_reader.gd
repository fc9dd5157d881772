extends RefCounted
## Cuts frames out of what the peer sends, with one cursor over one buffer.

const Frames = preload("frames.gd")
## The first bytes that are kept for telling what a peer speaks that does not speak HTTP/2.
const FIRST_BYTES: int = 128

## The bytes that [member at] points into. Stays as it is until the next [method receive].
var buffer: PackedByteArray = PackedByteArray()
var first_bytes: PackedByteArray = PackedByteArray()
## The current frame.
var type: int = 0
var flags: int = 0
var stream_id: int = 0
## Where its payload starts, and how many bytes that has.
var at: int = 0
var length: int = 0
## Bytes of padding that [method strip_padding] took away, with their count byte.
var padding: int = 0

var _cursor: int = 0


## Takes bytes from the peer. They are not copied where nothing is left of the bytes before them.
func receive(bytes: PackedByteArray) -> void:
	if first_bytes.size() < FIRST_BYTES:
		first_bytes.append_array(bytes.slice(0, FIRST_BYTES - first_bytes.size()))
	if _cursor == buffer.size():
		buffer = bytes
	else:
		buffer = buffer.slice(_cursor)
		buffer.append_array(bytes)
	_cursor = 0


## True when the bytes at the cursor can be the start of a frame of [param expected_type].
func can_be(expected_type: int) -> bool:
	return buffer.size() - _cursor < 4 or buffer[_cursor + 3] == expected_type


## Goes to the next frame; false when none is whole. A frame that is too long counts as whole, so that it can be
## refused.
func next() -> bool:
	var left: int = buffer.size() - _cursor
	if left < Frames.HEADER_BYTES:
		return false
	var from: int = _cursor
	length = buffer[from] << 16 | buffer[from + 1] << 8 | buffer[from + 2]
	if left < Frames.HEADER_BYTES + length and length <= Frames.MAX_PAYLOAD:
		return false
	type = buffer[from + 3]
	flags = buffer[from + 4]
	stream_id = Frames.read_u32(buffer, from + 5) & Frames.MAX_STREAM_ID
	at = from + Frames.HEADER_BYTES
	_cursor = mini(at + length, buffer.size())
	return true


## True when the current frame has [param flag].
func has(flag: int) -> bool:
	return flags & flag != 0


## Narrows the payload to what is not padding, where the frame has some; false when there is more of it than fits.
func strip_padding() -> bool:
	padding = 0
	if flags & Frames.FLAG_PADDED == 0:
		return true
	if length < 1 or buffer[at] >= length:
		return false
	padding = buffer[at] + 1
	at += 1
	length -= padding
	return true


## A copy of the payload, at most [param limit] bytes of it from [param offset] on.
func payload(offset: int = 0, limit: int = Frames.MAX_PAYLOAD) -> PackedByteArray:
	return buffer.slice(at + offset, at + mini(length, offset + limit))


## The big-endian number at [param offset] in the payload.
func u32(offset: int = 0) -> int:
	return Frames.read_u32(buffer, at + offset)
