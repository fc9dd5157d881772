extends Control
## What the player can set; every change holds at once and is kept.

const Settings = preload("../ui/settings.gd")

@onready var _pace: HBoxContainer = %Pace
@onready var _size: HBoxContainer = %Size
@onready var _calm: CheckButton = %Calm
@onready var _full_screen: CheckButton = %FullScreen
@onready var _sound: CheckButton = %Sound
@onready var _workings: CheckButton = %Workings
@onready var _problem: Label = %Problem
@onready var _close: Button = %Close

var _settings: Settings = null


func _ready() -> void:
	_close.pressed.connect(hide)


## Offers [param settings] for change.
func offer(settings: Settings) -> void:
	_settings = settings
	_offer_names(_pace, Settings.PACES, settings.pace, func(chosen: String) -> void: settings.pace = chosen)
	_offer_names(_size, Settings.SIZES, settings.size, func(chosen: String) -> void: settings.size = chosen)
	_calm.set_pressed_no_signal(settings.calm)
	_calm.toggled.connect(func(on: bool) -> void: settings.calm = on)
	_full_screen.set_pressed_no_signal(settings.full_screen)
	_full_screen.toggled.connect(func(on: bool) -> void: settings.full_screen = on)
	_sound.set_pressed_no_signal(settings.sound)
	_sound.toggled.connect(func(on: bool) -> void: settings.sound = on)
	_workings.set_pressed_no_signal(settings.workings)
	_workings.toggled.connect(func(on: bool) -> void: settings.workings = on)
	settings.changed.connect(_keep)


## Shows the panel; the first choice has the focus.
func open() -> void:
	show()
	for button: Button in _pace.get_children():
		if button.button_pressed:
			button.grab_focus()


## One button a name, of which one is pressed.
func _offer_names(row: HBoxContainer, names: Dictionary, chosen: String, choose: Callable) -> void:
	var group: ButtonGroup = ButtonGroup.new()
	for shown: String in names:
		var button: Button = Button.new()
		button.text = shown
		button.toggle_mode = true
		button.button_group = group
		button.custom_minimum_size = Vector2(92, 0)
		button.set_pressed_no_signal(shown == chosen)
		button.toggled.connect(func(on: bool) -> void:
			if on:
				choose.call(shown))
		row.add_child(button)


func _keep() -> void:
	var problem: Error = _settings.save()
	_problem.visible = problem != OK
	_problem.text = "The settings cannot be kept: %s" % error_string(problem)
