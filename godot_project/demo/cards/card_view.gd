extends Control
## One card as it is drawn: cost, name, picture, kind and text with live numbers. Unplayable ones are dimmed.

## It was clicked, or accepted with a key or button. Cards in hand are told by their [code]HandView[/code] instead.
signal chosen()

const Art = preload("../ui/art.gd")
const Catalog = preload("../ui/catalog.gd")
const Forecast = preload("../ui/forecast.gd")
const Palette = preload("../ui/palette.gd")

## The size of a card at scale 1.
const SIZE: Vector2 = Vector2(150, 212)
const ART: Rect2 = Rect2(9, 38, 132, 62)
const COST_CENTER: Vector2 = Vector2(13, 17)
const COST_RADIUS: float = 16.0
const NAME_SIZE: int = 15
const SMALLEST_NAME_SIZE: int = 11
const NAME_AT: Vector2 = Vector2(32, 25)
## Texts are set as large as they fit, within these.
const TEXT_SIZE: int = 16
const SMALLEST_TEXT_SIZE: int = 12
const LINE_SPACING: int = -2

## The card shown; null for one of which only the asset is known.
var card: GcsCard = null
## Whether it is lifted by the player.
var selected: bool = false:
	set(value):
		selected = value
		queue_redraw()
## Whether to show that it cannot be played now.
var dims: bool = false:
	set(value):
		dims = value
		if _catalog != null:
			_write()
		queue_redraw()

## Whether it follows the mouse: no frame for the focus then.
var dragged: bool = false

var _catalog: Catalog
var _asset: String = ""
var _words: String = ""
var _glyph: Texture2D
var _picture: Texture2D
var _color: Color
var _bold: FontVariation = FontVariation.new()
var _text: RichTextLabel = RichTextLabel.new()
## What the text is while a target is aimed at; empty otherwise.
var _foreseen: String = ""
## How wide the part is that no neighbour covers.
var visible_width: float = SIZE.x:
	set(value):
		if not is_equal_approx(value, visible_width):
			visible_width = value
			queue_redraw()


func _init() -> void:
	texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	custom_minimum_size = SIZE
	size = SIZE
	pivot_offset = Vector2(SIZE.x / 2.0, SIZE.y)
	focus_mode = Control.FOCUS_ALL
	_bold.base_font = ThemeDB.fallback_font
	_bold.variation_embolden = 0.6
	_text.position = Vector2(8, 111)
	_text.size = Vector2(SIZE.x - 16, SIZE.y - 117)
	_text.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	_text.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	_text.vertical_alignment = VERTICAL_ALIGNMENT_CENTER
	_text.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_text.add_theme_constant_override("line_separation", LINE_SPACING)
	_text.scroll_active = false
	add_child(_text)
	focus_entered.connect(queue_redraw)
	focus_exited.connect(queue_redraw)


## Shows [param shown] and follows its changes.
func show_card(shown: GcsCard, catalog: Catalog) -> void:
	card = shown
	_catalog = catalog
	card.changed.connect(_refresh)
	_refresh()


## Shows the asset [param asset] of the pack, outside of a battle.
func show_asset(asset: String, catalog: Catalog) -> void:
	_catalog = catalog
	_set_asset(asset, catalog.text_of("cards", asset))


## Lets the player choose it by [signal chosen].
func offer() -> void:
	gui_input.connect(_on_offered_input)


func _on_offered_input(event: InputEvent) -> void:
	var clicked: bool = false
	if event is InputEventMouseButton:
		var button: InputEventMouseButton = event
		clicked = button.pressed and button.button_index == MOUSE_BUTTON_LEFT
	if clicked or event.is_action_pressed("ui_accept"):
		accept_event()
		chosen.emit()


## Whether the player has to point at a target; a card on oneself needs no aim.
func needs_aim() -> bool:
	return not card.targets.is_empty() and card.targets != ["player"]


## Shows [param words] in place of its text, as while a target is aimed at; its own text again when empty.
func show_words(words: String) -> void:
	_foreseen = words
	_refresh()


