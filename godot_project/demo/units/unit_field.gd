extends Control
## Where the units stand: the player on the left, the enemies side by side on the right.

## A unit was chosen as a target.
signal unit_picked(view: UnitView)
## The mouse or the focus came to a unit.
signal unit_pointed_at(view: UnitView)
## The mouse or the focus left a unit.
signal unit_pointed_off(view: UnitView)

const Catalog = preload("../ui/catalog.gd")
const UnitView = preload("unit_view.gd")

const PLAYER_AT: float = 0.2
const ENEMIES_AT: float = 0.69
const ENEMY_SPACING: float = 200.0
## What the enemies take of the field's width at most.
const ENEMY_SHARE: float = 0.58
## Where the feet are, of the field's height.
const FLOOR: float = 0.478
## What is below the feet, and below that the hand, at least.
const BELOW_FEET: float = 376.0

var views: Array[UnitView] = []

var _state: GcsBattleState = null
var _catalog: Catalog = null


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	resized.connect(_arrange)


## Shows the units of [param state] from now on.
func show_units(state: GcsBattleState, catalog: Catalog) -> void:
	for view: UnitView in views:
		view.queue_free()
	views.clear()
	_state = state
	_catalog = catalog
	for unit: GcsUnit in state.units:
		_add(unit)
	state.unit_added.connect(_on_unit_added)
	_arrange()


## The view of a unit; null for an id without one.
func view_of(id: String) -> UnitView:
	for view: UnitView in views:
		if view.unit.id == id:
			return view
	return null


## Those who stand, from left to right.
func standing() -> Array[UnitView]:
	var alive: Array[UnitView] = []
	for view: UnitView in views:
		if view.unit.alive:
			alive.push_back(view)
	return alive


## Those that the lifted card can be played on, from left to right.
func targets() -> Array[UnitView]:
	var marked: Array[UnitView] = []
	for view: UnitView in standing():
		if view.targetable:
			marked.push_back(view)
	return marked


## Marks the units that [param ids] name as possible targets.
func mark_targets(ids: Array[String]) -> void:
	for view: UnitView in views:
		view.targetable = view.unit.id in ids
		view.aimed_at = false


func _on_unit_added(unit: GcsUnit) -> void:
	var view: UnitView = _add(unit)
	_arrange()
	view.modulate.a = 0.0
	view.create_tween().tween_property(view, "modulate:a", 1.0, 0.35)


func _add(unit: GcsUnit) -> UnitView:
	var view: UnitView = UnitView.new()
	add_child(view)
	view.show_unit(unit, _catalog)
	view.picked.connect(func(_view: Control) -> void: unit_picked.emit(view))
	view.pointed_at.connect(func(_view: Control) -> void: unit_pointed_at.emit(view))
	view.pointed_off.connect(func(_view: Control) -> void: unit_pointed_off.emit(view))
	unit.died.connect(_arrange)
	views.push_back(view)
	return view


func _arrange() -> void:
	var enemies: Array[UnitView] = []
	for view: UnitView in views:
		if view.unit.is_player():
			view.position = _standing(view, size.x * PLAYER_AT)
		elif view.unit.alive:
			enemies.push_back(view)
	var spacing: float = minf(ENEMY_SPACING, size.x * ENEMY_SHARE / maxf(enemies.size(), 1))
	for index: int in range(enemies.size()):
		var view: UnitView = enemies[index]
		view.fit(minf(spacing, UnitView.SIZE.x))
		var place: Vector2 = _standing(view, size.x * ENEMIES_AT + (index - (enemies.size() - 1) / 2.0) * spacing)
		if view.position == Vector2.ZERO:
			view.position = place
		else:
			view.create_tween().set_trans(Tween.TRANS_QUAD).tween_property(view, "position", place, 0.3)
	_chain_focus()


## Left and right go from unit to unit, whatever else is near.
func _chain_focus() -> void:
	var alive: Array[UnitView] = standing()
	for index: int in range(alive.size()):
		alive[index].focus_neighbor_left = alive[index].get_path_to(alive[maxi(index - 1, 0)])
		alive[index].focus_neighbor_right = alive[index].get_path_to(alive[mini(index + 1, alive.size() - 1)])


func _standing(view: UnitView, x: float) -> Vector2:
	return Vector2(x, minf(size.y * FLOOR, size.y - BELOW_FEET)) - Vector2(view.size.x / 2.0, UnitView.FEET)
