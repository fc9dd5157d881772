extends RefCounted
## Puts a header block together from HEADERS and CONTINUATION frames, decodes it and checks it.

const Frames = preload("frames.gd")
const HpackDecoder = preload("hpack_decoder.gd")

## Compressed bytes of one block, over all its frames.
const MAX_BYTES: int = 65_536
## Frames of one block. Bounds the work that empty CONTINUATION frames cause.
const MAX_FRAMES: int = 32

## Stream whose block is unfinished; 0: none.
var open_id: int = 0
## Whether the HEADERS frame had END_STREAM.
var ends_stream: bool = false
## The decoded fields: name, value, name, value.
var fields: PackedStringArray = PackedStringArray()

var _decoder: HpackDecoder = HpackDecoder.new()
var _bytes: PackedByteArray = PackedByteArray()
var _frames: int = 0


## The first piece of a block that goes on in CONTINUATION frames.
func begin(stream_id: int, piece: PackedByteArray) -> void:
	open_id = stream_id
	_frames = 1
	_bytes = piece


## A further piece; false when the block gets too large.
func add(piece: PackedByteArray) -> bool:
	_frames += 1
	if _bytes.size() + piece.size() > MAX_BYTES or _frames > MAX_FRAMES:
		return false
	_bytes.append_array(piece)
	return true


## Decodes the pieces into [member fields]. Returns what is wrong with the coding, which ends the connection.
func finish() -> String:
	var block: PackedByteArray = _bytes
	_bytes = PackedByteArray()
	open_id = 0
	return decode(block, 0, block.size())


## Decodes a block that came in one frame, like [method finish].
func decode(block: PackedByteArray, from: int, to: int) -> String:
	fields = _decoder.decode(block, from, to)
	return _decoder.error


## True for the headers of an informational response (1xx), which is not the answer yet.
func is_informational() -> bool:
	return fields[1].begins_with("1")


## What is malformed in the fields, which ends their stream; empty when nothing is.
func malformed(trailers: bool) -> String:
	if _decoder.too_large:
		return "headers larger than %d bytes" % _decoder.max_list_bytes
	if trailers and not ends_stream:
		return "trailers without END_STREAM"
	if not trailers:
		if fields.size() < 2 or fields[0] != ":status" or fields[1].length() != 3 or not fields[1].is_valid_int():
			return "a response must start with :status and a number of three digits"
		if ends_stream and is_informational():
			return "status %s ends the stream" % fields[1]
	for index: int in range(0 if trailers else 2, fields.size(), 2):
		var name: String = fields[index]
		if name.is_empty() or name.begins_with(":") or name != name.to_lower():
			return "misplaced or malformed header name \"%s\"" % name.c_escape()
	return ""


## Largest header list that is accepted, as HTTP/2 counts it.
func max_list_bytes() -> int:
	return _decoder.max_list_bytes
