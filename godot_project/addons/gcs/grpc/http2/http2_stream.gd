extends RefCounted
## One HTTP/2 stream: its windows and what waits to be sent.
##
## Filled by a call before it has an id; [code]http2_connection.gd[/code] gives it one and moves its data.

const Frames = preload("frames.gd")
const ReceiveWindow = preload("receive_window.gd")

## 0 until the connection opens the stream.
var id: int = 0
## Bytes that the peer still lets us send here. May be negative after a SETTINGS frame shrank the window.
var send_window: int = 0
## What the peer may still send here; null until the connection opens the stream.
var receive_window: ReceiveWindow = null
## True once the peer's first HEADERS frame that is not informational is here.
var headers_seen: bool = false
## True once our END_STREAM is out.
var local_closed: bool = false
## True once the stream is over, for whatever reason; nothing more is sent or delivered.
var closed: bool = false
## Bytes queued and not yet put into frames.
var queued_bytes: int = 0

var _chunks: Array[PackedByteArray] = []
## How much of the first chunk is sent.
var _sent: int = 0
var _end_queued: bool = false


## Queues bytes to send.
func enqueue(bytes: PackedByteArray) -> void:
	_chunks.push_back(bytes)
	queued_bytes += bytes.size()


## Queues END_STREAM behind all bytes.
func enqueue_end() -> void:
	_end_queued = true


## True when END_STREAM is queued or sent.
func is_ending() -> bool:
	return _end_queued or local_closed


## True when a frame could be sent, were there room in the connection's window.
func has_output() -> bool:
	if closed or local_closed:
		return false
	if queued_bytes > 0:
		return send_window > 0
	return _end_queued


## The next DATA frame of at most [param limit] bytes of payload; empty when there is none.
func next_frame(limit: int) -> PackedByteArray:
	var length: int = mini(mini(limit, Frames.MAX_PAYLOAD), mini(send_window, queued_bytes))
	if length <= 0 and queued_bytes > 0:
		return PackedByteArray()
	var ends: bool = _end_queued and length == queued_bytes
	if length == 0 and not ends:
		return PackedByteArray()
	var frame: PackedByteArray = Frames.header(length, Frames.DATA, Frames.FLAG_END_STREAM if ends else 0, id)
	queued_bytes -= length
	send_window -= length
	var missing: int = length
	while missing > 0:
		var chunk: PackedByteArray = _chunks[0]
		var taken: int = mini(missing, chunk.size() - _sent)
		if _sent == 0 and taken == chunk.size():
			frame.append_array(chunk)
		else:
			frame.append_array(chunk.slice(_sent, _sent + taken))
		_sent += taken
		missing -= taken
		if _sent == chunk.size():
			_chunks.pop_front()
			_sent = 0
	local_closed = ends
	return frame


## Forgets what waits.
func drop_output() -> void:
	_chunks.clear()
	_sent = 0
	queued_bytes = 0
	_end_queued = false
