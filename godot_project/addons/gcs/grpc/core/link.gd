extends RefCounted
## One connection of a channel: a byte channel, HTTP/2 on it, and the calls that run there.
##
## The channel moves it along with [method pump] and looks at [member phase] afterwards.

const Frames = preload("../http2/frames.gd")
const Http2Connection = preload("../http2/http2_connection.gd")
const Http2Stream = preload("../http2/http2_stream.gd")
const StatusCodec = preload("status_codec.gd")
const Target = preload("target.gd")

## Where the connection stands.
enum Phase {
	## The byte channel is being opened.
	OPENING,
	## Bytes pass; the server's first SETTINGS are awaited.
	GREETING,
	## Calls can be sent.
	READY,
	## The server takes no new calls; those it works on go on.
	DRAINING,
	## Over.
	DEAD,
}

## Read at once from the byte channel, and the most that waits unread in memory.
const READ_BYTES: int = 65_536
const PING_PAYLOAD: String = "gcs-ping"
## How many of the first bytes are shown when they are no HTTP/2.
const SHOWN_BYTES: int = 16

var phase: Phase = Phase.OPENING
## Why it is over; meaningful when [member phase] is DEAD or DRAINING.
var failure: GrpcFailure.Kind = GrpcFailure.Kind.NONE
var failure_text: String = ""
## True when the server complained about our PINGs.
var too_many_pings: bool = false
## True once the server answered a call.
var useful: bool = false
## Calls by stream id.
var calls: Dictionary[int, GrpcCall] = {}

var _target: Target
var _options: GrpcChannelOptions
var _keepalive_ms: int
var _ping_when_idle: bool
var _transport: GrpcTransport
var _connection: Http2Connection
var _give_up_at_ms: int
var _heard_at_ms: int = 0
## When the server counts as gone unless it is heard before; 0: no PING is out.
var _silent_at_ms: int = 0
## The call whose DATA is being cut up, and what is left to say about it then.
var _reading: GrpcCall = null
var _piece_length: int = 0
var _piece_ends: bool = false


func _init(target: Target, options: GrpcChannelOptions, keepalive_ms: int, ping_when_idle: bool) -> void:
	_target = target
	_options = options
	_keepalive_ms = keepalive_ms
	_ping_when_idle = ping_when_idle
	_transport = target.connect_transport(options.tls)
	_connection = Http2Connection.new(options.stream_window, options.connection_window)
	_give_up_at_ms = Time.get_ticks_msec() + options.connect_timeout_ms


## Moves bytes and calls along until nothing is left to do or [param end_usec] has passed.
func pump(end_usec: int) -> void:
	if phase == Phase.DEAD:
		return
	var status: GrpcTransport.Status = _transport.poll()
	if phase == Phase.OPENING:
		if status == GrpcTransport.Status.OPEN:
			phase = Phase.GREETING
		elif status == GrpcTransport.Status.CLOSED:
			if _transport.failure == GrpcFailure.Kind.NONE:
				_on_closed()
			else:
				_die(_transport.failure, _transport.failure_text)
			return
	if phase != Phase.OPENING:
		var drained: bool = _read(end_usec)
		# A slot that was called meanwhile may have closed the channel or polled it itself.
		if phase == Phase.DEAD:
			return
		if status == GrpcTransport.Status.CLOSED and drained:
			_on_closed()
			return
	_watch_time()
	flush()


## Writes what waits, as far as the other side takes it.
func flush() -> void:
	if phase == Phase.OPENING or phase == Phase.DEAD:
		return
	while true:
		_connection.produce()
		var size: int = _connection.output.size()
		if size == 0:
			break
		var taken: int = _transport.write(_connection.output.waiting())
		_connection.output.taken(taken)
		if taken < size:
			break
	for id: int in calls.keys():
		if calls.has(id):
			calls[id]._after_send()
	if phase == Phase.DRAINING and calls.is_empty():
		close(Frames.NO_ERROR, "")


## True when a call can be sent now.
func can_open() -> bool:
	return phase == Phase.READY and _connection.can_open()


## True when the connection's stream ids are used up.
func is_spent() -> bool:
	return _connection.is_spent()


## Largest header list that the server accepts.
func max_header_list_bytes() -> int:
	return _connection.peer.max_header_list_bytes