func _refresh() -> void:
	_set_asset(card.card_id, _foreseen if not _foreseen.is_empty() else card.text)


func _set_asset(asset: String, words: String) -> void:
	_asset = asset
	_glyph = Art.glyph(_catalog.art_of("cards", asset))
	_picture = Art.card(asset)
	_color = _catalog.color_of("cards", asset)
	_words = words
	_text.add_theme_font_size_override("normal_font_size", _fitting_size(words))
	_write()
	queue_redraw()


## Numbers that differ from the printed ones stand out.
func _write() -> void:
	var plain: Color = Palette.MUTED if is_dim() else Palette.TEXT
	var colors: Dictionary[Forecast.Change, Color] = {
		Forecast.Change.NONE: plain, Forecast.Change.BETTER: Palette.HEAL, Forecast.Change.WORSE: Palette.HARM}
	_text.clear()
	for piece: Array in Forecast.pieces(_words, _catalog.text_of("cards", _asset)):
		var change: Forecast.Change = piece[1]
		_text.push_color(colors[change])
		_text.add_text(str(piece[0]))
		_text.pop()


## The text as it stands on the card.
func text() -> String:
	return _words


## Why it cannot be played, as a sentence.
func reason() -> String:
	var words: String = card.why_unplayable()
	return words.left(1).to_upper() + words.substr(1) + "."


## Whether it is dimmed, with the reason.
func is_dim() -> bool:
	return dims and card != null and not card.playable


## Whether it is dimmed for want of energy: its cost says so.
func lacks_energy() -> bool:
	return is_dim() and card.unplayable_reason == GcsV1Battle.RejectionReason.REJECTION_REASON_NOT_ENOUGH_ENERGY


## The largest size at which [param words] fit into their box.
func _fitting_size(words: String) -> int:
	var font: Font = ThemeDB.fallback_font
	for font_size: int in range(TEXT_SIZE, SMALLEST_TEXT_SIZE, -1):
		var extent: Vector2 = font.get_multiline_string_size(words, HORIZONTAL_ALIGNMENT_CENTER, _text.size.x,
				font_size)
		var lines: float = extent.y / font.get_height(font_size)
		if extent.x <= _text.size.x and extent.y + lines * LINE_SPACING <= _text.size.y:
			return font_size
	return SMALLEST_TEXT_SIZE


func _draw() -> void:
	var dim: bool = is_dim()
	var color: Color = _color.lerp(Palette.CARD_FADED, 0.7) if dim else _color
	var border: Color = Palette.LAMP if selected else Palette.TEXT if has_focus() and not dragged else color.lightened(
			0.1)
	var body: StyleBoxFlat = Palette.box(Palette.CARD if not dim else Palette.CARD_DIM, 11, border, 3)
	body.shadow_color = Color(0, 0, 0, 0.5)
	body.shadow_size = 7
	if selected:
		body.shadow_color = Color(Palette.LAMP, 0.55)
		body.shadow_size = 12
	draw_style_box(body, Rect2(Vector2.ZERO, SIZE))
	_draw_picture(color, 0.45 if dim else 1.0)
	_draw_name(dim)
	_draw_kind(color)
	_draw_cost()


## Its own picture; a glyph for cards of packs that the demo has none of.
func _draw_picture(color: Color, strength: float) -> void:
	draw_style_box(Palette.box(color.darkened(0.45), 7), ART.grow(2.0))
	if _picture != null:
		draw_texture_rect(_picture, ART, false, Color(strength, strength, strength))
		return
	draw_style_box(Palette.box(color.darkened(0.2), 7), Rect2(ART.position, Vector2(ART.size.x, ART.size.y * 0.55)))
	draw_texture_rect(_glyph, Rect2(ART.get_center() - Vector2.ONE * 29.0, Vector2.ONE * 58.0), false,
			Color(1, 1, 1, strength * 0.95))


