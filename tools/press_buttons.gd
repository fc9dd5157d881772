extends Node
## Plays the scene of docs/first-battle.md as a newcomer would: presses its buttons, prints what it says and, with
## `--out=FOLDER`, takes pictures. Ends with a battle that was won, or after a few that were not.

const SCENE: String = "res://first_battle.tscn"
const MOST_BATTLES: int = 5
const MOST_PRESSES: int = 500
const END_TURN: String = "end turn"
const AGAIN: String = "again"

var _screen: Node
var _folder: String = ""


func _ready() -> void:
	for argument: String in OS.get_cmdline_user_args():
		if argument.begins_with("--out="):
			_folder = argument.trim_prefix("--out=")
	var scene: PackedScene = load(SCENE)
	_screen = scene.instantiate()
	add_child(_screen)
	await Gcs.state_changed
	await _show("start")
	var battles: int = 1
	for press: int in range(MOST_PRESSES):
		var button: Button = _next_button()
		if button.text == AGAIN:
			if Gcs.state.outcome == GcsV1Battle.Outcome.OUTCOME_WON or battles == MOST_BATTLES:
				break
			battles += 1
		button.pressed.emit()
		await Gcs.state_changed
		await _show("played" if press == 0 else "")
	await _show("over")
	get_tree().quit()


## The attack that has most to say, else the first card that can be played; the end of the turn when there is none.
func _next_button() -> Button:
	var best: Button = null
	for node: Node in _screen.find_children("*", "Button", true, false):
		var button: Button = node as Button
		if button.disabled or (button.text == END_TURN and best != null):
			continue
		if best == null or ("Deal" in button.text
				and (not "Deal" in best.text or button.text.length() > best.text.length())):
			best = button
	return best


## Waits until the buttons of the state before are gone, prints the text and takes a picture.
func _show(picture: String) -> void:
	await get_tree().process_frame
	await get_tree().process_frame
	for label: Node in _screen.find_children("*", "Label", true, false):
		print((label as Label).text)
	if _folder.is_empty() or picture.is_empty():
		return
	await RenderingServer.frame_post_draw
	var error: Error = get_viewport().get_texture().get_image().save_png(
			_folder.path_join("first_battle_%s.png" % picture))
	if error != OK:
		push_error("no picture in %s: %s" % [_folder, error_string(error)])
