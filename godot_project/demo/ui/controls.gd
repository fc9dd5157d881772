extends Node
## Keys and controller buttons of the battle screen: what each does, where the focus may go, and what hint is shown.
##
## The actions are in the project's input map. Moving the focus, accepting and going back are the engine's own
## [code]ui_[/code] actions; the project adds A and B of a controller to those that accept and go back.

## The player took up another device, or lifts a card: other hints hold.
signal hints_changed(text: String)

const FocusSearch = preload("focus_search.gd")

enum Device { MOUSE, KEYBOARD, CONTROLLER }

const HINTS: Dictionary[Device, String] = {
	Device.MOUSE: "Drag a card, or click it and its target",
	Device.KEYBOARD: "Arrows or 1–9 choose · Enter plays · E ends the turn",
	Device.CONTROLLER: "D-pad chooses · A plays · Y ends the turn",
}
const AIMING_HINTS: Dictionary[Device, String] = {
	Device.MOUSE: "Right click puts the card back",
	Device.KEYBOARD: "Arrows choose a target · Enter plays · Esc puts the card back",
	Device.CONTROLLER: "D-pad chooses a target · A plays · B puts the card back",
}
const DIRECTIONS: Dictionary[String, Vector2] = {
	"ui_left": Vector2.LEFT, "ui_right": Vector2.RIGHT, "ui_up": Vector2.UP, "ui_down": Vector2.DOWN,
}
const STEPS: Dictionary[String, int] = {"ui_focus_next": 1, "ui_focus_prev": -1}
## How far a stick is moved before it counts as used.
const STICK: float = 0.5

## What the player used last.
var device: Device = Device.MOUSE

## By action of the input map: what it does. Set by the screen.
var actions: Dictionary[String, Callable] = {}
## Gives a hand's card the focus, by its place from the left. Set by the screen.
var focus_card: Callable
## Gives the control that gets the focus when nothing has it; null for none. Set by the screen.
var home: Callable
## Panels that keep the focus inside while they are shown, the topmost last. Set by the screen.
var panels: Array[Control] = []
## What going back does while a panel is shown; panels without an entry stay until they are answered. Set by the screen.
var closers: Dictionary[Control, Callable] = {}

var _aiming: bool = false
## The control inside of the topmost panel that had the focus last.
var _inside: Control = null


func _ready() -> void:
	get_viewport().gui_focus_changed.connect(_on_focus_changed)


## Tells whether a card is lifted.
func show_aiming(aiming: bool) -> void:
	if aiming != _aiming:
		_aiming = aiming
		hints_changed.emit(hint())


## What the player can do, in words for the device in use.
func hint() -> String:
	return AIMING_HINTS[device] if _aiming else HINTS[device]


## The panel in front; null when none is shown.
func front() -> Control:
	for index: int in range(panels.size() - 1, -1, -1):
		if panels[index].visible:
			return panels[index]
	return null


func _process(_delta: float) -> void:
	if device != Device.MOUSE and get_viewport().gui_get_focus_owner() == null:
		_go_home()


func _input(event: InputEvent) -> void:
	var used: Device = device
	if event is InputEventMouse:
		used = Device.MOUSE
	elif event is InputEventKey:
		used = Device.KEYBOARD
	elif event is InputEventJoypadButton:
		used = Device.CONTROLLER
	elif event is InputEventJoypadMotion and absf((event as InputEventJoypadMotion).axis_value) > STICK:
		used = Device.CONTROLLER
	if used != device:
		device = used
		hints_changed.emit(hint())
	var panel: Control = front()
	if panel != null and event.is_pressed() and _move_inside(panel, event):
		get_viewport().set_input_as_handled()


## Whether [param event] moves the focus; then it goes on inside of [param panel], as far as there is something to go
## to.
func _move_inside(panel: Control, event: InputEvent) -> bool:
	var from: Control = get_viewport().gui_get_focus_owner()
	if from == null or not panel.is_ancestor_of(from):
		return false
	for action: String in DIRECTIONS:
		if not _is_pushed(event, action):
			continue
		if from is LineEdit and DIRECTIONS[action].y == 0.0:
			return false
		_focus(FocusSearch.next_to(from, DIRECTIONS[action], panel))
		return true
	for action: String in STEPS:
		# Shift and Tab are Tab, too, unless asked for exactly.
		if event.is_action_pressed(action, true, true):
			_focus(FocusSearch.after(from, STEPS[action], panel))
			return true
	return false


## A stick tells of every place on its way; only the moment when it is pushed counts.
func _is_pushed(event: InputEvent, action: String) -> bool:
	return event.is_action_pressed(action, true) and (event is not InputEventJoypadMotion
			or Input.is_action_just_pressed(action))


func _focus(control: Control) -> bool:
	if control != null:
		control.grab_focus()
	return control != null


func _unhandled_input(event: InputEvent) -> void:
	if not event.is_pressed() or event.is_echo():
		return
	if _use(event):
		get_viewport().set_input_as_handled()


## Whether [param event] meant something here.
func _use(event: InputEvent) -> bool:
	var panel: Control = front()
	if panel != null:
		if event.is_action_pressed("ui_cancel") and closers.has(panel):
			closers[panel].call()
			return true
		return false
	for action: String in actions:
		if event.is_action_pressed(action):
			actions[action].call()
			return true
	if event is InputEventKey:
		var digit: int = (event as InputEventKey).keycode - KEY_1
		if digit >= 0 and digit < 9:
			focus_card.call(digit)
			return true
	for direction: String in DIRECTIONS.keys() + STEPS.keys():
		if event.is_action_pressed(direction) and get_viewport().gui_get_focus_owner() == null:
			return _go_home()
	return false


func _go_home() -> bool:
	var panel: Control = front()
	if panel != null:
		return _focus(_first_inside(panel))
	var control: Control = home.call()
	return _focus(control)


## What is behind a panel cannot be reached.
func _on_focus_changed(control: Control) -> void:
	var panel: Control = front()
	if panel == null:
		return
	if panel.is_ancestor_of(control):
		_inside = control
		return
	var back: Control = _first_inside(panel)
	if back != null:
		back.grab_focus.call_deferred()


func _first_inside(panel: Control) -> Control:
	var controls: Array[Control] = FocusSearch.inside(panel)
	if _inside in controls:
		return _inside
	return controls[0] if not controls.is_empty() else null
