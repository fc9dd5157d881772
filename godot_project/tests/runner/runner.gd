extends Node
## Runs every test of one file and quits: 0 all passed, 1 a test failed, 2 the file could not be run.
##
## User arguments: [code]--file=res://tests/test_x.gd[/code], [code]--test=test_name[/code] (only that one) and
## [code]--peer=NAME=ADDRESS=PID[/code], any number of times. Events are lines of JSON after [constant GcsTest.MARK];
## the last one is [code]end[/code] with the number of tests run, so that a run that stopped early cannot look finished.

const DEFAULT_TIMEOUT: float = 20.0

var _file: String = ""
var _only: String = ""
var _peers: Dictionary[String, Dictionary] = {}


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		_read_argument(argument)
	await get_tree().process_frame
	get_tree().quit(await _run_file())


func _read_argument(argument: String) -> void:
	var parts: PackedStringArray = argument.split("=")
	if parts[0] == "--file" and parts.size() == 2:
		_file = parts[1]
	elif parts[0] == "--test" and parts.size() == 2:
		_only = parts[1]
	elif parts[0] == "--peer" and parts.size() == 4:
		_peers[parts[1]] = {"address": parts[2], "pid": parts[3].to_int()}


func _run_file() -> int:
	var script: GDScript = load(_file) as GDScript if ResourceLoader.exists(_file) else null
	if script == null or not script.can_instantiate() or not _extends_gcs_test(script):
		GcsTest.report({"event": "broken", "what": "%s does not load or does not extend GcsTest" % _file})
		return 2
	var constants: Dictionary = script.get_script_constant_map()
	var limit: float = constants.get("TIMEOUT", DEFAULT_TIMEOUT)
	var count: int = 0
	var failed: int = 0
	for method: Dictionary in script.get_script_method_list():
		var test_name: String = method["name"]
		if test_name.begins_with("test_") and (_only.is_empty() or test_name == _only):
			count += 1
			if not await _run_test(script, test_name, limit):
				failed += 1
	GcsTest.report({"event": "end", "count": count, "failed": failed})
	return 1 if failed > 0 else 0


func _extends_gcs_test(script: Script) -> bool:
	var base: Script = script.get_base_script()
	while base != null and base != (GcsTest as Script):
		base = base.get_base_script()
	return base != null


func _run_test(script: GDScript, test_name: String, limit: float) -> bool:
	GcsTest.report({"event": "start", "test": test_name, "limit": limit})
	var test: GcsTest = script.new()
	test.peers = _peers
	add_child(test)
	var done: Array[bool] = [false]
	_drive.call_deferred(test, test_name, done)
	var deadline: int = Time.get_ticks_usec() + int(limit * 1_000_000.0)
	while not done[0] and Time.get_ticks_usec() < deadline:
		await get_tree().process_frame
	if not done[0]:
		GcsTest.report(
			{"event": "failure", "what": "did not finish within %s s" % limit, "file": _file, "line": 0}
		)
	var passed: bool = done[0] and not test.has_failed()
	test.queue_free()
	await get_tree().process_frame
	GcsTest.report({"event": "done", "test": test_name})
	return passed


func _drive(test: GcsTest, test_name: String, done: Array[bool]) -> void:
	# Through call(), because either may be a coroutine or not, and `await` on a known plain function is an error.
	await test.call(&"before_each")
	await test.call(test_name)
	# What the test awaited last may have resumed it from within the very node that after_each frees: that node has to
	# return first.
	await get_tree().process_frame
	await test.call(&"after_each")
	done[0] = true
