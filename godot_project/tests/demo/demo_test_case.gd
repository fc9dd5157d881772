class_name DemoTestCase
extends BattleTestCase
## Base of the tests that play the demo by hand: its screen in a window of fixed size, and input as devices send it.

const Arguments = preload("res://demo/arguments.gd")
const BattleScreen = preload("res://demo/battle_screen.gd")
const CardView = preload("res://demo/cards/card_view.gd")
const Settings = preload("res://demo/ui/settings.gd")
const UnitView = preload("res://demo/units/unit_view.gd")

const WINDOW: Vector2i = Vector2i(1280, 720)
## Frames without any move after which the screen counts as at rest.
const STILL_FRAMES: int = 5

var screen: BattleScreen


func before_each() -> void:
	# Without a screen the window has no size of its own.
	get_tree().root.size = WINDOW
	screen = preload("res://demo/battle.tscn").instantiate()
	screen.arguments = Arguments.new(BattleScreen.KNOWN, start_arguments())
	screen.settings = Settings.new("")
	screen.settings.pace = "At once"
	add_child(screen)
	await until_free()


func after_each() -> void:
	super()
	screen.queue_free()
	Gcs.pace_with(Callable())
	Gcs.leave_battle()
	Gcs.state = null
	Gcs.disconnect_from_server()


## The user arguments that the screen is started with.
func start_arguments() -> PackedStringArray:
	return ["--address=%s" % peer_address("gcs_server"), "--encounter=first_fight", "--seed=7"]


## Waits until the player may act.
func until_free() -> void:
	await until(func() -> bool: return Gcs.state != null and not Gcs.is_showing() and screen.hand.active,
			"the player may act")


## Waits until cards and units lie where they belong.
func until_at_rest() -> void:
	var before: Array[Vector2] = []
	# A new size reaches what is in containers some frames later, and a card that glides may hardly move in a short
	# frame.
	var still_since: Array[int] = [get_tree().get_frame()]
	await until(func() -> bool:
		var now: Array[Vector2] = [screen.hand.size, screen.field.size]
		for view: CardView in screen.hand.views:
			now.push_back(view.position.snapped(Vector2.ONE * 0.5))
		for view: UnitView in screen.field.views:
			now.push_back(view.position.snapped(Vector2.ONE * 0.5))
		if now != before:
			before.assign(now)
			still_since[0] = get_tree().get_frame()
		return get_tree().get_frame() >= still_since[0] + STILL_FRAMES, "the screen comes to rest")


## The first playable card in hand that has to be aimed, or the first that has not.
func playable(aims: bool) -> CardView:
	for view: CardView in screen.hand.views:
		if view.card.playable and view.needs_aim() == aims:
			return view
	fail("no card in hand that %s" % ("aims" if aims else "needs no aim"))
	return null


func focused() -> Control:
	return get_viewport().gui_get_focus_owner()


## Presses and lets go of a key.
func type_key(keycode: Key) -> void:
	for pressed: bool in [true, false] as Array[bool]:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = keycode
		event.pressed = pressed
		get_viewport().push_input(event, true)
	await get_tree().process_frame


## Presses and lets go of a controller's button.
func press_pad(button: JoyButton) -> void:
	for pressed: bool in [true, false] as Array[bool]:
		var event: InputEventJoypadButton = InputEventJoypadButton.new()
		event.button_index = button
		event.pressed = pressed
		get_viewport().push_input(event, true)
	await get_tree().process_frame


func move_mouse(to: Vector2, mask: int = 0) -> void:
	var event: InputEventMouseMotion = InputEventMouseMotion.new()
	event.position = to
	event.button_mask = mask
	get_viewport().push_input(event, true)
	await get_tree().process_frame


func mouse_button(at: Vector2, pressed: bool, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	var event: InputEventMouseButton = InputEventMouseButton.new()
	event.position = at
	event.button_index = button
	event.pressed = pressed
	event.button_mask = 1 << (button - 1) if pressed else 0
	get_viewport().push_input(event, true)
	await get_tree().process_frame


func click(at: Vector2, button: MouseButton = MOUSE_BUTTON_LEFT) -> void:
	await move_mouse(at)
	await mouse_button(at, true, button)
	await mouse_button(at, false, button)


## A point of a card that no neighbour covers.
func grip_of(view: CardView) -> Vector2:
	return view.get_global_transform() * Vector2(20.0, 60.0)
