extends Control
## A curved arrow from the card that is aimed to the mouse or the unit that has the focus.

const Palette = preload("../ui/palette.gd")

const STEPS: int = 26
const HEAD: float = 24.0

var _from: Vector2 = Vector2.ZERO
var _to: Vector2 = Vector2.ZERO
var _hot: bool = false


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	visible = false


## Draws the arrow; [param hot] when it points at a target.
func point(from: Vector2, to: Vector2, hot: bool) -> void:
	_from = from
	_to = to
	_hot = hot
	visible = true
	queue_redraw()


func _draw() -> void:
	var color: Color = Palette.LAMP if _hot else Color(Palette.TEXT, 0.8)
	var bend: Vector2 = Vector2(_from.x, minf(_from.y, _to.y) - 90.0)
	var points: PackedVector2Array = []
	for index: int in range(STEPS + 1):
		var share: float = float(index) / STEPS
		points.push_back(_from.lerp(bend, share).lerp(bend.lerp(_to, share), share))
	var direction: Vector2 = (points[STEPS] - points[STEPS - 2]).normalized()
	var neck: Vector2 = _to - direction * HEAD
	points[STEPS] = neck
	draw_polyline(points, Color(Palette.INK, 0.7), 13.0, true)
	draw_polyline(points, color, 7.0, true)
	var side: Vector2 = direction.orthogonal() * HEAD * 0.7
	draw_colored_polygon([_to, neck + side, neck - side], color)
	draw_polyline([_to, neck + side, neck - side, _to], Palette.INK, 2.0, true)
