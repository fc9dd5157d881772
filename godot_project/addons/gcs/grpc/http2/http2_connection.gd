extends RefCounted
## The client's side of an HTTP/2 connection (RFC 9113): bytes in, events and bytes out. It knows neither sockets nor
## clocks.
##
## Feed it with [method receive], then call [method next_event] until it answers [constant Event.NONE]; each call
## handles one frame. Write what [member output] holds. Every buffer is bounded: the receive buffer by what the caller
## feeds at once, header blocks and output by limits of their own.

const FrameReader = preload("frame_reader.gd")
const Frames = preload("frames.gd")
const HeaderBlock = preload("header_block.gd")
const HpackEncoder = preload("hpack_encoder.gd")
const Http2Stream = preload("http2_stream.gd")
const OutputBuffer = preload("output_buffer.gd")
const PeerSettings = preload("peer_settings.gd")
const ReceiveWindow = preload("receive_window.gd")

## What [method next_event] found.
enum Event {
	## No whole frame is left.
	NONE,
	## A frame was handled that needs no attention.
	OTHER,
	## The peer's first SETTINGS frame: the connection stands.
	READY,
	## [member event_stream] got the header fields [member event_fields]; [member event_end] tells whether it ended.
	HEADERS,
	## [member event_stream] got [member event_length] bytes from [member event_from] on in [member event_buffer].
	DATA,
	## The peer, or a rule it broke, ended [member event_stream] with [member event_code] and [member event_text].
	RESET,
	## The peer takes no new streams; those above [member event_last_id] were not worked on.
	GOAWAY,
	## The peer answered a PING.
	PONG,
	## The connection is over because the peer broke a rule: [member error_code], [member error_text].
	FAILED,
}

const MAX_GOAWAY_TEXT: int = 256

var event_stream: Http2Stream = null
var event_fields: PackedStringArray = PackedStringArray()
var event_end: bool = false
var event_buffer: PackedByteArray = PackedByteArray()
var event_from: int = 0
var event_length: int = 0
var event_code: int = 0
var event_text: String = ""
var event_last_id: int = 0

## True once the peer's SETTINGS are here.
var ready: bool = false
## True once the peer broke a rule; nothing more is read.
var failed: bool = false
var error_code: int = Frames.NO_ERROR
var error_text: String = ""
var peer: PeerSettings = PeerSettings.new()
## What is to be written to the peer.
var output: OutputBuffer = OutputBuffer.new()

var _streams: Dictionary[int, Http2Stream] = {}
var _next_id: int = 1
## Where the next round of sending starts, so that no stream starves the others.
var _turn: int = 0
var _send_window: int = Frames.DEFAULT_WINDOW
var _stream_window: int
var _receive_window: ReceiveWindow
var _frame: FrameReader = FrameReader.new()
var _header: HeaderBlock = HeaderBlock.new()


## Windows in bytes that the peer is given. The preface, SETTINGS and the connection's WINDOW_UPDATE wait in the output
## at once.
func _init(stream_window: int, connection_window: int) -> void:
	_stream_window = clampi(stream_window, 1, Frames.MAX_WINDOW)
	var window: int = clampi(connection_window, Frames.DEFAULT_WINDOW, Frames.MAX_WINDOW)
	_receive_window = ReceiveWindow.new(window)
	output.append(Frames.PREFACE.to_ascii_buffer())
	output.append(Frames.settings({
		Frames.SETTING_HEADER_TABLE_SIZE: 0,
		Frames.SETTING_ENABLE_PUSH: 0,
		Frames.SETTING_INITIAL_WINDOW_SIZE: _stream_window,
		Frames.SETTING_MAX_HEADER_LIST_SIZE: _header.max_list_bytes(),
	}))
	if window > Frames.DEFAULT_WINDOW:
		output.append(Frames.window_update(0, window - Frames.DEFAULT_WINDOW))


## Takes bytes from the peer.
func receive(bytes: PackedByteArray) -> void:
	_frame.receive(bytes)


