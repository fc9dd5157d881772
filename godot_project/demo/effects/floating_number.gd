extends Label
## A number or a word that rises from a unit and fades.

const Palette = preload("../ui/palette.gd")

const RISE: float = 74.0
const SECONDS: float = 1.0


## Shows [param shown] at [param at] of [param parent].
func start(parent: Control, at: Vector2, shown: String, color: Color, font_size: int) -> void:
	text = shown
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	theme_type_variation = "Bold"
	add_theme_font_size_override("font_size", font_size)
	add_theme_color_override("font_color", color)
	add_theme_color_override("font_outline_color", Palette.INK)
	add_theme_constant_override("outline_size", 9)
	parent.add_child(self)
	position = at - get_minimum_size() / 2.0
	pivot_offset = get_minimum_size() / 2.0
	scale = Vector2.ONE * 0.4
	var tween: Tween = create_tween().set_parallel().set_trans(Tween.TRANS_BACK).set_ease(Tween.EASE_OUT)
	tween.tween_property(self, "scale", Vector2.ONE, 0.22)
	tween.tween_property(self, "position:y", position.y - RISE, SECONDS).set_trans(Tween.TRANS_QUAD)
	tween.tween_property(self, "modulate:a", 0.0, 0.35).set_delay(SECONDS - 0.35)
	tween.chain().tween_callback(queue_free)
