extends GcsTest
## Generated messages as a game uses them: properties, presence, oneofs, copies, comparing, text.

const Ware1 = WireTestV1Shop.Ware
const Optionals = WireTestV1Kinds.Optionals
const Singular = WireTestV1Kinds.Singular


func test_a_new_message_is_empty() -> void:
	var ware: Ware1 = Ware1.new()
	check_equal(ware.to_bytes(), PackedByteArray(), "nothing is written")
	check_equal(ware.name, "", "text")
	check_equal(ware.price, null, "message")
	check_equal(ware.parts.size(), 0, "list")
	check_equal(ware.stock.size(), 0, "map")
	check_equal(ware.place_case, Ware1.PlaceCase.NOT_SET, "oneof")
	check_equal(ware.to_text(), "", "text form")


func test_properties_are_written_and_read() -> void:
	var ware: Ware1 = _chair()
	var read: Ware1 = Ware1.new()
	check(read.parse(ware.to_bytes()), read.parse_error)
	check_equal(read.name, "chair", "text")
	check_equal(read.price.amount, 1250, "message")
	check_equal(read.material, WireTestV1Shop.Material_.MATERIAL_WOOD, "enum")
	check_equal(read.parts.size(), 2, "list")
	check_equal(read.parts[1].parts[0].number, -7, "list in a message of another file")
	check_equal(read.stock, {"Rome": 3, "Oslo": 0} as Dictionary[String, int], "map")
	check(read.equals(ware), "the same")


func test_an_optional_field_knows_that_it_was_set() -> void:
	var ware: Ware1 = Ware1.new()
	check(not ware.has_left(), "not yet")
	ware.left = 0
	check(ware.has_left(), "set to its default")
	check_equal(ware.to_bytes(), PackedByteArray([32, 0]), "written")
	ware.clear_left()
	check(not ware.has_left(), "unset")
	check_equal(ware.to_bytes(), PackedByteArray(), "not written")


func test_a_message_field_is_set_when_it_is_not_null() -> void:
	var ware: Ware1 = Ware1.new()
	check(not ware.has_price(), "null")
	ware.price = Ware1.Price.new()
	check(ware.has_price(), "empty, but there")
	check_equal(ware.to_bytes(), PackedByteArray([18, 0]), "written")
	ware.clear_price()
	check_equal(ware.price, null, "null again")


func test_a_oneof_holds_one_field() -> void:
	var ware: Ware1 = Ware1.new()
	ware.window = true
	check_equal(ware.place_case, Ware1.PlaceCase.WINDOW, "case")
	ware.drawer = ""
	check_equal(ware.place_case, Ware1.PlaceCase.DRAWER, "the default selects, too")
	check(ware.has_drawer() and not ware.has_window(), "has")
	check_equal(ware.window, false, "what is not selected reads as its default")
	ware.inside = Ware1.new()
	ware.clear_window()
	check_equal(ware.place_case, Ware1.PlaceCase.INSIDE, "clearing another field changes nothing")
	ware.inside = null
	check_equal(ware.place_case, Ware1.PlaceCase.NOT_SET, "null unsets a message")
	ware.window = false
	ware.inside = null
	check_equal(ware.place_case, Ware1.PlaceCase.WINDOW, "null for a message that is not set changes nothing")
	ware.clear_place()
	check_equal(ware.place_case, Ware1.PlaceCase.NOT_SET, "cleared")


func test_parse_replaces_what_was_there() -> void:
	var ware: Ware1 = _chair()
	var list: Array[WireTestOtherPart.Part] = ware.parts
	check(ware.parse(PackedByteArray([10, 1, 97])), ware.parse_error)
	check_equal(ware.to_text(), 'name: "a"\n', "only what was read")
	check_equal(list.size(), 2, "a list that was handed out is left alone")


func test_a_refused_message_is_empty_and_tells_the_field() -> void:
	var everything: WireTestV1Kinds.Everything = WireTestV1Kinds.Everything.new()
	everything.last_of_one_byte = 4
	# children, singular, string_field of one wrong byte
	check(not everything.parse(PackedByteArray([58, 5, 10, 3, 74, 1, 255])), "refused")
	check_equal(everything.parse_error, "children.singular.string_field: not UTF-8, or with U+0000", "reason")
	check_equal(everything.to_bytes(), PackedByteArray(), "empty")
	check(everything.parse(PackedByteArray([120, 1])), "a good one after it")
	check_equal(everything.parse_error, "", "no reason")


