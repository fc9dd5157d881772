@tool
extends RefCounted
## The lines that another process prints, taken from its pipe once a frame. A pipe that nobody reads fills up, and the
## process would wait for it; one that prints without end must not stop the game, nor fill its memory.

## Read at once, in bytes.
const PIECE_BYTES: int = 4_096
## Read in one frame at most, and kept of a line without an end, in bytes.
const FRAME_BYTES: int = 65_536

var _pipe: FileAccess
## Bytes and not text: a character may arrive in two pieces.
var _unread: PackedByteArray = []


func _init(pipe: FileAccess) -> void:
	_pipe = pipe


## The whole lines that have come in.
func take() -> PackedStringArray:
	if _unread.size() > FRAME_BYTES:
		_unread.clear()
	var limit: int = _unread.size() + FRAME_BYTES
	while _unread.size() < limit:
		var part: PackedByteArray = _pipe.get_buffer(PIECE_BYTES)
		if part.is_empty():
			break
		_unread.append_array(part)
	var end: int = _unread.rfind(0x0A)
	if end < 0:
		return []
	var lines: PackedStringArray = _text(_unread.slice(0, end)).split("\n")
	_unread = _unread.slice(end + 1)
	return lines


## What has come in of a line that is not whole yet; at the end of the process its last words.
func rest() -> String:
	return _text(_unread)


## Closes the pipe.
func close() -> void:
	_pipe.close()


static func _text(bytes: PackedByteArray) -> String:
	return bytes.get_string_from_utf8().replace("\r", "")
