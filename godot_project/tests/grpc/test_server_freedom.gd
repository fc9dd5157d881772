extends GrpcTestCase
## What a client must accept: points 12 to 14.

const NEEDS: String = "grpc_scripted grpc_echo"


func test_12_continuation_padding_priority_and_the_unknown() -> void:
	var address: String = await scripted("odd_frames")
	var grpc_call: GrpcCall = ask(open(address), "Unary", "x".to_utf8_buffer())
	var reply: PackedByteArray = await grpc_call.response_bytes()
	check_equal(reply.get_string_from_utf8(), "padded", "reply")
	check_equal(GrpcMetadata.text(grpc_call.headers, "x-long"), "v".repeat(500), "header over several frames")
	check(not grpc_call.headers.has("link"), "the informational response is no answer")


func test_12_push_promise_is_refused() -> void:
	# PUSH_PROMISE on stream 1 for stream 2.
	await _check_refused("000005" + "05" + "04" + "00000001" + "00000002" + "88", 1, "PUSH_PROMISE")


func test_12_padding_longer_than_its_frame_is_refused() -> void:
	await _check_refused("000003" + "00" + "08" + "00000001" + "030000", 1, "padding")
	await _check_refused("000001" + "01" + "0c" + "00000001" + "01", 1, "padding")
	await _check_refused("000000" + "00" + "08" + "00000001", 1, "padding")


func test_12_other_frames_inside_a_header_block_are_refused() -> void:
	var open_block: String = "000001" + "01" + "00" + "00000001" + "88"
	await _check_refused(open_block + "000008" + "06" + "00" + "00000000" + "0000000000000000", 1, "header block")
	await _check_refused(open_block + "000000" + "09" + "04" + "00000003", 1, "header block")
	await _check_refused("000000" + "09" + "04" + "00000001", 1, "CONTINUATION without HEADERS")


func test_12_endless_header_blocks_are_refused() -> void:
	for kind: String in ["continuation", "headers"]:
		var address: String = await scripted("flood " + kind)
		var status: GrpcStatus = await end_of(ask(open(address), "Unary", PackedByteArray()))
		check_code(status, GrpcStatus.Code.INTERNAL, kind)
		check(status.message.contains("header block beyond"), "the reason is told: %s" % status.message)


func test_12_header_lists_have_a_limit() -> void:
	# 400 times the indexed field "accept-encoding: gzip, deflate" in one small frame, counted as 59 bytes each; and
	# three times as many, which is more than 64 KiB.
	for times: int in [400, 1_200]:
		var block: String = "88" + "90".repeat(times)
		var length: String = "%06x" % (block.length() >> 1)
		var address: String = await scripted("after_request " + length + "01" + "05" + "00000001" + block)
		var status: GrpcStatus = await end_of(ask(open(address), "Unary", PackedByteArray()))
		check_code(status, GrpcStatus.Code.UNKNOWN if times == 400 else GrpcStatus.Code.INTERNAL, "%d fields" % times)


func test_13_hpack_forms_of_literals() -> void:
	for form: String in ["indexed", "plain", "never", "size_update"]:
		await _check_header_coding(form)


func test_13_broken_header_blocks_end_the_connection() -> void:
	var broken: Dictionary[String, String] = {
		"index 0": "80", "index above the static table": "ff00", "name index above it": "7f0061",
		"huge number": "ffffffffffffffff7f",
		"number cut off": "ff80", "string cut off": "00056162", "no value": "000161", "size update to 4096": "3fe11f",
		"size update after a field": "8820", "huge string": "007fffffff7f",
	}
	for what: String in broken:
		var block: String = broken[what]
		await _check_refused("%06x" % (block.length() >> 1) + "01" + "04" + "00000001" + block, 9, "", what)


func test_14_huffman_in_all_values() -> void:
	await _check_header_coding("huffman")


func test_14_broken_huffman_ends_the_connection() -> void:
	var broken: Dictionary[String, String] = {
		"padding of zeros": "0001618160", "padding of a whole byte": "00016182ffff",
		"end of string inside": "00016184ffffffff",
	}
	for what: String in broken:
		var block: String = broken[what]
		await _check_refused("%06x" % (block.length() >> 1) + "01" + "04" + "00000001" + block, 9, "Huffman", what)


func test_14_grpcio_codes_binary_values() -> void:
	var every: PackedByteArray = PackedByteArray(range(256))
	var options: GrpcCallOptions = with_metadata(
			{"x-echo-all-bin": every, "x-echo-two-bin": [every.slice(0, 1), every.slice(0, 2)]})
	var grpc_call: GrpcCall = ask(open(peer_address("grpc_echo")), "Unary", PackedByteArray(), options)
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, "status")
	for metadata: Dictionary[String, Array] in [grpc_call.headers, grpc_call.status.metadata]:
		check_equal(GrpcMetadata.bytes(metadata, "x-echo-all-bin"), every, "all bytes")
		check_equal(metadata.get("x-echo-two-bin"), [every.slice(0, 1), every.slice(0, 2)], "two values of one key")


func _check_header_coding(form: String) -> void:
	var address: String = await scripted("header_coding " + form)
	var grpc_call: GrpcCall = ask(open(address), "Unary", PackedByteArray())
	check_code(await end_of(grpc_call), GrpcStatus.Code.OK, form)
	var plain: String = ""
	for code: int in range(0x21, 0x7f):
		plain += String.chr(code)
	check_equal(GrpcMetadata.text(grpc_call.headers, "x-plain"), plain, "text with %s" % form)
	check_equal(GrpcMetadata.bytes(grpc_call.headers, "x-data-bin"), PackedByteArray([0, 1, 2, 3, 4, 255]),
			"bytes with %s" % form)


## Sends bytes after a request; expects the call to fail with INTERNAL and a GOAWAY with [param code].
func _check_refused(bytes: String, code: int, words: String, what: String = "") -> void:
	var address: String = await scripted("after_request " + bytes)
	var channel: GrpcChannel = open(address)
	var status: GrpcStatus = await end_of(ask(channel, "Unary", PackedByteArray()))
	var told: String = "%s %s" % [words, what]
	check_code(status, GrpcStatus.Code.INTERNAL, told)
	check(words.is_empty() or status.message.contains(words), "the reason is told (%s): %s" % [told, status.message])
	var said: Callable = func(now: Array[Dictionary]) -> bool: return frames_of(now[0], "GOAWAY").size() == 1
	var seen: Array[Dictionary] = await seen_until(address, said, "GOAWAY for %s" % told)
	for frame: Dictionary in frames_of(seen[0], "GOAWAY"):
		check_equal(frame["code"], float(code), "code of GOAWAY for %s" % told)
	channel.close()
