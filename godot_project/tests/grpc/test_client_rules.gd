extends GrpcTestCase
## What a server asks of its client: points 1 to 11. The scripted peer notes each frame and what goes beyond its
## windows.

const NEEDS: String = "grpc_scripted grpc_echo"

const END_STREAM: int = 1
const ACK: int = 1


func test_01_preface_settings_and_windows_come_first() -> void:
	var address: String = await scripted("echo")
	check_code(await end_of(ask(open(address), "Unary", "x".to_utf8_buffer())), GrpcStatus.Code.OK, "status")
	var seen: Dictionary = (await seen_at(address))[0]
	var frames: Array = seen["frames"]
	var first: Dictionary = frames[0]
	var second: Dictionary = frames[1]
	check_equal(first["type"], "SETTINGS", "first frame")
	check_equal(first["settings"], {"1": 0.0, "2": 0.0, "4": 1048576.0, "6": 65536.0},
			"table size, push, window, header list")
	check_equal(second["type"], "WINDOW_UPDATE", "second frame")
	check_equal(second["stream"], 0.0, "of the connection")
	check_equal(second["increment"], float(4 * 1024 * 1024 - 65535), "up to 4 MiB")
	await check_rules_kept(address)


func test_02_settings_are_acknowledged_and_windows_shift() -> void:
	var address: String = await scripted("settings_change")
	var body: PackedByteArray = PackedByteArray()
	body.resize(60_000)
	var reply: PackedByteArray = await ask(open(address), "Unary", body).response_bytes()
	check_equal(reply.get_string_from_utf8(), "60005", "bytes that arrived")
	var acks: Callable = func(seen: Array[Dictionary]) -> bool:
		return frames_of(seen[0], "SETTINGS").filter(func(f: Dictionary) -> bool: return f["flags"] == ACK).size() == 3
	await seen_until(address, acks, "three acknowledgements")
	await check_rules_kept(address)


func test_03_pings_come_back_with_their_bytes() -> void:
	var address: String = await scripted("pings")
	check_code(await end_of(ask(open(address), "Unary", "x".to_utf8_buffer())), GrpcStatus.Code.OK, "status")
	var payloads: Array = []
	for frame: Dictionary in frames_of((await seen_at(address))[0], "PING"):
		check_equal(frame["flags"], float(ACK), "ACK flag")
		payloads.push_back(frame["payload"])
	check_equal(payloads, ["0001020304050607", "ffffffffffffffff", "battle!!".to_ascii_buffer().hex_encode()],
			"payloads")


func test_04_headers_of_a_request() -> void:
	var address: String = await scripted("echo")
	var options: GrpcCallOptions = with_metadata({
		"x-text": "a b~", "x-data-bin": PackedByteArray([0, 255, 1, 2]), "x-twice": ["one", "two"],
	})
	options.deadline_ms = 5_000
	var channel_options: GrpcChannelOptions = quick_options()
	channel_options.user_agent = "a-game/2"
	channel_options.token = "secret"
	check_code(await end_of(ask(open(address, channel_options), "Unary", "x".to_utf8_buffer(), options)),
			GrpcStatus.Code.OK, "status")
	var headers: Array[Dictionary] = frames_of((await seen_at(address))[0], "HEADERS")
	var fields: Dictionary[String, Array] = {}
	var list: Array = headers[0]["fields"]
	for field: Array in list:
		var key: String = field[0]
		if not fields.has(key):
			fields[key] = []
		fields[key].push_back(field[1])
	var timeout: String = fields["grpc-timeout"][0]
	check(timeout.ends_with("m") and timeout.to_int() > 0 and timeout.to_int() <= 5_000, "grpc-timeout %s" % timeout)
	fields.erase("grpc-timeout")
	check_equal(fields, {
		":method": ["POST"], ":scheme": ["http"], ":path": ["/test.Echo/Unary"], ":authority": [address], "te": [
				"trailers"],
		"content-type": ["application/grpc"], "user-agent": ["a-game/2 grpc-gdscript/1.0"],
		"grpc-accept-encoding": ["identity,gzip,deflate"], "authorization": ["Bearer secret"], "x-text": ["a b~"],
		"x-data-bin": ["AP8BAg"], "x-twice": ["one", "two"],
	} as Dictionary[String, Array], "fields")