## Handles one frame and tells what it was. The event fields hold until the next call.
func next_event() -> Event:
	if failed:
		return Event.NONE
	if output.overflowed:
		return _fail(Frames.ENHANCE_YOUR_CALM, "the peer does not read the answers to what it asks for")
	if not ready and not _frame.can_be(Frames.SETTINGS):
		return _fail(Frames.PROTOCOL_ERROR, "the first frame is not SETTINGS")
	if not _frame.next():
		return Event.NONE
	if _frame.length > Frames.MAX_PAYLOAD:
		return _fail(Frames.FRAME_SIZE_ERROR,
				"frame of %d bytes, expected at most %d" % [_frame.length, Frames.MAX_PAYLOAD])
	var type: int = _frame.type
	if _header.open_id != 0 and (type != Frames.CONTINUATION or _frame.stream_id != _header.open_id):
		return _fail(Frames.PROTOCOL_ERROR,
				"frame of type %d inside the header block of stream %d" % [type, _header.open_id])
	if type == Frames.DATA:
		return _on_data()
	match type:
		Frames.HEADERS:
			return _on_headers()
		Frames.PRIORITY:
			return Event.OTHER if _frame.length == 5 else _fail_length(5)
		Frames.RST_STREAM:
			return _on_rst_stream()
		Frames.SETTINGS:
			return _on_settings()
		Frames.PUSH_PROMISE:
			return _fail(Frames.PROTOCOL_ERROR, "PUSH_PROMISE, which our SETTINGS forbid")
		Frames.PING:
			return _on_ping()
		Frames.GOAWAY:
			return _on_goaway()
		Frames.WINDOW_UPDATE:
			return _on_window_update()
		Frames.CONTINUATION:
			return _on_continuation()
	return Event.OTHER


## The first bytes that the peer sent, for telling what it speaks when it is not HTTP/2.
func first_bytes() -> PackedByteArray:
	return _frame.first_bytes


## True when a stream can be opened now.
func can_open() -> bool:
	return (ready and not failed and _streams.size() < peer.max_concurrent_streams and _next_id <= Frames.MAX_STREAM_ID
			and output.has_room())


## True when all stream ids are used up: a new connection is needed.
func is_spent() -> bool:
	return _next_id > Frames.MAX_STREAM_ID


## Opens [param stream] with a header block. Only where [method can_open] says so.
func open_stream(stream: Http2Stream, block: PackedByteArray) -> void:
	stream.id = _next_id
	_next_id += 2
	stream.send_window = peer.initial_window
	stream.receive_window = ReceiveWindow.new(_stream_window)
	_streams[stream.id] = stream
	if peer.table_shrunk:
		# A table that shrinks has to be acknowledged, although we use none (RFC 7541, section 4.2).
		peer.table_shrunk = false
		block = HpackEncoder.NO_TABLE + block
	output.append(Frames.headers(stream.id, block, false))


## Ends [param stream] at once with an error code. Frames that still come for it are dropped.
func reset_stream(stream: Http2Stream, code: int) -> void:
	if stream.closed:
		return
	_forget(stream)
	output.append_control(Frames.rst_stream(stream.id, code))


## Sends a PING with 8 bytes of payload.
func send_ping(payload: PackedByteArray) -> void:
	output.append_control(Frames.ping(payload, false))


## Says goodbye.
func send_goaway(code: int, text: String) -> void:
	output.append(Frames.goaway(code, text))


## Gives back [param bytes] of the stream's window, once its data was taken.
func consume(stream: Http2Stream, bytes: int) -> void:
	var increment: int = 0 if stream.closed else stream.receive_window.give_back(bytes)
	if increment > 0:
		output.append_control(Frames.window_update(stream.id, increment))


## Puts queued data into frames, stream by stream in turn, as far as windows and the output's target size allow.
func produce() -> void:
	if not ready or failed:
		return
	var ids: Array[int] = []
	for id: int in _streams:
		if _streams[id].has_output():
			ids.push_back(id)
	_turn += 1
	var index: int = _turn
	while not ids.is_empty() and output.has_room():
		index %= ids.size()
		var stream: Http2Stream = _streams[ids[index]]
		var before: int = stream.queued_bytes
		var frame: PackedByteArray = stream.next_frame(_send_window)
		_send_window -= before - stream.queued_bytes
		output.append(frame)
		if frame.is_empty() or not stream.has_output():
			ids.remove_at(index)
		else:
			index += 1


