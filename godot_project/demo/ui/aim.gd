extends Node
## From a card that the player picked to a play: by click and click, by drag, by keyboard or controller.

## The player plays [param card] on [param target]; empty for none.
signal play_chosen(card: String, target: String)
## The player cannot have what was wanted, and why.
signal refused(reason: String)

const CardView = preload("../cards/card_view.gd")
const HandView = preload("../cards/hand_view.gd")
const TargetArrow = preload("../effects/target_arrow.gd")
const UnitField = preload("../units/unit_field.gd")
const UnitView = preload("../units/unit_view.gd")

## Of the hand's height: a card that is dropped above it is played.
const PLAY_ABOVE: float = 0.68

## Set by the screen.
var hand: HandView
var field: UnitField
var arrow: TargetArrow

var _picked: CardView = null


## Listens to hand and units.
func start() -> void:
	hand.card_picked.connect(_on_card_picked)
	hand.card_dropped.connect(_on_card_dropped)
	field.unit_picked.connect(_on_unit_picked)


## Whether a card is lifted.
func is_aiming() -> bool:
	return _picked != null


## Puts the lifted card back.
func cancel() -> void:
	if is_instance_valid(_picked):
		_picked.selected = false
		if field.get_viewport().gui_get_focus_owner() is UnitView:
			_picked.grab_focus()
	_picked = null
	hand.dragged = null
	arrow.visible = false
	field.mark_targets([])


func _process(_delta: float) -> void:
	if _picked == null:
		return
	if not is_instance_valid(_picked) or _picked not in hand.views:
		cancel()
		return
	if not _picked.needs_aim():
		return
	var from: Vector2 = _picked.global_position + Vector2(CardView.SIZE.x / 2.0, 10.0)
	var focused: UnitView = field.get_viewport().gui_get_focus_owner() as UnitView
	var target: UnitView = focused if focused != null else _unit_at(field.get_global_mouse_position())
	for view: UnitView in field.views:
		view.aimed_at = view == target and view.targetable
	arrow.point(from, target.chest() if focused != null else field.get_global_mouse_position(), target != null and target.targetable)


func _input(event: InputEvent) -> void:
	if _picked == null:
		return
	var right_click: bool = false
	if event is InputEventMouseButton:
		var button: InputEventMouseButton = event
		right_click = button.pressed and button.button_index == MOUSE_BUTTON_RIGHT
	if right_click or event.is_action_pressed("ui_cancel"):
		cancel()
		get_viewport().set_input_as_handled()


func _on_card_picked(view: CardView, by_drag: bool) -> void:
	if not hand.active:
		return
	if not view.card.playable:
		hand.dragged = null
		refused.emit(view.card.why_unplayable())
		return
	if _picked == view and not by_drag:
		if view.needs_aim():
			cancel()
		else:
			_play("")
		return
	if _picked != null and _picked != view:
		_picked.selected = false
	_picked = view
	view.selected = true
	field.mark_targets(view.card.targets if view.needs_aim() else ([] as Array[String]))
	if view.needs_aim() and view.has_focus() and Input.is_action_pressed("ui_accept"):
		# By keyboard: the focus goes on to the targets.
		field.view_of(view.card.targets[0]).grab_focus()


func _on_card_dropped(view: CardView, at: Vector2) -> void:
	if _picked != view:
		return
	if not view.needs_aim():
		if at.y < hand.global_position.y + hand.size.y * PLAY_ABOVE:
			_play("")
		else:
			cancel()
		return
	var unit: UnitView = _unit_at(at)
	if unit != null and unit.targetable:
		_play(unit.unit.id)
	else:
		cancel()


func _on_unit_picked(view: UnitView) -> void:
	if _picked != null and view.targetable:
		_play(view.unit.id)




func _play(target: String) -> void:
	var card: GcsCard = _picked.card
	var played_on: String = target
	if played_on.is_empty() and not card.targets.is_empty():
		played_on = card.targets[0]
	cancel()
	play_chosen.emit(card.id, played_on)


func _unit_at(point: Vector2) -> UnitView:
	for view: UnitView in field.views:
		if view.visible and view.unit.alive and view.get_global_rect().has_point(point):
			return view
	return null
