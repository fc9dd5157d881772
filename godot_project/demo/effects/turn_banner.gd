extends Control
## A band across the screen that names whose turn begins.

const Palette = preload("../ui/palette.gd")

const SECONDS: float = 0.9
const HEIGHT: float = 92.0

var _title: String = ""
var _line: String = ""
var _color: Color = Palette.LAMP
## From 0 (not there) to 1.
var _shown: float = 0.0


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE


## Shows [param title] with [param line] below for [param seconds].
func announce(title: String, line: String, color: Color, seconds: float = SECONDS) -> void:
	_title = title
	_line = line
	_color = color
	var tween: Tween = create_tween()
	tween.tween_method(_set_shown, 0.0, 1.0, 0.16)
	tween.tween_interval(seconds - 0.4)
	tween.tween_method(_set_shown, 1.0, 0.0, 0.24)


func _set_shown(value: float) -> void:
	_shown = value
	queue_redraw()


func _draw() -> void:
	if _shown <= 0.0:
		return
	var middle: float = size.y * 0.4
	var half: float = HEIGHT / 2.0 * (0.6 + 0.4 * _shown)
	draw_rect(Rect2(0, middle - half, size.x, half * 2.0), Color(Palette.INK, 0.82 * _shown))
	for y: float in [middle - half, middle + half] as Array[float]:
		draw_line(Vector2(0, y), Vector2(size.x, y), Color(_color, _shown), 3.0)
	var font: Font = ThemeDB.fallback_font
	var shift: float = (1.0 - _shown) * 60.0
	draw_string(font, Vector2(shift, middle + 4.0), _title, HORIZONTAL_ALIGNMENT_CENTER, size.x, 40,
			Color(_color, _shown))
	draw_string(font, Vector2(-shift, middle + 32.0), _line, HORIZONTAL_ALIGNMENT_CENTER, size.x, 17,
			Color(Palette.TEXT, _shown))
