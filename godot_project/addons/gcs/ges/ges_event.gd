@tool
@icon("../icons/ges_event.svg")
class_name GesEvent
extends Resource
## A GES event of a pack, to be picked in the inspector and raised from a scene.
##
## It is made from the pack by [i]Project → Tools → GCS: Import GES Events[/i], by the dock, or without the editor:
## [codeblock lang=text]
## godot --headless --path PROJECT --script addons/gcs/editor/import_ges_events.gd -- \
##     --pack FOLDER --out res://ges_events
## [/codeblock]
## The pack is its source: import again after a change instead of editing it here.
## [codeblock]
## @export var thunder: GesEvent
##
## func strike() -> void:
##     var raising: GcsRaise = thunder.raise(3)
##     await raising.outcome()
##     print(raising.message)
## [/codeblock]

## What an event carries.
enum Argument {
	## Nothing.
	NONE,
	## An int of 32 bits.
	INT,
	## A float; an int is taken as one.
	FLOAT,
	## A bool.
	BOOL,
	## A text.
	TEXT,
	## A [Vector2].
	VECTOR2,
	## A [Vector3].
	VECTOR3,
	## A [Color].
	COLOR,
	## A unit of the battle: a [GcsUnit], or its id.
	UNIT,
	## A card instance of the battle: a [GcsCard], or its id.
	CARD,
	## A status, by its asset id.
	STATUS,
	## A [Dictionary] with texts as keys, of numbers, bools, texts, units and cards.
	STRUCT,
}

const WireNumbers = preload("../server/wire_numbers.gd")

## The most that a whole number may be where a float is wanted: a larger one would arrive as another number.
const _LARGEST_WHOLE_FLOAT: int = 1 << 53

## The GUID by which the server knows it, lower case with hyphens.
@export var guid: String = ""
## Its id in the pack.
@export var id: String = ""
## The pack that it comes from.
@export var pack: String = ""
## Its name.
@export var name: String = ""
## Its category.
@export var category: String = ""
## What it carries.
@export var argument: Argument = Argument.NONE
## Whether it tells which unit raised it.
@export var has_sender: bool = false
## What it is for: [code]extra.help[/code] of the asset.
@export_multiline var description: String = ""


func _validate_property(property: Dictionary) -> void:
	var usage: int = property["usage"]
	if usage & PROPERTY_USAGE_SCRIPT_VARIABLE:
		property["usage"] = usage | PROPERTY_USAGE_READ_ONLY


## Raises it in the battle of the autoload [code]Gcs[/code]; see [method GcsClient.raise_event]. A payload or sender of
## another type is refused without asking the server.
func raise(payload: Variant = null, sender: Variant = null, answers: int = 0) -> GcsRaise:
	var refused: GcsRaise = _refuse(payload, sender, answers)
	return refused if refused != null \
			else GcsClient.autoload().raise_event(guid, to_payload(payload), to_sender(sender), answers)


## Raises it in [param delay_ms] milliseconds; see [method GcsClient.raise_delayed].
func raise_delayed(delay_ms: int, payload: Variant = null, sender: Variant = null, answers: int = 0) -> GcsRaise:
	var refused: GcsRaise = _refuse(payload, sender, answers)
	return refused if refused != null \
			else GcsClient.autoload().raise_delayed(guid, delay_ms, to_payload(payload), to_sender(sender), answers)


## Raises it every [param interval_ms] milliseconds, [param count] times or, with -1, until it is cancelled; see
## [method GcsClient.raise_repeating].
func raise_repeating(
	interval_ms: int, count: int = -1, payload: Variant = null, sender: Variant = null, answers: int = 0
) -> GcsRaise:
	var refused: GcsRaise = _refuse(payload, sender, answers)
	return refused if refused != null \
			else GcsClient.autoload().raise_repeating(guid, interval_ms, count, to_payload(payload), to_sender(sender),
					answers)


## Why the event cannot be raised with [param payload] and [param sender], for people; empty when it can.
func type_error(payload: Variant = null, sender: Variant = null) -> String:
	if guid.is_empty():
		return "the event has no GUID: import it from its pack"
	if argument == Argument.STRUCT and typeof(payload) == TYPE_DICTIONARY:
		# Names the field where a number is what is wrong.
		var error: String = GcsPayload.error_of(payload, id)
		if not error.is_empty():
			return error
	if not _fits(payload):
		return "%s: expected %s, got %s" % [id, _expected(), WireNumbers.shown(payload)]
	if sender != null and not has_sender:
		return "%s: expected no sender, got %s: the event declares none" % [id, WireNumbers.shown(sender)]
	if sender != null and not (sender is GcsUnit or sender is String or sender is StringName):
		return "%s: expected a GcsUnit or the id of a unit as sender, got %s" % [id, WireNumbers.shown(sender)]
	return ""


## [param payload], a value that fits, as it goes over the wire to any [GcsClient]'s [method GcsClient.raise_event];
## null for nothing.
func to_payload(payload: Variant) -> GcsV1Ges.Payload:
	if argument == Argument.NONE:
		return null
	if typeof(payload) == TYPE_STRING or typeof(payload) == TYPE_STRING_NAME:
		match argument:
			Argument.UNIT:
				return GcsPayload.unit(str(payload))
			Argument.CARD:
				return GcsPayload.card(str(payload))
			Argument.STATUS:
				return GcsPayload.status(str(payload))
	if argument == Argument.FLOAT and typeof(payload) == TYPE_INT:
		var number: float = payload
		return GcsPayload.from(number)
	return GcsPayload.from(payload)


