extends GrpcTransport
## WebSocket, to a relay that passes the bytes of binary messages on. The only way out of a browser.

## Bytes that the engine may hold in each direction.
const BUFFER_BYTES: int = 1024 * 1024
## The close code of a relay that does not pass the connection on.
const NOT_PASSED_ON: int = 4_503
## Largest message to send.
const MESSAGE_BYTES: int = 65_536

var _socket: WebSocketPeer = WebSocketPeer.new()
var _opened: bool = false
## A message read beyond the caller's limit, and how much of it was handed out.
var _message: PackedByteArray = PackedByteArray()
var _message_from: int = 0


func _init(url: String, options: TLSOptions) -> void:
	_socket.inbound_buffer_size = BUFFER_BYTES
	_socket.outbound_buffer_size = BUFFER_BYTES
	_socket.max_queued_packets = 4_096
	var error: Error = _socket.connect_to_url(url, options)
	if error != OK:
		_fail(GrpcFailure.Kind.BAD_ADDRESS, "%s cannot be opened: %s" % [url, error_string(error)])


func poll() -> Status:
	if failure != GrpcFailure.Kind.NONE:
		return Status.CLOSED
	_socket.poll()
	match _socket.get_ready_state():
		WebSocketPeer.STATE_CONNECTING:
			return Status.CONNECTING
		WebSocketPeer.STATE_OPEN:
			if not _opened:
				_opened = true
				_socket.set_no_delay(true)
			return Status.OPEN
	if not _opened:
		return _fail(GrpcFailure.Kind.NO_SERVER, "no WebSocket relay answers there")
	var code: int = _socket.get_close_code()
	if code == NOT_PASSED_ON:
		return _fail(GrpcFailure.Kind.RELAY_REFUSED, _socket.get_close_reason())
	if code > 1_000:
		failure_text = "WebSocket closed with code %d %s" % [code, _socket.get_close_reason()]
	return Status.CLOSED


func read(limit: int) -> PackedByteArray:
	var bytes: PackedByteArray = PackedByteArray()
	while bytes.size() < limit:
		if _message_from == _message.size():
			if _socket.get_available_packet_count() == 0:
				break
			_message = _socket.get_packet()
			_message_from = 0
			if _socket.was_string_packet():
				_fail(GrpcFailure.Kind.WRONG_PROTOCOL, "the relay sent a text message, expected binary ones")
				break
		var taken: int = mini(limit - bytes.size(), _message.size() - _message_from)
		bytes.append_array(_message.slice(_message_from, _message_from + taken))
		_message_from += taken
	return bytes


func write(bytes: PackedByteArray) -> int:
	if _socket.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return 0
	var taken: int = 0
	while taken < bytes.size():
		var part: PackedByteArray = bytes.slice(taken, taken + MESSAGE_BYTES)
		if _socket.get_current_outbound_buffered_amount() + part.size() > BUFFER_BYTES >> 1:
			break
		if _socket.send(part, WebSocketPeer.WRITE_MODE_BINARY) != OK:
			break
		taken += part.size()
	return taken


func close() -> void:
	_message = PackedByteArray()
	_message_from = 0
	if _socket.get_ready_state() == WebSocketPeer.STATE_OPEN:
		_socket.close()
		_socket.poll()
