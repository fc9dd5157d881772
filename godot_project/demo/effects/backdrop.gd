extends Control
## The place of the battle and its weather: a picture, moving glints on the water, rain and lightning.

const Art = preload("../ui/art.gd")
const Motion = preload("../ui/motion.gd")
const Palette = preload("../ui/palette.gd")

const HORIZON: float = 0.36
## Pictures are drawn so much larger, and so much of the height further up: what the units stand on is above the hand.
const GROWN: float = 1.1
const RAISED: float = 0.099
const GLINTS: int = 22
const DROPS: int = 170

## How hard it rains, from 0 to 1; glides there.
var rain: float = 0.0

var _scene: Texture2D = Art.scene("beach")
var _time: float = 0.0
var _raining: float = 0.0
var _flash: float = 0.0
var _bolt: PackedVector2Array = []


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE
	clip_contents = true


## Shows the place [param place].
func show_scene(place: String) -> void:
	_scene = Art.scene(place)
	rain = 0.0


## Lightning; [param strength] from 0 to 1.
func flash(strength: float) -> void:
	if Motion.calm:
		return
	_flash = clampf(0.4 + strength * 0.6, 0.0, 1.0)
	_bolt = _make_bolt()


func _process(delta: float) -> void:
	_time += delta
	_flash = maxf(_flash - delta * 1.8, 0.0)
	_raining = move_toward(_raining, rain, delta * 0.7)
	queue_redraw()


func _draw() -> void:
	_draw_scene()
	var time: float = Motion.idle(_time)
	for index: int in range(GLINTS):
		var depth: float = fposmod(index * 0.618, 1.0)
		var x: float = fposmod(index * 0.377 + time * (0.004 + 0.012 * depth), 1.0) * (size.x + 200.0) - 100.0
		var y: float = size.y * (HORIZON + 0.015 + depth * 0.1)
		var alpha: float = 0.16 * (0.5 + 0.5 * sin(time * 1.3 + index * 2.4))
		draw_line(Vector2(x, y), Vector2(x + 26.0 + 60.0 * depth, y), Color(1, 1, 1, alpha), 2.0, true)
	if _raining > 0.0:
		_draw_rain()
	if _flash > 0.0:
		draw_rect(Rect2(Vector2.ZERO, size), Color(0.87, 0.93, 1.0, _flash * 0.42))
		draw_polyline(_bolt, Color(1, 1, 1, _flash), 4.0, true)
		draw_polyline(_bolt, Color(0.7, 0.85, 1.0, _flash * 0.35), 12.0, true)
	# A calm ground for hand and buttons.
	var low: float = size.y * 0.62
	var dark: Color = Palette.NIGHT
	draw_polygon([Vector2(0, low), Vector2(size.x, low), size, Vector2(0, size.y)],
			[Color(dark, 0.0), Color(dark, 0.0), Color(dark, 0.86), Color(dark, 0.86)])


## Fills the whole area, whatever its shape.
func _draw_scene() -> void:
	var extent: Vector2 = _scene.get_size()
	var grow: float = maxf(size.x / extent.x, size.y / extent.y)
	var drawn: Vector2 = extent * grow * GROWN
	draw_texture_rect(_scene,
			Rect2(Vector2((size.x - drawn.x) / 2.0, (size.y - extent.y * grow) / 2.0 - size.y * RAISED), drawn), false)


func _draw_rain() -> void:
	draw_rect(Rect2(Vector2.ZERO, size), Color(0.05, 0.09, 0.15, 0.3 * _raining))
	var time: float = Motion.idle(_time)
	for index: int in range(int(DROPS * _raining)):
		var speed: float = 900.0 + 500.0 * fposmod(index * 0.733, 1.0)
		var y: float = fposmod(index * 97.3 + time * speed, size.y + 80.0) - 40.0
		var x: float = fposmod(index * 211.7 - time * speed * 0.16, size.x + 80.0) - 40.0
		draw_line(Vector2(x, y), Vector2(x - 5.0, y + 30.0), Color(0.75, 0.86, 0.95, 0.34), 1.5, true)


func _make_bolt() -> PackedVector2Array:
	var points: PackedVector2Array = []
	var at: Vector2 = Vector2(size.x * randf_range(0.35, 0.8), -10.0)
	while at.y < size.y * HORIZON:
		points.push_back(at)
		at += Vector2(randf_range(-38.0, 38.0), randf_range(22.0, 52.0))
	return points
