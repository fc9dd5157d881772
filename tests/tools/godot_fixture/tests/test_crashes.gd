extends GcsTest


func test_before() -> void:
	check(true, "before the crash")


func test_crash() -> void:
	OS.crash("crashed by the test")


func test_after() -> void:
	check(true, "never reached")
