extends Control
## One unit: figure, name, HP bar, armor, statuses and, for an enemy, its intent.

## The player chose this unit as a target.
signal picked(view: Control)
## The mouse or the focus came to it.
signal pointed_at(view: Control)
## The mouse or the focus left it.
signal pointed_off(view: Control)

const Art = preload("../ui/art.gd")
const Catalog = preload("../ui/catalog.gd")
const HpBar = preload("hp_bar.gd")
const IntentBadge = preload("intent_badge.gd")
const Motion = preload("../ui/motion.gd")
const Palette = preload("../ui/palette.gd")
const StatusBadge = preload("status_badge.gd")

const SIZE: Vector2 = Vector2(204, 380)
const FEET: float = 280.0
const FIGURE: float = 204.0
const RIM: Shader = preload("outline.gdshader")
const PLAYER_FIGURE: String = "keeper"
## Statuses are shown in rows as far as there is room; the rest is counted.
const BADGE_ROOM: float = 48.0
const BADGE_ROWS: int = 2
const BADGES_A_ROW_OF_PLAYER: int = 6
const MARGIN: float = 16.0

var unit: GcsUnit = null
## Whether a card can be played on it now.
var targetable: bool = false:
	set(value):
		targetable = value
		queue_redraw()
## Whether the card that is aimed would hit it.
var aimed_at: bool = false:
	set(value):
		aimed_at = value
		queue_redraw()

var _catalog: Catalog
var _figure: TextureRect = TextureRect.new()
var _name: Label = Label.new()
var _bar: HpBar = HpBar.new()
var _intent: IntentBadge = IntentBadge.new()
var _statuses: HFlowContainer = HFlowContainer.new()
var _more: Label = Label.new()
var _badges: Dictionary[String, StatusBadge] = {}
var _time: float = 0.0
var _home: Vector2 = Vector2.ZERO


func _init() -> void:
	size = SIZE
	focus_mode = Control.FOCUS_ALL
	for child: Control in [_figure, _name, _bar, _intent, _statuses]:
		add_child(child)
	_figure.material = ShaderMaterial.new()
	(_figure.material as ShaderMaterial).shader = RIM
	(_figure.material as ShaderMaterial).set_shader_parameter("rim", Palette.RIM)
	(_figure.material as ShaderMaterial).set_shader_parameter("line", Palette.INK)
	_figure.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_figure.texture_filter = CanvasItem.TEXTURE_FILTER_LINEAR_WITH_MIPMAPS
	_figure.expand_mode = TextureRect.EXPAND_IGNORE_SIZE
	_figure.stretch_mode = TextureRect.STRETCH_KEEP_ASPECT_CENTERED
	_name.theme_type_variation = "Bold"
	_name.horizontal_alignment = HORIZONTAL_ALIGNMENT_CENTER
	_name.position = Vector2(0, FEET + 1.0)
	_name.add_theme_constant_override("outline_size", 6)
	_name.add_theme_color_override("font_outline_color", Palette.INK)
	_statuses.mouse_filter = Control.MOUSE_FILTER_IGNORE
	_statuses.alignment = FlowContainer.ALIGNMENT_CENTER
	for gap: StringName in [&"h_separation", &"v_separation"] as Array[StringName]:
		_statuses.add_theme_constant_override(gap, 3)
	_statuses.add_child(_more)
	_more.visible = false
	_more.add_theme_constant_override("outline_size", 6)
	_more.add_theme_color_override("font_outline_color", Palette.INK)
	gui_input.connect(_on_input)
	for came: Signal in [mouse_entered, focus_entered] as Array[Signal]:
		came.connect(_on_pointed_at)
	for left: Signal in [mouse_exited, focus_exited] as Array[Signal]:
		left.connect(_on_pointed_off)


## Shows [param shown] and follows its changes.
func show_unit(shown: GcsUnit, catalog: Catalog) -> void:
	unit = shown
	_catalog = catalog
	if unit.is_player():
		_figure.texture = Art.figure(PLAYER_FIGURE)
	else:
		_figure.texture = Art.figure(catalog.art_of("enemies", unit.enemy))
		(_figure.material as ShaderMaterial).set_shader_parameter("tint",
				catalog.color_of("enemies", unit.enemy).lightened(0.3))
	_name.text = title()
	_intent.visible = not unit.is_player()
	unit.hp_changed.connect(func(_before: int, _after: int) -> void: _refresh_bar())
	unit.armor_changed.connect(func(_before: int, _after: int) -> void: _refresh_bar())
	unit.stacks_changed.connect(func(status: String, _before: int, after: int) -> void: _refresh_status(status, after))
	unit.intent_changed.connect(_intent.show_intent)
	unit.died.connect(fade)
	fit(SIZE.x)
	_refresh_bar()
	for status: String in unit.statuses:
		_refresh_status(status, unit.statuses[status])
	_intent.show_intent(unit.intent)
	visible = unit.alive


## Fits into [param width]: the figure shrinks, the words stay as large as they are.
func fit(width: float) -> void:
	size.x = width
	var extent: float = FIGURE * minf(width / SIZE.x, 1.0) * (1.0 if unit.is_player() else _bulk())
	_home = Vector2((width - extent) / 2.0, FEET - extent)
	_figure.position = _home
	_figure.size = Vector2.ONE * extent
	_figure.pivot_offset = Vector2(extent / 2.0, extent)
	_name.size = Vector2(width, 24)
	_bar.position = Vector2(MARGIN, FEET + 27.0)
	_bar.size = Vector2(width - 2.0 * MARGIN, 20)
	var row: float = BADGES_A_ROW_OF_PLAYER * BADGE_ROOM if unit.is_player() else width
	_statuses.position = Vector2((width - row) / 2.0, FEET + 53.0)
	_statuses.size = Vector2(row, BADGE_ROWS * BADGE_ROOM)
	_intent.position = Vector2(0, maxf(_home.y - 52.0, 0.0))
	_intent.size = Vector2(width, 46)
	_fit_badges()
	queue_redraw()


