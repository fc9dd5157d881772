extends RefCounted
## HTTP/2's numbers (RFC 9113) and the bytes of the frames that a client sends.

const PREFACE: String = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
## Bytes before each payload: length (3), type, flags, stream id (4).
const HEADER_BYTES: int = 9
## Largest payload that both sides use: the protocol's smallest allowed maximum, never raised.
const MAX_PAYLOAD: int = 16_384
## Window of a stream, and of a connection, before anybody says otherwise.
const DEFAULT_WINDOW: int = 65_535
## Bytes of a header table before anybody says otherwise.
const DEFAULT_TABLE_SIZE: int = 4_096
const MAX_WINDOW: int = 0x7fffffff
const MAX_STREAM_ID: int = 0x7fffffff

const DATA: int = 0x0
const HEADERS: int = 0x1
const PRIORITY: int = 0x2
const RST_STREAM: int = 0x3
const SETTINGS: int = 0x4
const PUSH_PROMISE: int = 0x5
const PING: int = 0x6
const GOAWAY: int = 0x7
const WINDOW_UPDATE: int = 0x8
const CONTINUATION: int = 0x9

const FLAG_ACK: int = 0x1
const FLAG_END_STREAM: int = 0x1
const FLAG_END_HEADERS: int = 0x4
const FLAG_PADDED: int = 0x8
const FLAG_PRIORITY: int = 0x20

const SETTING_HEADER_TABLE_SIZE: int = 0x1
const SETTING_ENABLE_PUSH: int = 0x2
const SETTING_MAX_CONCURRENT_STREAMS: int = 0x3
const SETTING_INITIAL_WINDOW_SIZE: int = 0x4
const SETTING_MAX_FRAME_SIZE: int = 0x5
const SETTING_MAX_HEADER_LIST_SIZE: int = 0x6

const NO_ERROR: int = 0x0
const PROTOCOL_ERROR: int = 0x1
const INTERNAL_ERROR: int = 0x2
const FLOW_CONTROL_ERROR: int = 0x3
const SETTINGS_TIMEOUT: int = 0x4
const STREAM_CLOSED: int = 0x5
const FRAME_SIZE_ERROR: int = 0x6
const REFUSED_STREAM: int = 0x7
const CANCEL: int = 0x8
const COMPRESSION_ERROR: int = 0x9
const CONNECT_ERROR: int = 0xa
const ENHANCE_YOUR_CALM: int = 0xb
const INADEQUATE_SECURITY: int = 0xc
const HTTP_1_1_REQUIRED: int = 0xd

const ERROR_NAMES: Array[String] = [
	"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
	"FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
	"INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
]


## The first nine bytes of a frame.
static func header(length: int, type: int, flags: int, stream_id: int) -> PackedByteArray:
	return PackedByteArray([
		length >> 16, length >> 8 & 0xff, length & 0xff, type, flags,
		stream_id >> 24 & 0x7f, stream_id >> 16 & 0xff, stream_id >> 8 & 0xff, stream_id & 0xff,
	])


## A SETTINGS frame of [param settings], number to value.
static func settings(values: Dictionary[int, int]) -> PackedByteArray:
	var frame: PackedByteArray = header(6 * values.size(), SETTINGS, 0, 0)
	for id: int in values:
		frame.append_array(PackedByteArray([id >> 8, id & 0xff]))
		frame.append_array(_u32(values[id]))
	return frame


## The answer to a SETTINGS frame.
static func settings_ack() -> PackedByteArray:
	return header(0, SETTINGS, FLAG_ACK, 0)


## A PING with its 8 [param payload] bytes, or the answer to one.
static func ping(payload: PackedByteArray, ack: bool) -> PackedByteArray:
	var frame: PackedByteArray = header(8, PING, FLAG_ACK if ack else 0, 0)
	frame.append_array(payload)
	return frame


## Lets the peer send [param increment] more bytes; stream 0 is the connection.
static func window_update(stream_id: int, increment: int) -> PackedByteArray:
	var frame: PackedByteArray = header(4, WINDOW_UPDATE, 0, stream_id)
	frame.append_array(_u32(increment))
	return frame


## Ends a stream at once.
static func rst_stream(stream_id: int, error_code: int) -> PackedByteArray:
	var frame: PackedByteArray = header(4, RST_STREAM, 0, stream_id)
	frame.append_array(_u32(error_code))
	return frame


## Says that the connection ends, and why.
static func goaway(error_code: int, text: String) -> PackedByteArray:
	var reason: PackedByteArray = text.to_utf8_buffer()
	var frame: PackedByteArray = header(8 + reason.size(), GOAWAY, 0, 0)
	frame.append_array(_u32(0))
	frame.append_array(_u32(error_code))
	frame.append_array(reason)
	return frame


## A header block as HEADERS and, where it is too long, CONTINUATION frames.
static func headers(stream_id: int, block: PackedByteArray, end_stream: bool) -> PackedByteArray:
	var flags: int = FLAG_END_STREAM if end_stream else 0
	if block.size() <= MAX_PAYLOAD:
		var frame: PackedByteArray = header(block.size(), HEADERS, flags | FLAG_END_HEADERS, stream_id)
		frame.append_array(block)
		return frame
	var frames: PackedByteArray = header(MAX_PAYLOAD, HEADERS, flags, stream_id)
	frames.append_array(block.slice(0, MAX_PAYLOAD))
	var at: int = MAX_PAYLOAD
	while at < block.size():
		var part: PackedByteArray = block.slice(at, at + MAX_PAYLOAD)
		at += part.size()
		frames.append_array(header(part.size(), CONTINUATION, FLAG_END_HEADERS if at == block.size() else 0, stream_id))
		frames.append_array(part)
	return frames


## The name of an error code, for messages.
static func error_name(error_code: int) -> String:
	return ERROR_NAMES[error_code] if error_code >= 0 and error_code < ERROR_NAMES.size() else "error %d" % error_code


## The big-endian number at [param at].
static func read_u32(bytes: PackedByteArray, at: int) -> int:
	return bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]


static func _u32(value: int) -> PackedByteArray:
	return PackedByteArray([value >> 24 & 0xff, value >> 16 & 0xff, value >> 8 & 0xff, value & 0xff])
