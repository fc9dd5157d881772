extends GrpcTestCase
## Peers that break the rules: every call ends with a status, memory and time stay bounded.

const NEEDS: String = "grpc_scripted"
const TIMEOUT: float = 90.0

## What breaks the connection at any time: bytes, and the code of the GOAWAY that answers them.
const BROKEN_FRAMES: Dictionary[String, Array] = {
	"frame above the limit": ["004001000000000001", 6],
	"SETTINGS of 5 bytes": ["0000050400000000000000000000", 6],
	"SETTINGS on a stream": ["000000040000000001", 1],
	"SETTINGS that turn push on": ["00000604000000000000020000000" + "1", 1],
	"SETTINGS with a window of 2^31": ["000006040000000000000480000000", 3],
	"SETTINGS with a frame size of 1": ["000006040000000000000500000001", 1],
	"acknowledgement with content": ["000006040100000000000400000001", 6],
	"PING of 7 bytes": ["00000706000000000000000000000000", 6],
	"PING on a stream": ["0000080600000000010000000000000000", 1],
	"GOAWAY of 7 bytes": ["00000707000000000000000000000000", 6],
	"GOAWAY on a stream": ["0000080700000000010000000000000000", 1],
	"WINDOW_UPDATE of 3 bytes": ["000003080000000000000001", 6],
	"WINDOW_UPDATE by 0": ["00000408000000000000000000", 1],
	"connection's window beyond 2^31-1": ["0000040800000000007fffffff", 3],
	"WINDOW_UPDATE on a stream never opened": ["00000408000000000900000001", 1],
	"WINDOW_UPDATE on an even stream": ["00000408000000000200000001", 1],
	"RST_STREAM of 3 bytes": ["000003030000000001000001", 6],
	"RST_STREAM on stream 0": ["00000403000000000000000001", 1],
	"RST_STREAM on a stream never opened": ["00000403000000000900000001", 1],
	"PRIORITY of 4 bytes": ["00000402000000000100000000", 6],
	"HEADERS on stream 0": ["00000101050000000088", 1],
	"HEADERS on an even stream": ["00000101050000000288", 1],
	"HEADERS too short for its priority": ["00000301240000000188" + "8888", 6],
	"DATA on stream 0": ["00000100000000000061", 1],
	"DATA on a stream never opened": ["00000100000000000961", 1],
}

## What breaks a stream: bytes after the request, and the code of the RST_STREAM that answers them.
const BROKEN_STREAMS: Dictionary[String, Array] = {
	"DATA before HEADERS": ["00000100000000000161", 1],
	"WINDOW_UPDATE by 0": ["00000408000000000100000000", 1],
	"window beyond 2^31-1": ["0000040800000000017fffffff", 3],
	"response without :status": ["000001010400000001" + "90", 1],
	"status of two digits": ["0000050104000000010802323" + "0" + "90", 1],
	"informational response that ends": ["000006010500000001" + "0803313033" + "90", 1],
}


func test_broken_frames_end_the_connection() -> void:
	for what: String in BROKEN_FRAMES:
		var bytes: String = BROKEN_FRAMES[what][0]
		var address: String = await scripted("after_request " + bytes)
		var channel: GrpcChannel = open(address)
		var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray()))
		check_code(status, GrpcStatus.Code.INTERNAL, what)
		var expected: Variant = BROKEN_FRAMES[what][1]
		await _check_told(address, "GOAWAY", expected, what)
		channel.close()


func test_broken_streams_end_alone() -> void:
	for what: String in BROKEN_STREAMS:
		var bytes: String = BROKEN_STREAMS[what][0]
		var address: String = await scripted("after_request " + bytes)
		var channel: GrpcChannel = open(address)
		var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray()))
		check_code(status, GrpcStatus.Code.INTERNAL, what)
		var expected: Variant = BROKEN_STREAMS[what][1]
		await _check_told(address, "RST_STREAM", expected, what)
		check_equal(channel.state, GrpcChannel.State.READY, "the connection stands after: %s" % what)
		channel.close()


