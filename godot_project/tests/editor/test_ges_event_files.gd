extends GcsTest
## The import of GES events: new files, changes in place with the same UID, what vanished, and packs that are wrong.

const GesEventFiles = preload("res://addons/gcs/editor/ges_event_files.gd")
const OUT: String = "res://.godot/ges_event_files/events"
const PACK: String = "res://.godot/ges_event_files/pack"
const THUNDER: String = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"


func before_each() -> void:
	_remove("res://.godot/ges_event_files")
	DirAccess.make_dir_recursive_absolute(PACK.path_join("events"))
	_write("pack.json", '{"id": "storms", "name": "Storms", "version": "1.0.0"}')
	var names: String = '"id": "thunder", "guid": "%s", "name": "Thunder"' % THUNDER
	_write("events/thunder.json", '{%s, "argument": "int", "extra": {"help": "A clap."}}' % names)
	_write("events/flash.json", '{"id": "flash", "guid": "C4A9F3D80B6C4E179D25A86E1F734B90", "sender": true}')


func after_each() -> void:
	_remove("res://.godot/ges_event_files")


func _write(file: String, text: String) -> void:
	FileAccess.open(PACK.path_join(file), FileAccess.WRITE).store_string(text)


func _remove(folder: String) -> void:
	if not DirAccess.dir_exists_absolute(folder):
		return
	for file: String in DirAccess.get_files_at(folder):
		DirAccess.remove_absolute(folder.path_join(file))
	for child: String in DirAccess.get_directories_at(folder):
		_remove(folder.path_join(child))
	DirAccess.remove_absolute(folder)


func _imported() -> GesEventFiles:
	var files: GesEventFiles = GesEventFiles.new()
	files.read_folder(PACK)
	check_equal(files.problems, PackedStringArray(), "problems")
	check_equal(files.write(OUT), "", "write")
	return files


func test_events_become_resources() -> void:
	var files: GesEventFiles = _imported()
	check_equal(files.made, PackedStringArray([OUT + "/flash.tres", OUT + "/thunder.tres"]), "made")
	var thunder: GesEvent = load(OUT + "/thunder.tres")
	check_equal([thunder.guid, thunder.id, thunder.pack, thunder.name, thunder.argument, thunder.has_sender,
			thunder.description],
			[THUNDER, "thunder", "storms", "Thunder", GesEvent.Argument.INT, false, "A clap."], "thunder")
	var flash: GesEvent = load(OUT + "/flash.tres")
	check_equal([flash.guid, flash.name, flash.argument, flash.has_sender],
			["c4a9f3d8-0b6c-4e17-9d25-a86e1f734b90", "flash", GesEvent.Argument.NONE, true], "flash")
	check_equal(files.report().get_slice("\n", 0), "2 events of storms: 2 new, 0 changed, 0 as before", "report")


func test_second_import_changes_in_place_and_keeps_uids() -> void:
	_imported()
	var header: String = FileAccess.get_file_as_string(OUT + "/thunder.tres").get_slice("\n", 0)
	check(header.contains(' uid="uid://'), "a new file has a UID: %s" % header)
	var flash_before: String = FileAccess.get_file_as_string(OUT + "/flash.tres")
	# Somebody holds it, and has moved it.
	DirAccess.make_dir_absolute(OUT + "/weather")
	DirAccess.rename_absolute(OUT + "/thunder.tres", OUT + "/weather/thunder.tres")
	var held: GesEvent = load(OUT + "/weather/thunder.tres")
	_write("events/thunder.json",
			'{"id": "thunder", "guid": "%s", "name": "Great thunder", "argument": "float"}' % THUNDER)
	var files: GesEventFiles = _imported()
	check_equal(files.made, PackedStringArray(), "made")
	check_equal(files.updated, PackedStringArray([OUT + "/weather/thunder.tres"]), "updated")
	check_equal(FileAccess.get_file_as_string(OUT + "/weather/thunder.tres").get_slice("\n", 0), header, "its UID")
	check_equal([held.name, held.argument, held.description], ["Great thunder", GesEvent.Argument.FLOAT, ""],
			"whoever holds it")
	check_equal(FileAccess.get_file_as_string(OUT + "/flash.tres"), flash_before, "what has not changed is not written")