## In one line or two, left of what a neighbour covers.
func _draw_name(dim: bool) -> void:
	var lines: PackedStringArray = _name_lines()
	var font_size: int = _name_size(lines)
	var at: Vector2 = NAME_AT if lines.size() == 1 else NAME_AT - Vector2(0, 7)
	for line: String in lines:
		draw_string(_bold, at, line, HORIZONTAL_ALIGNMENT_LEFT, SIZE.x - NAME_AT.x - 4.0, font_size,
				Palette.MUTED if dim else Palette.TEXT)
		at.y += font_size + 1.0


## Where the name ends, from the left edge of the card.
func name_width() -> float:
	var lines: PackedStringArray = _name_lines()
	return NAME_AT.x + maxf(_width(lines[0], _name_size(lines)), _width(lines[-1], _name_size(lines)))


func _name_room() -> float:
	return minf(SIZE.x, visible_width) - NAME_AT.x - 4.0


func _name_lines() -> PackedStringArray:
	var label: String = _catalog.name_of("cards", _asset)
	if _width(label, NAME_SIZE) > _name_room():
		return _in_two(label)
	return [label]


func _name_size(lines: PackedStringArray) -> int:
	var font_size: int = NAME_SIZE
	while font_size > SMALLEST_NAME_SIZE and maxf(_width(lines[0], font_size),
			_width(lines[-1], font_size)) > _name_room():
		font_size -= 1
	return font_size


func _width(words: String, font_size: int) -> float:
	return _bold.get_string_size(words, HORIZONTAL_ALIGNMENT_LEFT, -1, font_size).x


## At the space that leaves the shorter of the longer lines; one line when there is no space.
func _in_two(label: String) -> PackedStringArray:
	var best: PackedStringArray = [label]
	for at: int in range(label.length()):
		if label[at] == " " and maxi(at, label.length() - at - 1) < maxi(best[0].length(), best[-1].length()):
			best = [label.left(at), label.substr(at + 1)]
	return best


func _draw_kind(color: Color) -> void:
	var words: PackedStringArray = [_catalog.type_of("cards", _asset).capitalize()]
	for keyword: String in card.keywords if card != null else ([] as Array[String]):
		if keyword not in ["power", "unplayable"]:
			words.push_back(keyword.capitalize())
	var label: String = " · ".join(words)
	if label.is_empty():
		return
	var width: float = ThemeDB.fallback_font.get_string_size(label, HORIZONTAL_ALIGNMENT_LEFT, -1, 12).x + 16.0
	draw_style_box(Palette.box(Palette.INK, 8, color.lightened(0.1), 1),
			Rect2((SIZE.x - width) / 2.0, ART.end.y - 8.0, width, 19))
	draw_string(ThemeDB.fallback_font, Vector2(0, ART.end.y + 6.0), label, HORIZONTAL_ALIGNMENT_CENTER, SIZE.x, 12,
			Palette.TEXT)


func _draw_cost() -> void:
	var label: String = _cost_text()
	if label.is_empty():
		return
	var poor: bool = lacks_energy()
	draw_circle(COST_CENTER, COST_RADIUS, Palette.INK, true, -1.0, true)
	draw_circle(COST_CENTER, COST_RADIUS - 2.5, Palette.HARM_DEEP if poor else Palette.FLAME, true, -1.0, true)
	draw_arc(COST_CENTER, COST_RADIUS - 1.5, 0, TAU, 40, Palette.HARM if poor else Palette.LAMP, 2.0, true)
	draw_string(_bold, COST_CENTER + Vector2(-COST_RADIUS, 7), label, HORIZONTAL_ALIGNMENT_CENTER, COST_RADIUS * 2.0,
			20, Palette.TEXT)


## What stands in the cost circle; nothing for cards that are never paid for.
func _cost_text() -> String:
	if card == null or card.pile != GcsV1Battle.Pile.PILE_HAND:
		return _catalog.field_of("cards", _asset, "cost")
	if card.is_x:
		return "X"
	return "" if "unplayable" in card.keywords else str(card.cost)
