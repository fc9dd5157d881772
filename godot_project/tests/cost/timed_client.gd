extends GcsClient
## A client that notes how long each frame's work took it.

## Microseconds of each frame's work.
var frames: PackedInt64Array = []
## For each frame, whether something was received or told, or an action was sent.
var busy: Array[bool] = []
## What was told.
var events: int = 0
var updates: int = 0

var _next: Callable = Callable()
var _told_before: int = 0


## From now on [param next] is called once a frame, in the measured time: it may send an action, and tells whether it
## did.
func measure(next: Callable) -> void:
	_next = next
	state_changed.connect(func(_state: GcsBattleState) -> void: updates += 1)
	event_received.connect(func(_event: GcsV1Events.Event) -> void: events += 1)


func _process(delta: float) -> void:
	if not _next.is_valid():
		super(delta)
		return
	var begun: int = Time.get_ticks_usec()
	super(delta)
	var sent: bool = _next.call()
	# What was sent leaves at the end of the frame; done here, it is measured, too.
	_server.channel.poll(0)
	frames.push_back(Time.get_ticks_usec() - begun)
	busy.push_back(sent or events + updates > _told_before)
	_told_before = events + updates
