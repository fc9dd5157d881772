extends Control
## How a battle ends on the screen: the light goes out around the lamp, or shines over everything.

const Motion = preload("../ui/motion.gd")
const Palette = preload("../ui/palette.gd")
const Sounds = preload("sounds.gd")

## Another end of it was reached, or it was cleared.
signal _done()

const SECONDS: float = 1.9
## For an end that is not shown: between the last blow and what follows.
const DELAY: float = 0.7
## Of the time: until here the dark closes in on the lamp; then the lamp flickers and goes out.
const CLOSED: float = 0.62
const LAMP_RADIUS: float = 74.0
const EDGES: int = 7

## Set by the screen.
var sounds: Sounds

var _lost: bool = false
## From 0 (nothing is shown) to 1.
var _share: float = 0.0
var _lamp: Vector2 = Vector2.ZERO
var _tween: Tween = null


func _init() -> void:
	mouse_filter = Control.MOUSE_FILTER_IGNORE


## Shows the end [param outcome] around the lamp at [param lamp] in global coordinates; returns when it is over. With a
## [param pace] of 0, or calm, there is nothing to see.
func show_end(outcome: GcsV1Battle.Outcome, lamp: Vector2, pace: float) -> void:
	clear()
	_lost = outcome == GcsV1Battle.Outcome.OUTCOME_LOST
	if pace > 0.0 and (_lost or outcome == GcsV1Battle.Outcome.OUTCOME_WON):
		sounds.play("lost" if _lost else "won")
	if pace == 0.0 or Motion.calm:
		await get_tree().create_timer(DELAY).timeout
		return
	_lamp = get_global_transform().affine_inverse() * lamp
	_tween = create_tween()
	_tween.tween_method(show_at, 0.0, 1.0, SECONDS * pace)
	_tween.tween_callback(_done.emit)
	await _done


## Nothing is shown any more.
func clear() -> void:
	if _tween != null and _tween.is_running():
		_tween.kill()
		_done.emit()
	_tween = null
	show_at(0.0)


## Shows the moment [param share] of the end, from 0 to 1.
func show_at(share: float) -> void:
	_share = share
	queue_redraw()


func _draw() -> void:
	if _share <= 0.0:
		return
	if _lost:
		_draw_dark()
	else:
		_draw_light()


func _draw_dark() -> void:
	var far: float = size.length()
	var closing: float = clampf(_share / CLOSED, 0.0, 1.0)
	var flicker: float = 1.0
	if _share > CLOSED:
		var rest: float = (_share - CLOSED) / (1.0 - CLOSED)
		flicker = maxf((1.0 - rest) * (0.75 + 0.25 * sin(rest * 38.0)), 0.0)
	var radius: float = lerpf(far, LAMP_RADIUS, 1.0 - pow(1.0 - closing, 3.0)) * flicker
	# A hole with a soft edge: rings, one over the other.
	for edge: int in range(EDGES):
		var inner: float = radius * (1.0 - edge * 0.09)
		draw_arc(_lamp, inner + far, 0.0, TAU, 72, Color(Palette.NIGHT, 0.4 * minf(closing * 3.0, 1.0)), far * 2.0)
	if flicker > 0.02:
		draw_circle(_lamp, 12.0 * flicker * closing, Color(Palette.LAMP, 0.6 * flicker), true, -1.0, true)


func _draw_light() -> void:
	var fading: float = 1.0 - _share
	for ring: int in range(3):
		var radius: float = size.length() * clampf(_share * 1.2 - ring * 0.12, 0.0, 1.0)
		if radius > 0.0:
			draw_arc(_lamp, radius, 0.0, TAU, 96, Color(Palette.LAMP, 0.55 * fading), 26.0 * fading + 2.0, true)
	draw_circle(_lamp, size.length() * _share, Color(Palette.LAMP, 0.13 * fading), true, -1.0, true)
