@tool
extends VBoxContainer
## The dock "GCS": starts and stops the server, tells how it is, shows what happens in its battles, checks packs and
## imports GES events.

const GesEventFiles = preload("ges_event_files.gd")
const DispatchTree = preload("dispatch_tree.gd")
const ProblemList = preload("problem_list.gd")
const ServerWatch = preload("server_watch.gd")
const ChildProcess = preload("../server/child_process.gd")
const ProgramPath = preload("../server/program_path.gd")

## The most lines of output that are kept.
const MOST_LINES: int = 500
## Lines of output that are shown when the server ends by itself.
const LAST_WORDS: int = 3
## The installed pack that no game is made of.
const BENCHMARK_PACK: String = "reference"
## Milliseconds that a server may take to stop; then it is killed.
const STOP_LIMIT_MS: int = 5_000
## With this the server ends when its standard input does, and so with the editor, however that ends.
const EXIT_WITH_PARENT: String = "--exit-with-parent"

## The server that the dock has started; null while there is none.
var _server: ChildProcess = null
## Whether that server was told to stop.
var _stopping: bool = false
var _watch: ServerWatch = ServerWatch.new()
var _last_lines: PackedStringArray = []
var _battles: Array[GcsV1Service.BattleSummary] = []

@onready var _light: Label = %Light
@onready var _connection: Label = %Connection
@onready var _latency: Label = %Latency
@onready var _start: Button = %Start
@onready var _stop: Button = %Stop
@onready var _failure: Label = %Failure
@onready var _battle_choice: OptionButton = %Battles
@onready var _dispatches: DispatchTree = %Dispatches
@onready var _pack_choice: OptionButton = %Packs
@onready var _check: Button = %Check
@onready var _import: Button = %Import
@onready var _report: Label = %Report
@onready var _problems: ProblemList = %Problems
@onready var _output: RichTextLabel = %Output


func _ready() -> void:
	# A scene that is opened for editing is no dock.
	if Engine.is_editor_hint() and is_part_of_edited_scene():
		set_process(false)
		return
	_start.pressed.connect(start_server)
	_stop.pressed.connect(stop_server)
	_check.pressed.connect(check_pack)
	_import.pressed.connect(import_events)
	_battle_choice.item_selected.connect(_on_battle_selected)
	_watch.connection_changed.connect(_on_connection_changed)
	_watch.latency_measured.connect(_on_latency_measured)
	_watch.battles_listed.connect(_on_battles_listed)
	_watch.watch_changed.connect(_on_watch_changed)
	_watch.events_arrived.connect(_dispatches.add_events)
	visibility_changed.connect(_on_visibility_changed)
	_on_visibility_changed()
	_show_process()


func _process(_delta: float) -> void:
	if _server != null and _server.poll():
		_on_server_ended()
	_watch.poll()


func _exit_tree() -> void:
	_watch.close()
	# Ends the server and waits for it.
	_server = null


## Starts the server with the command of the project settings, and looks for it at the address there.
func start_server() -> void:
	if is_server_running():
		return
	_show_failure("")
	_output.clear()
	_last_lines.clear()
	var command: String = GcsSettings.text_of(GcsSettings.SERVER_COMMAND)
	var arguments: PackedStringArray = server_arguments()
	_stopping = false
	if ProgramPath.find(command).is_empty():
		_show_failure("\"%s\" is not found: set %s" % [command, GcsSettings.SERVER_COMMAND])
	else:
		_server = ChildProcess.launch(command, arguments)
		if _server == null:
			_show_failure("\"%s\" cannot be started: set %s" % [command, GcsSettings.SERVER_COMMAND])
		else:
			_server.output_line.connect(_on_line)
			_server.log_line.connect(_on_line)
			_on_line("$ %s" % " ".join(PackedStringArray([command]) + arguments))
	_watch.open()
	_show_process()


## Stops the server that [method start_server] has started.
func stop_server() -> void:
	if is_server_running():
		_stopping = true
		_server.stop(Time.get_ticks_msec() + STOP_LIMIT_MS)
		_show_process()


