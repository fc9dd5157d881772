class_name GcsTest
extends Node
## Base class of test files: checks that record a failure and go on, waiting with a time limit, and the peers of the
## file.
##
## The runner makes a fresh instance for every [code]func test_*() -> void[/code] and adds it to the tree, so that a
## test can use nodes, signals and frames. A test may be a coroutine. A file can declare
## [code]const NEEDS: String[/code] (names of peer processes, separated by spaces) and [code]const TIMEOUT: float[/code]
## (seconds per test).

## The prefix of lines that the Python side reads.
const MARK: String = "@gdtest "

## Where this script lies; frames of it are skipped when a failure is placed.
const OWN_PATH: String = "res://tests/runner/gcs_test.gd"

## Peers of this run by name, each [code]{"address": String, "pid": int}[/code]; set by the runner.
var peers: Dictionary[String, Dictionary] = {}

var _failures: int = 0


## Writes one event for the Python side.
static func report(event: Dictionary) -> void:
	print(MARK + JSON.stringify(event))


## Called before each test; may be a coroutine.
func before_each() -> void:
	pass


## Called after each test, also after one that failed a check; may be a coroutine.
func after_each() -> void:
	pass


## Records a failure at the calling line of the test file.
func fail(what: String) -> void:
	_fail_at(_calling_place(), what)


## Fails unless [param condition] holds.
func check(condition: bool, what: String) -> void:
	if not condition:
		fail(what)


## Fails unless both values have the same type and are equal; containers are compared by content.
func check_equal(actual: Variant, expected: Variant, what: String) -> void:
	if typeof(actual) != typeof(expected) or actual != expected:
		fail("%s: expected %s (%s), got %s (%s)" % [
			what, var_to_str(expected), type_string(typeof(expected)), var_to_str(actual), type_string(typeof(actual)),
		])


## Fails unless [param actual] lies within [param tolerance] of [param expected]; NaN never does.
func check_near(actual: float, expected: float, tolerance: float, what: String) -> void:
	if not absf(actual - expected) <= tolerance:
		fail("%s: expected %s ± %s, got %s" % [what, expected, tolerance, actual])


## Whether a check of this test has failed so far.
func has_failed() -> bool:
	return _failures > 0


## Waits for [param awaited]; fails when it is not emitted within [param seconds].
## Returns what [code]await[/code] gives: null, the argument, or an array of the arguments.
func await_signal_or_timeout(awaited: Signal, seconds: float, what: String) -> Variant:
	# Taken before waiting: a resumed coroutine no longer knows who called it.
	var place: Dictionary = _calling_place()
	var emitted: Array = []
	# Through call(): this coroutine has to run beside the loop below, not before it.
	_store_emission.call(awaited, emitted)
	if await _until(func() -> bool: return not emitted.is_empty(), seconds):
		return emitted[0]
	_fail_at(place, "%s: no %s within %s s" % [what, awaited.get_name(), seconds])
	return null


## Calls [param condition] once a frame until it returns true; fails after [param seconds]. Returns whether it came
## true.
func await_condition_or_timeout(condition: Callable, seconds: float, what: String) -> bool:
	var place: Dictionary = _calling_place()
	var came_true: bool = await _until(condition, seconds)
	if not came_true:
		_fail_at(place, "%s: not within %s s" % [what, seconds])
	return came_true


## Declares that an engine or script error containing [param text] has to appear during this test.
func expect_engine_error(text: String) -> void:
	report({"event": "expect_error", "text": text})


## The address [code]host:port[/code] of a peer that the file names in [code]NEEDS[/code].
func peer_address(peer: String) -> String:
	if not peers.has(peer):
		fail("no peer %s in this run: name it in NEEDS" % peer)
		return ""
	return peers[peer]["address"]


## The process id of a peer, 0 when it was started by hand.
func peer_pid(peer: String) -> int:
	return peers[peer]["pid"] if peers.has(peer) else 0


## Kills a peer at once, as a crash would.
func stop_peer(peer: String) -> void:
	var pid: int = peer_pid(peer)
	if pid <= 0 or OS.kill(pid) != OK:
		fail("peer %s cannot be stopped (pid %d)" % [peer, pid])


func _fail_at(place: Dictionary, what: String) -> void:
	_failures += 1
	report({"event": "failure", "what": what, "file": place["source"], "line": place["line"]})


func _until(condition: Callable, seconds: float) -> bool:
	var deadline: int = Time.get_ticks_usec() + int(seconds * 1_000_000.0)
	while not condition.call():
		if Time.get_ticks_usec() >= deadline:
			return false
		await get_tree().process_frame
	return true


func _store_emission(awaited: Signal, emitted: Array) -> void:
	emitted.append(await awaited)


func _calling_place() -> Dictionary:
	for frame: Dictionary in get_stack():
		if frame["source"] != OWN_PATH:
			return frame
	var script: Script = get_script()
	return {"source": script.resource_path, "line": 0}
