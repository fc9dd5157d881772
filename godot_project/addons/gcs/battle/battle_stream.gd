extends RefCounted
## The [code]Play[/code] stream of one battle over any number of connections: joined anew after each loss, nothing
## missing and nothing twice, actions without an answer sent again.

## The next update, in order.
signal update_received(update: GcsV1Events.Update)
## An action is not allowed.
signal rejection_received(rejection: GcsV1Battle.Rejection)
## The server has no such battle, cannot start it, or does not let it be played: the stream is over. Comes from
## [method poll]; actions without an answer fail after it.
signal failed(status: GrpcStatus)
## An action is too large to be sent.
signal action_dropped(action: GcsAction)

## Waits between attempts to join while the server is there but says no for now, in milliseconds.
const RETRY_FIRST_MS: int = 250
const RETRY_LAST_MS: int = 4_000
## How often the battle is joined again in a row without getting on; after that it fails.
const MAX_RETRIES: int = 5
## A stream that stood for so long, in milliseconds, counts as getting on even when nothing happened in the battle.
const STABLE_MS: int = 5_000

var battle_id: String = ""

var _channel: GrpcChannel = null
var _call: GrpcCall = null
## Null once the battle is known to stand, or when it is one that somebody else started.
var _start: GcsV1Service.StartBattleRequest = null
var _last_sequence: int = 0
## The server no longer has all events since the last one that is known: the snapshot has to do.
var _events_gone: bool = false
## Actions without an answer, in the order they were made.
var _pending: Array[GcsAction] = []
## Those of them that the stream that stands has yet to take.
var _unsent: Array[GcsAction] = []
## Actions that were carried out and are still to be shown.
var _answered: Array[GcsAction] = []
var _joined_at_ms: int = 0
var _retry_at_ms: int = 0
var _retries: int = 0
var _over: bool = false
## Why the battle failed; null while it has not.
var _failure: GrpcStatus = null
## Whether [signal failed] has told it.
var _told_failure: bool = false
## Whether the battle is only looked at.
var _watching: bool = false


## A stream that starts [param request]'s battle when it joins.
func start(request: GcsV1Service.StartBattleRequest) -> void:
	_start = request
	battle_id = request.battle_id


## A stream that joins a battle that stands.
func resume(id: String) -> void:
	battle_id = id


## A stream that looks on at a battle that stands.
func watch(id: String) -> void:
	battle_id = id
	_watching = true


## A connection stands: joins.
func attach(channel: GrpcChannel) -> void:
	_channel = channel
	_retries = 0
	if not _over:
		_join()


## The connection is gone; [method attach] comes again.
func detach() -> void:
	_channel = null
	_drop_call()


## Joins again when it is time to, and tells of a failure.
func poll() -> void:
	if _failure != null and not _told_failure:
		_told_failure = true
		var unanswered: Array[GcsAction] = _pending.duplicate()
		_pending.clear()
		failed.emit(_failure)
		for action: GcsAction in unanswered:
			action._fail(_failure)
	if _channel != null and _call == null and not _over and Time.get_ticks_msec() >= _retry_at_ms:
		_join()


## Sends [param action], now or once the battle is joined again.
func act(action: GcsAction) -> void:
	if _over:
		action._fail(_failure)
		return
	_pending.push_back(action)
	_unsent.push_back(action)
	_send_unsent()


## The action of that id that is not finished; null when there is none.
func take_action(action_id: String) -> GcsAction:
	var action: GcsAction = _take(_answered, action_id)
	return action if action != null else _take(_pending, action_id)


## Whether an action has no answer yet, or its answer is still to be shown.
func has_unanswered() -> bool:
	return not _pending.is_empty() or not _answered.is_empty()


## Asks for the whole state.
func request_snapshot() -> void:
	if _call != null and not _watching:
		var request: GcsV1Service.PlayRequest = GcsV1Service.PlayRequest.new()
		request.request_snapshot = GcsV1Service.RequestSnapshot.new()
		_call.send(request)


## Gives the battle up for [param status]: nothing more is sent, and [signal failed] follows.
func fail(status: GrpcStatus) -> void:
	if _over:
		return
	_over = true
	_failure = status
	detach()


## Leaves the battle, which stands on at the server. Gives the actions that have no answer, or whose answer is not
## shown.
func close() -> Array[GcsAction]:
	_over = true
	_told_failure = true
	if _call != null and not _watching:
		_call.close_send()
	detach()
	var unanswered: Array[GcsAction] = _answered + _pending
	_answered.clear()
	_pending.clear()
	return unanswered


