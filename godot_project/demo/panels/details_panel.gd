extends PanelContainer
## Words about what the mouse or the focus is on: what a unit is up to and what its statuses do, what a card's terms
## mean.

const Aim = preload("../ui/aim.gd")
const CardView = preload("../cards/card_view.gd")
const Catalog = preload("../ui/catalog.gd")
const HandView = preload("../cards/hand_view.gd")
const IntentBadge = preload("../units/intent_badge.gd")
const Palette = preload("../ui/palette.gd")
const UnitField = preload("../units/unit_field.gd")
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


## Tells about the units and cards that the player points at, unless a card is being aimed.
func follow(field: UnitField, hand: HandView, aim: Aim, catalog: Catalog) -> void:
	field.unit_pointed_at.connect(func(view: UnitView) -> void:
		if not aim.is_aiming():
			show_unit(view, catalog))
	field.unit_pointed_off.connect(dismiss)
	hand.card_pointed_at.connect(func(view: CardView) -> void: show_card(view, catalog))
	hand.card_pointed_off.connect(dismiss)


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
				catalog.text_of("statuses", status).replace("{stacks}", str(unit.statuses[status])), _status_color(
						status, catalog))
	_end()


## Tells about a card: why it cannot be played, its keywords and the statuses that its text names; nothing when there is
## nothing.
func show_card(view: CardView, catalog: Catalog) -> void:
	_begin(view)
	if view.is_dim() and not view.lacks_energy():
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


## Beside what it is about, on the side that has the room, never over it.
func _place() -> void:
	var room: Rect2 = get_parent_control().get_global_rect().grow(-GAP)
	var frame: Rect2 = frame_of(_about)
	var to_the_right: bool = frame.end.x + GAP + size.x <= room.end.x
	var x: float = frame.end.x + GAP if to_the_right else maxf(frame.position.x - GAP - size.x, room.position.x)
	var y: float = clampf(frame.position.y, room.position.y, maxf(room.end.y - size.y, room.position.y))
	if x < frame.end.x and x + size.x > frame.position.x:
		# No room on either side, as on a narrow screen: above or below.
		y = frame.position.y - GAP - size.y if frame.position.y - GAP - size.y >= room.position.y else frame.end.y + GAP
	global_position = Vector2(x, y)


## What the words stay clear of, in global coordinates.
static func frame_of(about: Control) -> Rect2:
	return (about as UnitView).figure_frame() if about is UnitView else about.get_global_rect()


func _status_color(status: String, catalog: Catalog) -> Color:
	return Palette.DEBUFF if catalog.type_of("statuses", status) == "debuff" else Palette.BUFF
