@tool
extends RefCounted
## The Python process that the dock starts: its output and its end.

## It runs.
signal started()
## It printed a line.
signal line_printed(line: String)
## It is gone: ended by itself with [param code], or stopped (-1).
signal ended(code: int)

const PipeLines = preload("../battle/pipe_lines.gd")
const ProgramPath = preload("../battle/program_path.gd")

## The process id; 0 while none runs.
var pid: int = 0
## The command line, for people.
var command_line: String = ""

var _pipes: Array[PipeLines] = []


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
	for name: String in ["stdio", "stderr"]:
		var pipe: FileAccess = process[name]
		_pipes.push_back(PipeLines.new(pipe))
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
	for pipe: PipeLines in _pipes:
		for line: String in pipe.take():
			line_printed.emit(line)
	if runs:
		return
	var code: int = OS.get_process_exit_code(pid)
	for pipe: PipeLines in _pipes:
		if not pipe.rest().is_empty():
			line_printed.emit(pipe.rest())
	_forget()
	ended.emit(code)


func _forget() -> void:
	pid = 0
	for pipe: PipeLines in _pipes:
		pipe.close()
	_pipes.clear()
