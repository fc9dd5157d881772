class_name GrpcTestCase
extends GcsTest
## Base of the gRPC tests: channels that are polled every frame, and the control line to the scripted peer.

## Seconds that anything may take before a test counts as failed.
const LIMIT: float = 15.0

var channels: Array[GrpcChannel] = []

var _control: StreamPeerTCP = null


func _process(_delta: float) -> void:
	for channel: GrpcChannel in channels:
		channel.poll()


func after_each() -> void:
	for channel: GrpcChannel in channels:
		channel.close()
	channels.clear()


## Options that notice things quickly.
func quick_options() -> GrpcChannelOptions:
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	options.backoff_initial_ms = 50
	options.backoff_max_ms = 200
	return options


## A channel that is polled every frame until the test ends.
func open(url: String, options: GrpcChannelOptions = null) -> GrpcChannel:
	var channel: GrpcChannel = GrpcChannel.open(url, options if options != null else quick_options())
	channels.push_back(channel)
	return channel


## Starts a call of raw bytes with one request.
func ask(channel: GrpcChannel, method: String, body: PackedByteArray, options: GrpcCallOptions = null) -> GrpcCall:
	var grpc_call: GrpcCall = channel.start_call("/test.Echo/" + method, null, options)
	check_equal(grpc_call.send_bytes(body), OK, "send_bytes")
	grpc_call.close_send()
	return grpc_call


## Options with metadata.
func with_metadata(metadata: Dictionary[String, Variant]) -> GrpcCallOptions:
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.metadata = metadata
	return options


## Waits for the end of a call; gives its status. Fails the test when it does not end.
func end_of(grpc_call: GrpcCall) -> GrpcStatus:
	if await await_condition_or_timeout(grpc_call.is_finished, LIMIT, "the call ends"):
		return grpc_call.status
	return GrpcStatus.make(GrpcStatus.Code.UNKNOWN, "the call did not end")


## Waits until a channel is in a state.
func until_state(channel: GrpcChannel, state: GrpcChannel.State) -> void:
	await await_condition_or_timeout(func() -> bool: return channel.state == state, LIMIT,
			"the channel becomes %s" % GrpcChannel.State.find_key(state))


## Checks a status's code; the failure shows the status.
func check_code(status: GrpcStatus, code: GrpcStatus.Code, what: String) -> void:
	check(status.code == code, "%s: expected %s, got %s" % [what, GrpcStatus.name_of(code), status])


## Opens a port of the scripted peer where [param scenario] runs; gives its address.
func scripted(scenario: String) -> String:
	return "127.0.0.1:" + await _tell("open " + scenario)


## What the scripted peer saw at that address: one dictionary for each connection.
func seen_at(address: String) -> Array[Dictionary]:
	var seen: Array[Dictionary] = []
	var parsed: Array = JSON.parse_string(await _tell("report " + address.get_slice(":", 1)))
	for connection: Dictionary in parsed:
		seen.push_back(connection)
	return seen


## Closes a port of the scripted peer and cuts its connections.
func shut(address: String) -> void:
	await _tell("shut " + address.get_slice(":", 1))


## The frames of one type that the client sent on a connection.
func frames_of(connection: Dictionary, type: String) -> Array[Dictionary]:
	var found: Array[Dictionary] = []
	var frames: Array = connection["frames"]
	for frame: Dictionary in frames:
		if frame["type"] == type:
			found.push_back(frame)
	return found


## Waits until the report of the scripted peer satisfies [param condition], which gets it; gives the report.
func seen_until(address: String, condition: Callable, what: String) -> Array[Dictionary]:
	var end_ms: int = Time.get_ticks_msec() + int(LIMIT * 1_000.0)
	var seen: Array[Dictionary] = await seen_at(address)
	while seen.is_empty() or not condition.call(seen):
		if Time.get_ticks_msec() > end_ms:
			fail("%s: not within %s s; the peer saw %s" % [what, LIMIT, str(seen).left(2_000)])
			break
		await get_tree().process_frame
		seen = await seen_at(address)
	return seen


## Checks that the client kept within windows and frame sizes everywhere.
func check_rules_kept(address: String) -> void:
	for connection: Dictionary in await seen_at(address):
		check_equal(connection["violations"], [], "rules that the client broke")


func _tell(line: String) -> String:
	if _control == null:
		var address: String = peer_address("grpc_scripted")
		_control = StreamPeerTCP.new()
		_control.connect_to_host(address.get_slice(":", 0), address.get_slice(":", 1).to_int())
		await _control_ready()
	_control.put_data((line + "\n").to_utf8_buffer())
	var answer: PackedByteArray = PackedByteArray()
	while not answer.has(10):
		_control.poll()
		if _control.get_status() != StreamPeerTCP.STATUS_CONNECTED:
			fail("the scripted peer closed its control line at: %s" % line)
			return ""
		if _control.get_available_bytes() == 0:
			await get_tree().process_frame
			continue
		var part: Array = _control.get_partial_data(_control.get_available_bytes())
		var bytes: PackedByteArray = part[1]
		answer.append_array(bytes)
	return answer.get_string_from_utf8().strip_edges()


func _control_ready() -> void:
	await await_condition_or_timeout(func() -> bool:
		_control.poll()
		return _control.get_status() == StreamPeerTCP.STATUS_CONNECTED, LIMIT, "the scripted peer's control line")
