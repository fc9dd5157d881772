class_name GcsRaise
extends RefCounted
## A raise of a GES event on its way to the server, now, later or again and again. Made by
## [method GcsClient.raise_event], [method GcsClient.raise_delayed] and [method GcsClient.raise_repeating].
##
## It survives a lost connection: it is sent again under the same id, and the server raises it once.
## [codeblock]
## var thunder: GcsRaise = Gcs.raise_repeating(THUNDER, 2_000, -1, 3)
## if await thunder.outcome() != GcsV1Ges.RaiseResult.RAISE_RESULT_SCHEDULED:
##     print(thunder.message)
## …
## thunder.cancel()
## [/codeblock]

## The server answered, or the raise is given up.
signal finished()

## Made by the client: the server counts a raise with the same id once.
var raise_id: String:
	get:
		return _request.raise_id
## The event's GUID.
var guid: String:
	get:
		return _request.guid
## The battle it is raised in.
var battle_id: String:
	get:
		return _request.battle_id
## What became of it; unspecified while it is under way, and when it was refused.
var result: GcsV1Ges.RaiseResult = GcsV1Ges.RaiseResult.RAISE_RESULT_UNSPECIFIED
## How many graphs received it; 0 while it is queued or scheduled.
var receivers: int = 0
## How the call ended: refused for an unknown GUID, a payload of another type and the like; null while it is under way.
var status: GrpcStatus = null
## Why it was not raised, for people; empty when it was, or is scheduled.
var message: String = ""

var _request: GcsV1Ges.RaiseRequest
var _channel: GrpcChannel = null
var _delay_ms: int = -1
var _interval_ms: int = 0
var _count: int = 0
var _deadline_at_ms: int = 0
## Told of a refusal: [code]func(guid: String, message: String) -> void[/code].
var _refused: Callable = Callable()


func _init(request: GcsV1Ges.RaiseRequest) -> void:
	_request = request


## Waits until [signal finished]; gives [member result]. Takes at least a frame.
func outcome() -> GcsV1Ges.RaiseResult:
	if status == null:
		await finished
	else:
		await (Engine.get_main_loop() as SceneTree).process_frame
	return result


## Whether the battle has it: dispatched, waiting for its turn, or scheduled.
func was_taken() -> bool:
	return result in [
		GcsV1Ges.RaiseResult.RAISE_RESULT_DISPATCHED, GcsV1Ges.RaiseResult.RAISE_RESULT_QUEUED,
		GcsV1Ges.RaiseResult.RAISE_RESULT_SCHEDULED,
	]


## Cancels a delayed or repeating raise. Gives whether it was still to come: false when it has landed, was cancelled
## before, is no such raise, or the server cannot be reached.
func cancel() -> bool:
	if _channel == null:
		return false
	var request: GcsV1Ges.CancelRequest = GcsV1Ges.CancelRequest.new()
	request.battle_id = battle_id
	request.raise_id = raise_id
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.wait_for_ready = true
	var answer: GcsV1Ges.CancelResponse = await GcsV1Ges.GesServiceClient.new(_channel).cancel(request,
			options).response()
	return answer != null and answer.battle_count > 0


## Makes it one that comes in [param ms] milliseconds.
func _delay(ms: int) -> void:
	_delay_ms = ms


## Makes it one that comes [param count] times, every [param ms] milliseconds.
func _repeat(ms: int, count: int) -> void:
	_interval_ms = ms
	_count = count


## Sends it; [signal finished] follows.
func _send(channel: GrpcChannel, deadline_ms: int) -> void:
	_channel = channel
	_deadline_at_ms = Time.get_ticks_msec() + deadline_ms if deadline_ms > 0 else 0
	_start_call()


## Gives it up for [param why].
func _refuse(why: GrpcStatus) -> void:
	_finish(why, null)


func _start_call() -> void:
	var options: GrpcCallOptions = GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE)
	if _deadline_at_ms > 0:
		options.deadline_ms = maxi(1, _deadline_at_ms - Time.get_ticks_msec())
	options.wait_for_ready = true
	options.single_response = true
	var service: GcsV1Ges.GesServiceClient = GcsV1Ges.GesServiceClient.new(_channel)
	var raising: GrpcCall
	if _interval_ms > 0 or _count != 0:
		var repeating: GcsV1Ges.RaiseRepeatingRequest = GcsV1Ges.RaiseRepeatingRequest.new()
		repeating.request = _request
		repeating.interval_ms = _interval_ms
		repeating.count = _count
		raising = service.raise_repeating(repeating, options)
	elif _delay_ms >= 0:
		var delayed: GcsV1Ges.RaiseDelayedRequest = GcsV1Ges.RaiseDelayedRequest.new()
		delayed.request = _request
		delayed.delay_ms = _delay_ms
		raising = service.raise_delayed(delayed, options)
	else:
		raising = service.raise(_request, options)
	# Bound to itself: a game that does not keep the raise hears of a refusal all the same. The call lets go of it at
	# its end.
	raising.finished.connect(_on_finished.bind(raising, self))


func _on_finished(ending: GrpcStatus, raising: GrpcCall, _kept: GcsRaise) -> void:
	# The connection broke, so that nobody knows whether it has arrived. A server that stands and says no is taken at
	# its word.
	if ending.code == GrpcStatus.Code.UNAVAILABLE and _channel.state != GrpcChannel.State.READY \
			and _channel.state != GrpcChannel.State.SHUTDOWN:
		_start_call()
		return
	@warning_ignore("redundant_await")
	_finish(ending, await raising.response())


func _finish(ending: GrpcStatus, response: ProtoMessage) -> void:
	if response is GcsV1Ges.RaiseResponse:
		var raised: GcsV1Ges.RaiseResponse = response
		result = raised.result
		receivers = raised.receivers
	elif response is GcsV1Ges.RaiseDelayedResponse:
		var delayed: GcsV1Ges.RaiseDelayedResponse = response
		result = delayed.result
	elif response is GcsV1Ges.RaiseRepeatingResponse:
		var repeating: GcsV1Ges.RaiseRepeatingResponse = response
		result = repeating.result
	message = ending.message if not ending.is_ok() else _describe(result)
	status = ending
	if not was_taken() and _refused.is_valid():
		_refused.call(guid, message)
	finished.emit()


static func _describe(what: GcsV1Ges.RaiseResult) -> String:
	match what:
		GcsV1Ges.RaiseResult.RAISE_RESULT_NO_BATTLE:
			return "the battle is over"
		GcsV1Ges.RaiseResult.RAISE_RESULT_DATABASE_INACTIVE:
			return "the event's database is inactive"
		GcsV1Ges.RaiseResult.RAISE_RESULT_ECHO:
			return "the event answers itself too often and was cut"
	return ""
