extends GrpcTransport
## TLS over TCP, to a relay that ends TLS and passes HTTP/2 on. A gRPC server that ends TLS itself demands ALPN, which
## Godot lacks.

const TcpTransport = preload("tcp_transport.gd")
## Largest piece handed to TLS at once: the payload of one record.
const RECORD_BYTES: int = 16_384

var _tcp: TcpTransport
var _host: String
var _options: TLSOptions
var _tls: StreamPeerTLS = null
var _open: bool = false
var _closed: bool = false
## Taken from the caller, not yet taken by TLS, which must be offered the very same bytes again.
var _record: PackedByteArray = PackedByteArray()


func _init(host: String, port: int, options: TLSOptions) -> void:
	_host = host
	_tcp = TcpTransport.new(host, port)
	_options = options if options != null else TLSOptions.client()


func poll() -> Status:
	if failure != GrpcFailure.Kind.NONE:
		return Status.CLOSED
	if _tls == null:
		if _closed:
			return Status.CLOSED
		match _tcp.poll():
			Status.CONNECTING:
				return Status.CONNECTING
			Status.CLOSED:
				return _fail(_tcp.failure, _tcp.failure_text)
		_tls = StreamPeerTLS.new()
		if _tls.connect_to_stream(_tcp.stream(), _host, _options) != OK:
			return _fail(GrpcFailure.Kind.TLS_FAILED, "the handshake cannot start; does the port speak TLS?")
	# TLS that runs into a broken connection prints an engine error; TCP tells of it quietly, and is therefore asked
	# first. It is not asked before all is read that TLS has unpacked: that would be lost.
	if _is_connected() and _tls.get_available_bytes() > 0:
		_open = true
		_flush()
		return Status.OPEN
	if _tls.get_status() in [StreamPeerTLS.STATUS_HANDSHAKING, StreamPeerTLS.STATUS_CONNECTED]:
		if _tcp.poll() == Status.CLOSED:
			return _on_tcp_closed()
		_tls.poll()
	match _tls.get_status():
		StreamPeerTLS.STATUS_HANDSHAKING:
			return Status.CONNECTING
		StreamPeerTLS.STATUS_CONNECTED:
			_open = true
			_flush()
			return Status.OPEN
		StreamPeerTLS.STATUS_ERROR_HOSTNAME_MISMATCH:
			return _fail(GrpcFailure.Kind.TLS_FAILED, "the certificate is not for %s" % _host)
		StreamPeerTLS.STATUS_ERROR:
			if not _open:
				return _fail(GrpcFailure.Kind.TLS_FAILED,
						"handshake refused: certificate not trusted, or no TLS at that port")
			return _fail(GrpcFailure.Kind.CONNECTION_LOST, "TLS broke")
	# Only a connection whose handshake succeeded gets here, although it may have been closed before a poll could tell.
	_open = true
	return Status.CLOSED


## Unpacks the next record when the one before is used up: a poll unpacks one alone, however many have come.
func read(limit: int) -> PackedByteArray:
	if _is_connected() and _tls.get_available_bytes() == 0 and _tcp.poll() == Status.OPEN:
		_tls.poll()
	return TcpTransport.read_from(_tls, limit) if _is_connected() else PackedByteArray()


func write(bytes: PackedByteArray) -> int:
	if not _is_connected():
		return 0
	var taken: int = 0
	_flush()
	while _record.is_empty() and taken < bytes.size():
		_record = bytes.slice(taken, taken + RECORD_BYTES)
		taken += _record.size()
		_flush()
	return taken


func close() -> void:
	if _tls != null:
		_tls.disconnect_from_stream()
		_tls = null
	_closed = true
	_record = PackedByteArray()
	_tcp.close()


func _on_tcp_closed() -> Status:
	if _tls.get_status() == StreamPeerTLS.STATUS_HANDSHAKING:
		return _fail(GrpcFailure.Kind.TLS_FAILED,
				"the other side closed during the handshake; does the port speak TLS?")
	_open = true
	return Status.CLOSED if _tcp.failure == GrpcFailure.Kind.NONE else _fail(_tcp.failure, _tcp.failure_text)


func _flush() -> void:
	if not _record.is_empty() and _is_connected() and _tcp.poll() == Status.OPEN:
		_record = _record.slice(TcpTransport.write_to(_tls, _record))


func _is_connected() -> bool:
	return _tls != null and _tls.get_status() == StreamPeerTLS.STATUS_CONNECTED
