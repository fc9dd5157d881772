extends GrpcTestCase
## The status of a call: point 15.

const StatusCodec = preload("res://addons/gcs/grpc/core/status_codec.gd")
const NEEDS: String = "grpc_scripted grpc_echo"


func test_15_every_code_arrives_from_grpcio() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	for code: int in range(1, 17):
		var status: GrpcStatus = await end_of(
				ask(channel, "Unary", PackedByteArray(), with_metadata({"x-status": str(code)})))
		check_equal(int(status.code), code, "code")
	check_equal(GrpcStatus.name_of(16), "UNAUTHENTICATED", "name")
	check_equal(GrpcStatus.name_of(99), "CODE_99", "name of a number that is none")


func test_15_messages_are_percent_decoded() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	for text: String in ["plain", "100 %", "a+b c", "Grüße, 世界 🂡", "line\nbreak", "%41"]:
		var options: GrpcCallOptions = with_metadata({"x-status": "5", "x-message-bin": text.to_utf8_buffer()})
		var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray(), options))
		check_equal(status.message, text, "message")


func test_15_messages_that_were_not_encoded() -> void:
	var messages: Dictionary[String, String] = {
		"c3bc": "ü", "c3bc2532302b": "ü +", "25e282ac": "%€", "2525": "%%", "613d25": "a=%", "ff2532": "ÿ%2",
	}
	for hex: String in messages:
		# As the header decoder gives them: a character for each byte.
		var text: String = hex.hex_decode().get_string_from_ascii()
		check_equal(StatusCodec.percent_decode(text), messages[hex], hex)


func test_15_details_and_trailing_metadata() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	for size: int in range(1, 9):
		var details: PackedByteArray = PackedByteArray(range(250 - size, 250))
		var options: GrpcCallOptions = with_metadata(
				{"x-status": "9", "x-details-bin": details, "x-echo-why": "because"})
		var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray(), options))
		check_equal(status.details, details, "details of %d bytes, sent without padding" % size)
		check_equal(GrpcMetadata.text(status.metadata, "x-echo-why"), "because", "trailing metadata")
		check(not status.metadata.has("grpc-status"), "gRPC's own fields are left out")


func test_15_trailers_only() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo"))
	var grpc_call: GrpcCall = ask(channel, "NoSuchMethod", PackedByteArray())
	check_code(await end_of(grpc_call), GrpcStatus.Code.UNIMPLEMENTED, "grpcio on a method that it lacks")
	var address: String = await scripted(
			"ends_with :status=200;content-type=application/grpc;grpc-status=5;grpc-message=gone%20away;x-key=value - -")
	var status: GrpcStatus = await end_of(ask(open(address), "Unary", PackedByteArray()))
	check_code(status, GrpcStatus.Code.NOT_FOUND, "scripted")
	check_equal(status.message, "gone away", "message")
	check_equal(GrpcMetadata.text(status.metadata, "x-key"), "value", "metadata")


func test_15_status_is_made_up_from_http() -> void:
	var expected: Dictionary[int, GrpcStatus.Code] = {
		200: GrpcStatus.Code.UNKNOWN, 400: GrpcStatus.Code.INTERNAL, 401: GrpcStatus.Code.UNAUTHENTICATED,
		403: GrpcStatus.Code.PERMISSION_DENIED, 404: GrpcStatus.Code.UNIMPLEMENTED, 429: GrpcStatus.Code.UNAVAILABLE,
		502: GrpcStatus.Code.UNAVAILABLE, 503: GrpcStatus.Code.UNAVAILABLE, 504: GrpcStatus.Code.UNAVAILABLE,
		418: GrpcStatus.Code.UNKNOWN, 500: GrpcStatus.Code.UNKNOWN,
	}
	for http: int in expected:
		var only_headers: GrpcStatus = await _status_after(":status=%d;content-type=text/html - -" % http)
		check_code(only_headers, expected[http], "HTTP %d without a body" % http)
		if http != 200:
			var with_body: GrpcStatus = await _status_after(":status=%d;content-type=text/html 3c68746d6c3e -" % http)
			check_code(with_body, expected[http], "HTTP %d with a page" % http)
			check(with_body.message.contains(str(http)), "the message names it: %s" % with_body.message)


func test_15_answers_that_are_no_grpc() -> void:
	var status: GrpcStatus = await _status_after(":status=200;content-type=text/html 3c68746d6c3e -")
	check_code(status, GrpcStatus.Code.UNKNOWN, "a web page")
	check(status.message.contains("text/html"), "the message names the type: %s" % status.message)
	status = await _status_after(":status=200;content-type=application/grpc 000000000161 -")
	check_code(status, GrpcStatus.Code.UNKNOWN, "END_STREAM on DATA, no trailers")
	status = await _status_after(":status=200;content-type=application/grpc 00000000056162 grpc-status=0")
	check_code(status, GrpcStatus.Code.INTERNAL, "OK inside a message")
	status = await _status_after(
			":status=200;content-type=application/grpc 07000000016 grpc-status=0".replace("016 ", "0161 "))
	check_code(status, GrpcStatus.Code.INTERNAL, "flag byte 7")
	status = await _status_after(":status=200;content-type=application/grpc 007fffffff61 grpc-status=0")
	check_code(status, GrpcStatus.Code.RESOURCE_EXHAUSTED, "a message of 2 GiB announced")