## [param sender], a [GcsUnit] or the id of one, as it goes over the wire; null for nobody.
func to_sender(sender: Variant) -> GcsV1Ges.Payload:
	if sender is String or sender is StringName:
		return GcsPayload.unit(str(sender))
	return GcsPayload.from(sender) if sender != null else null


## What [param raised] carries, as the engine has it: an int, a text, a [Color] and so on; a [GcsUnit] or [GcsCard] of
## [param state], or null where the player may not know it.
func payload_of(raised: GcsV1Events.GesEventRaised, state: GcsBattleState) -> Variant:
	var fields: Dictionary[String, Variant] = {}
	for port: GcsV1Events.Port in raised.arguments:
		if not (has_sender and port.name == "sender"):
			fields[port.name] = GcsPayload.value_of(port.value, state)
	match argument:
		Argument.NONE:
			return null
		Argument.VECTOR2:
			return Vector2(_part(fields, "x"), _part(fields, "y"))
		Argument.VECTOR3:
			return Vector3(_part(fields, "x"), _part(fields, "y"), _part(fields, "z"))
		Argument.COLOR:
			return Color(_part(fields, "r"), _part(fields, "g"), _part(fields, "b"), _part(fields, "a"))
		Argument.STRUCT:
			return fields
	return fields.get("arg")


## The unit that raised [param raised], of [param state]; null for nobody.
func sender_of(raised: GcsV1Events.GesEventRaised, state: GcsBattleState) -> GcsUnit:
	for port: GcsV1Events.Port in raised.arguments:
		if has_sender and port.name == "sender":
			var unit: GcsUnit = GcsPayload.value_of(port.value, state)
			return unit
	return null


## The type that a pack calls [param type_name], such as [code]int[/code]; -1 for none.
static func argument_of(type_name: String) -> int:
	return Argument.keys().find(type_name.to_upper())


func _refuse(payload: Variant, sender: Variant, answers: int) -> GcsRaise:
	var client: GcsClient = GcsClient.autoload()
	var error: String = type_error(payload, sender)
	if client == null:
		error = "there is no autoload Gcs: enable the plugin GCS in the project settings"
	if error.is_empty():
		return null
	var request: GcsV1Ges.RaiseRequest = GcsV1Ges.RaiseRequest.new()
	request.guid = guid
	request.answers = answers
	var refused: GcsRaise = GcsRaise.new(request)
	if client != null:
		refused._refused = client.raise_refused.emit
	refused._refuse(GrpcStatus.make(GrpcStatus.Code.INVALID_ARGUMENT, error))
	return refused


func _fits(payload: Variant) -> bool:
	var type: int = typeof(payload)
	match argument:
		Argument.NONE:
			return type == TYPE_NIL
		Argument.INT:
			return type == TYPE_INT and GcsPayload.error_of(payload).is_empty()
		Argument.FLOAT:
			if type == TYPE_INT:
				return payload <= _LARGEST_WHOLE_FLOAT and payload >= -_LARGEST_WHOLE_FLOAT
			return type == TYPE_FLOAT and GcsPayload.is_finite_number(payload)
		Argument.BOOL:
			return type == TYPE_BOOL
		Argument.TEXT, Argument.STATUS:
			return type == TYPE_STRING or type == TYPE_STRING_NAME
		Argument.VECTOR2:
			return type == TYPE_VECTOR2 and GcsPayload.is_finite_number(payload)
		Argument.VECTOR3:
			return type == TYPE_VECTOR3 and GcsPayload.is_finite_number(payload)
		Argument.COLOR:
			return type == TYPE_COLOR and GcsPayload.is_finite_number(payload)
		Argument.UNIT:
			return payload is GcsUnit or type == TYPE_STRING or type == TYPE_STRING_NAME
		Argument.CARD:
			return payload is GcsCard or type == TYPE_STRING or type == TYPE_STRING_NAME
		Argument.STRUCT:
			return type == TYPE_DICTIONARY and _fields_fit(payload)
	return false


## A struct's fields are no vectors, colours or structs.
static func _fields_fit(struct: Variant) -> bool:
	var fields: Dictionary = struct
	for key: Variant in fields:
		var value: Variant = fields[key]
		var plain: bool = typeof(value) in [TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_STRING, TYPE_STRING_NAME]
		if not (key is String or key is StringName) or not (plain or value is GcsUnit or value is GcsCard
				or value is GcsV1Ges.Payload):
			return false
	return true


func _expected() -> String:
	match argument:
		Argument.NONE:
			return "nothing"
		Argument.INT:
			return "an int of 32 bits"
		Argument.FLOAT:
			return "a finite float"
		Argument.BOOL:
			return "a bool"
		Argument.TEXT:
			return "a String"
		Argument.VECTOR2:
			return "a finite Vector2"
		Argument.VECTOR3:
			return "a finite Vector3"
		Argument.COLOR:
			return "a finite Color"
		Argument.UNIT:
			return "a GcsUnit or its id"
		Argument.CARD:
			return "a GcsCard or its id"
		Argument.STATUS:
			return "the id of a status"
	return "a Dictionary with texts as keys, of numbers, bools, texts, units and cards"


static func _part(fields: Dictionary[String, Variant], part: String) -> float:
	var value: float = fields.get(part, 0.0)
	return value
