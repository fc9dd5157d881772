extends GcsTest
## The queue that hands out events one at a time.

const EventQueue = preload("res://addons/gcs/battle/event_queue.gd")

signal next()

var _queue: EventQueue
var _seen: Array[String] = []


func before_each() -> void:
	_queue = EventQueue.new()
	_queue.update_begun.connect(
			func(update: GcsV1Events.Update) -> void: _seen.push_back("begin %d" % update.state_version))
	_queue.event_begun.connect(func(event: GcsV1Events.Event) -> void: _seen.push_back("event %d" % event.sequence))
	_queue.update_ended.connect(
			func(update: GcsV1Events.Update) -> void: _seen.push_back("end %d" % update.state_version))
	_queue.settled.connect(func() -> void: _seen.push_back("settled"))


func _update(version: int, sequences: Array[int]) -> GcsV1Events.Update:
	var update: GcsV1Events.Update = GcsV1Events.Update.new()
	update.state_version = version
	for sequence: int in sequences:
		var event: GcsV1Events.Event = GcsV1Events.Event.new()
		event.sequence = sequence
		update.events.push_back(event)
	return update


func _wait_for_next(event: GcsV1Events.Event) -> void:
	await next
	_seen.push_back("shown %d" % event.sequence)


func test_without_handler_everything_comes_at_once_and_in_order() -> void:
	_queue.push(_update(1, [1, 2]))
	check_equal(_seen, ["begin 1", "event 1", "event 2", "end 1", "settled"] as Array[String], "order")
	check(not _queue.is_busy(), "nothing is left")


func test_deadline_leaves_the_rest_to_the_next_frame_but_always_gets_on() -> void:
	_queue.deadline_usec = 1
	_queue.push(_update(1, [1, 2]))
	check_equal(_seen, ["begin 1"] as Array[String], "one step, although the time is over")
	check(_queue.is_busy(), "something is left")
	_queue.watch()
	check_equal(_seen, ["begin 1", "event 1"] as Array[String], "one more in the next frame")
	_queue.deadline_usec = Time.get_ticks_usec() + 60_000_000
	_queue.watch()
	check_equal(_seen.slice(2), ["event 2", "end 1", "settled"] as Array[String], "all that there is time for")


func test_handler_is_awaited_before_the_next_event() -> void:
	_queue.set_handler(_wait_for_next)
	_queue.push(_update(1, [1]))
	_queue.push(_update(2, [2]))
	check_equal(_seen, ["begin 1", "event 1"] as Array[String], "before the handler returns")
	check(_queue.is_busy(), "something is shown")
	next.emit()
	check_equal(_seen.slice(2), ["shown 1", "end 1", "begin 2", "event 2"] as Array[String], "after it returned")
	next.emit()
	check_equal(_seen.slice(6), ["shown 2", "end 2", "settled"] as Array[String], "at the end")


func test_handler_that_takes_no_time_holds_nothing_up() -> void:
	_queue.set_handler(func(event: GcsV1Events.Event) -> void: _seen.push_back("shown %d" % event.sequence))
	_queue.push(_update(1, [1, 2]))
	check_equal(_seen, ["begin 1", "event 1", "shown 1", "event 2", "shown 2", "end 1", "settled"] as Array[String],
			"order")


func test_new_handler_takes_over_from_a_slow_one() -> void:
	_queue.set_handler(_wait_for_next)
	_queue.push(_update(1, [1, 2]))
	_queue.set_handler(Callable())
	check_equal(_seen, ["begin 1", "event 1", "event 2", "end 1", "settled"] as Array[String], "order")
	next.emit()
	check_equal(_seen.count("end 1"), 1, "the slow handler's return counts for nothing")


func test_cleared_queue_forgets_and_starts_anew() -> void:
	_queue.set_handler(_wait_for_next)
	_queue.push(_update(1, [1, 2]))
	_queue.clear()
	_queue.push(_update(2, [3]))
	check_equal(_seen, ["begin 1", "event 1", "begin 2", "event 3"] as Array[String], "before")
	next.emit()
	check("event 2" not in _seen, "what was cleared does not come: %s" % [_seen])
	check_equal(_seen[-1], "settled", "the new update ends")


func test_slot_may_clear_the_queue() -> void:
	_queue.event_begun.connect(func(event: GcsV1Events.Event) -> void:
		if event.sequence == 1:
			_queue.clear())
	_queue.push(_update(1, [1, 2]))
	check_equal(_seen, ["begin 1", "event 1"] as Array[String], "nothing after it")
	_queue.push(_update(2, [5]))
	check_equal(_seen.slice(2), ["begin 2", "event 5", "end 2", "settled"] as Array[String], "the next one comes")


func test_update_pushed_by_a_slot_waits_its_turn() -> void:
	_queue.event_begun.connect(func(event: GcsV1Events.Event) -> void:
		if event.sequence == 1:
			_queue.push(_update(2, [3])))
	_queue.push(_update(1, [1, 2]))
	check_equal(_seen, ["begin 1", "event 1", "event 2", "end 1", "begin 2", "event 3", "end 2",
			"settled"] as Array[String], "order")
