extends RefCounted
## What the peer's SETTINGS frames say, checked (RFC 9113, section 6.5.2).

const Frames = preload("frames.gd")

## Streams that the peer lets us have open at once.
var max_concurrent_streams: int = Frames.MAX_STREAM_ID
## Window that each of our streams starts with.
var initial_window: int = Frames.DEFAULT_WINDOW
## Largest header list that the peer accepts, as HTTP/2 counts it.
var max_header_list_bytes: int = Frames.MAX_WINDOW
## True once the peer made its header table smaller, until the next header block tells that we know.
var table_shrunk: bool = false
## HTTP/2's code for what is wrong with the last frame.
var error_code: int = Frames.NO_ERROR

var _table_size: int = Frames.DEFAULT_TABLE_SIZE


## Takes over the payload at [param from]; returns what is wrong with it, or an empty text.
func apply(bytes: PackedByteArray, from: int, length: int) -> String:
	if length % 6 != 0:
		error_code = Frames.FRAME_SIZE_ERROR
		return "SETTINGS of %d bytes, expected a multiple of 6" % length
	for at: int in range(from, from + length, 6):
		var value: int = Frames.read_u32(bytes, at + 2)
		match bytes[at] << 8 | bytes[at + 1]:
			Frames.SETTING_HEADER_TABLE_SIZE:
				table_shrunk = table_shrunk or value < _table_size
				_table_size = value
			Frames.SETTING_ENABLE_PUSH:
				if value != 0:
					error_code = Frames.PROTOCOL_ERROR
					return "a server set ENABLE_PUSH to %d, expected 0" % value
			Frames.SETTING_MAX_CONCURRENT_STREAMS:
				max_concurrent_streams = value
			Frames.SETTING_INITIAL_WINDOW_SIZE:
				if value > Frames.MAX_WINDOW:
					error_code = Frames.FLOW_CONTROL_ERROR
					return "INITIAL_WINDOW_SIZE %d, expected at most 2^31-1" % value
				initial_window = value
			Frames.SETTING_MAX_FRAME_SIZE:
				# Our frames never exceed the smallest value allowed, so that only the check is left to do.
				if value < Frames.MAX_PAYLOAD or value > 0xffffff:
					error_code = Frames.PROTOCOL_ERROR
					return "MAX_FRAME_SIZE %d, expected 16384 to 16777215" % value
			Frames.SETTING_MAX_HEADER_LIST_SIZE:
				max_header_list_bytes = value
	return ""
