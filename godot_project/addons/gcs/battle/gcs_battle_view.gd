class_name GcsBattleView
extends GcsBattleEvents
## A battle as it is shown: its state, its events one by one, its beginning and its end; what [GcsClient], which plays
## it, and [GcsWatcher], which only looks on, have in common.

## A battle stands and [member state] shows it. The events of its set-up follow.
signal battle_started(state: GcsBattleState)
## The battle cannot be started, or not be followed any further: wrong pack or encounter, the server is full, has lost
## the battle or is refused. [param status] holds its words, [method reason_of] its reason for programs. With
## [constant GrpcStatus.Code.CANCELLED] the battle was left before it stood, by the game itself. Every start ends in
## exactly one of [signal battle_started] and this.
signal battle_failed(status: GrpcStatus)
## All that an action, or a raise, did has been shown and taken over.
signal state_changed(state: GcsBattleState)
## The battle is over; comes after the last [signal state_changed].
signal battle_ended(result: GcsV1Battle.Result)
## Nothing is left to be shown and no action is without an answer: the player may act again.
signal settled()
## The handler of [method pace_with] does not come back from [param event]: it has taken longer than the project setting
## [code]gcs/battle/handler_limit_ms[/code], or, with [param lost], it awaits an object that is gone. A lost one counts
## as shown by itself; [method skip_event] goes on from the other.
signal handler_stalled(event: GcsV1Events.Event, lost: bool)

const BattleStream = preload("battle_stream.gd")
const EventQueue = preload("event_queue.gd")

## The battle as it is shown; null before the first [signal battle_started]. Once it was left or has failed, it stays
## readable as it was seen last, with [member GcsBattleState.live] false, until the next battle stands.
var state: GcsBattleState = null
## Microseconds of a frame that receiving and handing out events may take, your slots included; what is left comes in
## the next frame. One message, one event and what its slots do are never cut in two. The project setting
## [code]gcs/connection/poll_budget_usec[/code].
var budget_usec: int = GcsSettings.number_of(GcsSettings.POLL_BUDGET_USEC)

var _queue: EventQueue = EventQueue.new()
var _stream: BattleStream = null
## The start that is still to end in a battle or a failure.
var _start: GcsBattleStart = null
## Whether the next snapshot begins a battle.
var _awaits_state: bool = false
## Whether the state of the update that is shown was taken over before its events.
var _took_snapshot: bool = false
var _announced_end: bool = false
## Whether [signal settled] is due as soon as no action is without an answer.
var _settles: bool = false
## What was left when the view was taken out of the tree, to be told when it comes back.
var _left_with_tree: String = ""


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	_queue.update_begun.connect(_on_update_begun)
	_queue.event_begun.connect(_on_event_begun)
	_queue.update_ended.connect(_on_update_ended)
	_queue.settled.connect(_on_queue_settled)
	_queue.stalled.connect(func(event: GcsV1Events.Event, lost: bool) -> void: handler_stalled.emit(event, lost))


func _enter_tree() -> void:
	if not _left_with_tree.is_empty():
		push_warning("%s: %s when it was taken out of the tree" % [get_path(), _left_with_tree])
		_left_with_tree = ""


func _exit_tree() -> void:
	_left_with_tree = "left battle %s" % _stream.battle_id if _stream != null else ""
	leave_battle()


## Leaves the battle. It stands on at the server. [member state] stays readable; actions without an answer are dropped,
## and whoever awaits them goes on at the end of this frame.
func leave_battle() -> void:
	_queue.clear()
	_settles = false
	_awaits_state = false
	if state != null:
		state.live = false
	if _stream == null:
		return
	var unanswered: Array[GcsAction] = _stream.close()
	var unstarted: GcsBattleStart = _start
	_stream = null
	_start = null
	# Whoever waits is woken only when nothing of the old battle is left, and when what replaces it is in place.
	_end_later.call_deferred(get_instance_id(), unanswered, unstarted)


## Lets [param handler] show the events one at a time: [code]func(event: GcsV1Events.Event) -> void[/code], awaited
## before the next one. The state follows the events. An empty [Callable] shows everything at once.
func pace_with(handler: Callable) -> void:
	_queue.set_handler(handler)


## Goes on with the next event: the one that the handler of [method pace_with] is at counts as shown. For a handler that
## nobody will wake any more, see [signal handler_stalled].
func skip_event() -> void:
	_queue.skip()


## Whether events wait to be shown.
func is_showing() -> bool:
	return _queue.is_busy()


## Asks for the whole state; [signal state_changed] follows.
func request_snapshot() -> void:
	if _stream != null:
		_stream.request_snapshot()


