extends SceneTree
## Imports the GES events of a pack as resources, without the editor:
## [codeblock lang=text]
## godot --headless --path PROJECT --script addons/gcs/editor/import_ges_events.gd -- \
##     --pack FOLDER --out res://ges_events
## [/codeblock]
## Without [code]--out[/code] they go to the folder of the project setting [code]gcs/editor/ges_events_folder[/code].
## Exit code 0: done, 1: the pack is wrong or a file cannot be written, 2: wrong arguments. The project must have been
## imported once ([code]--import[/code]).

const GesEventFiles = preload("ges_event_files.gd")
const USAGE: String = "usage: … --script addons/gcs/editor/import_ges_events.gd -- --pack FOLDER [--out res://FOLDER]"


func _initialize() -> void:
	quit(_run(OS.get_cmdline_user_args()))


func _run(arguments: PackedStringArray) -> int:
	var options: Dictionary[String, String] = {"--out": GcsSettings.text_of(GcsSettings.EVENTS_FOLDER)}
	for index: int in range(0, arguments.size(), 2):
		if arguments[index] not in ["--pack", "--out"] or index + 1 == arguments.size():
			printerr("import_ges_events: unknown argument or no value: %s\n%s" % [arguments[index], USAGE])
			return 2
		options[arguments[index]] = arguments[index + 1]
	if not options.has("--pack"):
		printerr("import_ges_events: --pack is missing\n%s" % USAGE)
		return 2
	var files: GesEventFiles = GesEventFiles.new()
	files.read_folder(options["--pack"])
	for problem: String in files.problems:
		printerr("import_ges_events: %s" % problem)
	if not files.problems.is_empty():
		return 1
	var error: String = files.write(options["--out"])
	if not error.is_empty():
		printerr("import_ges_events: %s" % error)
		return 1
	print(files.report())
	return 0