## Ends a stream after the peer's END_STREAM. A peer that answers before it has read everything gets no more of it.
func finish_stream(stream: Http2Stream) -> void:
	if stream.local_closed:
		_forget(stream)
	else:
		reset_stream(stream, Frames.CANCEL)


func _forget(stream: Http2Stream) -> void:
	stream.closed = true
	stream.drop_output()
	_streams.erase(stream.id)


func _fail(code: int, text: String) -> Event:
	failed = true
	error_code = code
	error_text = text
	output.append(Frames.goaway(code, text))
	return Event.FAILED


## Ends one stream for a rule that the peer broke there.
func _break(stream: Http2Stream, code: int, text: String) -> Event:
	reset_stream(stream, code)
	event_stream = stream
	event_code = code
	event_text = text
	return Event.RESET


func _fail_length(expected: int) -> Event:
	return _fail(Frames.FRAME_SIZE_ERROR,
			"frame of type %d with %d bytes, expected %d" % [_frame.type, _frame.length, expected])


## True for a stream that was never opened: nothing may be said about it.
func _is_idle() -> bool:
	return _frame.stream_id % 2 == 0 or _frame.stream_id >= _next_id


func _fail_idle() -> Event:
	return _fail(Frames.PROTOCOL_ERROR,
			"frame of type %d on stream %d, which was never opened" % [_frame.type, _frame.stream_id])


func _on_data() -> Event:
	if _is_idle():
		return _fail_idle()
	var length: int = _frame.length
	if not _frame.strip_padding():
		return _fail(Frames.PROTOCOL_ERROR, "padding longer than its frame")
	# The connection's window opens again as soon as bytes are read; TCP holds back a peer that ignores it. What a call
	# has not taken is held against its stream alone, so that a slow call does not stop the others.
	var increment: int = _receive_window.give_back(length)
	if increment > 0:
		output.append_control(Frames.window_update(0, increment))
	var stream: Http2Stream = _streams.get(_frame.stream_id)
	if stream == null:
		return Event.OTHER
	if not stream.receive_window.take(length):
		return _break(stream, Frames.FLOW_CONTROL_ERROR, "more DATA than the stream's window allows")
	if not stream.headers_seen:
		return _break(stream, Frames.PROTOCOL_ERROR, "DATA before HEADERS")
	if _frame.padding > 0:
		consume(stream, _frame.padding)
	event_stream = stream
	event_buffer = _frame.buffer
	event_from = _frame.at
	event_length = _frame.length
	event_end = _frame.has(Frames.FLAG_END_STREAM)
	return Event.DATA


func _on_headers() -> Event:
	if _is_idle():
		return _fail_idle()
	if not _frame.strip_padding():
		return _fail(Frames.PROTOCOL_ERROR, "padding longer than its frame")
	var priority: int = 5 if _frame.has(Frames.FLAG_PRIORITY) else 0
	if priority > _frame.length:
		return _fail(Frames.FRAME_SIZE_ERROR, "HEADERS too short for its priority")
	_header.ends_stream = _frame.has(Frames.FLAG_END_STREAM)
	if _frame.has(Frames.FLAG_END_HEADERS):
		return _on_block(_header.decode(_frame.buffer, _frame.at + priority, _frame.at + _frame.length))
	_header.begin(_frame.stream_id, _frame.payload(priority))
	return Event.OTHER


func _on_continuation() -> Event:
	if _header.open_id == 0:
		return _fail(Frames.PROTOCOL_ERROR, "CONTINUATION without HEADERS")
	if not _header.add(_frame.payload()):
		return _fail(Frames.ENHANCE_YOUR_CALM,
				"header block beyond %d bytes or %d frames" % [HeaderBlock.MAX_BYTES, HeaderBlock.MAX_FRAMES])
	return _on_block(_header.finish()) if _frame.has(Frames.FLAG_END_HEADERS) else Event.OTHER