func test_04_long_deadlines_keep_to_eight_digits() -> void:
	var address: String = await scripted("echo")
	var ended: GrpcStatus = await end_of(
			ask(open(address), "Unary", PackedByteArray(), GrpcCallOptions.with_deadline(864_000_000)))
	check_code(ended, GrpcStatus.Code.OK, "status")
	var fields: Array = frames_of((await seen_at(address))[0], "HEADERS")[0]["fields"]
	check(fields.has(["grpc-timeout", "863999S"]) or fields.has(["grpc-timeout", "864000S"]),
			"ten days in seconds: %s" % str(fields))


func test_04_bad_metadata_is_refused_with_its_name() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	var bad: Array[Dictionary] = [
		{"Upper": "x"}, {"grpc-own": "x"}, {":path": "/"}, {"te": "x"}, {"": "x"}, {"x": 5}, {"x-bin": "text"}, {
				"x": "line\nbreak"},
		{"x": "ümlaut"}, {"x": PackedByteArray([1])},
	]
	for metadata: Dictionary in bad:
		var typed: Dictionary[String, Variant] = {}
		typed.assign(metadata)
		var status: GrpcStatus = await end_of(ask_anyway(channel, with_metadata(typed)))
		check_code(status, GrpcStatus.Code.INTERNAL, str(metadata))
		check(status.message.contains("metadata"), "the message tells: %s" % status.message)


func test_04_options_that_no_header_can_hold_are_refused_at_once() -> void:
	for option: String in ["token", "user_agent", "authority"]:
		for value: String in ["line\nbreak", "ümlaut"]:
			var options: GrpcChannelOptions = quick_options()
			options.set(option, value)
			var channel: GrpcChannel = open(peer_address("grpc_echo"), options)
			check_equal(channel.state, GrpcChannel.State.SHUTDOWN, "%s %s" % [option, value.c_escape()])
			check_equal(channel.failure, GrpcFailure.Kind.BAD_OPTION, channel.reason)
			check(channel.reason.contains(option), "the reason tells which: %s" % channel.reason)
			check(not channel.reason.contains("break"), "and not what a secret is: %s" % channel.reason)
			check_code(await end_of(ask_anyway(channel, GrpcCallOptions.new())), GrpcStatus.Code.UNAVAILABLE,
					channel.reason)


func ask_anyway(channel: GrpcChannel, options: GrpcCallOptions) -> GrpcCall:
	return channel.start_call("/test.Echo/Unary", null, options)


func test_04_metadata_beyond_the_servers_limit_is_refused_here() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	await until_state(channel, GrpcChannel.State.READY)
	var status: GrpcStatus = await end_of(ask_anyway(channel, with_metadata({"x-large": "v".repeat(20_000)})))
	check_code(status, GrpcStatus.Code.RESOURCE_EXHAUSTED, "20 KB of metadata where grpcio takes 16")


func test_05_fields_are_plain_literals_that_every_peer_reads() -> void:
	# hpack decodes them at the scripted peer (point 4), grpcio here; a long block spans CONTINUATION frames.
	var address: String = await scripted("echo")
	var options: GrpcCallOptions = with_metadata({"x-large": "v".repeat(40_000)})
	check_code(await end_of(ask(open(address), "Unary", "x".to_utf8_buffer(), options)), GrpcStatus.Code.OK, "status")
	var seen: Dictionary = (await seen_at(address))[0]
	check_equal(frames_of(seen, "CONTINUATION").size(), 2, "CONTINUATION frames")
	await check_rules_kept(address)


func test_06_stream_ids_are_odd_and_grow() -> void:
	var address: String = await scripted("echo")
	var channel: GrpcChannel = open(address)
	for number: int in range(4):
		check_code(await end_of(ask(channel, "Unary", "x".to_utf8_buffer())), GrpcStatus.Code.OK, "status")
	var ids: Array = []
	for frame: Dictionary in frames_of((await seen_at(address))[0], "HEADERS"):
		ids.push_back(frame["stream"])
	check_equal(ids, [1.0, 3.0, 5.0, 7.0], "stream ids")


func test_06_call_without_any_answer_ends_at_its_deadline() -> void:
	var address: String = await scripted("silence")
	var status: GrpcStatus = await end_of(
			ask(open(address), "Unary", PackedByteArray(), GrpcCallOptions.with_deadline(150)))
	check_code(status, GrpcStatus.Code.DEADLINE_EXCEEDED, "status")
	check(not status.unsent, "the server may have worked on it")


