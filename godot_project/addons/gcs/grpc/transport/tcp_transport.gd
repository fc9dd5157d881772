extends GrpcTransport
## TCP. Resolves names without blocking and tries each address in turn.

## Milliseconds until the next address is tried while one does not answer.
const ADDRESS_TIMEOUT_MS: int = 1_000

var _host: String
var _port: int
var _query: int = IP.RESOLVER_INVALID_ID
var _addresses: Array[String] = []
var _address: String = ""
var _tried_at_ms: int = 0
var _timed_out: bool = false
var _peer: StreamPeerTCP = null
var _open: bool = false
var _closed: bool = false


func _init(host: String, port: int) -> void:
	_host = host
	_port = port
	if host.is_valid_ip_address():
		_addresses.push_back(host)
	else:
		_query = IP.resolve_hostname_queue_item(host, IP.TYPE_ANY)
		if _query == IP.RESOLVER_INVALID_ID:
			_fail(GrpcFailure.Kind.NAME_NOT_FOUND, "%s cannot be looked up now" % host)


func poll() -> Status:
	if failure != GrpcFailure.Kind.NONE:
		return Status.CLOSED
	if _query != IP.RESOLVER_INVALID_ID:
		return _poll_query()
	if _peer == null:
		return Status.CLOSED if _closed else _try_next()
	var polled: Error = _peer.poll()
	match _peer.get_status():
		StreamPeerTCP.STATUS_CONNECTED:
			if not _open:
				_open = true
				_peer.set_no_delay(true)
			return Status.OPEN
		StreamPeerTCP.STATUS_CONNECTING:
			if not _addresses.is_empty() and Time.get_ticks_msec() - _tried_at_ms > ADDRESS_TIMEOUT_MS:
				_timed_out = true
				return _try_next()
			return Status.CONNECTING
	if not _open:
		return _try_next()
	if _peer.get_status() == StreamPeerTCP.STATUS_ERROR or polled != OK:
		return _fail(GrpcFailure.Kind.CONNECTION_LOST, "reset by the other side")
	return Status.CLOSED


func read(limit: int) -> PackedByteArray:
	return read_from(_peer, limit) if _is_connected() else PackedByteArray()


func write(bytes: PackedByteArray) -> int:
	return write_to(_peer, bytes) if _is_connected() else 0


func close() -> void:
	if _query != IP.RESOLVER_INVALID_ID:
		IP.erase_resolve_item(_query)
		_query = IP.RESOLVER_INVALID_ID
	if _peer != null:
		_peer.disconnect_from_host()
		_peer = null
	_closed = true


## The connected stream, for a channel that runs on top; null until [method poll] answers [constant OPEN].
func stream() -> StreamPeerTCP:
	return _peer if _open else null


## Reads what a stream peer has, without waiting.
static func read_from(peer: StreamPeer, limit: int) -> PackedByteArray:
	var available: int = mini(peer.get_available_bytes(), limit)
	if available <= 0:
		return PackedByteArray()
	var result: Array = peer.get_partial_data(available)
	if result[0] != OK:
		return PackedByteArray()
	return result[1]


## Writes what a stream peer takes, without waiting; returns how much that was.
static func write_to(peer: StreamPeer, bytes: PackedByteArray) -> int:
	var result: Array = peer.put_partial_data(bytes)
	if result[0] != OK:
		return 0
	return result[1]


## A peer that the other side has closed logs an error for each question.
func _is_connected() -> bool:
	return _peer != null and _peer.get_status() == StreamPeerTCP.STATUS_CONNECTED


func _poll_query() -> Status:
	match IP.get_resolve_item_status(_query):
		IP.RESOLVER_STATUS_WAITING:
			return Status.CONNECTING
		IP.RESOLVER_STATUS_DONE:
			for address: String in IP.get_resolve_item_addresses(_query):
				if not address.is_empty() and not _addresses.has(address):
					_addresses.push_back(address)
	IP.erase_resolve_item(_query)
	_query = IP.RESOLVER_INVALID_ID
	if _addresses.is_empty():
		return _fail(GrpcFailure.Kind.NAME_NOT_FOUND, "no address for %s" % _host)
	return _try_next()


func _try_next() -> Status:
	if _peer != null:
		_peer.disconnect_from_host()
		_peer = null
	while not _addresses.is_empty():
		_address = _addresses.pop_front()
		var peer: StreamPeerTCP = StreamPeerTCP.new()
		if peer.connect_to_host(_address, _port) == OK:
			_peer = peer
			_tried_at_ms = Time.get_ticks_msec()
			return Status.CONNECTING
	if _timed_out:
		return _fail(GrpcFailure.Kind.TIMEOUT, "%s does not answer" % _host)
	return _fail(GrpcFailure.Kind.NO_SERVER, "refused or unreachable")
