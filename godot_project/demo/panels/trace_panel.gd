extends Control
## The Entry dispatches and what they did, as a growing tree of lines.

const Palette = preload("../ui/palette.gd")

const MOST_LINES: int = 400

@onready var _text: RichTextLabel = %Lines

var _trace: GcsTrace = GcsTrace.new()


## Begins anew.
func clear() -> void:
	_trace = GcsTrace.new()
	_text.clear()


## Adds what [param event] says.
func add(event: GcsV1Events.Event) -> void:
	var line: String = _trace.event_line(event, Gcs.state)
	if line.is_empty():
		return
	_text.push_color(_color_of(event))
	_text.add_text(line + "\n")
	_text.pop()
	while _text.get_paragraph_count() > MOST_LINES:
		_text.remove_paragraph(0)


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
