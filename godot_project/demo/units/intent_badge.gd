extends Control
## What an enemy will do: glyph, recomputed amount and hits, and the name of the move.

const Art = preload("../ui/art.gd")
const Motion = preload("../ui/motion.gd")
const Palette = preload("../ui/palette.gd")

const COLORS: Dictionary[String, Color] = {
	"attack": Palette.HARM, "attack_defend": Palette.HARM, "defend": Palette.ARMOR, "buff": Palette.BUFF,
	"debuff": Palette.DEBUFF,
	"summon": Palette.BUFF, "special": Palette.LAMP,
}
const MEANINGS: Dictionary[String, String] = {
	"attack": "It will attack", "attack_defend": "It will attack and protect itself",
	"defend": "It will protect itself",
	"buff": "It will make itself stronger", "debuff": "It will weaken you", "summon": "It will call for help",
	"special": "It is up to something", "none": "It will do nothing",
}

var _intent: GcsV1Battle.Intent = null
var _time: float = 0.0
var _pulse: float = 0.0


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE


## Shows [param intent]; nothing for null.
func show_intent(intent: GcsV1Battle.Intent) -> void:
	_intent = intent
	_pulse = 1.0
	queue_redraw()


## What [param intent] means, as a sentence.
static func meaning_of(intent: GcsV1Battle.Intent) -> String:
	var meaning: String = MEANINGS.get(intent.kind, "It will do something")
	if intent.amount > 0 and intent.kind.begins_with("attack"):
		meaning += " for %s" % _amount_of(intent)
	return meaning + "."


## The colour that stands for what [param intent] means.
static func color_of(intent: GcsV1Battle.Intent) -> Color:
	return COLORS.get(intent.kind, Palette.MUTED)


func _process(delta: float) -> void:
	_time += delta
	_pulse = maxf(_pulse - delta * 3.0, 0.0)
	queue_redraw()


func _draw() -> void:
	if _intent == null:
		return
	var color: Color = color_of(_intent)
	var glyph: String = _intent.icon if Art.has_glyph(_intent.icon) else _intent.kind
	var amount: String = _amount_of(_intent)
	var font: Font = ThemeDB.fallback_font
	var amount_width: float = font.get_string_size(amount, HORIZONTAL_ALIGNMENT_LEFT, -1,
			24).x + 6.0 if not amount.is_empty() else 0.0
	var name_width: float = font.get_string_size(_intent.text, HORIZONTAL_ALIGNMENT_LEFT, -1, 14).x
	var name_room: float = name_width + 8.0 if name_width > 0.0 else 0.0
	var width: float = 34.0 + amount_width + name_room + 16.0
	var left: float = (size.x - width) / 2.0
	var bob: float = sin(Motion.idle(_time) * 2.4) * 2.0
	draw_style_box(Palette.box(Color(Palette.INK, 0.85), 15, Color(color, 0.9), 2), Rect2(left, 4.0 + bob, width, 36))
	var extent: float = 28.0 + 8.0 * _pulse
	draw_texture_rect(Art.glyph(glyph),
			Rect2(Vector2(left + 22.0, 22.0 + bob) - Vector2.ONE * extent / 2.0, Vector2.ONE * extent), false, color)
	draw_string(font, Vector2(left + 40.0, 30.0 + bob), amount, HORIZONTAL_ALIGNMENT_LEFT, -1, 24, Palette.TEXT)
	draw_string(font, Vector2(left + 40.0 + amount_width, 27.0 + bob), _intent.text, HORIZONTAL_ALIGNMENT_LEFT, -1, 14,
			Palette.TEXT)


static func _amount_of(intent: GcsV1Battle.Intent) -> String:
	if intent.amount <= 0:
		return ""
	return "%d×%d" % [intent.amount, intent.hits] if intent.hits > 1 else str(intent.amount)
