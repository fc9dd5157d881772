extends BattleTestCase
## The dock's logic, with the scene in a running game: server status, battles as a tree, check of a pack, import,
## processes that fail.

const NEEDS: String = "gcs_server"

const DockScene: PackedScene = preload("res://addons/gcs/editor/gcs_dock.tscn")
const GcsDock = preload("res://addons/gcs/editor/gcs_dock.gd")
const DispatchTree = preload("res://addons/gcs/editor/dispatch_tree.gd")
const OUT: String = "res://.godot/dock_events"

var _dock: GcsDock


func before_each() -> void:
	ProjectSettings.set_setting(GcsSettings.ADDRESS, peer_address("gcs_server"))
	ProjectSettings.set_setting(GcsSettings.EVENTS_FOLDER, OUT)
	_dock = DockScene.instantiate()
	add_child(_dock)


func after_each() -> void:
	super()
	_dock.free()
	for setting: String in [GcsSettings.ADDRESS, GcsSettings.EVENTS_FOLDER, GcsSettings.SERVER_COMMAND,
			GcsSettings.SERVER_ARGUMENTS,
			GcsSettings.PACK_FOLDER] as Array[String]:
		ProjectSettings.set_setting(setting, null)
	if DirAccess.dir_exists_absolute(OUT):
		for file: String in DirAccess.get_files_at(OUT):
			DirAccess.remove_absolute(OUT.path_join(file))
		DirAccess.remove_absolute(OUT)


func _online() -> void:
	await until(func() -> bool: return _dock._watch.connection == GcsClient.Connection.ONLINE, "the server is there")


## Texts of an item and all below it.
func _lines(item: TreeItem, depth: int = 0) -> PackedStringArray:
	var lines: PackedStringArray = ["%s%s" % ["  ".repeat(depth), item.get_text(0).get_slice("  ", 1)]]
	for child: TreeItem in item.get_children():
		lines.append_array(_lines(child, depth + 1))
	return lines


func test_status_latency_and_packs() -> void:
	await _online()
	check(_dock._connection.text.begins_with("connected to gcs"), _dock._connection.text)
	check_equal(_dock._light.tooltip_text, "Online", "light")
	check(_dock._start.disabled, "beside it no other can be started")
	await until(func() -> bool: return _dock._latency.text.ends_with(" ms"), "latency")
	var packs: Array[String] = []
	for index: int in range(_dock._pack_choice.item_count):
		packs.push_back(_dock._pack_choice.get_item_text(index))
	check("starter" in packs, "packs: %s" % [packs])


func test_battle_of_the_game_is_shown_as_a_tree() -> void:
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	await until(func() -> bool: return _dock._watch.battle_id == client.state.battle_id, "it is watched")
	await until(func() -> bool: return _dock._dispatches.shown_count() > 0, "it is shown")
	client.play_card(client.state.hand.cards[0], "enemy0")
	var played: Callable = func() -> bool: return _dock._dispatches._newest_root.get_text(0).ends_with("> play_card")
	await until(played, "the card that is played")
	var lines: PackedStringArray = _lines(_dock._dispatches._newest_root)
	check_equal(lines[0], "> play_card", "root")
	check("    on_card_played card:strike card=strike" in lines or "  on_card_played card:strike card=strike" in lines,
			"\n".join(lines))
	var hit: int = Array(lines).find_custom(func(line: String) -> bool: return line.contains("player hits enemy0"))
	check(hit > 0 and lines[hit].begins_with("    "), "the hit is below its Entry:\n%s" % "\n".join(lines))
	# Another battle begins: it is the one to look at.
	await started(client, "tide_pool")
	await until(func() -> bool: return _dock._watch.battle_id == client.state.battle_id, "the new battle is watched")


func test_tree_forgets_the_oldest() -> void:
	var tree: DispatchTree = _dock._dispatches
	for action: int in range(30):
		var events: Array[GcsV1Events.Event] = []
		for index: int in range(20):
			var event: GcsV1Events.Event = GcsV1Events.Event.new()
			event.sequence = action * 20 + index + 1
			event.cause = 0 if index == 0 else action * 20 + 1
			event.action_started = GcsV1Events.ActionStarted.new()
			event.action_started.kind = "action %d" % action
			events.push_back(event)
		tree.add_events(events, null)
	check_equal(tree.shown_count(), DispatchTree.MOST, "events")
	check_equal(tree._items.size(), DispatchTree.MOST, "numbers")
	check_equal(tree.get_root().get_first_child().get_text(0), "201  > action 10", "the oldest that is left")
	check(tree.get_root().get_first_child().collapsed and not tree._newest_root.collapsed, "only the newest is open")


func test_check_lists_nothing_for_a_right_pack() -> void:
	await _online()
	await _dock.check_pack()
	check(_dock._report.text.ends_with("nothing is wrong"), _dock._report.text)


