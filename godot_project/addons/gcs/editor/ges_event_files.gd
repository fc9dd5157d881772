@tool
extends RefCounted
## The GES events of one pack as resources: read from the pack's folder or taken from a server, and written to a folder
## of the project.
##
## A file belongs to the event with its GUID, wherever it was moved to below that folder, so that scenes keep what they
## refer to.

const EXTENSION: String = ".tres"
## Digits of a GUID's parts.
const GUID_PARTS: Array[int] = [8, 4, 4, 4, 12]

## The pack's id.
var pack: String = ""
## The pack's events.
var events: Array[GesEvent] = []
## What is wrong with the pack, as [code]file: what[/code]. With any, nothing is to be written.
var problems: PackedStringArray = []
## After [method write]: files that are new.
var made: PackedStringArray = []
## After [method write]: files that have changed.
var updated: PackedStringArray = []
## After [method write]: files whose event is not in the pack any more. They are left alone: scenes may refer to them.
var vanished: PackedStringArray = []


## Reads the pack in [param folder], which holds a [code]pack.json[/code] and its events in [code]events/[/code].
func read_folder(folder: String) -> void:
	var info: Dictionary = _read_object(folder, "pack.json")
	if not problems.is_empty():
		return
	pack = _text(info, "pack.json", "id")
	if not pack.is_empty() and not pack.is_valid_filename():
		problems.push_back("pack.json: id: \"%s\" cannot be part of the name of a file" % pack.c_escape())
	var files: PackedStringArray = []
	# A pack without events has no such folder.
	if DirAccess.dir_exists_absolute(folder.path_join("events")):
		files = DirAccess.get_files_at(folder.path_join("events"))
	files.sort()
	for file: String in files:
		if file.get_extension() == "json":
			_take("events".path_join(file), _read_object(folder, "events".path_join(file)))


## Takes the events that a server told.
func read_response(from_pack: String, response: GcsV1Ges.ListEventsResponse) -> void:
	pack = from_pack
	for told: GcsV1Ges.GesEvent in response.events:
		_take(told.id, {
			"id": told.id, "guid": told.guid, "name": told.name, "category": told.category, "argument": told.argument,
			"sender": told.sender, "extra": {} if told.extra_json.is_empty() else JSON.parse_string(told.extra_json),
		})


## Writes the events below [param folder]: new files for new events, known ones in place. Gives what went wrong; empty:
## nothing.
func write(folder: String) -> String:
	if not folder.begins_with("res://"):
		return "expected a folder of the project, res://…, found %s" % folder
	var error: Error = DirAccess.make_dir_recursive_absolute(folder)
	if error != OK:
		return "%s cannot be made: %s" % [folder, error_string(error)]
	var known: Dictionary[String, GesEvent] = {}
	_find_known(folder, known)
	var guids: Dictionary[String, bool] = {}
	for event: GesEvent in events:
		guids[event.guid] = true
		var old: GesEvent = known.get(event.guid)
		if old == null:
			var path: String = _free_path(folder, event)
			error = _save(event, path)
			event.take_over_path(path)
			made.push_back(path)
		elif _take_over(old, event):
			error = _save(old, old.resource_path)
			updated.push_back(old.resource_path)
		if error != OK:
			return "%s cannot be written: %s" % [event.id, error_string(error)]
	for guid: String in known:
		if known[guid].pack == pack and not guids.has(guid):
			vanished.push_back(known[guid].resource_path)
	return ""


## What [method write] did, for people.
func report() -> String:
	var unchanged: int = events.size() - made.size() - updated.size()
	var lines: PackedStringArray = ["%d events of %s: %d new, %d changed, %d as before" % [
		events.size(), pack, made.size(), updated.size(), unchanged]]
	for path: String in made:
		lines.push_back("new: %s" % path)
	for path: String in updated:
		lines.push_back("changed: %s" % path)
	for path: String in vanished:
		lines.push_back("not in the pack any more: %s" % path)
	return "\n".join(lines)


func _read_object(folder: String, file: String) -> Dictionary:
	var path: String = folder.path_join(file)
	if not FileAccess.file_exists(path):
		problems.push_back("%s: there is no such file in %s" % [file, folder])
		return {}
	var json: JSON = JSON.new()
	if json.parse(FileAccess.get_file_as_string(path)) != OK:
		problems.push_back("%s: line %d: %s" % [file, json.get_error_line() + 1, json.get_error_message()])
		return {}
	if typeof(json.data) != TYPE_DICTIONARY:
		problems.push_back("%s: expected an object" % file)
		return {}
	return json.data


