extends GrpcTestCase
## Compressed messages: point 18.

const NEEDS: String = "grpc_scripted grpc_echo_gzip"


func test_18_grpcio_compresses_unasked() -> void:
	var channel: GrpcChannel = open(peer_address("grpc_echo_gzip"))
	var text: PackedByteArray = "again and ".repeat(5_000).to_utf8_buffer()
	for accept: bool in [true, false]:
		var options: GrpcCallOptions = with_metadata({"x-count": "3"})
		options.accept_compression = accept
		var grpc_call: GrpcCall = ask(channel, "ServerStream", text, options)
		var replies: Array[PackedByteArray] = []
		grpc_call.bytes_received.connect(func(bytes: PackedByteArray) -> void: replies.push_back(bytes))
		check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
		check_equal(replies, [text, text, text] as Array[PackedByteArray],
				"replies with accept_compression %s" % accept)


func test_18_gzip_and_deflate() -> void:
	for form: String in ["gzip", "deflate"]:
		var grpc_call: GrpcCall = await _ask_compressed(form)
		var replies: Array[PackedByteArray] = []
		grpc_call.bytes_received.connect(func(bytes: PackedByteArray) -> void: replies.push_back(bytes))
		check_code(await end_of(grpc_call), GrpcStatus.Code.OK, form)
		var expected: Array[PackedByteArray] = ["plain".to_utf8_buffer(), "compressed ".repeat(1_000).to_utf8_buffer()]
		check_equal(replies, expected, "messages by %s" % form)


func test_18_unfolding_is_bounded() -> void:
	var grpc_call: GrpcCall = await _ask_compressed("bomb")
	var before: int = OS.get_static_memory_usage()
	var status: GrpcStatus = await end_of(grpc_call)
	check_code(status, GrpcStatus.Code.RESOURCE_EXHAUSTED, "50 MB out of 50 KB")
	check(OS.get_static_memory_usage() - before < 16_000_000, "memory stays bounded")


func test_18_torn_or_unknown_compression_fails_the_call() -> void:
	for form: String in ["truncated", "trailing", "empty", "unnamed", "unknown"]:
		check_code(await end_of(await _ask_compressed(form)), GrpcStatus.Code.INTERNAL, form)


func test_18_broken_data_fails_the_call() -> void:
	expect_engine_error("err != 0 && err != 1")
	check_code(await end_of(await _ask_compressed("broken")), GrpcStatus.Code.INTERNAL, "broken")


func _ask_compressed(form: String) -> GrpcCall:
	return ask(open(await scripted("compressed " + form)), "Unary", PackedByteArray())
