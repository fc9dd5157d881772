extends GcsTest

const NEEDS: String = "no_such_peer"


func test_never_runs() -> void:
	check(true, "never reached")
