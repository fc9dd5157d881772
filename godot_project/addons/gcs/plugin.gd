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
	_add_setting(GcsClient.TOKEN_SETTING, "", PROPERTY_HINT_PASSWORD)
	_add_setting(GcsClient.CERTIFICATE_SETTING, "", PROPERTY_HINT_FILE, "*.crt,*.pem")


func _add_setting(setting: String, default: Variant, hint: PropertyHint = PROPERTY_HINT_NONE, hint_string: String = "") -> void:
	if not ProjectSettings.has_setting(setting):
		ProjectSettings.set_setting(setting, default)
	ProjectSettings.set_initial_value(setting, default)
	ProjectSettings.set_as_basic(setting, true)
	ProjectSettings.add_property_info({"name": setting, "type": typeof(default), "hint": hint, "hint_string": hint_string})