func _join() -> void:
	_joined_at_ms = Time.get_ticks_msec()
	var service: GcsV1Service.BattleServiceClient = GcsV1Service.BattleServiceClient.new(_channel)
	var options: GrpcCallOptions = GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE)
	if _watching:
		var watching: GcsV1Service.WatchRequest = GcsV1Service.WatchRequest.new()
		watching.battle_id = battle_id
		watching.last_sequence = 0 if _events_gone else _last_sequence
		_listen_to(service.watch(watching, options))
		return
	_listen_to(service.play(options))
	_call.send_ready.connect(_send_unsent)
	var request: GcsV1Service.PlayRequest = GcsV1Service.PlayRequest.new()
	request.join = GcsV1Service.JoinBattle.new()
	request.join.battle_id = battle_id
	request.join.last_sequence = 0 if _events_gone else _last_sequence
	request.join.start = _start
	if _call.send(request) == ERR_OUT_OF_MEMORY:
		var message: String = "the pack and encounter to start are larger than a message may be"
		fail(GrpcStatus.make(GrpcStatus.Code.RESOURCE_EXHAUSTED, message))
		return
	_unsent = _pending.duplicate()
	_send_unsent()


func _listen_to(stream: GrpcCall) -> void:
	_call = stream
	_call.message_received.connect(_on_message.bind(_call))
	_call.finished.connect(_on_finished.bind(_call))


## Sends as many actions as the stream takes now; it tells when it takes more.
func _send_unsent() -> void:
	while _call != null and not _unsent.is_empty():
		var action: GcsAction = _unsent[0]
		var request: GcsV1Service.PlayRequest = GcsV1Service.PlayRequest.new()
		request.action = action.message
		var error: Error = _call.send(request)
		if error == ERR_BUSY or error == ERR_UNAVAILABLE:
			return
		_unsent.pop_front()
		if error == ERR_OUT_OF_MEMORY:
			_pending.erase(action)
			action._drop("the action is larger than a message may be")
			action_dropped.emit(action)


func _take(from: Array[GcsAction], action_id: String) -> GcsAction:
	for action: GcsAction in from:
		if action.message.action_id == action_id:
			from.erase(action)
			return action
	return null


func _drop_call() -> void:
	if _call == null:
		return
	var dropped: GrpcCall = _call
	_call = null
	dropped.cancel()


func _on_message(message: ProtoMessage, from_call: GrpcCall) -> void:
	if from_call != _call:
		return
	if _watching:
		var watched: GcsV1Service.WatchResponse = message
		_on_update(watched.update)
		return
	var response: GcsV1Service.PlayResponse = message
	match response.kind_case:
		GcsV1Service.PlayResponse.KindCase.UPDATE:
			_on_update(response.update)
		GcsV1Service.PlayResponse.KindCase.REJECTION:
			_retries = 0
			rejection_received.emit(response.rejection)


func _on_update(update: GcsV1Events.Update) -> void:
	_start = null
	# The server may begin with an event that is known, when it was asked from the start.
	if not update.events.is_empty() and update.events[0].sequence <= _last_sequence:
		var fresh: Array[GcsV1Events.Event] = []
		for event: GcsV1Events.Event in update.events:
			if event.sequence > _last_sequence:
				fresh.push_back(event)
		update.events = fresh
	if not update.events.is_empty() and update.events[0].sequence > _last_sequence + 1 and not _events_gone:
		# A hole cannot be mended by waiting: ask again from the last event that is known.
		_drop_call()
		_retry(GrpcStatus.make(GrpcStatus.Code.DATA_LOSS,
				"the server left out events %d to %d" % [_last_sequence + 1, update.events[0].sequence - 1]))
		return
	_events_gone = false
	var answered: GcsAction = null if update.action_id.is_empty() else _take(_pending, update.action_id)
	if answered != null:
		_answered.push_back(answered)
	# The state that every join begins with is no progress by itself.
	if answered != null or update.last_sequence > _last_sequence:
		_retries = 0
	_last_sequence = maxi(_last_sequence, update.last_sequence)
	update_received.emit(update)


func _on_finished(status: GrpcStatus, ended: GrpcCall) -> void:
	if ended != _call:
		return
	_call = null
	if _over:
		return
	if status.code == GrpcStatus.Code.OUT_OF_RANGE and not _events_gone:
		_events_gone = true
		_retry_at_ms = 0
	elif _may_mend(status):
		_retry(status)
	else:
		fail(status)


## Whether joining again can help.
func _may_mend(status: GrpcStatus) -> bool:
	match status.code:
		GrpcStatus.Code.UNAVAILABLE, GrpcStatus.Code.ABORTED, GrpcStatus.Code.CANCELLED:
			return true
		GrpcStatus.Code.OK, GrpcStatus.Code.UNKNOWN:
			return true
		GrpcStatus.Code.RESOURCE_EXHAUSTED:
			# The one limit that joining again gets around: the snapshot replaces what was not read.
			return GcsBattleView.reason_of(status) == GcsErrorReason.SLOW_READER
	return false


## Joins again later, unless that was tried often enough.
func _retry(status: GrpcStatus) -> void:
	var now: int = Time.get_ticks_msec()
	if now - _joined_at_ms >= STABLE_MS:
		_retries = 0
	if _retries == MAX_RETRIES:
		fail(status if not status.is_ok() else GrpcStatus.make(GrpcStatus.Code.UNAVAILABLE,
				"the server ends the stream again and again"))
		return
	_retry_at_ms = now + mini(RETRY_FIRST_MS << _retries, RETRY_LAST_MS)
	_retries += 1
