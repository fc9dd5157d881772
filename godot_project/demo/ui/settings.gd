extends RefCounted
## What the player has set, kept in a file of the user: pace of the animations, size of the interface, calm, full
## screen, sound, the workings.

## A setting has another value.
signal changed()

const Layout = preload("layout.gd")
const Motion = preload("motion.gd")

const DEFAULT_PATH: String = "user://settings.cfg"
const SECTION: String = "demo"
## Factors on the waits of [code]director.gd[/code], by the name that players read.
const PACES: Dictionary[String, float] = {"Slow": 1.6, "Normal": 1.0, "Fast": 0.4, "At once": 0.0}
## Factors on everything that is drawn, by the name that players read. The window's own size scales it, too.
const SIZES: Dictionary[String, float] = {"Small": 0.85, "Normal": 1.0, "Large": 1.15}

## A key of [constant PACES].
var pace: String = "Normal":
	set(value):
		pace = value if PACES.has(value) else "Normal"
		changed.emit()
## A key of [constant SIZES].
var size: String = "Normal":
	set(value):
		size = value if SIZES.has(value) else "Normal"
		changed.emit()
## Whether to leave out what moves without need.
var calm: bool = false:
	set(value):
		calm = value
		changed.emit()
## Whether the game fills the screen.
var full_screen: bool = false:
	set(value):
		full_screen = value
		changed.emit()
## Whether there is sound.
var sound: bool = true:
	set(value):
		sound = value
		changed.emit()
## Whether what developers want to see is there: seed, trace and weather.
var workings: bool = false:
	set(value):
		workings = value
		changed.emit()

var _path: String


## Reads the settings kept at [param path]; with an empty one nothing is kept. What is not there, or is not a value that
## can be set, is as by default.
func _init(path: String = DEFAULT_PATH) -> void:
	_path = path
	var file: ConfigFile = ConfigFile.new()
	# No file yet: the first start.
	if not _path.is_empty() and file.load(_path) == OK:
		pace = str(file.get_value(SECTION, "pace", pace))
		size = str(file.get_value(SECTION, "size", size))
		calm = str(file.get_value(SECTION, "calm", calm)) == "true"
		full_screen = str(file.get_value(SECTION, "full_screen", full_screen)) == "true"
		sound = str(file.get_value(SECTION, "sound", sound)) == "true"
		workings = str(file.get_value(SECTION, "workings", workings)) == "true"


## Keeps the settings; the error code of the file system when that fails.
func save() -> Error:
	if _path.is_empty():
		return OK
	var file: ConfigFile = ConfigFile.new()
	file.set_value(SECTION, "pace", pace)
	file.set_value(SECTION, "size", size)
	file.set_value(SECTION, "calm", calm)
	file.set_value(SECTION, "full_screen", full_screen)
	file.set_value(SECTION, "sound", sound)
	file.set_value(SECTION, "workings", workings)
	return file.save(_path)


## Makes [param window] look as it was set.
func apply_to(window: Window) -> void:
	Motion.calm = calm
	window.content_scale_factor = SIZES[size] * (Layout.PORTRAIT_SCALE if Layout.is_portrait(window.size) else 1.0)
	var wanted: Window.Mode = Window.MODE_FULLSCREEN if full_screen else Window.MODE_WINDOWED
	# A window that the player maximised is left alone.
	if full_screen != (window.mode == Window.MODE_FULLSCREEN):
		window.mode = wanted
