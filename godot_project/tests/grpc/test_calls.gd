extends GrpcTestCase
## The four kinds of calls against a real grpcio server.

const NEEDS: String = "grpc_echo"


func _echo() -> GrpcChannel:
	return open("grpc://" + peer_address("grpc_echo"))


func test_unary_call_gives_its_reply() -> void:
	var grpc_call: GrpcCall = ask(_echo(), "Unary", "hello".to_utf8_buffer())
	var reply: PackedByteArray = await grpc_call.response_bytes()
	check_equal(reply.get_string_from_utf8(), "hello", "reply")
	check_code(grpc_call.status, GrpcStatus.Code.OK, "status")
	check_equal(grpc_call.state, GrpcCall.State.COMPLETED, "state")


func test_address_without_scheme_means_plain_grpc() -> void:
	var grpc_call: GrpcCall = ask(open(peer_address("grpc_echo")), "Unary", "x".to_utf8_buffer())
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")


func test_empty_message_is_a_message() -> void:
	var grpc_call: GrpcCall = ask(_echo(), "Unary", PackedByteArray())
	var replies: Array[PackedByteArray] = []
	grpc_call.bytes_received.connect(func(bytes: PackedByteArray) -> void: replies.push_back(bytes))
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	check_equal(replies.size(), 1, "replies")


func test_server_stream_keeps_the_order() -> void:
	var options: GrpcCallOptions = with_metadata({"x-count": "1000"})
	var grpc_call: GrpcCall = ask(_echo(), "ServerStream", "again".to_utf8_buffer(), options)
	var count: Array[int] = [0]
	grpc_call.bytes_received.connect(func(bytes: PackedByteArray) -> void:
		count[0] += 1
		check_equal(bytes.get_string_from_utf8(), "again", "message"))
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	check_equal(count[0], 1000, "messages")


func test_client_stream_sends_all_messages() -> void:
	var grpc_call: GrpcCall = _echo().start_call("/test.Echo/ClientStream", null)
	for number: int in range(300):
		check_equal(grpc_call.send_bytes(str(number).to_utf8_buffer()), OK, "send %d" % number)
	grpc_call.close_send()
	var reply: PackedByteArray = await grpc_call.response_bytes()
	check_equal(reply.get_string_from_utf8(), "300 790", "messages and bytes that the server counted")


func test_bidi_stream_answers_while_it_is_open() -> void:
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.pull = true
	var grpc_call: GrpcCall = _echo().start_call("/test.Echo/Bidi", null, options)
	for number: int in range(50):
		grpc_call.send_bytes(str(number).to_utf8_buffer())
		var reply: PackedByteArray = await grpc_call.next_bytes()
		check_equal(reply.get_string_from_utf8(), str(number), "reply")
	check(not grpc_call.is_finished(), "the call goes on")
	grpc_call.close_send()
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	check(not grpc_call.has_message(), "nothing is left")


func test_messages_of_a_type_are_decoded() -> void:
	var channel: GrpcChannel = _echo()
	var request: GrpcTestMessage = GrpcTestMessage.new()
	request.text = "typed"
	var grpc_call: GrpcCall = channel.unary("/test.Echo/Unary", request, GrpcTestMessage)
	var received: Array[ProtoMessage] = []
	grpc_call.message_received.connect(func(message: ProtoMessage) -> void: received.push_back(message))
	var reply: GrpcTestMessage = await grpc_call.response()
	check_equal(reply.text if reply != null else "", "typed", "reply")
	check_equal(received.size(), 1, "message_received")


func test_unreadable_reply_fails_the_call() -> void:
	var options: GrpcCallOptions = GrpcCallOptions.new()
	var grpc_call: GrpcCall = _echo().start_call("/test.Echo/Unary", GrpcTestMessage, options)
	grpc_call.send_bytes("!bad".to_utf8_buffer())
	grpc_call.close_send()
	var reply: ProtoMessage = await grpc_call.response()
	check(reply == null, "no reply")
	check_code(grpc_call.status, GrpcStatus.Code.INTERNAL, "status")
	check(grpc_call.status.message.contains("bad on request"), "the reason is told: %s" % grpc_call.status.message)


