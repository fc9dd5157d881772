@icon("../icons/gcs.svg")
class_name GcsLocalServer
extends Node
## Runs a gcs server of the game's own on the player's machine, without Python: the folder that
## [code]python -m tools.bundle[/code] makes, shipped as [code]gcs[/code] beside the game's executable.
##
## [codeblock]
## func _ready() -> void:
##     var server: GcsLocalServer = GcsLocalServer.new()
##     add_child(server)
##     server.started.connect(func(url: String) -> void: Gcs.connect_to_server(url, server.make_channel_options()))
##     server.failed.connect(func(reason: String) -> void: push_error(reason))
##     server.start()
## [/codeblock]
## It listens on the loopback at a free port, so that several games may run at once, and takes only calls that show the
## [member token] made for it. It ends with the game, also with one that crashes or is killed. Not on the web and not on
## phones, where a game cannot start processes: there the server has to be elsewhere.

## The server listens at [param url], which [method GcsClient.connect_to_server] takes together with
## [method make_channel_options].
signal started(url: String)
## The server cannot be started. [param reason] is a sentence for people, with the last lines of the server's log if it
## has any.
signal failed(reason: String)
## The server has ended, after [method stop] or by itself.
signal stopped(exit_code: int)

const ChildProcess = preload("child_process.gd")
const ProgramPath = preload("program_path.gd")

## Where the server stands.
enum State {
	## There is none.
	STOPPED,
	## It does not listen yet.
	STARTING,
	## It listens.
	RUNNING,
	## It was told to stop.
	STOPPING,
}

## Milliseconds that the server may take to listen.
const START_LIMIT_MS: int = 60_000
## Milliseconds that the server may take to finish what it does once it is told to stop; then it is killed.
const STOP_LIMIT_MS: int = 10_000
## The exit code of a server that did not listen or stop in time and was killed.
const KILLED: int = ChildProcess.KILLED

const _READY: String = "gcs: listening on "
const _TOLD_LINES: int = 5
const _TOKEN_OPTION: String = "--token-file"
const _TOKEN_BYTES: int = 32

## The executable to run; empty: what [method find_executable] finds.
@export var executable: String = ""
## Further options of [code]gcs serve[/code], such as [code]--packs[/code] with a folder. See
## [code]gcs serve --help[/code]. With [code]--token-file[/code] the server takes the tokens of that file, and none is
## made.
@export var arguments: PackedStringArray = []

## Where the server stands.
var state: State = State.STOPPED
## Where it listens; empty while it does not.
var url: String = ""
## The number of its process; 0 while there is none.
var pid: int = 0
## What calls have to show: drawn by lot for each start, so that the server takes nobody else's. Empty while there is
## none, and where [member arguments] name a file with tokens.
var token: String = ""

var _child: ChildProcess = null
var _log: PackedStringArray = []


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS


## The executable that is shipped with the game: [code]gcs/gcs[/code] beside the game's own, on macOS also in the
## bundle's [code]Resources[/code]. A game that is run from the editor takes [code]gcs[/code] from the PATH when there
## is none. Empty: there is none.
static func find_executable() -> String:
	var file: String = "gcs.exe" if OS.has_feature("windows") else "gcs"
	var folder: String = OS.get_executable_path().get_base_dir()
	for place: String in [folder, folder.get_base_dir().path_join("Resources")] as Array[String]:
		var path: String = place.path_join("gcs").path_join(file)
		if FileAccess.file_exists(path):
			return path
	return ProgramPath.find(file) if OS.has_feature("editor") else ""


## Starts the server. [signal started] or [signal failed] follows, never before this returns. Nothing happens while
## there is one.
func start() -> void:
	if state != State.STOPPED:
		return
	var path: String = executable if not executable.is_empty() else find_executable()
	if path.is_empty():
		var folder: String = OS.get_executable_path().get_base_dir()
		var told: String = "no server is shipped with this game: expected %s" % folder.path_join("gcs")
		if OS.has_feature("editor"):
			told = "there is no gcs on the PATH: set executable to where it is"
		failed.emit.call_deferred(told)
		return
	if ProgramPath.find(path).is_empty():
		failed.emit.call_deferred("%s is not there" % path)
		return
	# The server reads the other end of its standard input to the end: whatever ends this process closes it, on every
	# system.
	var options: PackedStringArray = ["serve", "--address", "127.0.0.1:0", "--exit-with-parent"]
	options.append_array(arguments)
	token = "" if _names_tokens() else Crypto.new().generate_random_bytes(_TOKEN_BYTES).hex_encode()
	var environment: Dictionary[String, String] = {}
	if not token.is_empty():
		environment[GcsClient.TOKEN_VARIABLE] = token
	_child = ChildProcess.launch(path, options, environment)
	if _child == null:
		token = ""
		failed.emit.call_deferred("%s cannot be started" % path)
		return
	_child.output_line.connect(_on_output_line)
	_child.kill_at_ms = Time.get_ticks_msec() + START_LIMIT_MS
	pid = _child.pid
	_log.clear()
	state = State.STARTING


## Stops the server: it finishes the action it is at and tells its clients, or is killed after [constant STOP_LIMIT_MS].
## [signal stopped] follows. A server whose node leaves the tree is stopped likewise; when the game quits, the game
## waits for it, for two seconds at most.
func stop() -> void:
	if state == State.STOPPED or state == State.STOPPING:
		return
	state = State.STOPPING
	url = ""
	_child.stop(Time.get_ticks_msec() + STOP_LIMIT_MS)


## The settings of a connection to this server, with its [member token]: for [method GcsClient.connect_to_server].
func make_channel_options() -> GrpcChannelOptions:
	var options: GrpcChannelOptions = GcsClient.make_channel_options()
	if not token.is_empty():
		options.token = token
	return options


## The last lines of the server's log.
func recent_log() -> String:
	return "\n".join(_child.log_lines if _child != null else _log)


func _process(_delta: float) -> void:
	if state == State.STOPPED:
		return
	if _child.poll():
		_on_ended()


func _exit_tree() -> void:
	stop()
	if _child != null:
		_see_out(_child, get_tree())


## Looks after a process that is to stop, in place of a node that may not be there any more. The tree alone holds the
## process then: when the tree ends, so does the process. A coroutine would not let go of it.
static func _see_out(child: ChildProcess, tree: SceneTree) -> void:
	if not child.poll():
		tree.process_frame.connect(func() -> void: _see_out(child, tree), CONNECT_ONE_SHOT)


func _names_tokens() -> bool:
	for argument: String in arguments:
		if argument == _TOKEN_OPTION or argument.begins_with(_TOKEN_OPTION + "="):
			return true
	return false


func _on_output_line(line: String) -> void:
	if state != State.STARTING or not line.begins_with(_READY):
		return
	var address: String = line.trim_prefix(_READY)
	url = "grpc+" + address if address.begins_with("unix:") else "grpc://" + address
	state = State.RUNNING
	_child.kill_at_ms = 0
	started.emit(url)


func _on_ended() -> void:
	var was: State = state
	var exit_code: int = _child.exit_code
	_log = _child.log_lines
	_child = null
	state = State.STOPPED
	url = ""
	token = ""
	pid = 0
	if was == State.STARTING:
		var told: String = "the server ended with exit code %d before it listened" % exit_code
		if exit_code == KILLED:
			told = "the server did not listen within %.0f s" % (START_LIMIT_MS / 1_000.0)
		failed.emit("\n".join([told] + Array(_log.slice(-_TOLD_LINES))))
	else:
		stopped.emit(exit_code)