func test_vanished_events_are_reported_and_kept() -> void:
	_imported()
	DirAccess.remove_absolute(PACK.path_join("events/flash.json"))
	var files: GesEventFiles = _imported()
	check_equal(files.vanished, PackedStringArray([OUT + "/flash.tres"]), "vanished")
	check(FileAccess.file_exists(OUT + "/flash.tres"), "it is kept")
	check(files.report().contains("not in the pack any more: %s/flash.tres" % OUT), files.report())


func test_events_of_another_pack_are_left_alone() -> void:
	_imported()
	_write("pack.json", '{"id": "calm", "name": "Calm", "version": "1.0.0"}')
	DirAccess.remove_absolute(PACK.path_join("events/flash.json"))
	_write("events/thunder.json", '{"id": "thunder", "guid": "00000000-0000-0000-0000-000000000001", "name": "Far"}')
	var files: GesEventFiles = _imported()
	check_equal(files.made, PackedStringArray([OUT + "/calm_thunder.tres"]), "made beside the other pack's")
	check_equal(files.vanished, PackedStringArray(), "vanished")
	check_equal((load(OUT + "/thunder.tres") as GesEvent).guid, THUNDER, "the other pack's")


func test_pack_without_events_is_read_without_an_error() -> void:
	var folder: String = "res://.godot/pack_without_events"
	DirAccess.make_dir_recursive_absolute(folder)
	var file: FileAccess = FileAccess.open(folder.path_join("pack.json"), FileAccess.WRITE)
	file.store_string('{"id": "silent", "name": "Silent", "version": "1.0.0"}')
	file.close()
	var files: GesEventFiles = GesEventFiles.new()
	files.read_folder(folder)
	check_equal([files.pack, files.events.size(), files.problems.size()], ["silent", 0, 0], "what is read")
	DirAccess.remove_absolute(folder.path_join("pack.json"))
	DirAccess.remove_absolute(folder)


func test_folder_outside_of_the_project_is_refused() -> void:
	check_equal(GesEventFiles.new().write("user://events"),
			"expected a folder of the project, res://…, found user://events", "write")


func test_ids_that_lead_elsewhere_and_senders_that_are_none_are_told() -> void:
	var wrong: Dictionary[String, String] = {
		'"id": "../thunder"': 'id: "../thunder" cannot be the name of a file',
		'"id": ".."': 'id: ".." cannot be the name of a file',
		'"id": "a/b"': 'id: "a/b" cannot be the name of a file',
		'"id": "thunder", "sender": "yes"': 'sender: expected true or false, found "yes"',
	}
	for fields: String in wrong:
		_write("events/thunder.json", '{"guid": "%s", %s}' % [THUNDER, fields])
		var files: GesEventFiles = GesEventFiles.new()
		files.read_folder(PACK)
		check_equal(files.problems, PackedStringArray(["events/thunder.json: " + wrong[fields]]), fields)


func test_wrong_packs_are_told_by_file_and_field() -> void:
	var wrong: Dictionary[String, String] = {
		"{": "events/thunder.json: line ",
		"[]": "events/thunder.json: expected an object",
		'{"id": "thunder", "guid": "12"}': "events/thunder.json: guid: expected 32 hexadecimal digits, found \"12\"",
		'{"id": "thunder"}': "events/thunder.json: guid: expected a text, found nothing",
		'{"id": 3, "guid": "%s"}' % THUNDER: "events/thunder.json: id: expected a text, found 3",
		'{"id": "thunder", "guid": "%s", "argument": "number"}' % THUNDER:
				"events/thunder.json: argument: expected one of none, int, float",
	}
	for text: String in wrong:
		_write("events/thunder.json", text)
		var files: GesEventFiles = GesEventFiles.new()
		files.read_folder(PACK)
		check("\n".join(files.problems).contains(wrong[text]), "%s: %s" % [text, files.problems])
	var missing: GesEventFiles = GesEventFiles.new()
	missing.read_folder("res://.godot/ges_event_files/nowhere")
	check_equal(missing.problems,
			PackedStringArray(["pack.json: there is no such file in res://.godot/ges_event_files/nowhere"]), "no pack")
