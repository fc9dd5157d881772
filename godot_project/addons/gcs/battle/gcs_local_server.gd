@icon("../icons/gcs.svg")
class_name GcsLocalServer
extends Node
## Runs a gcs server of the game's own on the player's machine, without Python: the folder that [code]python -m tools.bundle[/code]
## makes, shipped as [code]gcs[/code] beside the game's executable.
##
## [codeblock]
## func _ready() -> void:
##     var server: GcsLocalServer = GcsLocalServer.new()
##     add_child(server)
##     server.started.connect(func(url: String) -> void: Gcs.connect_to_server(url))
##     server.failed.connect(func(reason: String) -> void: push_error(reason))
##     server.start()
## [/codeblock]
## It listens on the loopback at a free port, so that several games may run at once, and ends with the game, also with one that
## crashes or is killed. Not on the web and not on phones, where a game cannot start processes: there the server has to be elsewhere.

## The server listens at [param url], which [method GcsClient.connect_to_server] takes.
signal started(url: String)
## The server cannot be started. [param reason] is a sentence for people, with the last lines of the server's log if it has any.
signal failed(reason: String)
## The server has ended, after [method stop] or by itself.
signal stopped(exit_code: int)

const PipeLines = preload("pipe_lines.gd")
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
const KILLED: int = -1
## Lines of the log that are kept.
const LOG_LINES: int = 100

const _READY: String = "gcs: listening on "
const _TOLD_LINES: int = 5

## The executable to run; empty: what [method find_executable] finds.
@export var executable: String = ""
## Further options of [code]gcs serve[/code], such as [code]--packs[/code] with a folder. See [code]gcs serve --help[/code].
@export var arguments: PackedStringArray = []

## Where the server stands.
var state: State = State.STOPPED
## Where it listens; empty while it does not.
var url: String = ""
## The number of its process; 0 while there is none.
var pid: int = 0

var _stdio: PipeLines = null
var _stderr: PipeLines = null
var _log: PackedStringArray = []
var _limit_at_ms: int = 0


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS


## The executable that is shipped with the game: [code]gcs/gcs[/code] beside the game's own, on macOS also in the bundle's
## [code]Resources[/code]. A game that is run from the editor takes [code]gcs[/code] from the PATH when there is none. Empty: there is none.
static func find_executable() -> String:
	var file: String = "gcs.exe" if OS.has_feature("windows") else "gcs"
	var folder: String = OS.get_executable_path().get_base_dir()
	for place: String in [folder, folder.get_base_dir().path_join("Resources")] as Array[String]:
		var path: String = place.path_join("gcs").path_join(file)
		if FileAccess.file_exists(path):
			return path
	return ProgramPath.find(file) if OS.has_feature("editor") else ""


## Starts the server. [signal started] or [signal failed] follows, never before this returns. Nothing happens while there is one.
func start() -> void:
	if state != State.STOPPED:
		return
	var path: String = executable if not executable.is_empty() else find_executable()
	if path.is_empty():
		var told: String = "no server is shipped with this game: expected %s" % OS.get_executable_path().get_base_dir().path_join("gcs")
		if OS.has_feature("editor"):
			told = "there is no gcs on the PATH: set executable to where it is"
		failed.emit.call_deferred(told)
		return
	if ProgramPath.find(path).is_empty():
		failed.emit.call_deferred("%s is not there" % path)
		return
	# The server reads the other end of its standard input to the end: whatever ends this process closes it, on every system.
	var options: PackedStringArray = ["serve", "--address", "127.0.0.1:0", "--exit-with-parent"]
	options.append_array(arguments)
	var process: Dictionary = OS.execute_with_pipe(path, options, false)
	if process.is_empty():
		failed.emit.call_deferred("%s cannot be started" % path)
		return
	var output: FileAccess = process["stdio"]
	var errors: FileAccess = process["stderr"]
	_stdio = PipeLines.new(output)
	_stderr = PipeLines.new(errors)
	pid = process["pid"]
	_log.clear()
	state = State.STARTING
	_limit_at_ms = Time.get_ticks_msec() + START_LIMIT_MS


## Stops the server: it finishes the action it is at and tells its clients. [signal stopped] follows.
func stop() -> void:
	if state == State.STOPPED or state == State.STOPPING:
		return
	state = State.STOPPING
	url = ""
	_limit_at_ms = Time.get_ticks_msec() + STOP_LIMIT_MS
	_stdio.close()


## The last lines of the server's log.
func recent_log() -> String:
	return "\n".join(_log)


func _process(_delta: float) -> void:
	if state == State.STOPPED:
		return
	_read_log()
	if state == State.STARTING:
		_read_address()
	if not OS.is_process_running(pid):
		_on_ended(OS.get_process_exit_code(pid))
	elif Time.get_ticks_msec() >= _limit_at_ms and state in [State.STARTING, State.STOPPING]:
		# Collects the process, too: it must not be asked about afterwards.
		OS.kill(pid)
		_on_ended(KILLED)


func _exit_tree() -> void:
	stop()


func _read_log() -> void:
	for line: String in _stderr.take():
		_log.push_back(line)
	if _log.size() > LOG_LINES:
		_log = _log.slice(-LOG_LINES)


func _read_address() -> void:
	for line: String in _stdio.take():
		if line.begins_with(_READY):
			var address: String = line.trim_prefix(_READY)
			url = "grpc+" + address if address.begins_with("unix:") else "grpc://" + address
			state = State.RUNNING
			started.emit(url)
			return


func _on_ended(exit_code: int) -> void:
	var was: State = state
	_read_log()
	_stdio.close()
	_stderr.close()
	_stdio = null
	_stderr = null
	state = State.STOPPED
	url = ""
	pid = 0
	if was == State.STARTING:
		var told: String = "the server ended with exit code %d before it listened" % exit_code
		if exit_code == KILLED:
			told = "the server did not listen within %.0f s" % (START_LIMIT_MS / 1_000.0)
		failed.emit("\n".join([told] + Array(_log.slice(-_TOLD_LINES))))
	else:
		stopped.emit(exit_code)