func test_06_waiting_calls_have_a_deadline_too() -> void:
	var options: GrpcCallOptions = GrpcCallOptions.with_deadline(150)
	options.wait_for_ready = true
	var status: GrpcStatus = await end_of(ask(open("127.0.0.1:1"), "Unary", PackedByteArray(), options))
	check_code(status, GrpcStatus.Code.DEADLINE_EXCEEDED, "status")
	check(status.unsent, "never sent")
	check(status.message.contains("no server answers"), "the reason is told: %s" % status.message)


func test_07_messages_straddle_frames_in_any_way() -> void:
	for size: int in [1, 2, 3, 4, 5, 6, 7, 8, 100, 523, 16_384]:
		var address: String = await scripted("pieces %d" % size)
		var grpc_call: GrpcCall = ask(open(address), "Unary", "x".to_utf8_buffer())
		var texts: PackedStringArray = PackedStringArray()
		grpc_call.bytes_received.connect(
				func(bytes: PackedByteArray) -> void: texts.push_back(bytes.get_string_from_utf8()))
		check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "pieces of %d" % size)
		check_equal(texts, PackedStringArray(["one", "", "three".repeat(100)]), "messages in pieces of %d" % size)


func test_08_nothing_goes_beyond_the_windows() -> void:
	for step: int in [1, 7, 1_000]:
		var address: String = await scripted("tiny_windows %d" % step)
		var body: PackedByteArray = PackedByteArray()
		body.resize(step * 150)
		var reply: PackedByteArray = await ask(open(address), "Unary", body).response_bytes()
		check_equal(reply.get_string_from_utf8(), str(step * 150 + 5), "bytes that arrived by %d" % step)
		await check_rules_kept(address)


func test_08_large_messages_go_out_in_small_frames() -> void:
	var address: String = await scripted("tiny_windows 60000")
	var body: PackedByteArray = PackedByteArray()
	body.resize(1_000_000)
	var reply: PackedByteArray = await ask(open(address), "Unary", body).response_bytes()
	check_equal(reply.get_string_from_utf8(), "1000005", "bytes that arrived")
	await check_rules_kept(address)


func test_08_sender_is_told_to_wait() -> void:
	var address: String = await scripted("silence")
	var grpc_call: GrpcCall = open(address).start_call("/test.Echo/Bidi", null)
	var body: PackedByteArray = PackedByteArray()
	body.resize(400_000)
	check_equal(grpc_call.send_bytes(body), OK, "first message")
	check_equal(grpc_call.send_bytes(body), OK, "second message")
	check_equal(grpc_call.send_bytes(body), ERR_BUSY, "third message: over 1 MiB waits")
	check(grpc_call.queued_bytes() < 1_000_000, "bytes that wait: %d" % grpc_call.queued_bytes())
	body.resize(5_000_000)
	check_equal(grpc_call.send_bytes(body), ERR_OUT_OF_MEMORY, "a message over the limit")
	grpc_call.cancel()
	check_equal(grpc_call.send_bytes(PackedByteArray()), ERR_UNAVAILABLE, "after the end")


func test_08_send_ready_tells_when_to_go_on() -> void:
	var grpc_call: GrpcCall = open(peer_address("grpc_echo")).start_call("/test.Echo/ClientStream", null)
	var body: PackedByteArray = PackedByteArray()
	body.resize(300_000)
	var waits: int = 0
	for number: int in range(20):
		while grpc_call.send_bytes(body) == ERR_BUSY:
			waits += 1
			await grpc_call.send_ready
	grpc_call.close_send()
	var reply: PackedByteArray = await grpc_call.response_bytes()
	check_equal(reply.get_string_from_utf8(), "20 6000000", "messages and bytes at the server")
	check(waits > 0, "6 MB do not fit at once")


func test_09_end_stream_is_on_the_last_data() -> void:
	var address: String = await scripted("echo")
	check_code(await end_of(ask(open(address), "Unary", "last".to_utf8_buffer())), GrpcStatus.Code.OK, "status")
	var data: Array[Dictionary] = frames_of((await seen_at(address))[0], "DATA")
	check_equal(data.size(), 1, "DATA frames")
	check_equal(data[0]["flags"], float(END_STREAM), "flags")
	check_equal(data[0]["length"], 9.0, "prefix and message")


func test_09_end_without_data_is_an_empty_frame() -> void:
	var address: String = await scripted("echo")
	var grpc_call: GrpcCall = open(address).start_call("/test.Echo/ClientStream", null)
	grpc_call.close_send()
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	var data: Array[Dictionary] = frames_of((await seen_at(address))[0], "DATA")
	check_equal(data.size(), 1, "DATA frames")
	check_equal([data[0]["flags"], data[0]["length"]], [float(END_STREAM), 0.0], "flags and length")