func test_pulled_messages_of_a_type() -> void:
	var options: GrpcCallOptions = with_metadata({"x-count": "3"})
	options.pull = true
	var grpc_call: GrpcCall = _echo().start_call("/test.Echo/ServerStream", GrpcTestMessage, options)
	grpc_call.send_bytes("m".to_utf8_buffer())
	grpc_call.close_send()
	var texts: PackedStringArray = PackedStringArray()
	while true:
		var message: GrpcTestMessage = await grpc_call.next_message()
		if message == null:
			break
		texts.push_back(message.text)
	check_equal(texts, PackedStringArray(["m", "m", "m"]), "messages")
	check_code(grpc_call.status, GrpcStatus.Code.OK, "status")


func test_pull_holds_the_server_back() -> void:
	var options: GrpcCallOptions = with_metadata({"x-count": "40", "x-reply-bytes": "100000"})
	options.pull = true
	var channel: GrpcChannel = _echo()
	var grpc_call: GrpcCall = ask(channel, "ServerStream", "x".to_utf8_buffer(), options)
	await await_condition_or_timeout(grpc_call.has_message, LIMIT, "the first message")
	# Other calls go on while nobody takes this one's messages: they have windows of their own.
	for number: int in range(20):
		check_code(await end_of(ask(channel, "Unary", "y".to_utf8_buffer())), GrpcStatus.Code.OK, "another call")
	check(not grpc_call.is_finished(), "4 MB do not fit into a window of 1 MiB")
	var count: int = 0
	while true:
		var bytes: PackedByteArray = await grpc_call.next_bytes()
		if bytes.is_empty():
			break
		count += 1
	check_equal(count, 40, "messages")


func test_many_calls_share_one_connection() -> void:
	var channel: GrpcChannel = _echo()
	var calls: Array[GrpcCall] = []
	for number: int in range(200):
		calls.push_back(ask(channel, "Unary", str(number).to_utf8_buffer()))
	for number: int in range(200):
		var reply: PackedByteArray = await calls[number].response_bytes()
		check_equal(reply.get_string_from_utf8(), str(number), "reply of call %d" % number)
	check_equal(channel.call_count(), 0, "calls left")


func test_finished_comes_once_and_never_inside_start_call() -> void:
	var channel: GrpcChannel = _echo()
	await until_state(channel, GrpcChannel.State.READY)
	var endings: Array[GrpcStatus] = []
	var bad: GrpcCall = channel.start_call("no path", null)
	check(not bad.is_finished(), "not over yet")
	bad.finished.connect(func(status: GrpcStatus) -> void: endings.push_back(status))
	check_code(await end_of(bad), GrpcStatus.Code.INTERNAL, "a path without slashes")
	bad.cancel()
	for frame: int in range(3):
		await get_tree().process_frame
	check_equal(endings.size(), 1, "finished")


func test_call_after_close_finishes() -> void:
	var channel: GrpcChannel = GrpcChannel.open(peer_address("grpc_echo"))
	channel.close()
	var grpc_call: GrpcCall = channel.start_call("/test.Echo/Unary", null)
	check(not grpc_call.is_finished(), "not inside start_call")
	check_code(await end_of(grpc_call), GrpcStatus.Code.UNAVAILABLE, "status")
	check(grpc_call.status.unsent, "unsent")


func test_closing_and_freeing_a_channel_end_its_calls() -> void:
	var channel: GrpcChannel = _echo()
	var grpc_call: GrpcCall = ask(channel, "Silent", PackedByteArray())
	await await_condition_or_timeout(func() -> bool: return grpc_call.state == GrpcCall.State.OPEN, LIMIT,
			"the call is open")
	channel.close()
	check(grpc_call.is_finished(), "ended by close")
	check_code(grpc_call.status, GrpcStatus.Code.CANCELLED, "status after close")
	var orphan: GrpcCall = _call_of_a_dropped_channel()
	check(orphan.is_finished(), "ended with its channel")
	check_code(orphan.status, GrpcStatus.Code.CANCELLED, "status of an orphan")


