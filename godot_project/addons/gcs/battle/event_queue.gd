extends RefCounted
## Events in the order of the battle, handed out one at a time; a scene's handler may take as long as it wants for each.

## An update's first event is about to be handed out.
signal update_begun(update: GcsV1Events.Update)
## One event, just before the handler gets it.
signal event_begun(event: GcsV1Events.Event)
## All events of an update were handed out.
signal update_ended(update: GcsV1Events.Update)
## Nothing is left.
signal settled()
## The handler does not come back from [param event]; [param lost]: what it awaits is gone, and the event counts as
## shown.
signal stalled(event: GcsV1Events.Event, lost: bool)

## The longest time between two looks that counts, in milliseconds: a machine that slept is no slow handler.
const LONGEST_STEP_MS: int = 1_000

## Until when, in microseconds since the engine's start, events are handed out in this frame; 0: all that there are.
## Slots take their time, too, and an enemy's turn has many events.
var deadline_usec: int = 0

var _handler: Callable = Callable()
var _updates: Array[GcsV1Events.Update] = []
## The next event of the first update; -1 before it has begun.
var _next: int = -1
## The handler's running coroutine; null when none runs. It is connected to instead of awaited: a coroutine whose object
## is freed never comes back, and whoever awaits it would be lost with it.
var _showing: Object = null
## Counts what was handed to a handler, so that a coroutine that was given up is not listened to.
var _handed: int = 0
## What the handler is busy with.
var _event: GcsV1Events.Event = null
## References to the coroutine while what it awaits is there: ours, and that of the signal which will wake it.
var _references: int = 0
## Milliseconds that the handler has been busy, and when that was counted last.
var _busy_ms: int = 0
var _looked_at_ms: int = 0
var _advancing: bool = false
var _busy: bool = false


## Whether events wait or one is being shown.
func is_busy() -> bool:
	return _busy


## Adds an update and hands out its events, when nothing else is being shown: at once, as many as the deadline lets
## through.
func push(update: GcsV1Events.Update) -> void:
	_updates.push_back(update)
	_busy = true
	_advance()


## From now on [param handler] gets every event and is awaited; an empty one takes no time. An event that the former
## handler is still busy with counts as shown.
func set_handler(handler: Callable) -> void:
	_handler = handler
	_give_up()


## The handler, for people.
func handler_name() -> String:
	return str(_handler)


## Forgets everything that waits.
func clear() -> void:
	_updates.clear()
	_next = -1
	_busy = false
	_showing = null
	_handed += 1


## Goes on where the last frame's deadline stopped it, or when the handler was lost while it was busy. In a tree that is
## [param paused] a handler may rightly wait.
func watch(paused: bool = false) -> void:
	if _showing == null:
		if _busy:
			_advance()
	elif not _handler.is_valid():
		_give_up()
	elif (_showing as RefCounted).get_reference_count() < _references:
		stalled.emit(_event, true)
		_give_up()
	elif not paused:
		_count_time()


## Counts the event that the handler is busy with as shown.
func skip() -> void:
	_give_up()


func _count_time() -> void:
	var now_ms: int = Time.get_ticks_msec()
	var before_ms: int = _busy_ms
	_busy_ms += mini(now_ms - _looked_at_ms, LONGEST_STEP_MS)
	_looked_at_ms = now_ms
	var limit_ms: int = GcsSettings.number_of(GcsSettings.HANDLER_LIMIT_MS)
	if limit_ms > 0 and before_ms < limit_ms and _busy_ms >= limit_ms:
		stalled.emit(_event, false)


func _give_up() -> void:
	_showing = null
	_handed += 1
	_advance()


func _advance() -> void:
	if _advancing:
		return
	_advancing = true
	while _showing == null and not _updates.is_empty():
		_step()
		if deadline_usec > 0 and Time.get_ticks_usec() >= deadline_usec:
			break
	_advancing = false
	if _showing == null and _busy and _updates.is_empty():
		_busy = false
		settled.emit()


## Slots of the signals here may clear the queue.
func _step() -> void:
	var update: GcsV1Events.Update = _updates[0]
	if _next < 0:
		_next = 0
		update_begun.emit(update)
	elif _next < update.events.size():
		var event: GcsV1Events.Event = update.events[_next]
		_next += 1
		event_begun.emit(event)
		if not _updates.is_empty() and _updates[0] == update and _handler.is_valid():
			_hand_over(event)
	else:
		_updates.pop_front()
		_next = -1
		update_ended.emit(update)


func _hand_over(event: GcsV1Events.Event) -> void:
	_handed += 1
	# A handler that awaits something gives its coroutine. Only a native caller can take it: called from here, the
	# engine insists on await.
	var given: Array = [event].map(_handler)
	if typeof(given[0]) != TYPE_OBJECT:
		return
	var coroutine: Object = given[0]
	if coroutine != null and coroutine.has_signal(&"completed"):
		_showing = coroutine
		_showing.connect(&"completed", _on_shown.bind(_handed), CONNECT_ONE_SHOT)
		_event = event
		_busy_ms = 0
		_looked_at_ms = Time.get_ticks_msec()
		given.clear()
		coroutine = null
		_references = (_showing as RefCounted).get_reference_count()


func _on_shown(_result: Variant, handed: int) -> void:
	if handed == _handed:
		_showing = null
		_advance()
