extends GcsTest


func test_untyped() -> void:
	var untyped = 1
	check_equal(untyped, 1, "a warning set to error")