## Why the server ended a call, as a word for programs such as [code]TOO_MANY_BATTLES[/code]; empty when [param status]
## holds none.
static func reason_of(status: GrpcStatus) -> String:
	var told: GoogleRpcStatus.Status = GoogleRpcStatus.Status.new()
	if not told.parse(status.details):
		return ""
	for detail: GoogleProtobufAny.Any in told.details:
		var info: GoogleRpcErrorDetails.ErrorInfo = detail.unpack(GoogleRpcErrorDetails.ErrorInfo)
		if info != null:
			return info.reason
	return ""


## The battle that is followed; empty: none.
func _battle_id() -> String:
	return _stream.battle_id if _stream != null else ""


## Leaves the battle before and follows [param stream] from now on.
func _follow(stream: BattleStream) -> GcsBattleStart:
	leave_battle()
	_announced_end = false
	_awaits_state = true
	_stream = stream
	_start = GcsBattleStart.new(stream.battle_id)
	_stream.update_received.connect(_queue.push)
	_stream.rejection_received.connect(_on_rejection)
	_stream.failed.connect(_on_failed)
	return _start


## Lets the stream use a connection that stands, or gives it up with one that is refused.
func _attach_to(connection: GcsClient.Connection, channel: GrpcChannel, reason: String) -> void:
	if _stream == null:
		return
	if connection == GcsClient.Connection.ONLINE:
		_stream.attach(channel)
	elif connection == GcsClient.Connection.REFUSED:
		_stream.fail(GrpcStatus.make(GrpcStatus.Code.FAILED_PRECONDITION, reason))


func _poll_view() -> void:
	if _stream != null:
		_stream.poll()
	_queue.watch(get_tree().paused)


## The last part of [method leave_battle]. The view may be gone by then.
static func _end_later(view_id: int, unanswered: Array[GcsAction], unstarted: GcsBattleStart) -> void:
	var view: GcsBattleView = instance_from_id(view_id) as GcsBattleView
	if unstarted != null:
		var status: GrpcStatus = GrpcStatus.make(GrpcStatus.Code.CANCELLED, "the battle was left before it stood")
		if view != null:
			view.battle_failed.emit(status)
		unstarted._finish(status)
	for action: GcsAction in unanswered:
		action._drop("the battle was left")


func _on_update_begun(update: GcsV1Events.Update) -> void:
	_took_snapshot = _awaits_state and update.has_snapshot()
	if _took_snapshot:
		# The first state comes before the events of the set-up that led to it, so that a scene has units to show them
		# on.
		_awaits_state = false
		state = GcsBattleState.new()
		state._take_snapshot(update.snapshot)
		state.version = update.state_version
		var started: GcsBattleStart = _start
		_start = null
		battle_started.emit(state)
		started._stand(state)
	elif not _awaits_state and update.has_change():
		state._foresee(update.change.cards)
	elif not _awaits_state and update.has_snapshot():
		state._foresee(update.snapshot.cards)


func _on_event_begun(event: GcsV1Events.Event) -> void:
	if not _awaits_state and not _took_snapshot:
		state._follow(event)
	_tell(event)


func _on_update_ended(update: GcsV1Events.Update) -> void:
	if _awaits_state:
		return
	var shown: GcsBattleState = state
	if update.has_snapshot() or update.has_change():
		if update.has_change():
			state._take_change(update.change)
		elif not _took_snapshot:
			state._take_snapshot(update.snapshot)
		state._end_update(update.state_version)
		state_changed.emit(state)
	if _stream != null and not update.action_id.is_empty():
		var action: GcsAction = _stream.take_action(update.action_id)
		if action != null:
			action._accept()
	# Slots may have gone on to another battle.
	if state == shown and state.result != null and not _announced_end and not _awaits_state:
		_announced_end = true
		battle_ended.emit(state.result)


func _on_queue_settled() -> void:
	_settles = true
	_settle()


## An action that was sent again after a lost connection is still to be answered, although all is shown.
func _settle() -> void:
	if _settles and not _queue.is_busy() and (_stream == null or not _stream.has_unanswered()):
		_settles = false
		settled.emit()


func _on_rejection(rejection: GcsV1Battle.Rejection) -> void:
	var action: GcsAction = _stream.take_action(rejection.action_id)
	if action != null:
		action._reject(rejection)
	_tell_rejection(rejection)
	_settle()


## Tells the game of a rejection; only a client that acts has any.
func _tell_rejection(_rejection: GcsV1Battle.Rejection) -> void:
	pass


func _on_failed(status: GrpcStatus) -> void:
	if state != null and not _awaits_state:
		state.live = false
	_awaits_state = false
	var unstarted: GcsBattleStart = _start
	_start = null
	battle_failed.emit(status)
	if unstarted != null:
		unstarted._finish(status)
