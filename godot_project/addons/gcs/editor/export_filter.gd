@tool
extends EditorExportPlugin
## Leaves the editor's part of the addon out of exported games.

const EDITOR_FOLDER: String = "res://addons/gcs/editor/"
const PLUGIN: String = "res://addons/gcs/plugin.gd"


## Plugins are asked in the order of their names, and the engine's own, "GDScript", adds each script that it is asked
## for: this one has to come before it.
func _get_name() -> String:
	return "GCS"


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if path.begins_with(EDITOR_FOLDER) or path == PLUGIN:
		skip()