func _call_of_a_dropped_channel() -> GrpcCall:
	var channel: GrpcChannel = GrpcChannel.open(peer_address("grpc_echo"))
	var orphan: GrpcCall = channel.start_call("/test.Echo/Silent", null)
	channel.poll()
	return orphan


func test_slot_may_cancel_close_and_poll() -> void:
	var options: GrpcCallOptions = with_metadata({"x-count": "100"})
	var channel: GrpcChannel = _echo()
	var grpc_call: GrpcCall = ask(channel, "ServerStream", "m".to_utf8_buffer(), options)
	var count: Array[int] = [0]
	grpc_call.bytes_received.connect(func(_bytes: PackedByteArray) -> void:
		count[0] += 1
		grpc_call.cancel()
		channel.poll())
	check_code(await end_of(grpc_call), GrpcStatus.Code.CANCELLED, "status")
	check(count[0] >= 1 and count[0] < 100, "nothing comes after cancel, got %d" % count[0])
	var closer: GrpcCall = ask(channel, "ServerStream", "m".to_utf8_buffer(), options)
	closer.bytes_received.connect(func(_bytes: PackedByteArray) -> void: channel.close())
	check_code(await end_of(closer), GrpcStatus.Code.CANCELLED, "status")


func test_slot_of_the_state_may_close_the_channel() -> void:
	for wanted: GrpcChannel.State in [GrpcChannel.State.CONNECTING, GrpcChannel.State.READY]:
		var channel: GrpcChannel = _echo()
		channel.state_changed.connect(func(state: GrpcChannel.State, _reason: String) -> void:
			if state == wanted:
				channel.close())
		var grpc_call: GrpcCall = ask(channel, "Unary", PackedByteArray())
		check_code(await end_of(grpc_call), GrpcStatus.Code.CANCELLED, "status")
		await get_tree().process_frame
		check_equal(channel.state, GrpcChannel.State.SHUTDOWN, "the channel stays closed")


func test_slot_that_polls_does_not_nest_without_end() -> void:
	var channel: GrpcChannel = _echo()
	var grpc_call: GrpcCall = ask(channel, "ServerStream", "m".to_utf8_buffer(), with_metadata({"x-count": "3000"}))
	var depths: Array[int] = [0, 0, 0]
	grpc_call.bytes_received.connect(func(_bytes: PackedByteArray) -> void:
		depths[0] += 1
		depths[1] = maxi(depths[1], depths[0])
		depths[2] += 1
		channel.poll()
		depths[0] -= 1)
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	check_equal(depths[2], 3_000, "messages")
	check_equal(depths[1], GrpcChannel.MAX_DEPTH, "depth")


func test_budget_bounds_a_poll() -> void:
	var channel: GrpcChannel = GrpcChannel.open(peer_address("grpc_echo"))
	var options: GrpcCallOptions = with_metadata({"x-count": "5000"})
	var grpc_call: GrpcCall = ask(channel, "ServerStream", "m".to_utf8_buffer(), options)
	var in_this_poll: Array[int] = [0]
	grpc_call.bytes_received.connect(func(_bytes: PackedByteArray) -> void:
		in_this_poll[0] += 1
		OS.delay_usec(1_000))
	var most: int = 0
	var all: int = 0
	while all < 50:
		in_this_poll[0] = 0
		channel.poll(3_000)
		all += in_this_poll[0]
		most = maxi(most, in_this_poll[0])
		if all == 0:
			await get_tree().process_frame
	check(most <= 4, "3 ms hold at most 4 slots of 1 ms, got %d" % most)
	grpc_call.cancel()
	channel.close()