func test_merge_adds_to_what_is_there() -> void:
	var ware: Ware1 = _chair()
	var more: Ware1 = Ware1.new()
	more.name = "stool"
	more.price = Ware1.Price.new()
	more.parts = [WireTestOtherPart.Part.new()]
	more.stock = {"Rome": 9, "Bonn": 1}
	more.drawer = "top"
	ware.merge(more)
	check_equal(ware.name, "stool", "text is replaced")
	check_equal(ware.price.amount, 1250, "a message is merged")
	check_equal(ware.parts.size(), 3, "a list is appended")
	check_equal(ware.stock, {"Rome": 9, "Oslo": 0, "Bonn": 1} as Dictionary[String, int], "a map is united")
	check_equal(ware.drawer, "top", "a oneof is replaced")
	check(ware.parts[2] != more.parts[0], "nothing is shared")

	var by_wire: Ware1 = _chair()
	check(by_wire.merge_bytes(more.to_bytes()), by_wire.parse_error)
	check(by_wire.equals(ware), "merging bytes is the same")


func test_merge_needs_the_same_class() -> void:
	expect_engine_error("merge needs another message of wire_test.v1.Ware")
	Ware1.new().merge(Singular.new())


func test_a_clone_shares_nothing() -> void:
	var ware: Ware1 = _chair()
	var copy: Ware1 = ware.clone()
	check(copy.equals(ware), "equal")
	copy.parts[0].number = 99
	copy.price.amount = 1
	copy.stock["Rome"] = 0
	copy.inside.name = "other"
	check(ware.equals(_chair()), "the original is as it was")


func test_messages_are_compared_by_content() -> void:
	check(_chair().equals(_chair()), "equal")
	for change: Callable in [
		func(ware: Ware1) -> void: ware.name = "table",
		func(ware: Ware1) -> void: ware.price.amount += 1,
		func(ware: Ware1) -> void: ware.clear_price(),
		func(ware: Ware1) -> void: ware.left = 0,
		func(ware: Ware1) -> void: ware.parts.pop_back(),
		func(ware: Ware1) -> void: ware.parts[1].parts[0].number = 7,
		func(ware: Ware1) -> void: ware.stock["Oslo"] = 1,
		func(ware: Ware1) -> void: ware.window = true,
		func(ware: Ware1) -> void: ware.unknown_fields.append_array([176, 1, 1]),
	] as Array[Callable]:
		var changed: Ware1 = _chair()
		change.call(changed)
		check(not changed.equals(_chair()), changed.to_text())
	check(not _chair().equals(null), "null")
	var not_a_number: Singular = Singular.new()
	not_a_number.double_field = NAN
	check(not not_a_number.equals(not_a_number), "NaN equals nothing")


func test_text_form() -> void:
	var ware: Ware1 = _chair()
	ware.name = 'a "b"\n\\'
	var text: String = """name: "a \\"b\\"\\n\\\\"
price {
  amount: 1250
}
material: MATERIAL_WOOD
parts {
}
parts {
  parts {
    number: -7
  }
}
stock {
  key: "Rome"
  value: 3
}
stock {
  key: "Oslo"
  value: 0
}
inside {
  name: "drawer"
}
"""
	check_equal(ware.to_text(), text, "text")
	var price: Ware1.Price = ware.price
	check_equal(str(price), "wire_test.v1.Price {\n  amount: 1250\n}".replace("v1.", "v1.Ware."), "printed")


func test_a_number_that_does_not_fit_is_an_error() -> void:
	expect_engine_error("2147483648 does not fit an int32 field")
	expect_engine_error("-1 does not fit an unsigned 32-bit field")
	expect_engine_error("-2147483649 does not fit a sint32 field")
	expect_engine_error("4294967296 does not fit an sfixed32 field")
	var singular: Singular = Singular.new()
	singular.int32_field = 0x80000000
	singular.uint32_field = -1
	singular.sint32_field = -0x80000001
	singular.sfixed32_field = 0x100000000
	var read: Singular = Singular.new()
	check(read.parse(singular.to_bytes()), read.parse_error)
	check_equal(read.int32_field, -0x80000000, "int32: the low 32 bits")
	check_equal(read.uint32_field, 0xFFFFFFFF, "uint32: the low 32 bits")
	check_equal(read.sint32_field, 0x7FFFFFFF, "sint32: the low 32 bits")
	check_equal(read.sfixed32_field, 0, "sfixed32: the low 32 bits")


func test_null_in_a_list_of_messages_is_an_error() -> void:
	expect_engine_error("null in a list or a map of messages")
	var ware: Ware1 = Ware1.new()
	ware.parts = [null]
	check_equal(ware.to_bytes(), PackedByteArray([50, 0]), "an empty message")


func test_a_message_without_fields_keeps_what_it_does_not_know() -> void:
	var nothing: WireTestV1Shop.Nothing = WireTestV1Shop.Nothing.new()
	var bytes: PackedByteArray = _chair().to_bytes()
	check(nothing.parse(bytes), nothing.parse_error)
	check_equal(nothing.unknown_fields, bytes, "kept")
	check_equal(nothing.to_bytes(), bytes, "written")
	for broken: PackedByteArray in [[10], [10, 5, 1], [8, 128], [15, 1], [0, 1],
			[255, 255, 255, 255, 255, 1, 1]] as Array[PackedByteArray]:
		check(not nothing.parse(broken), "%s is refused" % [broken])
		check_equal(nothing.parse_error, "malformed field", "reason")