func _take(place: String, asset: Dictionary) -> void:
	if asset.is_empty():
		return
	var event: GesEvent = GesEvent.new()
	event.pack = pack
	event.id = _text(asset, place, "id")
	# It becomes the name of a file, and a server or a pack from elsewhere must not choose the folder.
	if not event.id.is_empty() and (not event.id.is_valid_filename() or event.id.begins_with(".")):
		problems.push_back("%s: id: \"%s\" cannot be the name of a file" % [place, event.id.c_escape()])
	event.guid = _normal_guid(_text(asset, place, "guid"), place)
	event.name = _text(asset, place, "name", event.id)
	event.category = _text(asset, place, "category", "")
	var argument: String = _text(asset, place, "argument", "none")
	var known: int = GesEvent.argument_of(argument)
	if known < 0:
		problems.push_back("%s: argument: expected one of %s, found \"%s\"" % [
			place, ", ".join(PackedStringArray(GesEvent.Argument.keys())).to_lower(), argument])
	else:
		event.argument = known as GesEvent.Argument
	if typeof(asset.get("sender", false)) == TYPE_BOOL:
		event.has_sender = asset.get("sender", false)
	else:
		problems.push_back("%s: sender: expected true or false, found %s" % [place, JSON.stringify(asset["sender"])])
	if typeof(asset.get("extra")) == TYPE_DICTIONARY:
		var extra: Dictionary = asset["extra"]
		if typeof(extra.get("help")) == TYPE_STRING:
			event.description = extra["help"]
	events.push_back(event)


func _text(asset: Dictionary, place: String, field: String, default: Variant = null) -> String:
	var value: Variant = asset.get(field, default)
	if typeof(value) == TYPE_STRING:
		return value
	problems.push_back("%s: %s: expected a text, found %s" % [place, field,
			"nothing" if value == null else JSON.stringify(value)])
	return ""


## A GUID in lower case with hyphens, as the server writes it.
func _normal_guid(guid: String, place: String) -> String:
	var digits: String = guid.replace("-", "").to_lower()
	if digits.length() != 32 or not digits.is_valid_hex_number():
		problems.push_back("%s: guid: expected 32 hexadecimal digits, found \"%s\"" % [place, guid])
		return ""
	var parts: PackedStringArray = []
	var from: int = 0
	for length: int in GUID_PARTS:
		parts.push_back(digits.substr(from, length))
		from += length
	return "-".join(parts)


static func _find_known(folder: String, known: Dictionary[String, GesEvent]) -> void:
	for file: String in DirAccess.get_files_at(folder):
		if file.ends_with(EXTENSION):
			var event: GesEvent = load(folder.path_join(file)) as GesEvent
			if event != null:
				known[event.guid] = event
	for child: String in DirAccess.get_directories_at(folder):
		_find_known(folder.path_join(child), known)


## Another pack may have an event of the same id.
func _free_path(folder: String, event: GesEvent) -> String:
	var path: String = folder.path_join(event.id + EXTENSION)
	return folder.path_join("%s_%s%s" % [pack, event.id, EXTENSION]) if FileAccess.file_exists(path) else path


## Whether anything differed.
static func _take_over(old: GesEvent, event: GesEvent) -> bool:
	var differs: bool = false
	for property: Dictionary in event.get_property_list():
		var usage: int = property["usage"]
		var field: String = property["name"]
		if usage & PROPERTY_USAGE_SCRIPT_VARIABLE and old.get(field) != event.get(field):
			old.set(field, event.get(field))
			differs = true
	if differs:
		old.emit_changed()
	return differs


## Saves under the UID that the file has, or a new one: by it scenes refer to the file. The editor sees to that by
## itself.
static func _save(event: GesEvent, path: String) -> Error:
	var uid: int = _uid_in(path)
	var error: Error = ResourceSaver.save(event, path)
	if error != OK or Engine.is_editor_hint():
		return error
	return ResourceSaver.set_uid(path, uid if uid != ResourceUID.INVALID_ID else ResourceUID.create_id())


## The UID that a file names itself by. [method ResourceLoader.get_resource_uid] knows those of the editor's last scan
## alone.
static func _uid_in(path: String) -> int:
	if not FileAccess.file_exists(path):
		return ResourceUID.INVALID_ID
	var header: String = FileAccess.open(path, FileAccess.READ).get_line()
	return ResourceUID.text_to_id(header.get_slice("uid=\"", 1).get_slice("\"", 0)) if header.contains(
			"uid=\"") else ResourceUID.INVALID_ID
