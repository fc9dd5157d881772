extends Control
## Which battle to play, and with which seed.

## The player chose an encounter; without a seed one is to be drawn.
signal encounter_chosen(encounter: String, seed_text: String)

const Art = preload("../ui/art.gd")
const Catalog = preload("../ui/catalog.gd")
const Palette = preload("../ui/palette.gd")
const Run = preload("../ui/run.gd")

const WIDEST: Vector2 = Vector2(1160, 486)
## What stands above and below the list.
const AROUND: Vector2 = Vector2(90.0, 216.0)

@onready var _list: HFlowContainer = %List
@onready var _title: Label = %Title
@onready var _scroll: ScrollContainer = %Scroll
@onready var _seed: LineEdit = %Seed
@onready var _problem: Label = %Problem
@onready var _seed_label: Label = %SeedLabel
@onready var _won: Label = %Won
@onready var _anew: Button = %Anew
@onready var _back: Button = %Back

var _run: Run = null
var _catalog: Catalog = null


func _ready() -> void:
	resized.connect(_fit)
	_fit()
	_seed.text_changed.connect(func(_text: String) -> void: _show_problem())
	_back.pressed.connect(hide)


## Shows what [param run] has won so far.
func follow(run: Run) -> void:
	_run = run
	_run.changed.connect(_show_won)
	_anew.pressed.connect(func() -> void:
		_run.begin_anew()
		_focus_first())


## Whether a seed can be given.
func offer_seed(on: bool) -> void:
	_seed.visible = on
	_seed_label.visible = on
	if not on:
		_seed.clear()
		_problem.hide()


## Offers the encounters of [param catalog]; [param battle_stands] when there is one to go back to.
func open(catalog: Catalog, battle_stands: bool) -> void:
	_catalog = catalog
	for child: Node in _list.get_children():
		_list.remove_child(child)
		child.queue_free()
	for encounter: String in catalog.ids_of("encounters"):
		_list.add_child(_make_entry(encounter, catalog))
	_title.text = catalog.title
	_back.visible = battle_stands
	_show_won()
	_show_problem()
	show()
	_focus_first()


## Whether the player can go back to a battle.
func can_go_back() -> bool:
	return _back.visible


func _make_entry(encounter: String, catalog: Catalog) -> Button:
	var button: EncounterButton = EncounterButton.new()
	var counts: Dictionary[String, int] = {}
	for enemy: String in catalog.field_of("encounters", encounter, "enemies").split(", "):
		var enemy_name: String = catalog.name_of("enemies", enemy)
		counts[enemy_name] = counts.get(enemy_name, 0) + 1
		button.figures.push_back(Art.figure(catalog.art_of("enemies", enemy)))
		button.tints.push_back(catalog.color_of("enemies", enemy).lightened(0.22))
	var words: PackedStringArray = []
	for enemy_name: String in counts:
		words.push_back(enemy_name if counts[enemy_name] == 1 else "%s ×%d" % [enemy_name, counts[enemy_name]])
	button.title = catalog.name_of("encounters", encounter)
	button.enemies = ", ".join(words)
	button.picture = Art.scene(catalog.field_of("encounters", encounter, "scene"))
	button.pressed.connect(_choose.bind(encounter))
	return button


func _choose(encounter: String) -> void:
	if _seed_is_right():
		encounter_chosen.emit(encounter, _seed.text)
	else:
		_seed.grab_focus()


## Nothing, or a seed.
func _seed_is_right() -> bool:
	return _seed.text.is_empty() or GcsSeed.is_seed(_seed.text)


func _show_problem() -> void:
	_problem.visible = not _seed_is_right()
	_problem.text = "A seed is a whole number of 0 or more, up to %s." % GcsSeed.MOST


func _show_won() -> void:
	if _catalog == null:
		return
	var names: PackedStringArray = []
	for card: String in _run.won:
		names.push_back(_catalog.name_of("cards", card))
	_won.text = "Choose a battle." if names.is_empty() else "Choose a battle. Won, and in your deck: %s." % ", ".join(
			names)
	_anew.visible = not names.is_empty()


func _focus_first() -> void:
	(_list.get_child(0) as Control).grab_focus()


func _fit() -> void:
	_scroll.custom_minimum_size = WIDEST.min(size - AROUND)


## A picture of the place with its name and who waits there.
class EncounterButton extends Button:
	const EXTENT: Vector2 = Vector2(264, 146)
	const FIGURE: float = 82.0
	const BAND: float = 54.0

	var title: String = ""
	var enemies: String = ""
	var picture: Texture2D = null
	var figures: Array[Texture2D] = []
	var tints: Array[Color] = []

	func _init() -> void:
		custom_minimum_size = EXTENT
		texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS

	func _draw() -> void:
		var lit: bool = is_hovered() or has_focus()
		var inner: Rect2 = Rect2(Vector2.ZERO, size).grow(-4)
		var source: Vector2 = picture.get_size()
		var part: Rect2 = Rect2(0, source.y * 0.13, source.x, source.x * inner.size.y / inner.size.x)
		draw_texture_rect_region(picture, inner, part, Color.WHITE if lit else Color(0.82, 0.82, 0.82))
		var spacing: float = minf(FIGURE * 0.8, (inner.size.x - FIGURE) / maxf(figures.size(), 1))
		for index: int in range(figures.size()):
			var middle: float = inner.size.x * 0.62 + (index - (figures.size() - 1) / 2.0) * spacing
			var at: Vector2 = inner.position + Vector2(middle - FIGURE / 2.0, inner.size.y - BAND - FIGURE + 3.0)
			draw_texture_rect(figures[index], Rect2(at, Vector2.ONE * FIGURE), false, tints[index])
		draw_rect(Rect2(inner.position.x, inner.end.y - BAND, inner.size.x, BAND), Color(Palette.INK, 0.95))
		var font: Font = ThemeDB.fallback_font
		var room: float = inner.size.x - 20.0
		draw_string(font, inner.position + Vector2(10, inner.size.y - 31.0), title, HORIZONTAL_ALIGNMENT_LEFT, room, 18,
				Palette.TEXT)
		var font_size: int = 14
		while font_size > 11 and font.get_string_size(enemies, HORIZONTAL_ALIGNMENT_LEFT, -1, font_size).x > room:
			font_size -= 1
		draw_string(font, inner.position + Vector2(10, inner.size.y - 11.0), enemies, HORIZONTAL_ALIGNMENT_LEFT, room,
				font_size, Palette.MUTED)
		if lit:
			draw_rect(Rect2(Vector2.ZERO, size).grow(-2), Palette.LAMP, false, 4.0)
