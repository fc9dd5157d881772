extends Button
## A pile with its count; a click shows its cards.

const Art = preload("../ui/art.gd")
const Palette = preload("../ui/palette.gd")

## The pile's name for players.
@export var title: String = ""
## Tints the picture.
@export var tint: Color = Palette.ARMOR

var _pile: GcsPile = null
var _bump: float = 0.0


func _init() -> void:
	flat = true
	custom_minimum_size = Vector2(74, 84)


## Shows [param shown] from now on.
func show_pile(shown: GcsPile) -> void:
	_pile = shown
	shown.changed.connect(_on_changed)
	_on_changed()


## The pile shown.
func pile() -> GcsPile:
	return _pile


func _on_changed() -> void:
	_bump = 1.0
	tooltip_text = "%s: %d cards" % [title, _pile.size]
	queue_redraw()


func _process(delta: float) -> void:
	if _bump > 0.0:
		_bump = maxf(_bump - delta * 5.0, 0.0)
		queue_redraw()


func _draw() -> void:
	var lit: bool = has_focus() or is_hovered()
	var grow: float = 1.0 + 0.12 * _bump + (0.06 if lit else 0.0)
	var center: Vector2 = Vector2(size.x / 2.0, 34)
	var extent: Vector2 = Vector2.ONE * 58.0 * grow
	draw_texture_rect(Art.glyph("cards"), Rect2(center - extent / 2.0, extent), false,
			tint if not lit else Palette.LAMP)
	var count: String = str(_pile.size) if _pile != null else "0"
	var badge: Vector2 = center + Vector2(22, 20)
	draw_circle(badge, 15, Palette.INK, true, -1.0, true)
	draw_arc(badge, 14, 0, TAU, 32, tint, 2.0, true)
	draw_string(ThemeDB.fallback_font, badge + Vector2(-15, 6), count, HORIZONTAL_ALIGNMENT_CENTER, 30, 16,
			Palette.TEXT)
	draw_string(ThemeDB.fallback_font, Vector2(0, 80), title, HORIZONTAL_ALIGNMENT_CENTER, size.x, 14, Palette.TEXT)
