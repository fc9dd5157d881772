extends GcsTest


func test_quit() -> void:
	get_tree().quit(0)
	await get_tree().process_frame
	await get_tree().create_timer(5.0).timeout


func test_after() -> void:
	check(true, "never reached")