## Whether the server that [method start_server] has started runs.
func is_server_running() -> bool:
	return _server != null


## What the server is started with: the arguments of the project settings and, unless they say so, the address, the pack
## folder and that the server ends with the editor.
static func server_arguments() -> PackedStringArray:
	var arguments: PackedStringArray = GcsSettings.list_of(GcsSettings.SERVER_ARGUMENTS)
	var url: String = GcsSettings.text_of(GcsSettings.ADDRESS)
	var address: String = url.trim_prefix("grpc://")
	if url.begins_with("grpc+unix:"):
		address = "unix:" + url.trim_prefix("grpc+unix:")
	# Other schemes go through a relay, whose server listens elsewhere.
	if not address.contains("://") and not "--address" in arguments:
		arguments.append_array(["--address", address])
	var folder: String = GcsSettings.text_of(GcsSettings.PACK_FOLDER)
	if not folder.is_empty():
		arguments.append_array(["--packs", ProjectSettings.globalize_path(folder)])
	if "serve" in arguments and not EXIT_WITH_PARENT in arguments:
		arguments.push_back(EXIT_WITH_PARENT)
	return arguments


## Lists what is wrong with the pack that is picked, as it is on disk.
func check_pack() -> void:
	if _watch.connection != GcsClient.Connection.ONLINE:
		_report.text = "No server: %s" % _connection.text
		return
	var request: GcsV1Content.CheckRequest = GcsV1Content.CheckRequest.new()
	request.pack = _picked_pack()
	var checking: GrpcCall = GcsV1Content.ContentServiceClient.new(_watch.channel).check(request)
	var response: GcsV1Content.CheckResponse = await checking.response()
	if response == null:
		_report.text = "The pack is not checked: %s" % checking.status
		return
	_problems.show_problems(response.problems, _folder_of(request.pack))
	if response.problems.is_empty():
		_report.text = "%s: nothing is wrong" % request.pack
	else:
		var count: int = response.problems.size()
		_report.text = "%s: %d %s" % [request.pack, count, "problem" if count == 1 else "problems"]


## Imports the GES events of the pack that is picked from the server; without a server those in the pack folder of the
## project settings. The menu calls it, too, while the dock may be hidden: what came of it is also printed.
func import_events() -> void:
	if _watch.connection == GcsClient.Connection.OFFLINE:
		_watch.open()
	while _watch.connection == GcsClient.Connection.CONNECTING:
		await get_tree().process_frame
	await _import_events()
	print("GCS: %s" % _report.text)
	_on_visibility_changed()


func _import_events() -> void:
	var files: GesEventFiles = GesEventFiles.new()
	if _watch.connection == GcsClient.Connection.ONLINE:
		var request: GcsV1Ges.ListEventsRequest = GcsV1Ges.ListEventsRequest.new()
		request.pack = _picked_pack()
		var listing: GrpcCall = GcsV1Ges.GesServiceClient.new(_watch.channel).list_events(request)
		var response: GcsV1Ges.ListEventsResponse = await listing.response()
		if response == null:
			_report.text = "No events are imported: %s" % listing.status
			return
		files.read_response(request.pack, response)
	else:
		var folder: String = GcsSettings.text_of(GcsSettings.PACK_FOLDER)
		if folder.is_empty():
			_report.text = "No events are imported: start the server, or set %s" % GcsSettings.PACK_FOLDER
			return
		files.read_folder(ProjectSettings.globalize_path(folder))
	var failure: String = "\n".join(files.problems)
	if failure.is_empty():
		failure = files.write(GcsSettings.text_of(GcsSettings.EVENTS_FOLDER))
	_report.text = files.report() if failure.is_empty() else "No events are imported: %s" % failure
	if Engine.is_editor_hint():
		EditorInterface.get_resource_filesystem().scan()


