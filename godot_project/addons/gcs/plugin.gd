@tool
extends EditorPlugin
## Adds the autoload [code]Gcs[/code] and the project settings below [code]gcs/[/code].

const AUTOLOAD: String = "Gcs"


func _enable_plugin() -> void:
	add_autoload_singleton(AUTOLOAD, "res://addons/gcs/gcs.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)


func _enter_tree() -> void:
	GcsSettings.register()