## Sends a call's headers and, from now on, its messages.
func open(grpc_call: GrpcCall) -> void:
	_connection.open_stream(grpc_call._stream, grpc_call._request.block())
	grpc_call._end_stream = _connection.reset_stream.bind(Frames.CANCEL)
	grpc_call._consume = _connection.consume
	grpc_call.state = GrpcCall.State.OPEN
	calls[grpc_call._stream.id] = grpc_call


## Forgets a call that is over, if it ran here.
func forget(grpc_call: GrpcCall) -> void:
	if calls.get(grpc_call._stream.id) == grpc_call:
		calls.erase(grpc_call._stream.id)


## Takes no new calls and ends after the last one.
func drain(kind: GrpcFailure.Kind, text: String) -> void:
	if phase == Phase.READY:
		phase = Phase.DRAINING
		failure = kind
		failure_text = text


## Says goodbye, as far as the other side takes it at once, and closes. Calls are left to the caller.
func close(code: int, text: String) -> void:
	if phase == Phase.DEAD:
		return
	if phase != Phase.OPENING and not _connection.failed:
		_connection.send_goaway(code, text)
	_say_last_words()
	phase = Phase.DEAD


## Reads and handles frames; true when the byte channel has nothing more.
func _read(end_usec: int) -> bool:
	while phase != Phase.DEAD:
		if _reading != null:
			if _reading._deliver_next():
				if Time.get_ticks_usec() >= end_usec:
					return false
				continue
			_finish_piece()
		var event: Http2Connection.Event = _connection.next_event()
		if event == Http2Connection.Event.NONE:
			if _connection.failed:
				_die(GrpcFailure.Kind.PROTOCOL_ERROR, _connection.error_text)
				return false
			var bytes: PackedByteArray = _transport.read(READ_BYTES)
			if bytes.is_empty():
				return true
			_heard_at_ms = Time.get_ticks_msec()
			_silent_at_ms = 0
			_connection.receive(bytes)
		else:
			_handle(event)
		if Time.get_ticks_usec() >= end_usec:
			return false
	return false


func _handle(event: Http2Connection.Event) -> void:
	match event:
		Http2Connection.Event.DATA:
			_reading = calls.get(_connection.event_stream.id)
			_piece_length = _connection.event_length
			_piece_ends = _connection.event_end
			if _reading != null:
				_reading._reader.feed(_connection.event_buffer, _connection.event_from, _piece_length)
		Http2Connection.Event.HEADERS:
			useful = true
			var stream: Http2Stream = _connection.event_stream
			var fields: PackedStringArray = _connection.event_fields
			var ends: bool = _connection.event_end
			var grpc_call: GrpcCall = calls.get(stream.id)
			if ends:
				_connection.finish_stream(stream)
			if grpc_call != null:
				grpc_call._on_headers(fields, grpc_call._http_status == 0, ends)
		Http2Connection.Event.RESET:
			var grpc_call: GrpcCall = calls.get(_connection.event_stream.id)
			if grpc_call != null:
				grpc_call._end(_status_of_reset())
		Http2Connection.Event.READY:
			phase = Phase.READY
			_heard_at_ms = Time.get_ticks_msec()
		Http2Connection.Event.GOAWAY:
			_on_goaway(_connection.event_last_id, _connection.event_code, _connection.event_text)
		Http2Connection.Event.FAILED:
			if _connection.ready:
				_die(GrpcFailure.Kind.PROTOCOL_ERROR, _connection.error_text)
			else:
				_die_of_first_bytes()


func _finish_piece() -> void:
	var grpc_call: GrpcCall = _reading
	_reading = null
	grpc_call._after_piece(_piece_length)
	if _piece_ends:
		_connection.finish_stream(grpc_call._stream)
		grpc_call._on_torn_off()


func _status_of_reset() -> GrpcStatus:
	if _connection.event_text.is_empty():
		return StatusCodec.from_reset(_connection.event_code)
	return GrpcStatus.make(GrpcStatus.Code.INTERNAL,
			"the server broke the rules of HTTP/2: %s" % _connection.event_text)


func _on_goaway(last_id: int, code: int, text: String) -> void:
	if code == Frames.ENHANCE_YOUR_CALM and text == "too_many_pings":
		too_many_pings = true
	var said: String = Frames.error_name(code) if text.is_empty() else "%s, %s" % [Frames.error_name(code),
			text.c_escape()]
	drain(GrpcFailure.Kind.SERVER_CLOSING, said)
	for id: int in calls.keys():
		if id > last_id and calls.has(id):
			calls[id]._stream.closed = true
			calls[id]._end(GrpcStatus.make_unsent(
					"the server closes the connection (%s) and did not work on the call" % said))