func test_fields_can_be_listed() -> void:
	var names: PackedStringArray = PackedStringArray()
	for field: ProtoField in _chair().message_fields():
		if field.is_set(_chair()):
			names.append("%d %s" % [field.number, field.name])
	check_equal(", ".join(names), "1 name, 2 price, 3 material, 6 parts, 7 stock, 10 inside", "those that are set")


func test_any_holds_a_message_by_name() -> void:
	var any: GoogleProtobufAny.Any = GoogleProtobufAny.Any.new()
	any.pack(_chair())
	check_equal(any.type_url, "type.googleapis.com/wire_test.v1.Ware", "type")
	check(any.holds(Ware1) and not any.holds(Singular), "holds")
	var ware: Ware1 = any.unpack(Ware1)
	check(ware.equals(_chair()), "the message")
	check_equal(any.unpack(Singular), null, "another class")
	any.value = PackedByteArray([255])
	check_equal(any.unpack(Ware1), null, "malformed")


func test_durations_and_timestamps_in_seconds() -> void:
	var duration: GoogleProtobufDuration.Duration = GoogleProtobufDuration.Duration.new()
	for seconds: float in [0.0, 1.5, -1.5, -0.25, 12.000000001, 0.9999999999] as Array[float]:
		duration.from_seconds(seconds)
		check_near(duration.to_seconds(), seconds, 1e-9, "duration")
		check(duration.seconds * duration.nanos >= 0 and absi(duration.nanos) < 1_000_000_000,
				"one sign, less than a second")
	var time: GoogleProtobufTimestamp.Timestamp = GoogleProtobufTimestamp.Timestamp.new()
	for seconds: float in [0.0, 1700000000.25, -1.75, 0.9999999999] as Array[float]:
		time.from_unix_time(seconds)
		check_near(time.to_unix_time(), seconds, 1e-6, "timestamp")
		check(time.nanos >= 0 and time.nanos < 1_000_000_000, "nanos count up")


func test_names_that_gdscript_refuses_end_in_an_underscore() -> void:
	var node: WireTestV1Names.Node_ = WireTestV1Names.Node_.new()
	node.class_ = "a"
	node.match_ = 1
	node.min = 2
	node.get_ = 3
	node.to_bytes_ = PackedByteArray([4])
	node.hp = 5
	node.has_hp = false
	node.key = WireTestV1Names.Key.class_
	check(node.has_hp_(), "the accessor steps back before the field")
	check_equal(node.fields_case_, WireTestV1Names.Node_.FieldsCase.KEY, "so does the case")
	var text: String = 'class: "a"\nmatch: 1\nmin: 2\nget: 3\nto_bytes: "\\004"\nhp: 5\nkey: 2\n'
	check_equal(node.to_text(), text, "the text form has the names of the .proto file")


func test_a_class_of_the_game_may_have_a_message_s_name() -> void:
	check(Ware.new().is_of_the_game, "the game's own class")
	check_equal(WireTestV1Shop.Ware.new().message_name(), "wire_test.v1.Ware", "the message")


func test_strings_of_every_length_are_checked() -> void:
	var singular: Singular = Singular.new()
	for length: int in 20:
		for at: int in length:
			var bytes: PackedByteArray = "x".repeat(length).to_utf8_buffer()
			bytes[at] = 0xFE
			check(not singular.parse(PackedByteArray([74, length]) + bytes), "byte %d of %d" % [at, length])


func test_an_optional_message_list_and_scalar_are_cleared() -> void:
	var optionals: Optionals = Optionals.new()
	optionals.enum_field = WireTestV1Kinds.Color_.COLOR_BLUE
	optionals.message_field = WireTestOtherPart.Part.new()
	optionals.bytes_field = PackedByteArray()
	check(optionals.has_bytes_field() and optionals.has_enum_field(), "set")
	optionals.clear()
	check(optionals.equals(Optionals.new()), "cleared")


func _chair() -> Ware1:
	var ware: Ware1 = Ware1.new()
	ware.name = "chair"
	ware.price = Ware1.Price.new()
	ware.price.amount = 1250
	ware.material = WireTestV1Shop.Material_.MATERIAL_WOOD
	var leg: WireTestOtherPart.Part = WireTestOtherPart.Part.new()
	var screw: WireTestOtherPart.Part = WireTestOtherPart.Part.new()
	screw.number = -7
	leg.parts.append(screw)
	ware.parts = [WireTestOtherPart.Part.new(), leg]
	ware.stock = {"Rome": 3, "Oslo": 0}
	ware.inside = Ware1.new()
	ware.inside.name = "drawer"
	return ware
