extends GrpcTestCase
## PINGs, silence and the death of a server: point 19.

const NEEDS: String = "grpc_scripted grpc_echo grpc_echo_impatient"


func test_19_silent_server_is_noticed_within_three_seconds() -> void:
	var address: String = await scripted("silence unanswered")
	var channel: GrpcChannel = open(address, GrpcChannelOptions.new())
	await until_state(channel, GrpcChannel.State.READY)
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	check(options.keepalive_interval_ms + options.keepalive_timeout_ms < 3_000, "by default")
	var grpc_call: GrpcCall = ask(channel, "Unary", PackedByteArray(),
			GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE))
	check_code(await end_of(grpc_call), GrpcStatus.Code.UNAVAILABLE, "status")
	check_equal(channel.failure, GrpcFailure.Kind.SERVER_SILENT, "reason")
	check(grpc_call.status.retryable and not grpc_call.status.unsent, "the server may have worked on it")


func test_19_idle_connections_are_watched_too() -> void:
	var options: GrpcChannelOptions = _fast_pings()
	var channel: GrpcChannel = open(await scripted("silence unanswered"), options)
	await until_state(channel, GrpcChannel.State.READY)
	await await_condition_or_timeout(func() -> bool: return channel.failure == GrpcFailure.Kind.SERVER_SILENT, LIMIT,
			"silence")


func test_19_answered_pings_keep_the_connection() -> void:
	var address: String = await scripted("silence answered")
	var channel: GrpcChannel = open(address, _fast_pings())
	var grpc_call: GrpcCall = ask(channel, "Unary", PackedByteArray())
	var enough: Callable = func(seen: Array[Dictionary]) -> bool: return frames_of(seen[0], "PING").size() >= 6
	await seen_until(address, enough, "six PINGs")
	check_equal(channel.state, GrpcChannel.State.READY, "state")
	check(not grpc_call.is_finished(), "the call goes on")


func test_19_zero_turns_pings_off() -> void:
	var options: GrpcChannelOptions = quick_options()
	options.keepalive_interval_ms = 0
	var address: String = await scripted("echo")
	var channel: GrpcChannel = open(address, options)
	for number: int in range(5):
		check_code(await end_of(ask(channel, "Unary", PackedByteArray())), GrpcStatus.Code.OK, "status")
	check_equal(frames_of((await seen_at(address))[0], "PING").size(), 0, "PINGs")


func test_19_grpcio_that_permits_it_takes_many_pings() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"), _fast_pings())
	var failures: Array[GrpcFailure.Kind] = []
	await until_state(channel, GrpcChannel.State.READY)
	channel.state_changed.connect(
			func(_state: GrpcChannel.State, _reason: String) -> void: failures.push_back(channel.failure))
	var status: GrpcStatus = await end_of(
			ask(channel, "Silent", PackedByteArray(), GrpcCallOptions.with_deadline(1_500)))
	check_code(status, GrpcStatus.Code.DEADLINE_EXCEEDED, "a call with some thirty PINGs")
	check_equal(failures, [] as Array[GrpcFailure.Kind], "failures")


func test_19_too_many_pings_are_not_sent_again() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo_impatient"), _fast_pings())
	var reasons: Array[String] = []
	channel.state_changed.connect(func(_state: GrpcChannel.State, reason: String) -> void: reasons.push_back(reason))
	var told: Callable = func() -> bool:
		return reasons.any(func(reason: String) -> bool: return reason.contains("too_many_pings"))
	await await_condition_or_timeout(told, LIMIT, "grpcio complains")
	await until_state(channel, GrpcChannel.State.READY)
	reasons.clear()
	var status: GrpcStatus = await end_of(
			ask(channel, "Silent", PackedByteArray(), GrpcCallOptions.with_deadline(1_500)))
	check_code(status, GrpcStatus.Code.DEADLINE_EXCEEDED, "a call as long as the complaint took")
	check_equal(reasons, [] as Array[String], "complaints on the second connection")


func test_19_killed_server_is_noticed_at_once() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"), GrpcChannelOptions.new())
	var grpc_call: GrpcCall = channel.start_call("/test.Echo/Bidi", null,
			GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE))
	grpc_call.send_bytes("x".to_utf8_buffer())
	await await_signal_or_timeout(grpc_call.bytes_received, LIMIT, "the stream stands")
	stop_peer("grpc_echo")
	await await_condition_or_timeout(grpc_call.is_finished, 3.0, "the call ends")
	check_code(grpc_call.status, GrpcStatus.Code.UNAVAILABLE, "status")
	check_equal(channel.failure, GrpcFailure.Kind.CONNECTION_LOST, "reason")
	await await_condition_or_timeout(func() -> bool: return channel.failure == GrpcFailure.Kind.NO_SERVER, LIMIT,
			"nobody is there")


func _fast_pings() -> GrpcChannelOptions:
	var options: GrpcChannelOptions = quick_options()
	options.keepalive_interval_ms = 50
	options.keepalive_timeout_ms = 1_000
	return options