## The name that players read.
func title() -> String:
	return "The Keeper" if unit.is_player() else _catalog.name_of("enemies", unit.enemy)


## Where its figure stands, in global coordinates.
func figure_frame() -> Rect2:
	return Rect2(global_position + _home, _figure.size)


## Where the player's lamp hangs, in global coordinates.
func lamp() -> Vector2:
	return figure_frame().position + figure_frame().size * Vector2(0.8, 0.62)


## Where effects on the unit appear, in global coordinates.
func chest() -> Vector2:
	return figure_frame().get_center()


## Shows on its bar what a card that is aimed at it would take; nothing for 0.
func show_forecast(hp: int, armor: int) -> void:
	_bar.show_forecast(hp, armor)


## Jumps towards its foe; for an attack or an action.
func lunge() -> void:
	var step: float = 52.0 if unit.is_player() else -46.0
	var tween: Tween = create_tween().set_trans(Tween.TRANS_QUAD)
	tween.tween_property(_figure, "position:x", _home.x + step, 0.11).set_ease(Tween.EASE_OUT)
	tween.tween_property(_figure, "position:x", _home.x, 0.2).set_ease(Tween.EASE_IN)


## Shakes and flashes; for a hit.
func shake() -> void:
	if Motion.calm:
		return
	var tween: Tween = create_tween()
	for offset: float in [11.0, -9.0, 6.0, -4.0, 0.0] as Array[float]:
		tween.tween_property(_figure, "position:x", _home.x + offset, 0.045)
	_figure.modulate = Color(1.9, 1.3, 1.2)
	create_tween().tween_property(_figure, "modulate", Color.WHITE, 0.3)


## Lights up a status whose Entry was dispatched.
func pulse_status(status: String) -> void:
	if _badges.has(status):
		_badges[status].pulse()


## Fades away when it dies.
func fade() -> void:
	targetable = false
	aimed_at = false
	focus_mode = Control.FOCUS_NONE
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	pointed_off.emit(self)
	_intent.visible = false
	var tween: Tween = create_tween().set_parallel()
	tween.tween_property(self, "modulate:a", 0.0, 0.5)
	tween.tween_property(_figure, "scale", Vector2(1.1, 0.55), 0.5)
	tween.chain().tween_callback(hide)


func _process(delta: float) -> void:
	_time += delta
	# Breathing; enemies out of step with one another.
	_figure.scale.y = 1.0 + 0.012 * sin(
			Motion.idle(_time) * 2.1 + get_index() * 1.7) if unit != null and unit.alive else _figure.scale.y


func _draw() -> void:
	draw_set_transform(Vector2(size.x / 2.0, FEET - 2.0), 0.0, Vector2(1.0, 0.2))
	draw_circle(Vector2.ZERO, minf(84.0, size.x * 0.41), Color(0, 0, 0, 0.4), true, -1.0, true)
	draw_set_transform(Vector2.ZERO)
	if not targetable and not has_focus():
		return
	var strong: bool = aimed_at or has_focus()
	var color: Color = Palette.LAMP if strong else Color(Palette.LAMP, 0.55)
	var frame: Rect2 = Rect2(_home, _figure.size).grow(10)
	var arm: float = 26.0
	for corner: Vector2 in [Vector2(0, 0), Vector2(1, 0), Vector2(0, 1), Vector2(1, 1)] as Array[Vector2]:
		var at: Vector2 = frame.position + frame.size * corner
		var inward: Vector2 = Vector2.ONE - 2.0 * corner
		draw_polyline([at + Vector2(inward.x * arm, 0), at, at + Vector2(0, inward.y * arm)], color,
				4.0 if strong else 2.5, true)


func _bulk() -> float:
	match _catalog.art_of("enemies", unit.enemy):
		"light_eater":
			return 1.2
		"slater", "rat", "urchin":
			return 0.76
	return 0.96


func _refresh_bar() -> void:
	_bar.show_values(unit.hp, unit.max_hp, unit.armor)


func _refresh_status(status: String, stacks: int) -> void:
	if stacks == 0:
		if _badges.has(status):
			_badges[status].queue_free()
			_badges.erase(status)
	else:
		if not _badges.has(status):
			_badges[status] = StatusBadge.new()
			_statuses.add_child(_badges[status])
		_badges[status].show_status(status, stacks, _catalog)
	_fit_badges()


## Shows as many as there is room for and counts the rest.
func _fit_badges() -> void:
	var room: int = BADGE_ROWS * floori((_statuses.size.x + 3.0) / BADGE_ROOM)
	var count: int = _badges.size()
	var shown: int = count if count <= room else room - 1
	var names: Array[String] = _badges.keys()
	for index: int in range(count):
		_badges[names[index]].visible = index < shown
	_more.visible = shown < count
	_more.text = "+%d" % (count - shown)
	_statuses.move_child(_more, -1)


func _on_pointed_at() -> void:
	queue_redraw()
	pointed_at.emit(self)


func _on_pointed_off() -> void:
	queue_redraw()
	pointed_off.emit(self)


func _on_input(event: InputEvent) -> void:
	var clicked: bool = false
	if event is InputEventMouseButton:
		var button: InputEventMouseButton = event
		clicked = button.pressed and button.button_index == MOUSE_BUTTON_LEFT
	if clicked or event.is_action_pressed("ui_accept"):
		accept_event()
		picked.emit(self)
