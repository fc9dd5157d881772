@tool
@icon("../icons/ges_listener.svg")
class_name GesListener
extends Node
## Tells a scene when a GES event is raised in the battle: by a signal to connect in the inspector, and by calling a
## method that is picked there.
##
## It hears the battle of the autoload [code]Gcs[/code], or of another [GcsClient]. The event comes in its place among
## all that happens in the battle, and once, also over a lost connection: with [method GcsClient.pace_with] it waits for
## the animations before it.

## The event was raised. [param payload] is what it carries, see [method GesEvent.payload_of]; [param sender] the unit
## that raised it, or null.
signal event_raised(payload: Variant, sender: GcsUnit)

## What each argument of an event comes as: the type of the engine.
const PAYLOAD_TYPES: Dictionary[GesEvent.Argument, Variant.Type] = {
	GesEvent.Argument.NONE: TYPE_NIL,
	GesEvent.Argument.INT: TYPE_INT,
	GesEvent.Argument.FLOAT: TYPE_FLOAT,
	GesEvent.Argument.BOOL: TYPE_BOOL,
	GesEvent.Argument.TEXT: TYPE_STRING,
	GesEvent.Argument.VECTOR2: TYPE_VECTOR2,
	GesEvent.Argument.VECTOR3: TYPE_VECTOR3,
	GesEvent.Argument.COLOR: TYPE_COLOR,
	GesEvent.Argument.UNIT: TYPE_OBJECT,
	GesEvent.Argument.CARD: TYPE_OBJECT,
	GesEvent.Argument.STATUS: TYPE_STRING,
	GesEvent.Argument.STRUCT: TYPE_DICTIONARY,
}
## What the engine turns into another type by itself when a method is called.
const _CONVERTED: Dictionary[Variant.Type, Array] = {
	TYPE_INT: [TYPE_FLOAT, TYPE_BOOL],
	TYPE_FLOAT: [TYPE_INT, TYPE_BOOL],
	TYPE_BOOL: [TYPE_INT, TYPE_FLOAT],
	TYPE_STRING: [TYPE_STRING_NAME, TYPE_NODE_PATH, TYPE_COLOR],
	TYPE_VECTOR2: [TYPE_VECTOR2I],
	TYPE_VECTOR3: [TYPE_VECTOR3I],
}

## The most arguments that [member method] may take: payload and sender.
const MOST_ARGUMENTS: int = 2

## The event to hear.
@export var event: GesEvent = null:
	set(value):
		event = value
		update_configuration_warnings()
## The node whose [member method] is called, beside [signal event_raised]. None: only the signal.
@export var target: Node = null:
	set(value):
		target = value
		notify_property_list_changed()
		update_configuration_warnings()
## The method of [member target] to call, with the payload and the sender, or with as many of them as it takes.
@export var method: StringName = &"":
	set(value):
		method = value
		update_configuration_warnings()
## Leaves out what was raised from outside of the battle, by this game or others: hears graphs, notices and flows alone.
@export var only_from_battle: bool = false
## Whether it hears at all.
@export var enabled: bool = true
## Whose battle is heard; none: that of the autoload [code]Gcs[/code].
@export var client: GcsClient = null

## The number, in the battle, of the event that was heard last; 0 before.
var last_sequence: int = 0

var _heard_client: GcsClient = null


func _ready() -> void:
	if Engine.is_editor_hint():
		return
	_listen()


func _enter_tree() -> void:
	# Back in the tree after it was taken out.
	if is_node_ready() and not Engine.is_editor_hint():
		_listen()


func _exit_tree() -> void:
	if is_instance_valid(_heard_client):
		_heard_client.event_received.disconnect(_on_event)
	_heard_client = null


func _validate_property(property: Dictionary) -> void:
	if property["name"] == &"method" and target != null:
		property["hint"] = PROPERTY_HINT_ENUM_SUGGESTION
		property["hint_string"] = ",".join(_methods_of_target())


func _get_configuration_warnings() -> PackedStringArray:
	var warnings: PackedStringArray = []
	if event == null:
		warnings.push_back("No event to hear: set Event to a GesEvent, which the dock GCS imports from a pack.")
	elif event.guid.is_empty():
		warnings.push_back("The event has no GUID: import it from its pack.")
	if target == null and not method.is_empty():
		warnings.push_back("Method is set without a Target to call it on.")
	elif target == null and event_raised.get_connections().is_empty():
		warnings.push_back("Nobody is told: connect the signal event_raised, or set Target and Method.")
	elif target != null and method.is_empty():
		warnings.push_back("Target is set without a Method to call.")
	elif target != null and not _target_has_method():
		warnings.push_back("Target has no method \"%s\"." % method)
	elif target != null and _required_arguments() > MOST_ARGUMENTS:
		warnings.push_back("Method \"%s\" needs %d arguments; it gets a payload and a sender." % [method,
				_required_arguments()])
	elif target != null and event != null and not type_error().is_empty():
		warnings.push_back(type_error())
	return warnings


