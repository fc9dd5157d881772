extends GrpcTestCase
## Limits on streams and the end of connections: points 16 and 17.

const NEEDS: String = "grpc_scripted grpc_echo grpc_echo_one_stream"


func test_16_calls_queue_at_a_limit_of_streams() -> void:
	for limit: int in [0, 1, 3]:
		var address: String = await scripted("max_streams %d" % limit)
		var channel: GrpcChannel = open(address)
		var calls: Array[GrpcCall] = []
		for number: int in range(10):
			calls.push_back(ask(channel, "Unary", PackedByteArray()))
		for grpc_call: GrpcCall in calls:
			check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "limit %d" % limit)
		await check_rules_kept(address)


func test_16_calls_queue_at_grpcio() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo_one_stream"))
	var first: GrpcCall = channel.start_call("/test.Echo/Bidi", null)
	first.send_bytes("x".to_utf8_buffer())
	await await_signal_or_timeout(first.bytes_received, LIMIT, "the first call's answer")
	var second: GrpcCall = ask(channel, "Unary", PackedByteArray())
	for frame: int in range(10):
		await get_tree().process_frame
	check_equal(second.state, GrpcCall.State.WAITING, "the second call waits")
	first.close_send()
	check_code(await end_of(second), GrpcStatus.Code.OK, "the second call once the first is over")


func test_16_waiting_calls_are_bounded() -> void:
	var options: GrpcChannelOptions = quick_options()
	options.max_waiting_calls = 5
	var call_options: GrpcCallOptions = GrpcCallOptions.new()
	call_options.wait_for_ready = true
	var channel: GrpcChannel = open("127.0.0.1:1", options)
	var calls: Array[GrpcCall] = []
	for number: int in range(7):
		calls.push_back(channel.start_call("/test.Echo/Unary", null, call_options))
	check_code(await end_of(calls[5]), GrpcStatus.Code.RESOURCE_EXHAUSTED, "the sixth call")
	check_code(await end_of(calls[6]), GrpcStatus.Code.RESOURCE_EXHAUSTED, "the seventh call")
	check(not calls[4].is_finished(), "the fifth call waits")


func test_16_refused_streams_are_safe_to_send_again() -> void:
	var refused: GrpcStatus = await end_of(ask(open(await scripted("reset request 7")), "Unary", PackedByteArray()))
	check(refused.unsent and refused.retryable, "REFUSED_STREAM was not worked on")
	var calm: GrpcStatus = await end_of(ask(open(await scripted("reset request 11")), "Unary", PackedByteArray()))
	check(calm.retryable and not calm.unsent, "ENHANCE_YOUR_CALM may have been worked on")


func test_17_graceful_goaway_as_grpcio_says_it() -> void:
	var address: String = await scripted("goaway graceful")
	var channel: GrpcChannel = open(address)
	await until_state(channel, GrpcChannel.State.READY)
	var calls: Array[GrpcCall] = []
	for number: int in range(3):
		calls.push_back(ask(channel, "Unary", PackedByteArray()))
	for index: int in range(2):
		var answer: PackedByteArray = await calls[index].response_bytes()
		check_equal(answer.get_string_from_utf8(), "first connection", "call %d goes on" % index)
	check_code(await end_of(calls[2]), GrpcStatus.Code.UNAVAILABLE, "the call above the last id")
	check(calls[2].status.unsent and calls[2].status.retryable, "it is safe to send again")
	var reply: PackedByteArray = await ask(channel, "Unary", PackedByteArray()).response_bytes()
	check_equal(reply.get_string_from_utf8(), "second connection", "a new call")
	var closed: Callable = func(seen: Array[Dictionary]) -> bool: return seen[0]["closed"]
	await seen_until(address, closed, "the first connection is closed after its last call")


func test_17_goaway_with_an_error_in_mid_call() -> void:
	var address: String = await scripted("goaway error")
	var channel: GrpcChannel = open(address)
	var first: GrpcCall = ask(channel, "Unary", PackedByteArray())
	var second: GrpcCall = ask(channel, "Unary", PackedByteArray())
	check_code(await end_of(first), GrpcStatus.Code.OK, "the call that the server worked on")
	check_code(await end_of(second), GrpcStatus.Code.UNAVAILABLE, "the other one")
	check(second.status.unsent, "it was not worked on")
	check(second.status.message.contains("ENHANCE_YOUR_CALM, too_much"),
			"the reason is told: %s" % second.status.message)


func test_17_goaway_and_cut() -> void:
	var address: String = await scripted("goaway cut")
	var channel: GrpcChannel = open(address)
	var first: GrpcCall = ask(channel, "Unary", PackedByteArray())
	var second: GrpcCall = ask(channel, "Unary", PackedByteArray())
	check_code(await end_of(first), GrpcStatus.Code.UNAVAILABLE, "the call that the server worked on")
	check(first.status.retryable and not first.status.unsent, "it may have been done")
	check_code(await end_of(second), GrpcStatus.Code.UNAVAILABLE, "the other one")
	check(second.status.unsent, "it was not worked on")


func test_17_goodbye_to_an_idle_connection_is_not_felt() -> void:
	var address: String = await scripted("goaway idle")
	var channel: GrpcChannel = open(address)
	check_code(await end_of(ask(channel, "Unary", PackedByteArray())), GrpcStatus.Code.OK, "the first call")
	await await_condition_or_timeout(func() -> bool: return channel.failure == GrpcFailure.Kind.SERVER_CLOSING, LIMIT,
			"GOAWAY")
	check_equal(channel.state, GrpcChannel.State.CONNECTING, "state")
	var reply: PackedByteArray = await ask(channel, "Unary", PackedByteArray()).response_bytes()
	check_equal(reply.get_string_from_utf8(), "second connection", "a call right after it")


func test_17_grpcio_hands_over_to_a_new_server() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	var failures: Array[GrpcFailure.Kind] = []
	channel.state_changed.connect(
			func(_state: GrpcChannel.State, _reason: String) -> void: failures.push_back(channel.failure))
	var stream: GrpcCall = channel.start_call("/test.Echo/Bidi", null)
	stream.send_bytes("before".to_utf8_buffer())
	await await_signal_or_timeout(stream.bytes_received, LIMIT, "the stream's answer")
	check_code(await end_of(ask(channel, "Restart", PackedByteArray())), GrpcStatus.Code.OK, "Restart")
	await await_condition_or_timeout(func() -> bool: return failures.has(GrpcFailure.Kind.SERVER_CLOSING), LIMIT,
			"GOAWAY")
	check_code(await end_of(ask(channel, "Unary", PackedByteArray())), GrpcStatus.Code.OK,
			"a new call, on the new server")
	stream.send_bytes("after".to_utf8_buffer())
	var reply: Variant = await await_signal_or_timeout(stream.bytes_received, LIMIT, "the old stream's answer")
	check_equal(reply, "after".to_utf8_buffer(), "the old stream goes on at the old server")
	stream.close_send()
	check_code(await end_of(stream), GrpcStatus.Code.OK, "the old stream's end")
