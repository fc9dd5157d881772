extends GrpcTestCase
## The HTTP/2 state machine on its own: bytes in, events and bytes out, no sockets.

const Http2Connection = preload("res://addons/gcs/grpc/http2/http2_connection.gd")
const Http2Stream = preload("res://addons/gcs/grpc/http2/http2_stream.gd")
const Frames = preload("res://addons/gcs/grpc/http2/frames.gd")
const MessageReader = preload("res://addons/gcs/grpc/core/message_reader.gd")

const SETTINGS: String = "000000040000000000"
const RESPONSE: String = "00000101040000000188"


func test_bytes_may_come_in_any_pieces() -> void:
	var all: PackedByteArray = (RESPONSE + "000003000100000001616263").hex_decode()
	for size: int in range(1, all.size() + 1):
		var connection: Http2Connection = _connected()
		connection.open_stream(Http2Stream.new(), PackedByteArray([0x83]))
		var events: Array[Http2Connection.Event] = []
		for at: int in range(0, all.size(), size):
			connection.receive(all.slice(at, at + size))
			while true:
				var event: Http2Connection.Event = connection.next_event()
				if event == Http2Connection.Event.NONE:
					break
				events.push_back(event)
		var expected: Array[Http2Connection.Event] = [Http2Connection.Event.HEADERS, Http2Connection.Event.DATA]
		check_equal(events, expected, "events in pieces of %d" % size)
		check_equal(connection.event_buffer.slice(connection.event_from,
				connection.event_from + connection.event_length),
				"abc".to_ascii_buffer(), "data in pieces of %d" % size)
		check(connection.event_end, "the end in pieces of %d" % size)


func test_peer_that_does_not_read_answers_is_left() -> void:
	for frame: String in ["000008060000000000" + "00".repeat(8), SETTINGS]:
		var connection: Http2Connection = _connected()
		var flood: PackedByteArray = frame.repeat(1_000).hex_decode()
		var rounds: int = 0
		while not connection.failed and rounds < 1_000:
			rounds += 1
			connection.receive(flood)
			while connection.next_event() != Http2Connection.Event.NONE:
				pass
		check(connection.failed, "the connection ends")
		check_equal(connection.error_code, Frames.ENHANCE_YOUR_CALM, "code")
		check(connection.output.size() < 300_000, "output stays bounded: %d" % connection.output.size())


func test_output_goes_round_the_streams() -> void:
	var connection: Http2Connection = _connected()
	var streams: Array[Http2Stream] = []
	for number: int in range(3):
		var stream: Http2Stream = Http2Stream.new()
		var body: PackedByteArray = PackedByteArray()
		body.resize(60_000)
		stream.enqueue(body)
		connection.open_stream(stream, PackedByteArray([0x83]))
		streams.push_back(stream)
	connection.produce()
	for stream: Http2Stream in streams:
		check(stream.queued_bytes < 60_000, "stream %d was served" % stream.id)
	var sent: int = 0
	for stream: Http2Stream in streams:
		sent += 60_000 - stream.queued_bytes
	check(sent <= Frames.DEFAULT_WINDOW, "the connection's window holds: %d" % sent)


func test_stream_ids_run_out() -> void:
	var connection: Http2Connection = _connected()
	connection._next_id = Frames.MAX_STREAM_ID
	check(connection.can_open(), "the last id")
	connection.open_stream(Http2Stream.new(), PackedByteArray([0x83]))
	check(not connection.can_open() and connection.is_spent(), "no id is left")


func test_mutated_traffic_never_breaks_the_state_machine() -> void:
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 9113
	var sound: PackedByteArray = (
			RESPONSE + "00000a00080000000103" + "000000000161" + "000000" + "000004080000000001" + "00000fff"
			+ "000006040000000000" + "000400000100" + "000008060000000000" + "0102030405060708" + "000002010500000001"
			+ "8890"
			+ "000008070000000000" + "7fffffff00000000").hex_decode()
	var failed: int = 0
	for attempt: int in range(3_000):
		var connection: Http2Connection = _connected()
		var stream: Http2Stream = Http2Stream.new()
		connection.open_stream(stream, PackedByteArray([0x83]))
		var reader: MessageReader = MessageReader.new(1_000)
		var bytes: PackedByteArray = sound.duplicate()
		for change: int in range(random.randi_range(0, 4)):
			bytes[random.randi_range(0, bytes.size() - 1)] = random.randi_range(0, 255)
		var at: int = 0
		var steps: int = 0
		while at < bytes.size():
			var size: int = random.randi_range(1, 30)
			connection.receive(bytes.slice(at, at + size))
			at += size
			while true:
				var event: Http2Connection.Event = connection.next_event()
				if event == Http2Connection.Event.NONE:
					break
				steps += 1
				if event == Http2Connection.Event.DATA:
					reader.feed(connection.event_buffer, connection.event_from, connection.event_length)
					while reader.next() != null:
						pass
		check(steps <= 20, "at most an event for each frame")
		failed += 1 if connection.failed else 0
	check(failed > 100 and failed < 2_900, "some mutations are noticed: %d" % failed)


func _connected() -> Http2Connection:
	var connection: Http2Connection = Http2Connection.new(1_000, 100_000)
	connection.receive(SETTINGS.hex_decode())
	connection.next_event()
	return connection
