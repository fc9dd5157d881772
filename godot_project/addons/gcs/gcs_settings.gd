class_name GcsSettings
extends RefCounted
## The project settings below [code]gcs/[/code], as one table: what the plugin shows in the editor and what the client
## reads.
##
## A game reads them without the plugin running, so that a setting which is left alone has its default here.

## Where the server is.
const ADDRESS: String = "gcs/connection/address"
## Sent with every call.
const TOKEN: String = "gcs/connection/token"
## Whom to trust behind [code]grpcs://[/code] and [code]wss://[/code].
const TLS_CERTIFICATE: String = "gcs/connection/tls_certificate"
## How long a call may take.
const CALL_DEADLINE_MS: String = "gcs/connection/call_deadline_ms"
## How much of a frame receiving and telling events may take.
const POLL_BUDGET_USEC: String = "gcs/connection/poll_budget_usec"
## How long a handler may show one event before it counts as stalled.
const HANDLER_LIMIT_MS: String = "gcs/battle/handler_limit_ms"
## What the autoload prints.
const LOG_LEVEL: String = "gcs/logging/level"
## The program that the dock starts.
const SERVER_COMMAND: String = "gcs/editor/server_command"
## What that program is started with.
const SERVER_ARGUMENTS: String = "gcs/editor/server_arguments"
## The game's own pack.
const PACK_FOLDER: String = "gcs/editor/pack_folder"
## Where imported GES events go.
const EVENTS_FOLDER: String = "gcs/editor/ges_events_folder"

## For [constant LOG_LEVEL].
enum LogLevel {
	## Nothing is printed.
	NONE,
	## What goes wrong: a lost or refused connection, a battle that fails, a raise that is refused.
	WARNINGS,
	## That, connections made, and battles begun and ended.
	INFO,
}

## Every setting: name, default, hint and hint string as [method ProjectSettings.add_property_info] takes them, whether
## it is shown without "Advanced Settings", and what it means.
const TABLE: Array[Dictionary] = [
	{
		"name": ADDRESS, "default": "grpc://127.0.0.1:50051", "hint": PROPERTY_HINT_NONE, "hint_string": "",
		"basic": true,
		"help": "Where the server is: grpc://host:port, grpcs://, ws://, wss:// or grpc+unix:/path.",
	},
	{
		"name": TOKEN, "default": "", "hint": PROPERTY_HINT_PASSWORD, "hint_string": "", "basic": true,
		"help": "The server's token, sent with every call. It is stored in project.godot and exported with the game.",
	},
	{
		"name": TLS_CERTIFICATE, "default": "", "hint": PROPERTY_HINT_FILE, "hint_string": "*.crt,*.pem", "basic": true,
		"help": "The certificate to trust behind grpcs:// and wss://; empty: those of the system.",
	},
	{
		"name": CALL_DEADLINE_MS, "default": 15_000, "hint": PROPERTY_HINT_RANGE,
		"hint_string": "0,120000,100,or_greater,suffix:ms", "basic": false,
		"help": "How long a call may take; 0 for no limit.",
	},
	{
		"name": POLL_BUDGET_USEC, "default": 1_000, "hint": PROPERTY_HINT_RANGE,
		"hint_string": "100,16000,100,suffix:us", "basic": false,
		"help": "How much of a frame receiving and telling events may take.",
	},
	{
		"name": HANDLER_LIMIT_MS, "default": 10_000, "hint": PROPERTY_HINT_RANGE,
		"hint_string": "0,120000,100,or_greater,suffix:ms", "basic": false,
		"help": "After how long a handler of pace_with that does not come back from an event is told of; 0: never.",
	},
	{
		"name": LOG_LEVEL, "default": LogLevel.WARNINGS, "hint": PROPERTY_HINT_ENUM,
		"hint_string": "None,Warnings,Info", "basic": true,
		"help": "What the autoload Gcs prints.",
	},
	{
		"name": SERVER_COMMAND, "default": "gcs", "hint": PROPERTY_HINT_GLOBAL_FILE, "hint_string": "", "basic": true,
		"help": "The program that the dock starts as server: gcs, its path, or a python with "
				+ "-m bridge.cli serve as arguments.",
	},
	{
		"name": SERVER_ARGUMENTS, "default": ["serve"], "hint": PROPERTY_HINT_NONE, "hint_string": "", "basic": true,
		"help": "What that program is started with; the dock adds --address and, with a pack folder, --packs.",
	},
	{
		"name": PACK_FOLDER, "default": "", "hint": PROPERTY_HINT_DIR, "hint_string": "", "basic": true,
		"help": "The folder of the game's own pack, with its pack.json; empty: the packs that come with gcs.",
	},
	{
		"name": EVENTS_FOLDER, "default": "res://ges_events", "hint": PROPERTY_HINT_DIR, "hint_string": "",
		"basic": true,
		"help": "Where the GES events of a pack are imported to.",
	},
]


## The value of [param setting], one of the constants above, or its default.
static func value_of(setting: String) -> Variant:
	return ProjectSettings.get_setting(setting, default_of(setting))


## The value of a setting that is a text.
static func text_of(setting: String) -> String:
	return str(value_of(setting))


## The value of a setting that is a number.
static func number_of(setting: String) -> int:
	var number: int = value_of(setting)
	return number


## The value of a setting that is a list of texts; a copy, which may be changed.
static func list_of(setting: String) -> PackedStringArray:
	# What the project settings give is theirs: appended to, it would have grown for all who ask next.
	var list: PackedStringArray = value_of(setting)
	return list.duplicate()


## What [param setting] is while nobody changes it.
static func default_of(setting: String) -> Variant:
	for row: Dictionary in TABLE:
		if row["name"] == setting:
			# A constant holds no packed array.
			if typeof(row["default"]) == TYPE_ARRAY:
				var list: Array = row["default"]
				return PackedStringArray(list)
			return row["default"]
	push_error("GcsSettings: there is no setting %s" % setting)
	return null


## Makes the project settings known to the editor, which then shows them with their defaults and hints. The plugin calls
## it.
static func register() -> void:
	for row: Dictionary in TABLE:
		var setting: String = row["name"]
		var default: Variant = default_of(setting)
		if not ProjectSettings.has_setting(setting):
			ProjectSettings.set_setting(setting, default)
		ProjectSettings.set_initial_value(setting, default)
		var basic: bool = row["basic"]
		ProjectSettings.set_as_basic(setting, basic)
		ProjectSettings.add_property_info({
			"name": setting, "type": typeof(default), "hint": row["hint"], "hint_string": row["hint_string"],
		})


## Takes those that nobody changed out of the editor again. The plugin calls it when it is disabled.
static func unregister() -> void:
	for row: Dictionary in TABLE:
		var setting: String = row["name"]
		if ProjectSettings.has_setting(setting) and ProjectSettings.get_setting(setting) == default_of(setting):
			ProjectSettings.clear(setting)
