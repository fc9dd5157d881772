extends Node
## From a card that the player picked to a play: by click and click, by drag, by keyboard or controller.

## The player plays [param card] on [param target]; empty for none.
signal play_chosen(card: String, target: String)
## The lifted card points at [param target] now; null for none.
signal target_changed(card: CardView, target: UnitView)
## The player cannot have what was wanted, and why.
signal refused(reason: String)

const CardView = preload("../cards/card_view.gd")
const HandView = preload("../cards/hand_view.gd")
const TargetArrow = preload("../effects/target_arrow.gd")
const UnitField = preload("../units/unit_field.gd")
const UnitView = preload("../units/unit_view.gd")

## Of the hand's height: a card that is dropped above it is played.
const PLAY_ABOVE: float = 0.68
## Actions that go from target to target while a card is lifted, and how far.
const STEPS: Dictionary[String, int] = {
	"ui_left": -1, "ui_right": 1, "ui_up": -1, "ui_down": 1, "ui_focus_prev": -1, "ui_focus_next": 1,
}

## Set by the screen.
var hand: HandView
var field: UnitField
var arrow: TargetArrow

var _picked: CardView = null
var _target: UnitView = null
## Where the mouse is, in global coordinates.
var _pointer: Vector2 = Vector2.ZERO
## Whether the mouse was used last; otherwise the focus aims.
var _by_mouse: bool = false


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
	_point_at(null)
	_picked = null
	hand.let_go()
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
	var focused: UnitView = null if _by_mouse else field.get_viewport().gui_get_focus_owner() as UnitView
	var target: UnitView = _unit_at(_pointer) if _by_mouse else focused
	for view: UnitView in field.views:
		view.aimed_at = view == target and view.targetable
	var hot: bool = target != null and target.targetable
	_point_at(target if hot else null)
	if _by_mouse:
		arrow.point(from, _pointer, hot)
	elif focused != null:
		arrow.point(from, focused.chest(), hot)
	else:
		arrow.visible = false


func _input(event: InputEvent) -> void:
	if event is InputEventMouse:
		_pointer = (event as InputEventMouse).position
		_by_mouse = true
	elif event.is_pressed():
		_by_mouse = false
	if _picked == null:
		return
	var right_click: bool = false
	if event is InputEventMouseButton:
		var button: InputEventMouseButton = event
		right_click = button.pressed and button.button_index == MOUSE_BUTTON_RIGHT
	if right_click or event.is_action_pressed("ui_cancel"):
		cancel()
		get_viewport().set_input_as_handled()
		return
	for action: String in STEPS:
		# A stick tells of every place on its way; only the moment when it is pushed counts.
		var pushed: bool = event is not InputEventJoypadMotion or Input.is_action_just_pressed(action)
		if pushed and event.is_action_pressed(action, true) and not field.targets().is_empty():
			_step_target(STEPS[action])
			get_viewport().set_input_as_handled()
			return


## While a card is lifted the focus stays with what it can be played on.
func _step_target(step: int) -> void:
	var targets: Array[UnitView] = field.targets()
	var at: int = targets.find(get_viewport().gui_get_focus_owner() as UnitView)
	targets[posmod(at + step, targets.size()) if at >= 0 else 0].grab_focus()


func _notification(what: int) -> void:
	# A button that is let go over another window is never told of.
	if what == NOTIFICATION_APPLICATION_FOCUS_OUT and hand != null and hand.dragged != null:
		cancel()


func _on_card_picked(view: CardView, by: HandView.Picked) -> void:
	if not hand.active:
		hand.let_go()
		return
	if not view.card.playable:
		hand.let_go()
		refused.emit(view.reason())
		return
	if _picked == view and by != HandView.Picked.DRAG:
		if view.needs_aim():
			cancel()
		else:
			_play("")
		return
	if _picked != null and _picked != view:
		_picked.selected = false
	_point_at(null)
	_picked = view
	view.selected = true
	field.mark_targets(view.card.targets if view.needs_aim() else ([] as Array[String]))
	if view.needs_aim() and by == HandView.Picked.ACCEPT:
		field.targets()[0].grab_focus()


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


func _point_at(target: UnitView) -> void:
	if target != _target:
		_target = target
		target_changed.emit(_picked, target)


func _unit_at(point: Vector2) -> UnitView:
	for view: UnitView in field.views:
		if view.visible and view.unit.alive and view.get_global_rect().has_point(point):
			return view
	return null