func _picked_pack() -> String:
	return _pack_choice.get_item_text(_pack_choice.selected) if _pack_choice.selected >= 0 else ""


## The folder of the project settings, when it holds [param pack].
static func _folder_of(pack: String) -> String:
	var folder: String = GcsSettings.text_of(GcsSettings.PACK_FOLDER)
	var files: GesEventFiles = GesEventFiles.new()
	if not folder.is_empty():
		files.read_folder(ProjectSettings.globalize_path(folder))
	return folder if not folder.is_empty() and files.pack == pack else ""


## A server may be far away and in use: it is looked at only while somebody sees the dock.
func _on_visibility_changed() -> void:
	if not is_visible_in_tree():
		_watch.close()
	elif _watch.connection == GcsClient.Connection.OFFLINE:
		_watch.open()


func _show_process() -> void:
	# Beside a server that is there already none can listen.
	_start.disabled = is_server_running() or _watch.connection == GcsClient.Connection.ONLINE
	var others: bool = _start.disabled and not is_server_running()
	_start.tooltip_text = "A server answers at the address already." if others else ""
	_stop.disabled = not is_server_running() or _stopping


func _show_failure(text: String) -> void:
	_failure.text = text
	_failure.visible = not text.is_empty()
	_failure.add_theme_color_override(&"font_color", get_theme_color(&"error_color", &"Editor"))


func _on_line(line: String) -> void:
	_output.add_text(line + "\n")
	if _output.get_paragraph_count() > MOST_LINES:
		_output.remove_paragraph(0)
	_last_lines.push_back(line)
	if _last_lines.size() > LAST_WORDS:
		_last_lines.remove_at(0)


func _on_server_ended() -> void:
	var code: int = _server.exit_code
	_server = null
	if not _stopping:
		_show_failure("The server has ended with exit code %d:\n%s" % [code, "\n".join(_last_lines)])
	_show_process()


func _on_connection_changed(connection: GcsClient.Connection, reason: String) -> void:
	_connection.text = reason if connection != GcsClient.Connection.OFFLINE else "not connected"
	_latency.text = ""
	_light.tooltip_text = str(GcsClient.Connection.find_key(connection)).capitalize()
	var online: bool = connection == GcsClient.Connection.ONLINE
	var color: StringName = &"success_color"
	if not online:
		color = &"warning_color" if connection == GcsClient.Connection.CONNECTING else &"error_color"
	_light.modulate = get_theme_color(color, &"Editor")
	_check.disabled = not online
	_show_process()
	if online:
		_offer_packs(_watch.info.packs)


## Picks the pack of the project settings, else the first that is not what the benchmarks play.
func _offer_packs(packs: Array[String]) -> void:
	_pack_choice.clear()
	var picked: int = -1
	for pack: String in packs:
		_pack_choice.add_item(pack)
		if picked < 0 and pack != BENCHMARK_PACK:
			picked = _pack_choice.item_count - 1
	for index: int in range(packs.size()):
		if not _folder_of(packs[index]).is_empty():
			picked = index
	if picked >= 0:
		_pack_choice.select(picked)


func _on_latency_measured(usec: int) -> void:
	_latency.text = "%.1f ms" % (usec / 1000.0)


func _on_battles_listed(battles: Array[GcsV1Service.BattleSummary]) -> void:
	_battles = battles
	_battle_choice.clear()
	for battle: GcsV1Service.BattleSummary in battles:
		_battle_choice.add_item(
				"%s / %s, turn %d (%s)" % [battle.pack, battle.encounter, battle.turn, battle.battle_id.left(8)])
	_select_watched()


func _on_watch_changed(_battle_id: String) -> void:
	_dispatches.clear_events()
	_select_watched()


func _on_battle_selected(index: int) -> void:
	_watch.watch(_battles[index].battle_id, _battles[index].last_sequence - ServerWatch.HISTORY)


func _select_watched() -> void:
	for index: int in range(_battles.size()):
		if _battles[index].battle_id == _watch.battle_id:
			_battle_choice.select(index)
