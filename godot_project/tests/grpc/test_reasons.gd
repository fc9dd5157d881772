extends GrpcTestCase
## Why there is no connection: each reason is told apart.

const NEEDS: String = "grpc_scripted grpc_echo grpc_echo_tls"


func test_no_server() -> void:
	await _check_reason("127.0.0.1:1", GrpcFailure.Kind.NO_SERVER, "no server answers")


func test_no_server_at_a_name_with_two_addresses() -> void:
	await _check_reason("localhost:1", GrpcFailure.Kind.NO_SERVER, "no server answers")


func test_unknown_name() -> void:
	await _check_reason("no-such-host.invalid:50051", GrpcFailure.Kind.NAME_NOT_FOUND, "name is unknown")


func test_silent_port() -> void:
	var options: GrpcChannelOptions = quick_options()
	options.connect_timeout_ms = 200
	await _check_reason(await scripted("raw -"), GrpcFailure.Kind.TIMEOUT, "nothing was said within 200 ms", options)


func test_http1_at_the_port() -> void:
	var answer: String = "HTTP/1.1 400 Bad Request\r\n\r\n".to_ascii_buffer().hex_encode()
	await _check_reason(await scripted("raw %s close" % answer), GrpcFailure.Kind.WRONG_PROTOCOL, "HTTP/1")


func test_relay_without_its_server() -> void:
	for code: String in ["502", "503", "504"]:
		var answer: String = (
				"HTTP/1.1 %s the server is away\r\nConnection: close\r\n\r\n" % code).to_ascii_buffer().hex_encode()
		await _check_reason(await scripted("raw %s close" % answer), GrpcFailure.Kind.RELAY_REFUSED,
				"(the server is away)")


func test_something_else_at_the_port() -> void:
	var answer: String = "SSH-2.0-OpenSSH_9.2\r\n".to_ascii_buffer().hex_encode()
	await _check_reason(await scripted("raw %s" % answer), GrpcFailure.Kind.WRONG_PROTOCOL, "5353482d322e30")


func test_port_that_closes_without_a_word() -> void:
	await _check_reason(await scripted("raw - close"), GrpcFailure.Kind.WRONG_PROTOCOL, "without a word")


func test_tls_at_the_port() -> void:
	await _check_reason(await scripted("raw 15030300020246 close"), GrpcFailure.Kind.NEEDS_TLS, "speaks TLS")


func test_grpcio_with_tls_at_the_port() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo_tls"))
	await until_state(channel, GrpcChannel.State.TRANSIENT_FAILURE)
	check(channel.failure in [GrpcFailure.Kind.NEEDS_TLS, GrpcFailure.Kind.WRONG_PROTOCOL],
			"failure: %s" % channel.reason)


func test_token_refused() -> void:
	var options: GrpcChannelOptions = quick_options()
	options.token = "wrong"
	var channel: GrpcChannel = open(peer_address("grpc_echo"), options)
	var call_options: GrpcCallOptions = with_metadata({"x-token": "Bearer right"})
	check_code(await end_of(ask(channel, "Unary", PackedByteArray(), call_options)), GrpcStatus.Code.UNAUTHENTICATED,
			"status")
	check_equal(channel.failure, GrpcFailure.Kind.TOKEN_REFUSED, "reason")
	check_equal(channel.state, GrpcChannel.State.READY, "the connection stands")
	check(channel.reason.contains("refuses the token") and channel.reason.contains("bad token"),
			"the reason is told: %s" % channel.reason)
	check_code(await end_of(ask(channel, "Unary", PackedByteArray(), with_metadata({"x-token": "Bearer wrong"}))),
			GrpcStatus.Code.OK, "right")
	check_equal(channel.failure, GrpcFailure.Kind.NONE, "after a call that went through")


func test_addresses_that_cannot_be_read() -> void:
	for url: String in ["", "localhost", "grpc://", "http://host:1", "host:0", "host:99999", "host:port", "::1:50051",
			"grpc+unix:", "grpc://[::1:5"]:
		var channel: GrpcChannel = open(url)
		check_equal(channel.state, GrpcChannel.State.SHUTDOWN, "state with \"%s\"" % url)
		check_equal(channel.failure, GrpcFailure.Kind.BAD_ADDRESS, "failure with \"%s\"" % url)
		check_code(await end_of(channel.start_call("/a.B/C", null)), GrpcStatus.Code.UNAVAILABLE, "a call")


func test_every_failure_has_a_sentence() -> void:
	var sentences: Dictionary[String, bool] = {}
	for kind: GrpcFailure.Kind in GrpcFailure.Kind.values():
		sentences[GrpcFailure.describe(kind)] = true
	check_equal(sentences.size(), GrpcFailure.Kind.size(), "different sentences")


func _check_reason(url: String, failure: GrpcFailure.Kind, words: String, options: GrpcChannelOptions = null) -> void:
	var channel: GrpcChannel = open(url, options)
	var grpc_call: GrpcCall = ask(channel, "Unary", PackedByteArray())
	var status: GrpcStatus = await end_of(grpc_call)
	check_code(status, GrpcStatus.Code.UNAVAILABLE, "a call meanwhile")
	check(status.unsent, "it was never sent")
	check_equal(channel.failure, failure, "failure (%s)" % channel.reason)
	check(channel.reason.contains(words) and channel.reason.contains(url), "the reason is told: %s" % channel.reason)
