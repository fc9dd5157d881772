class_name CutProxy
extends Node
## A TCP proxy on the loopback that a test can cut: between the client and a real server.

const HOST: String = "127.0.0.1"

## How many connections were accepted.
var accepted: int = 0
## Whether new connections are refused.
var closed: bool = false
## Whether what the server says waits here, and what the client says from [method release] on is dropped.
var holding: bool = false
## Bytes that wait because of [member holding].
var held: PackedByteArray = []

var _deaf: bool = false
var _listener: TCPServer = TCPServer.new()
var _target_port: int
var _pairs: Array[Array] = []


## Listens on a free port and forwards to [param target], host:port on the loopback.
func open(target: String) -> void:
	forward_to(target)
	_listener.listen(0, HOST)


## Forwards new connections to [param target].
func forward_to(target: String) -> void:
	_target_port = target.get_slice(":", 1).to_int()


## Where to connect to.
func address() -> String:
	return "%s:%d" % [HOST, _listener.get_local_port()]


## Cuts all connections, as a cable would.
func cut() -> void:
	for pair: Array in _pairs:
		for stream: StreamPeerTCP in pair:
			stream.disconnect_from_host()
	_pairs.clear()


## Cuts all connections and stops listening: nobody is there any more.
func close() -> void:
	_listener.stop()
	cut()


## Lets the client have what was held, and nothing that the client says any more reach the server: whatever the client
## needs beyond that would have taken another round trip.
func release() -> void:
	_deaf = true
	holding = false
	var near: StreamPeerTCP = _pairs[-1][0]
	near.put_data(held)
	held.clear()


func _process(_delta: float) -> void:
	while _listener.is_connection_available():
		var near: StreamPeerTCP = _listener.take_connection()
		if closed:
			near.disconnect_from_host()
			continue
		accepted += 1
		var far: StreamPeerTCP = StreamPeerTCP.new()
		far.connect_to_host(HOST, _target_port)
		_pairs.push_back([near, far])
	for pair: Array in _pairs:
		var near: StreamPeerTCP = pair[0]
		var far: StreamPeerTCP = pair[1]
		near.poll()
		far.poll()
		if not _deaf:
			_forward(near, far)
		if holding:
			_hold(far)
		else:
			_forward(far, near)


func _forward(from: StreamPeerTCP, to: StreamPeerTCP) -> void:
	if from.get_status() != StreamPeerTCP.STATUS_CONNECTED or to.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		return
	var available: int = from.get_available_bytes()
	if available > 0:
		var part: Array = from.get_partial_data(available)
		var bytes: PackedByteArray = part[1]
		to.put_data(bytes)


func _hold(far: StreamPeerTCP) -> void:
	var available: int = far.get_available_bytes() if far.get_status() == StreamPeerTCP.STATUS_CONNECTED else 0
	if available > 0:
		var part: Array = far.get_partial_data(available)
		var bytes: PackedByteArray = part[1]
		held.append_array(bytes)
