extends Node
## Compiles every script of the project in one run and reports each; warnings that are set to errors count.
##
## Quits 0 when all compile, otherwise 1. Events are lines as those of the test runner; errors printed before an event
## belong to the script that it names. Uses no other script of the project, for any of them may be the broken one.

## The prefix of lines that the Python side reads.
const MARK: String = "@gdtest "


func _ready() -> void:
	var broken: int = 0
	var paths: PackedStringArray = _scripts_below("res://")
	for path: String in paths:
		var script: GDScript = ResourceLoader.load(path) as GDScript
		# An abstract class compiles but has no instances; a broken script has no method list and does not reload.
		var compiles: bool = script != null and (script.can_instantiate() or script.is_abstract())
		if not compiles:
			broken += 1
		_report({"event": "script", "file": path, "ok": compiles})
	_report({"event": "end", "count": paths.size(), "failed": broken})
	get_tree().quit(1 if broken > 0 else 0)


func _report(event: Dictionary) -> void:
	print(MARK + JSON.stringify(event))


func _scripts_below(folder: String) -> PackedStringArray:
	var found: PackedStringArray = []
	for file: String in DirAccess.get_files_at(folder):
		if file.ends_with(".gd"):
			found.append(folder.path_join(file))
	for child: String in DirAccess.get_directories_at(folder):
		if not child.begins_with("."):
			found.append_array(_scripts_below(folder.path_join(child)))
	return found
