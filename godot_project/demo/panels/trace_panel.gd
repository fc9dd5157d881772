extends Control
## The Entry dispatches and what they did, as a growing tree of lines.

const Palette = preload("../ui/palette.gd")

const MOST_LINES: int = 400
const FONT_SIZE: int = 13
## What a line is indented by for each space in front of it, in pixels.
const SPACE: float = 4.0

@onready var _scroll: ScrollContainer = %Scroll
@onready var _lines: VBoxContainer = %Lines

var _trace: GcsTrace = GcsTrace.new()
## Whether the last line is in view, and the next one is to be.
var _at_end: bool = true


func _ready() -> void:
	var bar: VScrollBar = _scroll.get_v_scroll_bar()
	bar.value_changed.connect(func(value: float) -> void: _at_end = value >= bar.max_value - bar.page - 1.0)
	bar.changed.connect(func() -> void:
		if _at_end:
			_scroll.scroll_vertical = ceili(bar.max_value))


## Begins anew.
func clear() -> void:
	_trace = GcsTrace.new()
	_at_end = true
	for label: Node in _lines.get_children():
		label.free()


## Adds what [param event] says.
func add(event: GcsV1Events.Event) -> void:
	for line: String in _trace.event_line(event, Gcs.state).split("\n", false):
		_lines.add_child(_label_of(line, _color_of(event)))
	while _lines.get_child_count() > MOST_LINES:
		_lines.get_child(0).free()


## A label for each line: one that is wrapped goes on where it began, and not at the left edge.
func _label_of(line: String, color: Color) -> Label:
	var label: Label = Label.new()
	label.text = line.lstrip(" ")
	label.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	label.add_theme_font_size_override("font_size", FONT_SIZE)
	label.add_theme_constant_override("line_spacing", 0)
	label.add_theme_color_override("font_color", color)
	var room: StyleBoxEmpty = StyleBoxEmpty.new()
	room.content_margin_left = (line.length() - label.text.length()) * SPACE
	label.add_theme_stylebox_override("normal", room)
	return label


func _color_of(event: GcsV1Events.Event) -> Color:
	match event.kind_case:
		GcsV1Events.Event.KindCase.ENTRY_DISPATCHED:
			return Palette.LAMP
		GcsV1Events.Event.KindCase.PHASE_CHANGED, GcsV1Events.Event.KindCase.BATTLE_ENDED:
			return Palette.ARMOR
		GcsV1Events.Event.KindCase.ACTION_STARTED:
			return Palette.TEXT
		GcsV1Events.Event.KindCase.GES_EVENT_RAISED:
			return Palette.DEBUFF
		GcsV1Events.Event.KindCase.FAULT, GcsV1Events.Event.KindCase.WARNING:
			return Palette.HARM
	return Palette.MUTED