func test_15_strange_trailers() -> void:
	var response: String = ":status=200;content-type=application/grpc 000000000161 "
	var strange: Dictionary[String, GrpcStatus.Code] = {
		"grpc-status=17": GrpcStatus.Code.UNKNOWN, "grpc-status=-1": GrpcStatus.Code.UNKNOWN,
		"grpc-status=zero": GrpcStatus.Code.UNKNOWN,
		"grpc-status=99999999999999999999": GrpcStatus.Code.UNKNOWN, "x-other=1": GrpcStatus.Code.UNKNOWN,
		"grpc-status=5;grpc-message=%": GrpcStatus.Code.NOT_FOUND,
		"grpc-status=5;grpc-message=%ff%fe": GrpcStatus.Code.NOT_FOUND,
		"grpc-status=5;grpc-message=%00": GrpcStatus.Code.NOT_FOUND,
		"grpc-status=5;grpc-status-details-bin=!": GrpcStatus.Code.NOT_FOUND,
		":status=200;grpc-status=0": GrpcStatus.Code.INTERNAL, "Upper=1;grpc-status=0": GrpcStatus.Code.INTERNAL,
	}
	for trailers: String in strange:
		check_code(await _status_after(response + trailers), strange[trailers], trailers)


func test_15_single_response_is_checked() -> void:
	var response: String = ":status=200;content-type=application/grpc "
	var answers: Dictionary[String, GrpcStatus.Code] = {
		"- grpc-status=0": GrpcStatus.Code.INTERNAL, "000000000161000000000162 grpc-status=0": GrpcStatus.Code.INTERNAL,
		"000000000161 grpc-status=0": GrpcStatus.Code.OK, "- grpc-status=3": GrpcStatus.Code.INVALID_ARGUMENT,
	}
	for answer: String in answers:
		var address: String = await scripted("ends_with " + response + answer)
		var grpc_call: GrpcCall = open(address).unary("/test.Echo/Unary", GrpcTestMessage.new(), GrpcTestMessage)
		check_code(await end_of(grpc_call), answers[answer], answer)


func test_15_reset_at_every_state() -> void:
	for when: String in ["open", "request", "headers", "middle", "message"]:
		var address: String = await scripted("reset %s 2" % when)
		var grpc_call: GrpcCall = open(address).start_call("/test.Echo/Unary", null)
		grpc_call.send_bytes("x".to_utf8_buffer())
		if when != "open":
			grpc_call.close_send()
		check_code(await end_of(grpc_call), GrpcStatus.Code.INTERNAL, "reset at %s" % when)
	var late: String = await scripted("reset trailers 2")
	check_code(await end_of(ask(open(late), "Unary", PackedByteArray())), GrpcStatus.Code.OK,
			"reset after the trailers")


func test_15_status_is_made_up_from_the_reset_code() -> void:
	var expected: Dictionary[int, GrpcStatus.Code] = {
		0: GrpcStatus.Code.INTERNAL, 1: GrpcStatus.Code.INTERNAL, 2: GrpcStatus.Code.INTERNAL,
		3: GrpcStatus.Code.INTERNAL,
		4: GrpcStatus.Code.INTERNAL, 5: GrpcStatus.Code.UNKNOWN, 6: GrpcStatus.Code.INTERNAL,
		7: GrpcStatus.Code.UNAVAILABLE,
		8: GrpcStatus.Code.CANCELLED, 9: GrpcStatus.Code.INTERNAL, 10: GrpcStatus.Code.INTERNAL,
		11: GrpcStatus.Code.RESOURCE_EXHAUSTED, 12: GrpcStatus.Code.PERMISSION_DENIED, 13: GrpcStatus.Code.UNKNOWN,
		4_000_000_000: GrpcStatus.Code.UNKNOWN,
	}
	for code: int in expected:
		var address: String = await scripted("reset request %d" % code)
		var status: GrpcStatus = await end_of(ask(open(address), "Unary", PackedByteArray()))
		check_code(status, expected[code], "RST_STREAM %d" % code)
		check_equal(status.unsent, code == 7, "unsent after %d" % code)
		check_equal(status.retryable, code == 7 or code == 11, "retryable after %d" % code)


func _status_after(answer: String) -> GrpcStatus:
	var address: String = await scripted("ends_with " + answer)
	var channel: GrpcChannel = open(address)
	var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray()))
	channel.close()
	return status
