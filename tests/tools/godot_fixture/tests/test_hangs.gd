extends GcsTest

const TIMEOUT: float = 0.2


func test_before() -> void:
	check(true, "before the hang")


func test_loops() -> void:
	while true:
		pass


func test_after() -> void:
	check(true, "never reached")
