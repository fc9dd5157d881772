extends Node
## Saves a picture of the demo in each of its fixed states; [code]tools/screenshots.py[/code] runs it.
##
## User arguments: [code]--address=HOST:PORT[/code] and [code]--out=FOLDER[/code]; [code]--only=NAME,NAME[/code] for
## some states, [code]--size=NAME[/code] for another size of the interface, [code]--lively[/code] for idle motion as a
## player sees it.

const Arguments = preload("arguments.gd")
const BattleScreen = preload("battle_screen.gd")
const Motion = preload("ui/motion.gd")
const Settings = preload("ui/settings.gd")
const States = preload("screenshot_states.gd")

const KNOWN: PackedStringArray = ["address", "out", "only", "size", "lively"]
## Seconds after which the whole run is given up.
const LIMIT: float = 540.0
## Seeds what the demo itself draws, so that numbers rise from the same places.
const SEED: int = 7

var _arguments: Arguments = Arguments.new(KNOWN)
var _screen: BattleScreen = preload("battle.tscn").instantiate()
var _states: States = States.new()


func _ready() -> void:
	get_tree().create_timer(LIMIT).timeout.connect(func() -> void: _give_up("not done within %d s" % LIMIT))
	if not _arguments.error.is_empty() or not _arguments.has("out"):
		_give_up(_arguments.error if not _arguments.error.is_empty() else "--out=FOLDER is missing")
		return
	var wanted: PackedStringArray = _arguments.text("only", ",".join(States.NAMES)).split(",")
	for state: String in wanted:
		if state not in States.NAMES:
			_give_up("no state %s, expected %s" % [state, ", ".join(States.NAMES)])
			return
	_screen.arguments = _arguments
	# Not the player's own settings, and none are kept.
	_screen.settings = Settings.new("")
	add_child(_screen)
	_screen.settings.size = _arguments.text("size", "Normal")
	Gcs.battle_failed.connect(
			func(status: GrpcStatus) -> void: _give_up("a battle cannot be started: %s" % status.message))
	_states.screen = _screen
	add_child(_states)
	for state: String in States.NAMES:
		if state in wanted:
			await _take(state)
	get_tree().quit(0)


func _take(state: String) -> void:
	print("screenshots: %s" % state)
	seed(SEED)
	Motion.calm = not _arguments.has("lively")
	await _states.call("show_%s" % state)
	await RenderingServer.frame_post_draw
	var path: String = _arguments.text("out").path_join(state + ".png")
	var problem: Error = get_viewport().get_texture().get_image().save_png(path)
	if problem != OK:
		_give_up("%s cannot be written: %s" % [path, error_string(problem)])
	_states.clear()


func _give_up(reason: String) -> void:
	printerr("screenshots: %s" % reason)
	get_tree().quit(1)