func test_10_cancel_and_deadline_reset_the_stream() -> void:
	var address: String = await scripted("silence")
	var channel: GrpcChannel = open(address)
	var cancelled: GrpcCall = ask(channel, "Unary", PackedByteArray())
	var late: GrpcCall = ask(channel, "Unary", PackedByteArray(), GrpcCallOptions.with_deadline(300))
	await await_condition_or_timeout(func() -> bool: return cancelled.state == GrpcCall.State.OPEN, LIMIT,
			"the call is open")
	cancelled.cancel()
	check_code(await end_of(cancelled), GrpcStatus.Code.CANCELLED, "status")
	check_equal(cancelled.state, GrpcCall.State.CANCELLED, "state")
	check_code(await end_of(late), GrpcStatus.Code.DEADLINE_EXCEEDED, "status")
	var both: Callable = func(seen: Array[Dictionary]) -> bool: return frames_of(seen[0], "RST_STREAM").size() == 2
	for frame: Dictionary in frames_of((await seen_until(address, both, "two RST_STREAM"))[0], "RST_STREAM"):
		check_equal(frame["code"], 8.0, "CANCEL")


func test_10_grpcio_notices_a_cancel() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	var before: PackedByteArray = await ask(channel, "Cancelled", PackedByteArray()).response_bytes()
	var grpc_call: GrpcCall = ask(channel, "Silent", PackedByteArray())
	await await_signal_or_timeout(grpc_call.headers_received, LIMIT, "headers")
	grpc_call.cancel()
	await end_of(grpc_call)
	var expected: String = str(before.get_string_from_utf8().to_int() + 1)
	var last: String = ""
	while last != expected and not has_failed():
		last = (await ask(channel, "Cancelled", PackedByteArray()).response_bytes()).get_string_from_utf8()
	check_equal(last, expected, "calls that the server saw cancelled")


func test_10_cancel_before_the_call_is_sent_sends_nothing() -> void:
	var address: String = await scripted("echo")
	var channel: GrpcChannel = open(address)
	var grpc_call: GrpcCall = ask(channel, "Unary", PackedByteArray())
	grpc_call.cancel()
	check_code(await end_of(grpc_call), GrpcStatus.Code.CANCELLED, "status")
	check_code(await end_of(ask(channel, "Unary", PackedByteArray())), GrpcStatus.Code.OK, "the next call")
	check_equal(frames_of((await seen_at(address))[0], "HEADERS").size(), 1, "calls at the server")


func test_11_windows_are_opened_again() -> void:
	var address: String = await scripted("obedient 3500000")
	var reply: PackedByteArray = await ask(open(address), "Unary", PackedByteArray()).response_bytes()
	check_equal(reply.size(), 3_500_000, "bytes")
	var streams: Array = []
	for frame: Dictionary in frames_of((await seen_at(address))[0], "WINDOW_UPDATE"):
		streams.push_back(frame["stream"])
	check(streams.count(0.0) >= 2 and streams.count(1.0) >= 2,
			"WINDOW_UPDATE of connection and stream: %s" % str(streams))


func test_11_many_large_replies_from_grpcio() -> void:
	var options: GrpcCallOptions = with_metadata({"x-count": "12", "x-reply-bytes": "1000000"})
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	var calls: Array[GrpcCall] = [ask(channel, "ServerStream", "ab".to_utf8_buffer(), options),
			ask(channel, "ServerStream", "cd".to_utf8_buffer(), options)]
	var bytes_of: Array[int] = [0, 0]
	for index: int in range(2):
		calls[index].bytes_received.connect(func(bytes: PackedByteArray) -> void: bytes_of[index] += bytes.size())
	for grpc_call: GrpcCall in calls:
		check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	check_equal(bytes_of, [12_000_000, 12_000_000] as Array[int], "bytes")


func test_11_answer_before_the_end_of_the_request() -> void:
	var address: String = await scripted("early_answer")
	var grpc_call: GrpcCall = open(address).start_call("/test.Echo/ClientStream", null)
	var body: PackedByteArray = PackedByteArray()
	body.resize(5_000)
	grpc_call.send_bytes(body)
	var reply: PackedByteArray = await grpc_call.response_bytes()
	check_equal(reply.get_string_from_utf8(), "enough", "reply")
	var told: Callable = func(seen: Array[Dictionary]) -> bool: return frames_of(seen[0], "RST_STREAM").size() == 1
	await seen_until(address, told, "the rest of the request is called off")
	await check_rules_kept(address)