## Why [member method] cannot take what [member event] carries, with both types, for people; empty when it can, or when
## either is not set.
func type_error() -> String:
	if event == null or target == null or method.is_empty():
		return ""
	var arguments: Array[Dictionary] = _arguments_of_method()
	if arguments.size() > 0 and not _takes(arguments[0], PAYLOAD_TYPES[event.argument], _payload_class()):
		return "Method \"%s\" takes %s as payload; event %s gives %s." % [
			method, _type_of(arguments[0]), event.id, _payload_name(),
		]
	if arguments.size() > 1 and not _takes(arguments[1], TYPE_OBJECT, &"GcsUnit"):
		return "Method \"%s\" takes %s as sender; an event gives GcsUnit." % [method, _type_of(arguments[1])]
	return ""


## Raises [param answer] as what follows from the event that was heard last: events that answer each other for ever are
## cut by the server then. See [method GesEvent.raise].
func raise_answer(answer: GesEvent, payload: Variant = null, sender: Variant = null) -> GcsRaise:
	var refused: GcsRaise = answer._refuse(payload, sender, last_sequence)
	if refused != null:
		return refused
	var raiser: GcsClient = _heard_client if _heard_client != null else GcsClient.autoload()
	return raiser.raise_event(answer.guid, answer.to_payload(payload), answer.to_sender(sender), last_sequence)


func _listen() -> void:
	_heard_client = client if client != null else GcsClient.autoload()
	if _heard_client == null:
		push_error("%s: there is no autoload Gcs: enable the plugin GCS, or set Client" % get_path())
		return
	_heard_client.event_received.connect(_on_event)


func _on_event(received: GcsV1Events.Event) -> void:
	if not enabled or event == null or received.kind_case != GcsV1Events.Event.KindCase.GES_EVENT_RAISED:
		return
	var raised: GcsV1Events.GesEventRaised = received.ges_event_raised
	if raised.guid != event.guid or (only_from_battle and not raised.from_battle):
		return
	last_sequence = received.sequence
	var payload: Variant = event.payload_of(raised, _heard_client.state)
	var sender: GcsUnit = event.sender_of(raised, _heard_client.state)
	event_raised.emit(payload, sender)
	if not is_instance_valid(target) or method.is_empty():
		return
	var called: Callable = Callable(target, method)
	if not called.is_valid():
		push_error("%s: %s has no method \"%s\"" % [get_path(), target.get_path(), method])
		return
	var wrong: String = type_error()
	if not wrong.is_empty():
		push_error("%s: %s" % [get_path(), wrong])
		return
	called.callv([payload, sender].slice(0, mini(called.get_argument_count(), MOST_ARGUMENTS)))


## The script's own methods first: those of the engine's classes are many.
func _methods_of_target() -> PackedStringArray:
	var names: PackedStringArray = []
	var script: Script = target.get_script()
	if script != null:
		for row: Dictionary in script.get_script_method_list():
			var script_method: String = row["name"]
			if not script_method.begins_with("@"):
				names.push_back(script_method)
	return names


## A script that is no tool has no methods in the editor but those in its list.
func _target_has_method() -> bool:
	return target.has_method(method) or String(method) in _methods_of_target()


func _required_arguments() -> int:
	var row: Dictionary = _method_row()
	if row.is_empty():
		return 0
	var arguments: Array = row["args"]
	var defaults: Array = row["default_args"]
	return arguments.size() - defaults.size()


func _arguments_of_method() -> Array[Dictionary]:
	var arguments: Array[Dictionary] = []
	var row: Dictionary = _method_row()
	if not row.is_empty():
		var rows: Array = row["args"]
		arguments.assign(rows)
	return arguments


## What the engine knows of [member method]; empty where the target has none.
func _method_row() -> Dictionary:
	var script: Script = target.get_script()
	var rows: Array[Dictionary] = target.get_method_list()
	if script != null:
		rows = script.get_script_method_list() + rows
	for row: Dictionary in rows:
		if row["name"] == String(method):
			return row
	return {}


func _payload_class() -> StringName:
	match event.argument:
		GesEvent.Argument.UNIT:
			return &"GcsUnit"
		GesEvent.Argument.CARD:
			return &"GcsCard"
	return &""


func _payload_name() -> String:
	if event.argument == GesEvent.Argument.NONE:
		return "nothing"
	var of_class: String = _payload_class()
	return of_class if not of_class.is_empty() else type_string(PAYLOAD_TYPES[event.argument])


## Whether the parameter [param argument] takes a value of [param type], an object of [param of_class].
static func _takes(argument: Dictionary, type: Variant.Type, of_class: StringName) -> bool:
	var wanted: Variant.Type = argument["type"]
	# No type at all.
	if wanted == TYPE_NIL:
		return true
	if wanted != type:
		return wanted in _CONVERTED.get(type, [])
	var wanted_class: StringName = argument["class_name"]
	return type != TYPE_OBJECT or wanted_class in [of_class, &"RefCounted", &"Object", &""]


static func _type_of(argument: Dictionary) -> String:
	var wanted_class: StringName = argument["class_name"]
	var type: Variant.Type = argument["type"]
	return String(wanted_class) if type == TYPE_OBJECT and not wanted_class.is_empty() else type_string(type)
