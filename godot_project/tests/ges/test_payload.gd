extends GcsTest
## Values of the engine as payloads of GES events.


func test_each_type_takes_its_own_field() -> void:
	check_equal(GcsPayload.from(null).kind_case, GcsV1Ges.Payload.KindCase.NOT_SET, "null")
	check_equal(GcsPayload.from(3).int_value, 3, "int")
	check_equal(GcsPayload.from(true).kind_case, GcsV1Ges.Payload.KindCase.BOOL_VALUE, "bool")
	check_equal(GcsPayload.from(0.5).float_value, 0.5, "float")
	check_equal(GcsPayload.from("loud").text_value, "loud", "text")
	check_equal(GcsPayload.from(Vector2(1, 2)).vector2_value.y, 2.0, "vector2")
	check_equal(GcsPayload.from(Vector3(1, 2, 3)).vector3_value.z, 3.0, "vector3")
	check_equal(GcsPayload.from(Color(0, 0, 1, 0.5)).color_value.a, 0.5, "color")
	check_equal(GcsPayload.status("poison").status_value, "poison", "status")
	var unit: GcsUnit = GcsUnit.new()
	unit.id = "enemy0"
	check_equal(GcsPayload.from(unit).unit_value, "enemy0", "unit")
	var card: GcsCard = GcsCard.new()
	card.id = "c4"
	check_equal(GcsPayload.from(card).card_value, "c4", "card")


func test_struct_holds_payloads_by_name() -> void:
	var payload: GcsV1Ges.Payload = GcsPayload.from({"strength": 3, "at": Vector2(1, 0), "inner": {"loud": true}})
	check_equal(payload.struct_value.fields["strength"].int_value, 3, "strength")
	check_equal(payload.struct_value.fields["at"].vector2_value.x, 1.0, "at")
	check(payload.struct_value.fields["inner"].struct_value.fields["loud"].bool_value, "inner")


func test_payload_is_taken_as_it_is() -> void:
	var payload: GcsV1Ges.Payload = GcsPayload.unit("player")
	check(GcsPayload.from(payload) == payload, "the same object")


func test_other_types_are_refused() -> void:
	expect_engine_error("arg: a GES event cannot carry NodePath")
	check(GcsPayload.from(^"a/b") == null, "nothing")
