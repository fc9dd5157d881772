extends RefCounted
## A process that the game has started and that is to end no later than the game: its output and its end.

## The exit code of a process that had to be killed.
const KILLED: int = -1
## Milliseconds that a process may take to end when nobody is left to wait for it, as when the game quits; then it is killed.
const QUIT_LIMIT_MS: int = 2_000
## Lines of the log that are kept.
const LOG_LINES: int = 100

const _QUIT_STEP_MS: int = 10

const PipeLines = preload("pipe_lines.gd")

## The number of the process.
var pid: int = 0
## When it is killed unless it has ended before, in milliseconds of the engine; 0: never.
var kill_at_ms: int = 0
## Whether it is over.
var ended: bool = false
## How it ended, once it has.
var exit_code: int = 0
## The last lines that it wrote to its standard error.
var log_lines: PackedStringArray = []

var _output: PipeLines = null
var _errors: PipeLines = null


## Takes what [method OS.execute_with_pipe] gives.
func _init(process: Dictionary) -> void:
	var output: FileAccess = process["stdio"]
	var errors: FileAccess = process["stderr"]
	_output = PipeLines.new(output)
	_errors = PipeLines.new(errors)
	pid = process["pid"]


## The whole lines that came from its standard output since the last time.
func take_lines() -> PackedStringArray:
	return _output.take()


## Ends its standard input, by which it knows that it is to stop, and kills it at [param limit_ms].
func stop(limit_ms: int) -> void:
	kill_at_ms = limit_ms
	_output.close()


## Takes its log, and kills it once its time is up. Gives whether it is over. Call it once a frame: a process whose pipe is full stands
## still.
func poll() -> bool:
	if ended:
		return true
	# Asked before the log is read, so that its last words are heard.
	var runs: bool = OS.is_process_running(pid)
	_read_log()
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


func _read_log() -> void:
	log_lines.append_array(_errors.take())
	if log_lines.size() > LOG_LINES:
		log_lines = log_lines.slice(-LOG_LINES)


func _end(code: int) -> void:
	ended = true
	exit_code = code
	_output.close()
	_errors.close()