func _watch_time() -> void:
	var now: int = Time.get_ticks_msec()
	if phase == Phase.OPENING or phase == Phase.GREETING:
		if now >= _give_up_at_ms:
			_die(GrpcFailure.Kind.TIMEOUT,
					"no connection within %d ms" % _options.connect_timeout_ms if phase == Phase.OPENING
					else "connected, but nothing was said within %d ms" % _options.connect_timeout_ms)
		return
	if _keepalive_ms <= 0 or (calls.is_empty() and not _ping_when_idle):
		return
	if _silent_at_ms > 0:
		if now >= _silent_at_ms:
			_die(GrpcFailure.Kind.SERVER_SILENT, "no byte for %d ms, a PING stayed unanswered" % (now - _heard_at_ms))
	elif now - _heard_at_ms >= _keepalive_ms:
		_connection.send_ping(PING_PAYLOAD.to_ascii_buffer())
		_silent_at_ms = now + _options.keepalive_timeout_ms


func _on_closed() -> void:
	if _connection.ready:
		if failure == GrpcFailure.Kind.NONE:
			var text: String = _transport.failure_text
			_die(GrpcFailure.Kind.CONNECTION_LOST, text if not text.is_empty() else "closed by the other side")
		else:
			_die(failure, failure_text)
	elif _transport.failure == GrpcFailure.Kind.RELAY_REFUSED:
		_die(_transport.failure, _transport.failure_text)
	elif _connection.first_bytes().is_empty() and _target.scheme == "grpcs":
		_die(GrpcFailure.Kind.NEEDS_RELAY, "TLS stands, but the other side closed without a word")
	elif _connection.first_bytes().is_empty():
		_die(GrpcFailure.Kind.WRONG_PROTOCOL, "the other side closed without a word")
	else:
		_die_of_first_bytes()


## The other side spoke, and it was no HTTP/2.
func _die_of_first_bytes() -> void:
	var first: PackedByteArray = _connection.first_bytes()
	if first.size() >= 2 and (first[0] == 0x15 or first[0] == 0x16) and first[1] == 0x03:
		_die(GrpcFailure.Kind.NEEDS_TLS, "the answer was a TLS record")
	elif first.slice(0, 5) == "HTTP/".to_ascii_buffer():
		_die_of_http1(first)
	else:
		_die(GrpcFailure.Kind.WRONG_PROTOCOL,
				"the answer began with the bytes %s" % first.slice(0, SHOWN_BYTES).hex_encode())


## Relays and proxies whose server is away answer with 502, 503 or 504 and say why behind the number.
func _die_of_http1(first: PackedByteArray) -> void:
	var end: int = first.find(0x0d)
	var line: String = first.slice(0, end if end >= 0 else first.size()).get_string_from_ascii()
	var code: String = line.get_slice(" ", 1)
	if code in ["502", "503", "504"]:
		_die(GrpcFailure.Kind.RELAY_REFUSED, line.get_slice(code, 1).strip_edges())
	else:
		_die(GrpcFailure.Kind.WRONG_PROTOCOL, "the answer was HTTP/1")


func _die(kind: GrpcFailure.Kind, text: String) -> void:
	_say_last_words()
	phase = Phase.DEAD
	failure = kind if kind != GrpcFailure.Kind.NONE else GrpcFailure.Kind.CONNECTION_LOST
	failure_text = text
	for id: int in calls.keys():
		if calls.has(id):
			calls[id]._stream.closed = true
			var ending: GrpcStatus = GrpcStatus.make(GrpcStatus.Code.INTERNAL if kind == GrpcFailure.Kind.PROTOCOL_ERROR
					else GrpcStatus.Code.UNAVAILABLE, "%s: %s" % [GrpcFailure.describe(failure), text])
			ending.retryable = ending.code == GrpcStatus.Code.UNAVAILABLE
			calls[id]._end(ending)


func _say_last_words() -> void:
	if phase != Phase.OPENING and _connection.output.size() > 0:
		_transport.write(_connection.output.waiting())
	_transport.close()