func _on_block(wrong_coding: String) -> Event:
	if not wrong_coding.is_empty():
		return _fail(Frames.COMPRESSION_ERROR, wrong_coding)
	var stream: Http2Stream = _streams.get(_frame.stream_id)
	if stream == null:
		return Event.OTHER
	var wrong: String = _header.malformed(stream.headers_seen)
	if not wrong.is_empty():
		return _break(stream, Frames.PROTOCOL_ERROR, wrong)
	if not stream.headers_seen and _header.is_informational():
		return Event.OTHER
	stream.headers_seen = true
	event_stream = stream
	event_fields = _header.fields
	event_end = _header.ends_stream
	return Event.HEADERS


func _on_rst_stream() -> Event:
	if _frame.length != 4:
		return _fail_length(4)
	if _is_idle():
		return _fail_idle()
	var stream: Http2Stream = _streams.get(_frame.stream_id)
	if stream == null:
		return Event.OTHER
	_forget(stream)
	event_stream = stream
	event_code = _frame.u32()
	event_text = ""
	return Event.RESET


func _on_settings() -> Event:
	if _frame.stream_id != 0:
		return _fail(Frames.PROTOCOL_ERROR, "SETTINGS on stream %d, expected 0" % _frame.stream_id)
	if _frame.has(Frames.FLAG_ACK):
		if not ready:
			return _fail(Frames.PROTOCOL_ERROR, "the first frame acknowledges SETTINGS, expected the server's own")
		return Event.OTHER if _frame.length == 0 else _fail_length(0)
	var window_before: int = peer.initial_window
	var wrong: String = peer.apply(_frame.buffer, _frame.at, _frame.length)
	if not wrong.is_empty():
		return _fail(peer.error_code, wrong)
	for id: int in _streams:
		var stream: Http2Stream = _streams[id]
		stream.send_window += peer.initial_window - window_before
		if stream.send_window > Frames.MAX_WINDOW:
			return _fail(Frames.FLOW_CONTROL_ERROR, "INITIAL_WINDOW_SIZE pushes a stream's window beyond 2^31-1")
	output.append_control(Frames.settings_ack())
	if ready:
		return Event.OTHER
	ready = true
	return Event.READY


func _on_ping() -> Event:
	if _frame.length != 8:
		return _fail_length(8)
	if _frame.stream_id != 0:
		return _fail(Frames.PROTOCOL_ERROR, "PING on stream %d, expected 0" % _frame.stream_id)
	if _frame.has(Frames.FLAG_ACK):
		return Event.PONG
	output.append_control(Frames.ping(_frame.payload(), true))
	return Event.OTHER


func _on_goaway() -> Event:
	if _frame.length < 8:
		return _fail_length(8)
	if _frame.stream_id != 0:
		return _fail(Frames.PROTOCOL_ERROR, "GOAWAY on stream %d, expected 0" % _frame.stream_id)
	event_last_id = _frame.u32() & Frames.MAX_STREAM_ID
	event_code = _frame.u32(4)
	event_text = _frame.payload(8, MAX_GOAWAY_TEXT).get_string_from_ascii()
	return Event.GOAWAY


func _on_window_update() -> Event:
	if _frame.length != 4:
		return _fail_length(4)
	var increment: int = _frame.u32() & Frames.MAX_WINDOW
	if _frame.stream_id == 0:
		_send_window += increment
		if increment == 0:
			return _fail(Frames.PROTOCOL_ERROR, "WINDOW_UPDATE by 0")
		if _send_window > Frames.MAX_WINDOW:
			return _fail(Frames.FLOW_CONTROL_ERROR, "WINDOW_UPDATE pushes the connection's window beyond 2^31-1")
		return Event.OTHER
	if _is_idle():
		return _fail_idle()
	var stream: Http2Stream = _streams.get(_frame.stream_id)
	if stream == null:
		return Event.OTHER
	if increment == 0:
		return _break(stream, Frames.PROTOCOL_ERROR, "WINDOW_UPDATE by 0")
	stream.send_window += increment
	if stream.send_window > Frames.MAX_WINDOW:
		return _break(stream, Frames.FLOW_CONTROL_ERROR, "WINDOW_UPDATE pushes the stream's window beyond 2^31-1")
	return Event.OTHER
