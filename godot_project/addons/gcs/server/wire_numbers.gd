extends RefCounted
## What numbers the wire carries. The fields of messages take any int of the engine and would send its lower 32 bits.

## The least and the most that a field of 32 bits holds.
const INT_MIN: int = -0x80000000
const INT_MAX: int = 0x7fffffff


## Why [param value] cannot be sent as the int [param field], for people; empty when it can. A float that is whole
## counts as an int: JSON knows no other numbers.
static func int_error(field: String, value: Variant, minimum: int = INT_MIN, maximum: int = INT_MAX) -> String:
	var is_int: bool = typeof(value) == TYPE_INT
	if typeof(value) == TYPE_FLOAT:
		var number: float = value
		# NaN and infinities are no whole numbers.
		is_int = number == floorf(number) and absf(number) <= INT_MAX + 1.0
	if is_int and to_int(value) >= minimum and to_int(value) <= maximum:
		return ""
	return "%s: expected an int from %d to %d, got %s" % [field, minimum, maximum, shown(value)]


## An int, or a float that is whole, as an int.
static func to_int(value: Variant) -> int:
	var number: int = value
	return number


## Why [param values] cannot be sent as the map of ints [param field], for people; empty when they can.
static func ints_error(field: String, values: Variant) -> String:
	if typeof(values) != TYPE_DICTIONARY:
		return "%s: expected a Dictionary of ints by id, got %s" % [field, shown(values)]
	var by_id: Dictionary = values
	for id: Variant in by_id:
		if not (id is String or id is StringName):
			return "%s: expected ids as keys, got %s" % [field, shown(id)]
		var error: String = int_error("%s.%s" % [field, id], by_id[id])
		if not error.is_empty():
			return error
	return ""


## A value and its type, for people.
static func shown(value: Variant) -> String:
	if value == null:
		return "nothing"
	if value is Object:
		return "an object"
	return "%s (%s)" % [type_string(typeof(value)), var_to_str(value).left(80)]
