class_name GcsPayload
extends RefCounted
## Makes payloads of GES events from values of the engine, and values of the engine from what events carry.

const WireNumbers = preload("../server/wire_numbers.gd")


## [param value] as a payload: null (no argument), bool, int, float, String, [Vector2], [Vector3], [Color], [GcsUnit],
## [GcsCard], a [Dictionary] of such values with String keys (a struct), or a payload, which is taken as it is. Null for
## anything else, and for numbers that the wire does not carry, with an error: see [method error_of]. Statuses:
## [method status].
static func from(value: Variant) -> GcsV1Ges.Payload:
	var error: String = error_of(value)
	if not error.is_empty():
		push_error("GcsPayload.from: %s" % error)
		return null
	return _made(value)


static func _made(value: Variant) -> GcsV1Ges.Payload:
	var payload: GcsV1Ges.Payload = GcsV1Ges.Payload.new()
	match typeof(value):
		TYPE_NIL:
			pass
		TYPE_BOOL:
			payload.bool_value = value
		TYPE_INT:
			payload.int_value = value
		TYPE_FLOAT:
			payload.float_value = value
		TYPE_STRING, TYPE_STRING_NAME:
			payload.text_value = value
		TYPE_VECTOR2:
			var vector: Vector2 = value
			payload.vector2_value = GcsV1Ges.Vector2Value.new()
			payload.vector2_value.x = vector.x
			payload.vector2_value.y = vector.y
		TYPE_VECTOR3:
			var vector: Vector3 = value
			payload.vector3_value = GcsV1Ges.Vector3Value.new()
			payload.vector3_value.x = vector.x
			payload.vector3_value.y = vector.y
			payload.vector3_value.z = vector.z
		TYPE_COLOR:
			var color: Color = value
			payload.color_value = GcsV1Ges.ColorValue.new()
			payload.color_value.r = color.r
			payload.color_value.g = color.g
			payload.color_value.b = color.b
			payload.color_value.a = color.a
		TYPE_DICTIONARY:
			var fields: Dictionary = value
			return _struct(fields)
		TYPE_OBJECT when value is GcsV1Ges.Payload:
			return value
		TYPE_OBJECT when value is GcsUnit:
			var of_unit: GcsUnit = value
			payload.unit_value = of_unit.id
		TYPE_OBJECT when value is GcsCard:
			var of_card: GcsCard = value
			payload.card_value = of_card.id
	return payload


## Why [param value] cannot be sent as [param field], for people; empty when it can: a type that no GES event carries,
## an int beyond 32 bits, a number that is not finite, also inside of a struct, which then names the field.
static func error_of(value: Variant, field: String = "arg") -> String:
	match typeof(value):
		TYPE_INT:
			return WireNumbers.int_error(field, value)
		TYPE_FLOAT, TYPE_VECTOR2, TYPE_VECTOR3, TYPE_COLOR:
			return "" if is_finite_number(value) else "%s: expected a finite number, got %s" % [field,
					WireNumbers.shown(value)]
		TYPE_DICTIONARY:
			var fields: Dictionary = value
			for key: Variant in fields:
				if not (key is String or key is StringName):
					return "%s: expected texts as keys, got %s" % [field, WireNumbers.shown(key)]
				var error: String = error_of(fields[key], "%s.%s" % [field, key])
				if not error.is_empty():
					return error
			return ""
		TYPE_NIL, TYPE_BOOL, TYPE_STRING, TYPE_STRING_NAME:
			return ""
	if value is GcsV1Ges.Payload or value is GcsUnit or value is GcsCard:
		return ""
	return "%s: a GES event cannot carry %s" % [field, WireNumbers.shown(value)]


## Whether a float, [Vector2], [Vector3] or [Color] holds neither an infinity nor NaN.
static func is_finite_number(value: Variant) -> bool:
	match typeof(value):
		TYPE_FLOAT:
			var number: float = value
			return is_finite(number)
		TYPE_VECTOR2:
			var vector: Vector2 = value
			return vector.is_finite()
		TYPE_VECTOR3:
			var vector: Vector3 = value
			return vector.is_finite()
		TYPE_COLOR:
			var color: Color = value
			return is_finite(color.r) and is_finite(color.g) and is_finite(color.b) and is_finite(color.a)
	return true


## A unit by its id, such as [code]enemy0[/code].
static func unit(id: String) -> GcsV1Ges.Payload:
	var payload: GcsV1Ges.Payload = GcsV1Ges.Payload.new()
	payload.unit_value = id
	return payload


## A card instance by its id, such as [code]c4[/code].
static func card(id: String) -> GcsV1Ges.Payload:
	var payload: GcsV1Ges.Payload = GcsV1Ges.Payload.new()
	payload.card_value = id
	return payload


## A status by its asset id.
static func status(id: String) -> GcsV1Ges.Payload:
	var payload: GcsV1Ges.Payload = GcsV1Ges.Payload.new()
	payload.status_value = id
	return payload


## An argument of an event of the battle as a value of the engine: an int, a float, a bool, a text, the id of a status,
## or a [GcsUnit] or [GcsCard] of [param state]. Null for no unit and no card, and for those that the player may not
## know.
static func value_of(value: GcsV1Events.Value, state: GcsBattleState) -> Variant:
	match value.kind_case:
		GcsV1Events.Value.KindCase.INT_VALUE:
			return value.int_value
		GcsV1Events.Value.KindCase.FLOAT_VALUE:
			return value.float_value
		GcsV1Events.Value.KindCase.BOOL_VALUE:
			return value.bool_value
		GcsV1Events.Value.KindCase.TEXT_VALUE:
			return value.text_value
		GcsV1Events.Value.KindCase.STATUS_VALUE:
			return value.status_value
		GcsV1Events.Value.KindCase.UNIT_VALUE:
			return state.unit_of(value.unit_value) if state != null else null
		GcsV1Events.Value.KindCase.CARD_VALUE:
			return state.card_of(value.card_value.card) if state != null else null
	return null


static func _struct(values: Dictionary) -> GcsV1Ges.Payload:
	var payload: GcsV1Ges.Payload = GcsV1Ges.Payload.new()
	payload.struct_value = GcsV1Ges.StructValue.new()
	for key: Variant in values:
		payload.struct_value.fields[str(key)] = _made(values[key])
	return payload
