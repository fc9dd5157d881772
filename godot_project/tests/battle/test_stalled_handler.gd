extends BattleTestCase
## Handlers of pace_with that nobody will ever wake: told, and left behind.

const NEEDS: String = "gcs_server"
const TIMEOUT: float = 60.0

var _mode: String = ""
var _is_stuck: bool = false
var _stalled: Array[bool] = []
var _tween: Tween = null


func before_each() -> void:
	_is_stuck = false
	_stalled.clear()
	ProjectSettings.set_setting(GcsSettings.HANDLER_LIMIT_MS, 200)


func after_each() -> void:
	super()
	_tween = null
	ProjectSettings.set_setting(GcsSettings.HANDLER_LIMIT_MS, null)


func _show_event(event: GcsV1Events.Event) -> void:
	if not event.has_hp_changed() or _is_stuck:
		return
	_is_stuck = true
	# The engine never frees what a coroutine that is not woken holds.
	event = null
	match _mode:
		"timer_freed":
			var timer: Timer = Timer.new()
			add_child(timer)
			timer.start(0.05)
			timer.queue_free()
			await timer.timeout
		"signal_of_freed":
			var node: Node2D = Node2D.new()
			add_child(node)
			node.queue_free()
			await node.visibility_changed
		"second_wait":
			await get_tree().process_frame
			var node: Node2D = Node2D.new()
			add_child(node)
			node.queue_free()
			await node.visibility_changed
		"tween_killed":
			# Held here: a coroutine that awaits its own local tween would leak with it.
			_tween = create_tween()
			_tween.tween_interval(0.05)
			_tween.kill.call_deferred()
			await _tween.finished
		"tween_target_freed":
			var node: Node2D = Node2D.new()
			add_child(node)
			_tween = node.create_tween()
			_tween.tween_property(node, "position", Vector2(9, 9), 0.05)
			node.queue_free()
			await _tween.finished
		"fine":
			await get_tree().create_timer(0.05).timeout


## A client whose handler is at the first change of HP of a card that was played.
func _played(mode: String) -> GcsClient:
	_mode = mode
	var client: GcsClient = connected(peer_address("gcs_server"))
	await started(client, "first_fight", ["strike", "strike", "strike", "strike", "strike"])
	client.pace_with(_show_event)
	client.handler_stalled.connect(func(event: GcsV1Events.Event, lost: bool) -> void:
		check(event.has_hp_changed(), "the event is named")
		_stalled.push_back(lost))
	return client


func test_awaited_object_that_is_gone_is_noticed_at_once() -> void:
	for mode: String in ["timer_freed", "signal_of_freed", "second_wait"] as Array[String]:
		before_each()
		ProjectSettings.set_setting(GcsSettings.HANDLER_LIMIT_MS, 0)
		var client: GcsClient = await _played(mode)
		var action: GcsAction = client.play_card(client.state.hand.cards[0], "enemy0")
		await until(func() -> bool: return action.was_accepted(), "%s: the battle goes on" % mode)
		check_equal(_stalled, [true] as Array[bool], mode)


func test_handler_that_takes_too_long_is_told_once_and_can_be_skipped() -> void:
	for mode: String in ["tween_killed", "tween_target_freed"] as Array[String]:
		before_each()
		var client: GcsClient = await _played(mode)
		var action: GcsAction = client.play_card(client.state.hand.cards[0], "enemy0")
		await until(func() -> bool: return not _stalled.is_empty(), "%s: it is told" % mode)
		check_equal(_stalled, [false] as Array[bool], mode)
		check(client.is_showing() and action.state == GcsAction.State.PENDING, "%s: it waits still" % mode)
		client.skip_event()
		await until(func() -> bool: return action.was_accepted(), "%s: the battle goes on" % mode)
		check_equal(_stalled.size(), 1, "%s: once" % mode)


func test_handler_that_comes_back_is_not_told_of() -> void:
	ProjectSettings.set_setting(GcsSettings.HANDLER_LIMIT_MS, 60_000)
	var client: GcsClient = await _played("fine")
	var action: GcsAction = client.play_card(client.state.hand.cards[0], "enemy0")
	await until(func() -> bool: return action.was_accepted(), "the battle goes on")
	check(_is_stuck and _stalled.is_empty(), "nothing is told")