func test_problems_are_listed_with_file_and_path() -> void:
	var problem: GcsV1Content.Problem = GcsV1Content.Problem.new()
	problem.severity = GcsV1Content.Severity.SEVERITY_ERROR
	problem.file = "cards/strike.json"
	problem.path = "$.cost"
	problem.message = "wrong type"
	problem.expected = "int"
	problem.found = "text"
	_dock._problems.show_problems([problem], "")
	var row: TreeItem = _dock._problems.get_root().get_first_child()
	check_equal([row.get_text(0), row.get_text(1), row.get_text(2)],
			["cards/strike.json", "$.cost", "wrong type; expected int, found text"], "row")


func test_first_pack_that_is_no_benchmark_is_picked() -> void:
	await _online()
	check_equal(_dock._picked_pack(), "starter", "of the server")
	_dock._offer_packs(["reference", "mine", "starter"])
	check_equal(_dock._picked_pack(), "mine", "the first")
	ProjectSettings.set_setting(GcsSettings.PACK_FOLDER, "res://../packs/starter")
	_dock._offer_packs(["mine", "reference", "starter"])
	check_equal(_dock._picked_pack(), "starter", "that of the project")


func test_import_from_the_server() -> void:
	await _online()
	for index: int in range(_dock._pack_choice.item_count):
		if _dock._pack_choice.get_item_text(index) == "starter":
			_dock._pack_choice.select(index)
	await _dock.import_events()
	check(_dock._report.text.begins_with("6 events of starter: 6 new"), _dock._report.text)
	var roar: GesEvent = load(OUT + "/roar.tres")
	check(roar.has_sender and roar.description.begins_with("A beast roars"), "roar")


func test_import_from_the_folder_without_a_server() -> void:
	ProjectSettings.set_setting(GcsSettings.ADDRESS, "ftp://nobody")
	_dock._watch.open()
	await _dock.import_events()
	check(_dock._report.text.contains(GcsSettings.PACK_FOLDER), "it tells what to set: %s" % _dock._report.text)
	ProjectSettings.set_setting(GcsSettings.PACK_FOLDER, "res://../packs/starter")
	await _dock.import_events()
	check(_dock._report.text.begins_with("6 events of starter: 6 new"), _dock._report.text)


func test_hidden_dock_leaves_the_server_alone_but_imports() -> void:
	await _online()
	_dock.hide()
	check_equal(_dock._watch.connection, GcsClient.Connection.OFFLINE, "hidden")
	await _dock.import_events()
	check(_dock._report.text.contains(" events of "), "from the menu: %s" % _dock._report.text)
	check_equal(_dock._watch.connection, GcsClient.Connection.OFFLINE, "and hidden still")
	_dock.show()
	await _online()


func test_command_that_is_not_there_is_told() -> void:
	ProjectSettings.set_setting(GcsSettings.SERVER_COMMAND, "no_such_gcs")
	_dock.start_server()
	await until(func() -> bool: return _dock._failure.visible, "the failure is told")
	check_equal(_dock._failure.text, "\"no_such_gcs\" is not found: set gcs/editor/server_command", "what to do")
	check(not _dock.is_server_running() and _dock._stop.disabled, "there is nothing to stop")
	_dock._watch.close()
	check(not _dock._start.disabled, "it can be started again")


func test_server_that_ends_by_itself_is_told_with_its_last_words() -> void:
	# Any program that refuses its arguments with a message: this engine's own.
	ProjectSettings.set_setting(GcsSettings.SERVER_COMMAND, OS.get_executable_path())
	ProjectSettings.set_setting(GcsSettings.SERVER_ARGUMENTS,
			PackedStringArray(["--headless", "--path", "res://no_such_project", "--quit"]))
	_dock.start_server()
	check(_dock.is_server_running() and _dock._start.disabled, "it runs")
	await until(func() -> bool: return _dock._failure.visible, "its end is told")
	check(_dock._failure.text.begins_with("The server has ended with exit code "), _dock._failure.text)
	check(_dock._output.get_parsed_text().contains("no_such_project"), _dock._output.get_parsed_text())


func test_arguments_of_the_server() -> void:
	var expected: Dictionary[String, PackedStringArray] = {
		"grpc://127.0.0.1:5": ["serve", "--address", "127.0.0.1:5", "--exit-with-parent"],
		"127.0.0.1:5": ["serve", "--address", "127.0.0.1:5", "--exit-with-parent"],
		"grpc+unix:/run/gcs.sock": ["serve", "--address", "unix:/run/gcs.sock", "--exit-with-parent"],
		"wss://example.org/gcs": ["serve", "--exit-with-parent"],
	}
	for url: String in expected:
		ProjectSettings.set_setting(GcsSettings.ADDRESS, url)
		check_equal(GcsDock.server_arguments(), expected[url], url)
	ProjectSettings.set_setting(GcsSettings.SERVER_ARGUMENTS, PackedStringArray(["serve", "--address", "127.0.0.1:7"]))
	ProjectSettings.set_setting(GcsSettings.PACK_FOLDER, "res://pack")
	check_equal(GcsDock.server_arguments(), PackedStringArray(
			["serve", "--address", "127.0.0.1:7", "--packs", ProjectSettings.globalize_path("res://pack"),
					"--exit-with-parent"]), "one's own address, and a pack")
