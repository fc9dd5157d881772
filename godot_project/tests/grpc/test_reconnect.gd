extends GrpcTestCase
## Coming back after a lost connection: point 20.

const NEEDS: String = "grpc_scripted"

const Backoff = preload("res://addons/gcs/grpc/core/backoff.gd")


func test_20_waits_grow_up_to_the_limit() -> void:
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	options.backoff_initial_ms = 100
	options.backoff_max_ms = 1_000
	options.backoff_multiplier = 2.0
	options.backoff_jitter = 0.0
	var backoff: Backoff = Backoff.new(options, 1)
	var waits: Array[int] = []
	for attempt: int in range(6):
		waits.push_back(backoff.next_ms())
	check_equal(waits, [100, 200, 400, 800, 1_000, 1_000] as Array[int], "waits")
	backoff.reset()
	check_equal(backoff.next_ms(), 100, "after a success")


func test_20_jitter_spreads_clients() -> void:
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	options.backoff_initial_ms = 10_000
	options.backoff_jitter = 0.2
	var waits: Dictionary[int, bool] = {}
	for client: int in range(100):
		var wait: int = Backoff.new(options, client).next_ms()
		check(wait >= 8_000 and wait <= 12_000, "within a fifth: %d" % wait)
		waits[wait] = true
	check(waits.size() > 80, "different waits: %d of 100" % waits.size())


func test_20_connection_is_made_again_by_itself() -> void:
	var address: String = await scripted("drop 3")
	var channel: GrpcChannel = open(address)
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.wait_for_ready = true
	await await_condition_or_timeout(func() -> bool: return channel.state == GrpcChannel.State.TRANSIENT_FAILURE, LIMIT,
			"it breaks")
	while channel.state != GrpcChannel.State.READY or (await seen_at(address)).size() < 4:
		await get_tree().process_frame
	var reply: PackedByteArray = await ask(channel, "Unary", PackedByteArray(), options).response_bytes()
	check_equal(reply.get_string_from_utf8(), "4", "the fourth connection answers")


func test_20_calls_are_never_sent_twice() -> void:
	var address: String = await scripted("silence")
	var channel: GrpcChannel = open(address)
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.wait_for_ready = true
	var grpc_call: GrpcCall = ask(channel, "Unary", "once".to_utf8_buffer(), options)
	var sent: Callable = func(seen: Array[Dictionary]) -> bool:
		return not seen.is_empty() and frames_of(seen[0], "DATA").size() == 1
	await seen_until(address, sent, "the call is sent")
	await shut(address)
	check_code(await end_of(grpc_call), GrpcStatus.Code.UNAVAILABLE, "status")
	check(grpc_call.status.retryable and not grpc_call.status.unsent, "only the caller knows whether to send it again")


func test_20_calls_that_wait_for_a_connection_move_to_the_next() -> void:
	var channel: GrpcChannel = open(await scripted("raw - close"))
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.wait_for_ready = true
	var patient: GrpcCall = ask(channel, "Unary", PackedByteArray(), options)
	var hasty: GrpcCall = ask(channel, "Unary", PackedByteArray())
	check_code(await end_of(hasty), GrpcStatus.Code.UNAVAILABLE, "without wait_for_ready")
	check(hasty.status.unsent, "it was never sent")
	for frame: int in range(20):
		await get_tree().process_frame
	check(not patient.is_finished(), "with wait_for_ready")


func test_20_connect_now_does_not_wait() -> void:
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	options.backoff_initial_ms = 60_000
	options.backoff_max_ms = 60_000
	var channel: GrpcChannel = open(await scripted("drop 1"), options)
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	channel.connect_now()
	await until_state(channel, GrpcChannel.State.READY)


func test_20_goodbye_without_service_is_not_a_loop() -> void:
	# SETTINGS and GOAWAY at once on each connection.
	var address: String = await scripted("raw 000000040000000000" + "0000080700000000007fffffff00000000")
	var channel: GrpcChannel = open(address)
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.SERVER_CLOSING, "reason")
	check((await seen_at(address)).size() <= 3, "attempts before the first wait")
