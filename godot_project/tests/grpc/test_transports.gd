extends GrpcTestCase
## Byte channels other than TCP, against relays in front of grpcio.

const NEEDS: String = "grpc_echo grpc_echo_unix grpc_echo_tls grpc_relay_tls grpc_relay_plain grpc_scripted"
const TlsTransport = preload("res://addons/gcs/grpc/transport/tls_transport.gd")
const CERTIFICATE: String = "res://../tests/godot/peers_grpc/localhost.crt"


func test_unix_socket() -> void:
	var path: String = peer_address("grpc_echo_unix").trim_prefix("unix:")
	if not ClassDB.class_exists(&"StreamPeerUDS"):
		var channel: GrpcChannel = open("grpc+unix:" + path)
		await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
		check_equal(channel.failure, GrpcFailure.Kind.UNSUPPORTED, "before Godot 4.6")
		return
	await _check_traffic("grpc+unix:" + path, quick_options())


func test_unix_socket_with_a_hidden_name() -> void:
	if not ClassDB.class_exists(&"StreamPeerUDS"):
		return
	var path: String = OS.get_temp_dir().path_join(".gcs-%d.sock" % OS.get_process_id())
	var listener: Object = ClassDB.instantiate(&"UDSServer")
	check_equal(listener.call(&"listen", path), OK, "a listener")
	open("grpc+unix:" + path)
	await await_condition_or_timeout(listener.call.bind(&"is_connection_available"), LIMIT, "the channel comes")
	listener.call(&"stop")
	DirAccess.remove_absolute(path)


func test_unix_socket_that_is_not_there() -> void:
	for path: String in ["/no/such/folder/x.sock", OS.get_temp_dir().path_join("gcs-no-such.sock")]:
		var channel: GrpcChannel = open("grpc+unix:" + path)
		await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
		var expected: GrpcFailure.Kind = (GrpcFailure.Kind.NO_SERVER if ClassDB.class_exists(&"StreamPeerUDS")
				else GrpcFailure.Kind.UNSUPPORTED)
		check_equal(channel.failure, expected, channel.reason)


func test_unix_socket_that_nobody_listens_at() -> void:
	if not ClassDB.class_exists(&"StreamPeerUDS"):
		return
	expect_engine_error("Connection to remote host failed")
	var path: String = OS.get_temp_dir().path_join("gcs-stale-%d.sock" % OS.get_process_id())
	var listener: Object = ClassDB.instantiate(&"UDSServer")
	check_equal(listener.call(&"listen", path), OK, "a listener")
	listener.call(&"stop")
	if not DirAccess.get_files_at(path.get_base_dir()).has(path.get_file()):
		FileAccess.open(path, FileAccess.WRITE).close()
	var channel: GrpcChannel = open("grpc+unix:" + path)
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.NO_SERVER, channel.reason)
	DirAccess.remove_absolute(path)


func test_tls_through_a_relay() -> void:
	await _check_traffic("grpcs://" + peer_address("grpc_relay_tls"), _trusting())


func test_tls_takes_all_records_that_are_there_at_once_and_keeps_to_the_budget() -> void:
	var channel: GrpcChannel = open("grpcs://" + peer_address("grpc_relay_tls"), _trusting())
	await until_state(channel, GrpcChannel.State.READY)
	var body: PackedByteArray = PackedByteArray()
	# Several records, and less than a socket holds.
	body.resize(60_000)
	# The request goes out at the end of this frame; nobody polls the channel while the reply comes in.
	channels.erase(channel)
	var grpc_call: GrpcCall = ask(channel, "Unary", body)
	var came: Array[int] = []
	grpc_call.bytes_received.connect(func(bytes: PackedByteArray) -> void: came.push_back(bytes.size()))
	var transport: TlsTransport = channel._link._transport
	var socket: StreamPeerTCP = transport._tcp.stream()
	await await_condition_or_timeout(func() -> bool: return socket.get_available_bytes() >= body.size(), LIMIT,
			"the reply is there")
	channel.poll(0)
	check(socket.get_available_bytes() > 0 and came.is_empty(), "no budget, no more than a piece")
	channel.poll(1_000_000)
	check_equal(came, [body.size()] as Array[int], "the whole reply in one poll")
	channels.push_back(channel)
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "the call")


