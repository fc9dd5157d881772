extends GcsTest

signal silence

const TIMEOUT: float = 0.2


func test_never_finishes() -> void:
	await silence


func test_after_it() -> void:
	check(true, "the file goes on")
