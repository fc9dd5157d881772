extends Control
## HP as a bar with a trail of what was lost, and armor as a badge at its left end.

const Art = preload("../ui/art.gd")
const Palette = preload("../ui/palette.gd")

var _hp: int = 0
var _max_hp: int = 1
var _armor: int = 0
## What a card that is aimed would take of both.
var _hp_at_stake: int = 0
var _armor_at_stake: int = 0
## What the bar shows, on its way to the HP.
var _shown: float = -1.0
var _trail: float = 0.0
var _bump: float = 0.0


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE


## Shows new values.
func show_values(hp: int, max_hp: int, armor: int) -> void:
	if armor != _armor:
		_bump = 1.0
	_hp = hp
	_max_hp = maxi(max_hp, 1)
	_armor = armor
	if _shown < 0.0:
		_shown = hp
		_trail = hp
	queue_redraw()


## Shows what would be lost: [param hp] of the HP, [param armor] of the armor; nothing for 0.
func show_forecast(hp: int, armor: int) -> void:
	_hp_at_stake = hp
	_armor_at_stake = armor
	queue_redraw()


## What the bar says.
func words() -> String:
	if _hp_at_stake > 0:
		return "%d → %d" % [_hp, _hp - _hp_at_stake]
	return "%d / %d" % [_hp, _max_hp]


func _process(delta: float) -> void:
	if is_equal_approx(_shown, _hp) and is_equal_approx(_trail, _hp) and _bump <= 0.0:
		return
	_shown = move_toward(_shown, _hp, maxf(absf(_shown - _hp) * 12.0, 20.0) * delta)
	_trail = move_toward(_trail, _hp, maxf(absf(_trail - _hp) * 2.2, 6.0) * delta)
	_bump = maxf(_bump - delta * 4.0, 0.0)
	queue_redraw()


func _draw() -> void:
	var frame: Rect2 = Rect2(Vector2.ZERO, size)
	draw_style_box(Palette.box(Palette.INK, 9, Palette.ARMOR if _armor > 0 else Palette.LINE, 2), frame.grow(2))
	_fill(_trail, Palette.HP_LOST)
	_fill(_shown, Palette.ARMOR_DEEP if _armor > 0 else Palette.HP)
	if _hp_at_stake > 0:
		var whole: float = size.x * clampf(_shown / _max_hp, 0.0, 1.0)
		var rest: float = size.x * clampf((_shown - _hp_at_stake) / _max_hp, 0.0, 1.0)
		draw_style_box(Palette.box(Palette.STAKE, 6, Palette.LAMP, 2), Rect2(rest, 0, maxf(whole - rest, 6.0), size.y))
	var text: String = words()
	draw_string_outline(ThemeDB.fallback_font, Vector2(0, 15.5), text, HORIZONTAL_ALIGNMENT_CENTER, size.x, 15, 5,
			Palette.INK)
	draw_string(ThemeDB.fallback_font, Vector2(0, 15.5), text, HORIZONTAL_ALIGNMENT_CENTER, size.x, 15, Palette.TEXT)
	if _armor > 0:
		var extent: Vector2 = Vector2.ONE * (40.0 + 12.0 * _bump)
		var left: String = str(_armor - _armor_at_stake)
		var center: Vector2 = Vector2(-4, size.y / 2.0)
		draw_texture_rect(Art.glyph("armor"), Rect2(center - extent * 0.6, extent * 1.2), false, Palette.ARMOR)
		draw_texture_rect(Art.glyph("armor"), Rect2(center - extent / 2.0, extent), false, Palette.SHIELD_DEEP)
		draw_texture_rect(Art.glyph("armor"), Rect2(center - extent * 0.41, extent * 0.82), false, Palette.SHIELD)
		draw_string_outline(ThemeDB.fallback_font, center + Vector2(-20, 6), left, HORIZONTAL_ALIGNMENT_CENTER, 40, 17,
				5, Palette.INK)
		draw_string(ThemeDB.fallback_font, center + Vector2(-20, 6), left, HORIZONTAL_ALIGNMENT_CENTER, 40, 17,
				Palette.LAMP if _armor_at_stake > 0 else Palette.TEXT)


func _fill(value: float, color: Color) -> void:
	var width: float = size.x * clampf(value / _max_hp, 0.0, 1.0)
	if width >= 2.0:
		draw_style_box(Palette.box(color, 8), Rect2(0, 0, maxf(width, 12.0), size.y))
