extends GcsTest

signal pair(number: int, word: String)
signal silence

var _prepared: bool = false


func before_each() -> void:
	await get_tree().process_frame
	_prepared = true


func test_passes() -> void:
	check(_prepared, "before_each is awaited")
	check_equal({"a": [1, 2]}, {"a": [1, 2]}, "deep equality")
	check_near(1.0, 1.05, 0.1, "near")
	pair.emit.call_deferred(3, "three")
	check_equal(await await_signal_or_timeout(pair, 5.0, "pair"), [3, "three"], "arguments of the signal")
	check(await await_condition_or_timeout(func() -> bool: return _prepared, 5.0, "prepared"), "condition")


func test_condition_fails() -> void:
	check(false, "the reason")


func test_types_differ() -> void:
	check_equal(1, 1.0, "int is not float")


func test_not_near() -> void:
	check_near(NAN, 1.0, 0.5, "NaN")


func test_signal_never_comes() -> void:
	await await_signal_or_timeout(silence, 0.05, "silence")


func test_script_error() -> void:
	var nothing: Node = null
	nothing.queue_free()


func test_engine_error() -> void:
	push_error("pushed by the test")


func test_expected_engine_error() -> void:
	expect_engine_error("pushed by")
	push_error("pushed by the test")


func test_expected_error_missing() -> void:
	expect_engine_error("never pushed")


func test_unknown_peer() -> void:
	peer_address("nobody")
