extends Control
## One status on a unit: glyph and stacks inside of it. What it does is told by the details panel.

const Art = preload("../ui/art.gd")
const Catalog = preload("../ui/catalog.gd")
const Palette = preload("../ui/palette.gd")

const EXTENT: float = 45.0

var status: String = ""

var _glyph: Texture2D
var _color: Color
var _stacks: int = 0
var _pulse: float = 1.0


func _init() -> void:
	custom_minimum_size = Vector2.ONE * EXTENT
	mouse_filter = Control.MOUSE_FILTER_IGNORE


## Shows [param stacks] of [param id].
func show_status(id: String, stacks: int, catalog: Catalog) -> void:
	status = id
	_stacks = stacks
	_glyph = Art.glyph(catalog.art_of("statuses", id))
	_color = catalog.color_of("statuses", id)
	pulse()


## Lights up for a moment, as when one of its Entries is dispatched.
func pulse() -> void:
	_pulse = 1.0
	queue_redraw()


func _process(delta: float) -> void:
	if _pulse > 0.0:
		_pulse = maxf(_pulse - delta * 2.5, 0.0)
		queue_redraw()


func _draw() -> void:
	var center: Vector2 = Vector2(EXTENT / 2.0, EXTENT / 2.0)
	draw_circle(center, EXTENT / 2.0 + 3.0 * _pulse, Color(Palette.LAMP, 0.8 * _pulse), true, -1.0, true)
	draw_style_box(Palette.box(Palette.INK, 8, _color, 2), Rect2(Vector2.ZERO, Vector2.ONE * EXTENT))
	var extent: float = 29.0 + 8.0 * _pulse
	draw_texture_rect(_glyph, Rect2(center - Vector2(3.0, 3.0) - Vector2.ONE * extent / 2.0, Vector2.ONE * extent),
			false, _color.lightened(0.35))
	var at: Vector2 = Vector2(0.0, EXTENT - 5.0)
	draw_string_outline(ThemeDB.fallback_font, at, str(_stacks), HORIZONTAL_ALIGNMENT_RIGHT, EXTENT - 5.0, 20, 8,
			Palette.INK)
	draw_string(ThemeDB.fallback_font, at, str(_stacks), HORIZONTAL_ALIGNMENT_RIGHT, EXTENT - 5.0, 20, Palette.TEXT)
