extends Node


func test_alone() -> void:
	pass
