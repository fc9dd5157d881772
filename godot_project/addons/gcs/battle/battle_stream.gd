extends RefCounted
## The [code]Play[/code] stream of one battle over any number of connections: joined anew after each loss, nothing missing and
## nothing twice, actions without an answer sent again.

## The next update, in order.
signal update_received(update: GcsV1Events.Update)
## An action was refused.
signal rejection_received(rejection: GcsV1Battle.Rejection)
## The server has no such battle, or cannot start it: the stream is over.
signal failed(status: GrpcStatus)

## Waits between attempts to join while the server is there but says no for now, in milliseconds.
const RETRY_FIRST_MS: int = 250
const RETRY_LAST_MS: int = 4_000

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
var _retry_at_ms: int = 0
var _retry_ms: int = RETRY_FIRST_MS
var _over: bool = false


## A stream that starts [param request]'s battle when it joins.
func start(request: GcsV1Service.StartBattleRequest) -> void:
	_start = request
	battle_id = request.battle_id


## A stream that joins a battle that stands.
func resume(id: String) -> void:
	battle_id = id


## A connection stands: joins.
func attach(channel: GrpcChannel) -> void:
	_channel = channel
	_retry_ms = RETRY_FIRST_MS
	_join()


## The connection is gone; [method attach] comes again.
func detach() -> void:
	_channel = null
	_drop_call()


## Joins again when it is time to.
func poll() -> void:
	if _channel != null and _call == null and not _over and Time.get_ticks_msec() >= _retry_at_ms:
		_join()


## Sends [param action], now or once the battle is joined again.
func act(action: GcsAction) -> void:
	if _over:
		action._finish(GcsAction.State.DROPPED)
		return
	_pending.push_back(action)
	_send(action)


## The pending action of that id; null when there is none.
func take_pending(action_id: String) -> GcsAction:
	for action: GcsAction in _pending:
		if action.message.action_id == action_id:
			_pending.erase(action)
			return action
	return null


## Asks for the whole state.
func request_snapshot() -> void:
	if _call != null:
		var request: GcsV1Service.PlayRequest = GcsV1Service.PlayRequest.new()
		request.request_snapshot = GcsV1Service.RequestSnapshot.new()
		_call.send(request)


## Leaves the battle. It stands on at the server.
func close() -> void:
	_over = true
	if _call != null:
		_call.close_send()
	detach()
	for action: GcsAction in _pending.duplicate():
		action._finish(GcsAction.State.DROPPED)
	_pending.clear()


func _join() -> void:
	var service: GcsV1Service.BattleServiceClient = GcsV1Service.BattleServiceClient.new(_channel)
	_call = service.play(GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE))
	_call.message_received.connect(_on_message.bind(_call))
	_call.finished.connect(_on_finished.bind(_call))
	var request: GcsV1Service.PlayRequest = GcsV1Service.PlayRequest.new()
	request.join = GcsV1Service.JoinBattle.new()
	request.join.battle_id = battle_id
	request.join.last_sequence = 0 if _events_gone else _last_sequence
	request.join.start = _start
	_call.send(request)
	for action: GcsAction in _pending:
		_send(action)


func _send(action: GcsAction) -> void:
	if _call == null:
		return
	var request: GcsV1Service.PlayRequest = GcsV1Service.PlayRequest.new()
	request.action = action.message
	_call.send(request)


func _drop_call() -> void:
	if _call == null:
		return
	var dropped: GrpcCall = _call
	_call = null
	dropped.cancel()


func _on_message(message: ProtoMessage, from_call: GrpcCall) -> void:
	if from_call != _call:
		return
	var response: GcsV1Service.PlayResponse = message
	_retry_ms = RETRY_FIRST_MS
	match response.kind_case:
		GcsV1Service.PlayResponse.KindCase.UPDATE:
			_on_update(response.update)
		GcsV1Service.PlayResponse.KindCase.REJECTION:
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
		_retry_later()
		return
	_events_gone = false
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
		return
	match status.code:
		GrpcStatus.Code.UNAVAILABLE, GrpcStatus.Code.ABORTED, GrpcStatus.Code.CANCELLED, GrpcStatus.Code.OK, \
		GrpcStatus.Code.RESOURCE_EXHAUSTED, GrpcStatus.Code.UNKNOWN:
			_retry_later()
		_:
			_over = true
			failed.emit(status)


func _retry_later() -> void:
	_retry_at_ms = Time.get_ticks_msec() + _retry_ms
	_retry_ms = mini(_retry_ms * 2, RETRY_LAST_MS)
