extends GrpcTestCase
## HPACK on its own: vectors of RFC 7541 and of Python's hpack, and broken input.

const NEEDS: String = "grpc_scripted"

const Huffman = preload("res://addons/gcs/grpc/http2/huffman.gd")
const HpackDecoder = preload("res://addons/gcs/grpc/http2/hpack_decoder.gd")
const HpackEncoder = preload("res://addons/gcs/grpc/http2/hpack_encoder.gd")

## The bytes 0 to 255 in Huffman code, by Python's hpack.
const ALL_BYTES: String = (
			"ffc7fffd8fffffe2fffffe3fffffe4fffffe5fffffe6fffffe7fffffe8ffffeafffffff3fffffa7fffffabffffffdfffffebfffffecfffff"
			+ "edfffffeefffffefffffff0ffffff1ffffff2fffffffbfffffcffffffd3fffffd7fffffdbfffffdffffffe3fffffe7fffffebfffffed4fe3"
			+ "f9ffaffcabf1febfafefe7fdfd2cbb00089969b71d79fb9f7fff20ffbff3ff50ddbd7f061c58f265cd9f469d5af66dddbf871e5f9cff7ff7"
			+ "fffc3ff9ffe45fff4719242cb34e6e9d68a6a3d7dac426defe3cfaf7fffbfe7ffbffdffffffcfffe6ffff4bfff9ffffa3fffd3ffff53fffd"
			+ "5ffffb3fffeb7fffdaffffb7ffff73fffeeffffdeffffebffffbfffffd9ffffdbfffebffffe0ffffeeffffc3ffff8bffff1ffffe4fffee7f"
			+ "ffb1ffff97fffd9ffffcdffff9fffffbffffdafffeeffff4ffffb7fffee7fffe8ffffd3fffdeffffd5fffeeffffbdffffe1fffdfffff7fff"
			+ "ff5ffffecffff07fff87fffe0ffff17fffedffff87ffff77fffeffffeaffff8bfffe3ffff93ffff87fffcbffff37ffff1fffff83ffffe1ff"
			+ "febfffe3ffff3fffff2ffffa3ffffd9fffff17ffffc7fffff27ffffdefffffbffffff2fffff8fffffb7fff97fff8fffffe6fffffc1fffff8"
			+ "7ffffe7fffffc5ffffe5fffe4ffff2fffffd1fffff4ffffffefffffe3fffffc9fffff97fffb3ffffcffffb7fffcdffff4ffff9ffffd1ffff"
			+ "cffffeaffffafffffddffffeffffff4fffff5fffffabffffa7ffffd7fffff9bffffecfffffb7fffff3fffffe8fffffd3fffffabfffff5fff"
			+ "ffff7ffffecfffffdbfffffbbfffff7ffffff0fffffbbf"
)


func test_14_huffman_of_every_byte() -> void:
	var coded: PackedByteArray = ALL_BYTES.hex_decode()
	check_equal(Huffman.decode(coded, 0, coded.size()), PackedByteArray(range(256)), "decoded")


func test_14_huffman_vectors_of_the_rfc() -> void:
	var vectors: Dictionary[String, String] = {
		"f1e3c2e5f23a6ba0ab90f4ff": "www.example.com", "a8eb10649cbf": "no-cache", "25a849e95ba97d7f": "custom-key",
		"25a849e95bb8e8b4bf": "custom-value", "6402": "302",
		"d07abe941054d444a8200595040b8166e082a62d1bff": "Mon, 21 Oct 2013 20:13:21 GMT",
		"": "",
	}
	for hex: String in vectors:
		var coded: PackedByteArray = hex.hex_decode()
		check_equal(Huffman.decode(coded, 0, coded.size()), vectors[hex].to_ascii_buffer(), vectors[hex])


func test_14_huffman_refuses_broken_padding() -> void:
	for hex: String in ["00", "18", "1f00", "1fff", "ff", "ffff", "ffffffff", "fffffffc", "f1e3c2e5f23a6ba0ab90f4fe"]:
		var coded: PackedByteArray = hex.hex_decode()
		check(Huffman.decode(coded, 0, coded.size()) == null, "%s is no Huffman code" % hex)


func test_13_integers_of_the_rfc() -> void:
	check_equal(HpackEncoder.integer(10, 5, 0), PackedByteArray([10]), "C.1.1")
	check_equal(HpackEncoder.integer(1337, 5, 0), PackedByteArray([31, 154, 10]), "C.1.2")
	check_equal(HpackEncoder.integer(42, 8, 0), PackedByteArray([42]), "C.1.3")


func test_13_literals_of_the_rfc() -> void:
	var vectors: Dictionary[String, PackedStringArray] = {
		"400a637573746f6d2d6b65790d637573746f6d2d686561646572": ["custom-key", "custom-header"],
		"040c2f73616d706c652f70617468": [":path", "/sample/path"],
		"100870617373776f726406736563726574": ["password", "secret"],
		"82": [":method", "GET"],
		"828684418cf1e3c2e5f23a6ba0ab90f4ff": [":method", "GET", ":scheme", "http", ":path", "/", ":authority",
				"www.example.com"],
	}
	var decoder: HpackDecoder = HpackDecoder.new()
	for hex: String in vectors:
		var block: PackedByteArray = hex.hex_decode()
		check_equal(decoder.decode(block, 0, block.size()), vectors[hex], hex)
		check_equal(decoder.error, "", "error of %s" % hex)


func test_13_fields_survive_coding() -> void:
	var decoder: HpackDecoder = HpackDecoder.new()
	for length: int in [0, 1, 126, 127, 128, 254, 255, 256, 16_384]:
		var text: String = "v".repeat(length)
		var block: PackedByteArray = HpackEncoder.field(":path", text) + HpackEncoder.field("x-own", text, true)
		check_equal(decoder.decode(block, 0, block.size()), PackedStringArray([":path", text, "x-own", text]),
				"%d characters" % length)


func test_13_line_breaks_in_headers_are_refused() -> void:
	var decoder: HpackDecoder = HpackDecoder.new()
	for byte: String in ["00", "0a", "0d"]:
		var block: PackedByteArray = ("00017803" + "61" + byte + "62").hex_decode()
		check_equal(decoder.decode(block, 0, block.size()), PackedStringArray(), "fields")
		check(decoder.error.contains("NUL, CR or LF"), "error: %s" % decoder.error)


func test_13_peer_without_a_table_is_told_that_we_know() -> void:
	var channel: GrpcChannel = open(await scripted("no_table"))
	for number: int in range(2):
		var reply: PackedByteArray = await ask(channel, "Unary", PackedByteArray(),
				GrpcCallOptions.with_deadline(5_000)).response_bytes()
		check_equal(reply.get_string_from_ascii(), "no table", "reply %d" % number)


func test_13_random_blocks_never_break_the_decoder() -> void:
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 7541
	var decoder: HpackDecoder = HpackDecoder.new()
	var sound: int = 0
	for attempt: int in range(5_000):
		var block: PackedByteArray = PackedByteArray()
		block.resize(random.randi_range(0, 40))
		for index: int in range(block.size()):
			block[index] = random.randi_range(0, 255)
		var fields: PackedStringArray = decoder.decode(block, 0, block.size())
		check(fields.size() % 2 == 0, "pairs")
		check(fields.is_empty() or decoder.error.is_empty(), "either fields or an error")
		sound += 1 if decoder.error.is_empty() else 0
	check(sound > 0 and sound < 5_000, "some blocks are sound, some are not: %d" % sound)
