@tool
extends EditorPlugin
## Adds the autoload [code]Gcs[/code] and the project settings below [code]gcs/[/code].

const AUTOLOAD: String = "Gcs"


func _enable_plugin() -> void:
	add_autoload_singleton(AUTOLOAD, "res://addons/gcs/gcs.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)


func _enter_tree() -> void:
	_add_setting(GcsClient.ADDRESS_SETTING, GcsClient.DEFAULT_ADDRESS)


func _add_setting(setting: String, default: Variant) -> void:
	if not ProjectSettings.has_setting(setting):
		ProjectSettings.set_setting(setting, default)
	ProjectSettings.set_initial_value(setting, default)
	ProjectSettings.set_as_basic(setting, true)
	ProjectSettings.add_property_info({"name": setting, "type": typeof(default)})
