extends RefCounted
## Looks for the control that gets the focus next, inside of one panel alone. The engine's own search sees the whole
## window, with what lies behind the panel.

## How much a step to the side counts against a step ahead.
const ASIDE: float = 2.0
## Controls may overlap by this and still be one beyond the other.
const OVERLAP: float = 6.0


## All controls below [param panel] that can have the focus, in the order of the tree.
static func inside(panel: Control) -> Array[Control]:
	var found: Array[Control] = []
	_collect(panel, found)
	return found


## The nearest control of [param panel] that lies from [param from] in [param direction]; null for none.
static func next_to(from: Control, direction: Vector2, panel: Control) -> Control:
	var nearest: Control = null
	var least: float = INF
	var own: Rect2 = from.get_global_rect()
	for control: Control in inside(panel):
		var step: Vector2 = control.get_global_rect().get_center() - own.get_center()
		var ahead: float = step.dot(direction)
		var extents: float = absf(((own.size + control.get_global_rect().size) / 2.0).dot(direction))
		if control == from or ahead < extents - OVERLAP:
			continue
		var distance: float = ahead + ASIDE * absf(step.dot(direction.orthogonal()))
		if distance < least:
			least = distance
			nearest = control
	return nearest


## The control of [param panel] that comes [param step] places after [param from] in the order of the tree, round and
## round.
static func after(from: Control, step: int, panel: Control) -> Control:
	var controls: Array[Control] = inside(panel)
	return controls[posmod(controls.find(from) + step, controls.size())] if not controls.is_empty() else null


static func _collect(node: Node, found: Array[Control]) -> void:
	for child: Node in node.get_children():
		var control: Control = child as Control
		if control == null or not control.visible:
			continue
		var button: BaseButton = control as BaseButton
		if control.focus_mode == Control.FOCUS_ALL and control is not ScrollContainer and (button == null
				or not button.disabled):
			found.push_back(control)
		_collect(control, found)
