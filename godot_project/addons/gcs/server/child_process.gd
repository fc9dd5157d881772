@tool
extends RefCounted
## A process that the game or the editor has started and that is to end no later than they do: its output and its end.

## The process wrote a whole line to its standard output.
signal output_line(line: String)
## The process wrote a whole line to its standard error.
signal log_line(line: String)

## The exit code of a process that had to be killed.
const KILLED: int = -1
## Milliseconds that a process may take to end when nobody is left to wait for it, as when the game quits; then it is
## killed.
const QUIT_LIMIT_MS: int = 2_000
## Lines of the log that are kept.
const LOG_LINES: int = 100

const _QUIT_STEP_MS: int = 10

const PipeLines = preload("pipe_lines.gd")

## The number of the process.
var pid: int = 0
## When the process is killed unless it has ended before, in milliseconds of the engine; 0: never.
var kill_at_ms: int = 0
## Whether the process is over.
var ended: bool = false
## How the process ended, once it has.
var exit_code: int = 0
## The last lines of the standard error.
var log_lines: PackedStringArray = []

var _output: PipeLines = null
var _errors: PipeLines = null
var _output_is_open: bool = true


## Takes what [method OS.execute_with_pipe] gives.
func _init(process: Dictionary) -> void:
	var output: FileAccess = process["stdio"]
	var errors: FileAccess = process["stderr"]
	_output = PipeLines.new(output)
	_errors = PipeLines.new(errors)
	pid = process["pid"]


## Starts [param program]; null when it cannot be started. The child alone sees [param environment]'s variables, which
## other users cannot read and which leave nothing on the disk.
static func launch(
	program: String, arguments: PackedStringArray, environment: Dictionary[String, String] = {}
) -> RefCounted:
	var before: Dictionary[String, String] = {}
	for variable: String in environment:
		if OS.has_environment(variable):
			before[variable] = OS.get_environment(variable)
		OS.set_environment(variable, environment[variable])
	var process: Dictionary = OS.execute_with_pipe(program, arguments, false)
	for variable: String in environment:
		if before.has(variable):
			OS.set_environment(variable, before[variable])
		else:
			OS.unset_environment(variable)
	if process.is_empty():
		return null
	var script: GDScript = load("res://addons/gcs/server/child_process.gd")
	return script.new(process)


## Ends the standard input, by which the process knows that it is to stop, and kills it at [param limit_ms].
func stop(limit_ms: int) -> void:
	kill_at_ms = limit_ms
	_close_output()


## Takes what the process wrote, and kills it once its time is up. Gives whether it is over. Call it once a frame: a
## process whose pipe is full stands still.
func poll() -> bool:
	if ended:
		return true
	# Asked before the pipes are read, so that the last words are heard.
	var runs: bool = OS.is_process_running(pid)
	_read()
	if not runs:
		_end(OS.get_process_exit_code(pid))
	elif kill_at_ms > 0 and Time.get_ticks_msec() >= kill_at_ms:
		# Collects the process, too: it must not be asked about afterwards.
		OS.kill(pid)
		_end(KILLED)
	return ended


func _notification(what: int) -> void:
	if what != NOTIFICATION_PREDELETE or ended:
		return
	# The game quits: there are no more frames, and own methods cannot be called any more.
	_output.close()
	var limit_ms: int = Time.get_ticks_msec() + QUIT_LIMIT_MS
	while OS.is_process_running(pid):
		if Time.get_ticks_msec() >= limit_ms:
			OS.kill(pid)
			break
		OS.delay_msec(_QUIT_STEP_MS)


func _read() -> void:
	if _output_is_open:
		for line: String in _output.take():
			output_line.emit(line)
	for line: String in _errors.take():
		_log(line)


func _log(line: String) -> void:
	log_lines.push_back(line)
	if log_lines.size() > LOG_LINES:
		log_lines = log_lines.slice(-LOG_LINES)
	log_line.emit(line)


func _end(code: int) -> void:
	ended = true
	exit_code = code
	if _output_is_open and not _output.rest().is_empty():
		output_line.emit(_output.rest())
	if not _errors.rest().is_empty():
		_log(_errors.rest())
	_close_output()
	_errors.close()


func _close_output() -> void:
	_output_is_open = false
	_output.close()
