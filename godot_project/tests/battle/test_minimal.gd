extends BattleTestCase
## The minimal sample plays a battle to its end by its buttons alone, in under 60 lines (issue: two more samples).

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0
const MOST_LINES: int = 59
const MOST_PRESSES: int = 300

var _scene: Control = null


func before_each() -> void:
	ProjectSettings.set_setting(GcsSettings.ADDRESS, peer_address("gcs_server"))
	var packed: PackedScene = load("res://demo/minimal.tscn")
	_scene = packed.instantiate()
	add_child(_scene)


func after_each() -> void:
	_scene.queue_free()
	Gcs.leave_battle()
	Gcs.state = null
	Gcs.disconnect_from_server()
	ProjectSettings.set_setting(GcsSettings.ADDRESS, null)
	super()


func test_battle_by_buttons_alone() -> void:
	await until(func() -> bool: return Gcs.state != null and not Gcs.is_showing(), "the battle starts")
	var presses: int = 0
	while Gcs.state.is_running() and presses < MOST_PRESSES:
		var pressed: Button = _first_enabled()
		if pressed == null:
			fail("no button can be pressed in turn %d" % Gcs.state.turn)
			return
		var version: int = Gcs.state.version
		pressed.pressed.emit()
		presses += 1
		if not await until(func() -> bool: return Gcs.state.version > version,
				"the battle goes on after \"%s\"" % pressed.text):
			return
	check(not Gcs.state.is_running(), "over after %d presses" % presses)
	var again: Button = _first_enabled()
	check_equal(again.text, "again", "what can be pressed at the end")
	again.pressed.emit()
	await until(func() -> bool: return Gcs.state != null and Gcs.state.is_running(), "another battle")


func test_it_is_under_sixty_lines() -> void:
	var lines: int = FileAccess.get_file_as_string("res://demo/minimal.gd").strip_edges().split("\n").size()
	check(lines <= MOST_LINES, "%d lines" % lines)


func _first_enabled() -> Button:
	for node: Node in _scene.find_children("*", "Button", true, false):
		var button: Button = node
		if not button.disabled and not button.is_queued_for_deletion():
			return button
	return null
