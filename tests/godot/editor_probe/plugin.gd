@tool
extends EditorPlugin
## Uses the addon in a real editor, as a person would, and prints one line of JSON for each step. Quits the editor at
## the end.

const GcsDock = preload("res://addons/gcs/editor/gcs_dock.gd")
const MARK: String = "@probe "
const LIMIT_MS: int = 20_000
const OUT: String = "res://ges_events"

var _failed: bool = false


func _enter_tree() -> void:
	_run.call_deferred()


func _run() -> void:
	var files: EditorFileSystem = EditorInterface.get_resource_filesystem()
	await until(func() -> bool: return not files.is_scanning() and find_dock() != null, "the dock is there")
	if not _failed and "--leave-server" in OS.get_cmdline_user_args():
		await _leave_server(find_dock())
		return
	if not _failed:
		await _use(find_dock())
	if not _failed:
		await _disable()
	tell("done", not _failed)
	get_tree().quit(1 if _failed else 0)


## Starts the server and waits for the editor to be killed.
func _leave_server(dock: GcsDock) -> void:
	show_dock(dock)
	dock.start_server()
	await until(func() -> bool: return dock._watch.connection == GcsClient.Connection.ONLINE, "the server is started")
	tell("pid", dock.is_server_running(), str(dock._server.pid))


func _use(dock: GcsDock) -> void:
	show_dock(dock)
	tell("settings", GcsSettings.TABLE.all(func(row: Dictionary) -> bool: return ProjectSettings.has_setting(row[
			"name"])))
	(dock.get_node("%Start") as Button).pressed.emit()
	await until(func() -> bool: return dock._watch.connection == GcsClient.Connection.ONLINE, "the server is started")
	await until(func() -> bool: return not dock._latency.text.is_empty(), "latency")
	tell("output", dock._output.get_parsed_text().contains("gcs: listening on"), dock._failure.text)
	await dock.check_pack()
	tell("check", dock._report.text == "tiny: 1 problem", dock._report.text)
	var row: TreeItem = dock._problems.get_root().get_first_child()
	tell("problem", row != null and row.get_text(0).begins_with("cards/tap.json:"),
			row.get_text(0) + " " + row.get_text(1) if row != null else "")
	await dock.import_events()
	tell("import", FileAccess.file_exists(OUT + "/thunder.tres"), dock._report.text)
	var filesystem: EditorFileSystem = EditorInterface.get_resource_filesystem()
	await until(func() -> bool: return filesystem.get_file_type(OUT + "/thunder.tres") == "Resource",
			"the editor knows the file")
	var client: GcsClient = GcsClient.new()
	add_child(client)
	client.connect_to_server()
	client.start_battle("starter", "first_fight")
	await until(func() -> bool: return dock._dispatches.shown_count() > 0, "the battle is shown as a tree")
	client.free()
	(dock.get_node("%Stop") as Button).pressed.emit()
	await until(func() -> bool: return dock._watch.connection == GcsClient.Connection.LOST, "the server is stopped")
	await until(func() -> bool: return not dock.is_server_running(), "its process has ended")
	# It is disabled with a running server: that one must go with it.
	dock.start_server()
	await until(func() -> bool: return dock._watch.connection == GcsClient.Connection.ONLINE,
			"the server is started again")
	tell("pid", dock.is_server_running(), str(dock._server.pid))


func _disable() -> void:
	EditorInterface.set_plugin_enabled("gcs", false)
	for _frame: int in range(5):
		await get_tree().process_frame
	tell("dock is gone", find_dock() == null)
	tell("settings are gone", not ProjectSettings.has_setting(GcsSettings.POLL_BUDGET_USEC))
	tell("changed settings stay", ProjectSettings.has_setting(GcsSettings.SERVER_COMMAND))
	tell("autoload is gone", not ProjectSettings.has_setting("autoload/Gcs"))


func show_dock(dock: Control) -> void:
	# From Godot 4.6 on there is a node of the engine's between dock and tabs.
	var page: Control = dock if dock.get_parent() is TabContainer else dock.get_parent_control()
	var tabs: TabContainer = page.get_parent()
	tabs.current_tab = tabs.get_tab_idx_from_control(page)


func find_dock() -> GcsDock:
	for node: Node in EditorInterface.get_base_control().find_children("*", "VBoxContainer", true, false):
		if node is GcsDock:
			return node
	return null


func until(condition: Callable, what: String) -> void:
	var deadline: int = Time.get_ticks_msec() + LIMIT_MS
	while not _failed and not condition.call():
		if Time.get_ticks_msec() > deadline:
			tell(what, false, "not in time; the dock: %s" % _dock_says())
			return
		await get_tree().process_frame
	if not _failed:
		tell(what, true)


func _dock_says() -> String:
	var dock: GcsDock = find_dock()
	return "%s %s" % [dock._failure.text, dock._output.get_parsed_text()] if dock != null else "none"


func tell(what: String, ok: bool, detail: String = "") -> void:
	_failed = _failed or not ok
	print(MARK + JSON.stringify({"what": what, "ok": ok, "detail": detail}))
