extends GcsTest


func test_one() -> void:
	check(true "a comma is missing")


func test_two() -> void:
	check(true, "never reached")