func test_more_data_than_the_windows_allow() -> void:
	var options: GrpcChannelOptions = quick_options()
	options.stream_window = 1_000
	var frame: String = "%06x" % 1_001 + "00" + "00" + "00000001" + "00".repeat(1_001)
	var address: String = await scripted("after_headers " + frame)
	check_code(await end_of(ask(open(address, options), "Unary", PackedByteArray())), GrpcStatus.Code.INTERNAL,
			"stream")
	await _check_told(address, "RST_STREAM", 3, "stream")
	# A call whose messages nobody takes holds its window shut.
	var pull: GrpcCallOptions = GrpcCallOptions.new()
	pull.pull = true
	var grpc_call: GrpcCall = ask(open(await scripted("flood data"), options), "Unary", PackedByteArray(), pull)
	check_code(await end_of(grpc_call), GrpcStatus.Code.INTERNAL, "a peer that ignores windows")


func test_trailers_that_do_not_end() -> void:
	var address: String = await scripted("after_headers 00000101040000000190")
	check_code(await end_of(ask(open(address), "Unary", PackedByteArray())), GrpcStatus.Code.INTERNAL, "status")
	await _check_told(address, "RST_STREAM", 1, "trailers without END_STREAM")


func test_garbage_instead_of_a_greeting() -> void:
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 5
	for attempt: int in range(20):
		var garbage: String = ""
		for byte: int in range(random.randi_range(1, 60)):
			garbage += "%02x" % random.randi_range(0, 255)
		var channel: GrpcChannel = open(await scripted("raw %s close" % garbage))
		var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray()))
		check_code(status, GrpcStatus.Code.UNAVAILABLE, garbage)
		check_equal(channel.failure in [GrpcFailure.Kind.WRONG_PROTOCOL, GrpcFailure.Kind.NEEDS_TLS], true,
				channel.reason)
		channel.close()


func test_garbage_after_the_greeting() -> void:
	var channel: GrpcChannel = open(await scripted("after_settings " + "ab".repeat(100)))
	var failures: Array[GrpcFailure.Kind] = []
	channel.state_changed.connect(
			func(_state: GrpcChannel.State, _reason: String) -> void: failures.push_back(channel.failure))
	await await_condition_or_timeout(func() -> bool: return failures.has(GrpcFailure.Kind.PROTOCOL_ERROR), LIMIT,
			"noticed")


func test_floods_are_borne_within_bounds() -> void:
	for kind: String in ["ping", "settings", "empty_data", "unknown", "priority", "data"]:
		var channel: GrpcChannel = open(await scripted("flood " + kind))
		var before: int = OS.get_static_memory_usage()
		var grpc_call: GrpcCall = ask(channel, "Unary", PackedByteArray(), GrpcCallOptions.with_deadline(1_500))
		var status: GrpcStatus = await end_of(grpc_call)
		# Floods that ask for answers end the connection once the system's own buffers are full, which may take longer.
		var borne: bool = status.code == GrpcStatus.Code.DEADLINE_EXCEEDED
		check(borne or (kind in ["ping", "settings"] and status.message.contains("does not read")),
				"%s: %s" % [kind, status])
		check(OS.get_static_memory_usage() - before < 8_000_000, "memory stays bounded: %s" % kind)
		channel.close()


func test_fuzzed_answers_never_hang_a_call() -> void:
	for seed_number: int in range(120):
		var channel: GrpcChannel = open(await scripted("fuzz %d" % seed_number))
		var grpc_call: GrpcCall = ask(channel, "Unary", "x".to_utf8_buffer())
		var endings: Array[GrpcStatus] = []
		grpc_call.finished.connect(func(status: GrpcStatus) -> void: endings.push_back(status))
		await end_of(grpc_call)
		check_equal(endings.size(), 1, "finished with seed %d" % seed_number)
		channel.close()


func _check_told(address: String, type: String, code: Variant, what: String) -> void:
	var said: Callable = func(seen: Array[Dictionary]) -> bool: return frames_of(seen[0], type).size() >= 1
	for frame: Dictionary in frames_of((await seen_until(address, said, "%s for %s" % [type, what]))[0], type):
		check_equal(str(frame["code"]), "%s.0" % code, "code of %s for %s" % [type, what])