func test_tls_with_a_certificate_that_nobody_trusts() -> void:
	expect_engine_error("TLS handshake error")
	var channel: GrpcChannel = open("grpcs://" + peer_address("grpc_relay_tls"))
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.TLS_FAILED, channel.reason)


func test_tls_url_at_a_plain_port() -> void:
	expect_engine_error("TLS handshake error")
	var channel: GrpcChannel = open("grpcs://" + peer_address("grpc_echo"), _trusting())
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.TLS_FAILED, channel.reason)


func test_tls_handshake_without_an_answer_blocks_no_frame() -> void:
	var options: GrpcChannelOptions = _trusting()
	options.connect_timeout_ms = 300
	var channel: GrpcChannel = open("grpcs://" + await scripted("raw -"), options)
	var frames: int = 0
	while channel.state != GrpcChannel.State.TRANSIENT_FAILURE and frames < 100_000:
		frames += 1
		await get_tree().process_frame
	check_equal(channel.failure, GrpcFailure.Kind.TIMEOUT, channel.reason)
	check(frames >= 3, "frames went on meanwhile: %d" % frames)


func test_tls_straight_to_grpcio_needs_a_relay() -> void:
	var address: String = peer_address("grpc_echo_tls").replace("127.0.0.1", "localhost")
	var channel: GrpcChannel = open("grpcs://" + address, _trusting())
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.NEEDS_RELAY, channel.reason)


func test_plain_url_at_a_tls_relay_is_told() -> void:
	var channel: GrpcChannel = open("grpc://" + peer_address("grpc_relay_tls"))
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.NEEDS_TLS, channel.reason)


func test_certificate_that_cannot_be_read_changes_nothing() -> void:
	expect_engine_error("no-such.crt")
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	check(options.trust("res://no-such.crt") != OK, "an error")
	check(options.tls == null, "the system's certificates")


func test_websocket_through_a_relay() -> void:
	await _check_traffic("ws://" + peer_address("grpc_relay_plain"), quick_options())


func test_websocket_over_tls_through_a_relay() -> void:
	await _check_traffic("wss://" + peer_address("grpc_relay_tls"), _trusting())


func test_websocket_url_at_a_port_without_relay() -> void:
	var channel: GrpcChannel = open("ws://" + peer_address("grpc_echo"))
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check_equal(channel.failure, GrpcFailure.Kind.NO_SERVER, channel.reason)


func test_relay_that_dies_is_noticed() -> void:
	for kind: String in ["tls", "plain"]:
		var url: String = {"tls": "grpcs://", "plain": "ws://"}[kind] + peer_address("grpc_relay_" + kind)
		var channel: GrpcChannel = open(url, _trusting())
		var grpc_call: GrpcCall = ask(channel, "Silent", PackedByteArray())
		await await_signal_or_timeout(grpc_call.headers_received, LIMIT, "the call stands")
		stop_peer("grpc_relay_" + kind)
		await await_condition_or_timeout(grpc_call.is_finished, 3.0, "the call ends")
		check_code(grpc_call.status, GrpcStatus.Code.UNAVAILABLE, url)


## Options that trust the test's certificate.
func _trusting() -> GrpcChannelOptions:
	var options: GrpcChannelOptions = quick_options()
	check_equal(options.trust(ProjectSettings.globalize_path(CERTIFICATE)), OK, "the test's certificate")
	return options


## All kinds of traffic: small, many, large up, large down.
func _check_traffic(url: String, options: GrpcChannelOptions) -> void:
	var channel: GrpcChannel = open(url, options)
	var small: GrpcCall = ask(channel, "Unary", "hello".to_utf8_buffer())
	check_equal((await small.response_bytes()).get_string_from_utf8(), "hello", "reply (%s)" % small.status)
	var many: GrpcCall = ask(channel, "ServerStream", "m".to_utf8_buffer(), with_metadata({"x-count": "2000"}))
	var count: Array[int] = [0]
	many.bytes_received.connect(func(_bytes: PackedByteArray) -> void: count[0] += 1)
	check_code(await end_of(many), GrpcStatus.Code.OK, "stream")
	check_equal(count[0], 2_000, "messages")
	var body: PackedByteArray = PackedByteArray()
	body.resize(3_000_000)
	for at: int in range(0, body.size(), 1_000):
		body[at] = at >> 10 & 0xff
	var large: GrpcCall = ask(channel, "Unary", body)
	check(await large.response_bytes() == body, "3 MB there and back (%s)" % large.status)
