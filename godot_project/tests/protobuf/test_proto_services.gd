extends GcsTest
## Generated service clients against a real grpcio server: all four forms of calls.

const NEEDS: String = "protobuf_shop"

var _channel: GrpcChannel
var _shop: WireTestV1Shop.ShopClient


func before_each() -> void:
	_channel = GrpcChannel.open("grpc://" + peer_address("protobuf_shop"))
	_shop = WireTestV1Shop.ShopClient.new(_channel)


func after_each() -> void:
	_channel.close()


func _process(_delta: float) -> void:
	if _channel != null:
		_channel.poll()


func test_one_request_one_response() -> void:
	var ware: WireTestV1Shop.Ware = await _shop.find(WireTestV1Shop.Nothing.new()).response()
	check(ware != null, "answered")
	if ware != null:
		check_equal(ware.name, "chair", "typed response")


func test_a_stream_of_responses() -> void:
	var names: PackedStringArray = PackedStringArray()
	var listing: GrpcCall = _shop.list_all(WireTestV1Shop.Nothing.new(), _pulling())
	var message: ProtoMessage = await listing.next_message()
	while message != null:
		var ware: WireTestV1Shop.Ware = message
		names.append(ware.name)
		message = await listing.next_message()
	check_equal(",".join(names), "chair,table,lamp", "in order")


func test_a_stream_of_requests() -> void:
	var taking: GrpcCall = _shop.take_in()
	for index: int in 3:
		check_equal(taking.send(WireTestV1Shop.Ware.new()), OK, "sent")
	taking.close_send()
	var nothing: WireTestV1Shop.Nothing = await taking.response()
	check(nothing != null, "answered")
	if nothing != null:
		check_equal(nothing.unknown_fields, PackedByteArray([8, 3]), "the server counted three")


func test_streams_both_ways() -> void:
	var haggling: GrpcCall = _shop.haggle(_pulling())
	for amount: int in [100, 30] as Array[int]:
		var offer: WireTestV1Shop.Ware.Price = WireTestV1Shop.Ware.Price.new()
		offer.amount = amount
		check_equal(haggling.send(offer), OK, "sent")
		var answer: WireTestV1Shop.Ware.Price = await haggling.next_message()
		check(answer != null, "answered")
		if answer != null:
			check_equal(answer.amount, amount * 2, "the shop wants twice as much")
	haggling.close_send()
	check_equal(await haggling.next_message(), null, "the end")


func _pulling() -> GrpcCallOptions:
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.pull = true
	return options
