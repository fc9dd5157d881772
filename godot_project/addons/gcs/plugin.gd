@tool
extends EditorPlugin
## Adds the autoload [code]Gcs[/code], the project settings below [code]gcs/[/code], the dock "GCS" and the import of
## GES events. Leaves nothing behind when it is disabled, but for settings that were changed.

const AUTOLOAD: String = "Gcs"
const IMPORT_ITEM: String = "GCS: Import GES Events"

const DOCK: PackedScene = preload("editor/gcs_dock.tscn")
const ExportFilter = preload("editor/export_filter.gd")
const GcsDock = preload("editor/gcs_dock.gd")

var _dock: GcsDock = null
var _export_filter: ExportFilter = null


func _enable_plugin() -> void:
	add_autoload_singleton(AUTOLOAD, "res://addons/gcs/gcs.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)
	GcsSettings.unregister()


func _enter_tree() -> void:
	GcsSettings.register()
	_export_filter = ExportFilter.new()
	add_export_plugin(_export_filter)
	_dock = DOCK.instantiate()
	# Beside the inspector the tab would be the fourth, and cut off.
	add_control_to_dock(DOCK_SLOT_LEFT_BR, _dock)
	add_tool_menu_item(IMPORT_ITEM, _dock.import_events)


func _exit_tree() -> void:
	remove_tool_menu_item(IMPORT_ITEM)
	remove_control_from_docks(_dock)
	_dock.free()
	_dock = null
	remove_export_plugin(_export_filter)
	_export_filter = null
