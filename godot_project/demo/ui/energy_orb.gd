extends Control
## The energy of the turn, as the light of a lamp.

const Palette = preload("palette.gd")

var _energy: int = 0
var _max_energy: int = 0
var _bump: float = 0.0
var _bold: FontVariation = FontVariation.new()


func _init() -> void:
	custom_minimum_size = Vector2(96, 96)
	_bold.base_font = ThemeDB.fallback_font
	_bold.variation_embolden = 0.8


## Follows the energy of [param state] from now on.
func show_energy(state: GcsBattleState) -> void:
	state.energy_changed.connect(_set_energy)
	_set_energy(state.energy, state.max_energy)


func _set_energy(energy: int, max_energy: int) -> void:
	_energy = energy
	_max_energy = max_energy
	_bump = 1.0
	tooltip_text = "Energy: %d of %d.\nCards cost energy; it is refilled each turn." % [energy, max_energy]
	queue_redraw()


func _process(delta: float) -> void:
	if _bump > 0.0:
		_bump = maxf(_bump - delta * 4.0, 0.0)
		queue_redraw()


func _draw() -> void:
	var center: Vector2 = size / 2.0
	var lit: bool = _energy > 0
	var glow: Color = Palette.GLOW if lit else Palette.CARD_FADED
	for ring: int in range(5):
		draw_circle(center, 44.0 + ring * 5.0 + _bump * 6.0, Color(glow, 0.10 - ring * 0.018), true, -1.0, true)
	draw_circle(center, 42, Palette.INK, true, -1.0, true)
	draw_circle(center, 38, Palette.FLAME_DEEP if lit else Palette.ASH_DEEP, true, -1.0, true)
	draw_circle(center + Vector2(0, 5), 30, Palette.FLAME if lit else Palette.ASH, true, -1.0, true)
	draw_arc(center, 40, 0, TAU, 64, Palette.LAMP if lit else Palette.LINE, 3.0, true)
	var text: String = "%d/%d" % [_energy, _max_energy]
	var font_size: int = 30 if text.length() < 5 else 24
	var at: Vector2 = center + Vector2(-48, font_size * 0.36)
	draw_string_outline(_bold, at, text, HORIZONTAL_ALIGNMENT_CENTER, 96, font_size, 7, Palette.INK)
	draw_string(_bold, at, text, HORIZONTAL_ALIGNMENT_CENTER, 96, font_size, Palette.TEXT)
