class_name ProtoField
extends RefCounted
## What a message knows about one of its fields: its name, number and type.
##
## [method ProtoMessage.message_fields] lists them. With [member property] and [method Object.get] a program can read
## any message without knowing its type, as a debugger does.

## A field's type in the [code].proto[/code] file.
enum Kind {
	## A float of 64 bits.
	DOUBLE,
	## A float of 32 bits.
	FLOAT,
	## An integer of 64 bits; negative ones take ten bytes.
	INT64,
	## An integer of 64 bits without sign; from 2⁶³ on it is negative here.
	UINT64,
	## An integer of 32 bits; negative ones take ten bytes.
	INT32,
	## Like [constant UINT64], in eight bytes always.
	FIXED64,
	## Like [constant UINT32], in four bytes always.
	FIXED32,
	## True or false.
	BOOL,
	## A text in UTF-8.
	STRING,
	## Another message.
	MESSAGE,
	## Bytes, a [PackedByteArray].
	BYTES,
	## An integer of 32 bits without sign.
	UINT32,
	## A number with names: [member enum_values].
	ENUM,
	## Like [constant INT32], in four bytes always.
	SFIXED32,
	## Like [constant INT64], in eight bytes always.
	SFIXED64,
	## Like [constant INT32], with short negative numbers.
	SINT32,
	## Like [constant INT64], with short negative numbers.
	SINT64,
}

## How a field tells whether it is set.
enum Presence {
	## Set when it differs from the default of its type.
	IMPLICIT,
	## An [code]optional[/code] scalar: set once it was assigned.
	EXPLICIT,
	## A message: set when it is not null.
	MESSAGE,
	## A member of a oneof: set when the oneof's case says so.
	ONEOF,
	## A list.
	REPEATED,
	## A map.
	MAP,
}

## The number on the wire.
var number: int
## The name in the [code].proto[/code] file.
var name: String
## The GDScript property. It differs from [member name] only where GDScript refuses that.
var property: StringName
## The type of a value; in a list of its elements, in a map of its values.
var kind: Kind
## How the field tells whether it is set.
var presence: Presence
## The name of an [constant EXPLICIT] field's flag, or of a [constant ONEOF] field's case property; else empty.
var presence_property: StringName
## The names and numbers of an enum's values; else empty.
var enum_values: Dictionary
## The type of a map's keys.
var key_kind: Kind


## Generated code calls this, once for each field of each message class.
func _init(
	p_number: int,
	p_name: String,
	p_property: StringName,
	p_kind: Kind,
	p_presence: Presence = Presence.IMPLICIT,
	p_presence_property: StringName = &"",
	p_enum_values: Dictionary = {},
	p_key_kind: Kind = Kind.STRING,
) -> void:
	number = p_number
	name = p_name
	property = p_property
	kind = p_kind
	presence = p_presence
	presence_property = p_presence_property
	enum_values = p_enum_values
	key_kind = p_key_kind


## Whether the field is set in [param message]: what is not set is not written.
func is_set(message: ProtoMessage) -> bool:
	match presence:
		Presence.EXPLICIT:
			return message.get(presence_property) == true
		Presence.MESSAGE:
			return message.get(property) != null
		Presence.ONEOF:
			return message.get(presence_property) == number
		Presence.REPEATED:
			var list: Array = message.get(property)
			return not list.is_empty()
		Presence.MAP:
			var map: Dictionary = message.get(property)
			return not map.is_empty()
	var value: Variant = message.get(property)
	match kind:
		Kind.STRING:
			return value != ""
		Kind.BYTES:
			var bytes: PackedByteArray = value
			return not bytes.is_empty()
		Kind.BOOL:
			return value == true
		Kind.FLOAT, Kind.DOUBLE:
			var number_value: float = value
			return not ProtoWire.is_positive_zero(number_value)
	return value != 0
