@tool
extends RefCounted
## The Python process that the dock starts: its output and its end.

## It runs.
signal started()
## It printed a line.
signal line_printed(line: String)
## It is gone: ended by itself with [param code], or stopped (-1).
signal ended(code: int)

const ProgramPath = preload("../battle/program_path.gd")

## The most that is read of one pipe at once, in bytes.
const MOST_BYTES: int = 4096

## The process id; 0 while none runs.
var pid: int = 0
## The command line, for people.
var command_line: String = ""

var _pipes: Array[FileAccess] = []
var _rests: Array[String] = []


## Starts [param command]. Gives what went wrong; empty: nothing.
func start(command: String, arguments: PackedStringArray) -> String:
	if is_running():
		return "the server runs already"
	if ProgramPath.find(command).is_empty():
		return "\"%s\" is not found" % command
	command_line = " ".join(PackedStringArray([command]) + arguments)
	var process: Dictionary = OS.execute_with_pipe(command, arguments, false)
	if process.is_empty():
		return "\"%s\" cannot be started" % command
	pid = process["pid"]
	_pipes = [process["stdio"], process["stderr"]]
	_rests = ["", ""]
	started.emit()
	return ""


## Whether it runs.
func is_running() -> bool:
	return pid != 0


## Stops it.
func stop() -> void:
	if not is_running():
		return
	OS.kill(pid)
	_forget()
	ended.emit(-1)


## Takes what it printed and notes its end. Call it once a frame: a process whose pipe is full stands still.
func poll() -> void:
	if not is_running():
		return
	# Asked before reading, so that its last words are heard.
	var runs: bool = OS.is_process_running(pid)
	for index: int in range(_pipes.size()):
		_read(index)
	if runs:
		return
	var code: int = OS.get_process_exit_code(pid)
	for rest: String in _rests:
		if not rest.is_empty():
			line_printed.emit(rest)
	_forget()
	ended.emit(code)


func _read(index: int) -> void:
	while true:
		var bytes: PackedByteArray = _pipes[index].get_buffer(MOST_BYTES)
		if bytes.is_empty():
			return
		var lines: PackedStringArray = (_rests[index] + bytes.get_string_from_utf8()).split("\n")
		_rests[index] = lines[-1]
		for line: String in lines.slice(0, -1):
			line_printed.emit(line.trim_suffix("\r"))


func _forget() -> void:
	pid = 0
	for pipe: FileAccess in _pipes:
		pipe.close()
	_pipes.clear()
	_rests.clear()
