extends GrpcTransport
## A unix domain socket, where the engine has one (StreamPeerUDS, Godot 4.6).

const TcpTransport = preload("tcp_transport.gd")
const PEER_CLASS: StringName = &"StreamPeerUDS"

## Held by its base class, so that the addon loads in engines without it.
var _peer: StreamPeer = null
var _open: bool = false


func _init(path: String) -> void:
	if not ClassDB.class_exists(PEER_CLASS):
		_fail(GrpcFailure.Kind.UNSUPPORTED, "grpc+unix: needs Godot 4.6 or newer on a system with unix sockets")
		return
	# The engine logs an error for each attempt at a socket that is not there.
	if not _exists(path):
		_fail(GrpcFailure.Kind.NO_SERVER, "there is no socket %s" % path)
		return
	_peer = ClassDB.instantiate(PEER_CLASS)
	var error: int = _peer.call(&"connect_to_host", path)
	if error != OK:
		_fail(GrpcFailure.Kind.NO_SERVER, "nothing listens at %s" % path)


func poll() -> Status:
	if _peer == null:
		return Status.CLOSED
	var polled: int = _peer.call(&"poll")
	var status: int = _peer.call(&"get_status")
	match status:
		StreamPeerTCP.STATUS_CONNECTED:
			_open = true
			return Status.OPEN
		StreamPeerTCP.STATUS_CONNECTING:
			return Status.CONNECTING
	if not _open:
		return _fail(GrpcFailure.Kind.NO_SERVER, "nothing listens there")
	if status == StreamPeerTCP.STATUS_ERROR or polled != OK:
		return _fail(GrpcFailure.Kind.CONNECTION_LOST, "reset by the other side")
	return Status.CLOSED


func read(limit: int) -> PackedByteArray:
	return TcpTransport.read_from(_peer, limit) if _is_connected() else PackedByteArray()


func write(bytes: PackedByteArray) -> int:
	return TcpTransport.write_to(_peer, bytes) if _is_connected() else 0


func close() -> void:
	if _peer != null:
		_peer.call(&"disconnect_from_host")
		_peer = null


## [method FileAccess.file_exists] knows no sockets, and folders leave hidden files out unless they are asked.
static func _exists(path: String) -> bool:
	if not DirAccess.dir_exists_absolute(path.get_base_dir()):
		return false
	var folder: DirAccess = DirAccess.open(path.get_base_dir())
	if folder == null:
		return false
	folder.include_hidden = true
	return folder.get_files().has(path.get_file())


func _is_connected() -> bool:
	return _peer != null and _peer.call(&"get_status") == StreamPeerTCP.STATUS_CONNECTED
