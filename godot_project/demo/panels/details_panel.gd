extends PanelContainer
## Words about what the mouse or the focus is on: what a unit is up to and what its statuses do, what a card's terms mean.

const CardView = preload("../cards/card_view.gd")
const Catalog = preload("../ui/catalog.gd")
const IntentBadge = preload("../units/intent_badge.gd")
const Palette = preload("../ui/palette.gd")
const UnitView = preload("../units/unit_view.gd")

const WIDTH: float = 292.0
const GAP: float = 10.0
const KEYWORDS: Dictionary[String, String] = {
	"exhaust": "Played, it goes to the exhaust pile and does not come back.",
	"ethereal": "Still in your hand at the end of your turn, it is exhausted.",
	"retain": "Stays in your hand at the end of your turn.",
	"innate": "In your hand at the start of the battle.",
	"unplayable": "Cannot be played.",
	"power": "Works for the rest of the battle; it goes to no pile.",
}

## What the words are about; null when nothing is shown.
var _about: Control = null
var _text: RichTextLabel = RichTextLabel.new()


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	theme_type_variation = "Details"
	visible = false
	_text.fit_content = true
	_text.scroll_active = false
	_text.custom_minimum_size = Vector2(WIDTH, 0)
	_text.mouse_filter = Control.MOUSE_FILTER_IGNORE
	add_child(_text)


## Tells about a unit: its intent and its statuses.
func show_unit(view: UnitView, catalog: Catalog) -> void:
	var unit: GcsUnit = view.unit
	_begin(view)
	_line(view.title(), catalog.text_of("enemies", unit.enemy), Palette.LAMP)
	if unit.intent != null:
		_line(unit.intent.text, IntentBadge.meaning_of(unit.intent), IntentBadge.color_of(unit.intent))
	if unit.armor > 0:
		_line("Armor %d" % unit.armor, "Takes damage in place of HP.", Palette.ARMOR)
	for status: String in unit.statuses:
		_line("%s %d" % [catalog.name_of("statuses", status), unit.statuses[status]],
				catalog.text_of("statuses", status).replace("{stacks}", str(unit.statuses[status])), _status_color(status, catalog))
	_end()


## Tells about a card: why it cannot be played, its keywords and the statuses that its text names; nothing when there is nothing.
func show_card(view: CardView, catalog: Catalog) -> void:
	_begin(view)
	if view.is_dim():
		_line("Not now", view.reason(), Palette.HARM)
	var keywords: Array[String] = view.card.keywords if view.card != null else ([] as Array[String])
	for keyword: String in keywords:
		if KEYWORDS.has(keyword):
			_line(keyword.capitalize(), KEYWORDS[keyword], Palette.LAMP)
	var words: String = view.text()
	for status: String in catalog.ids_of("statuses"):
		var named: String = catalog.name_of("statuses", status)
		if words.contains(named):
			_line(named, catalog.text_of("statuses", status).replace("{stacks}", "X"), _status_color(status, catalog))
	_end()


## Hides what is told about [param view]; about anything when null.
func dismiss(view: Control = null) -> void:
	if view == null or view == _about:
		_about = null
		hide()


func _process(_delta: float) -> void:
	if not visible:
		return
	if not is_instance_valid(_about) or not _about.is_visible_in_tree():
		dismiss()
		return
	_place()


func _begin(about: Control) -> void:
	_about = about
	_text.clear()


func _line(title: String, words: String, color: Color) -> void:
	if title.is_empty() and words.is_empty():
		return
	if _text.get_parsed_text() != "":
		_text.newline()
	_text.push_color(color)
	_text.add_text(title)
	_text.pop()
	if not words.is_empty():
		_text.add_text((": " if not title.is_empty() else "") + words)


func _end() -> void:
	visible = not _text.get_parsed_text().is_empty()
	reset_size()
	_place()


## Beside a unit, above a card, always inside of the screen.
func _place() -> void:
	var frame: Rect2 = _about.get_global_rect()
	var room: Rect2 = get_parent_control().get_global_rect()
	var at: Vector2 = Vector2(frame.get_center().x - size.x / 2.0, frame.position.y - size.y - GAP)
	if _about is UnitView:
		frame = (_about as UnitView).figure_frame()
		var to_the_right: bool = frame.end.x + GAP + size.x <= room.end.x
		at = Vector2(frame.end.x + GAP if to_the_right else frame.position.x - GAP - size.x, frame.position.y)
	global_position = at.clamp(room.position + Vector2.ONE * GAP, (room.end - size - Vector2.ONE * GAP).max(room.position))


func _status_color(status: String, catalog: Catalog) -> Color:
	return Palette.DEBUFF if catalog.type_of("statuses", status) == "debuff" else Palette.BUFF
