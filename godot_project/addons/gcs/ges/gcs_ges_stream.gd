class_name GcsGesStream
extends RefCounted
## The GES events of one battle, or of all, as the server raises them: a [code]Listen[/code] stream. Made by
## [method GcsClient.listen].
##
## The battle that a [GcsClient] plays tells its GES events by [signal GcsBattleEvents.ges_event_raised], in their place
## among all that happens and when the scene is ready to show it. This is for other battles, and for whoever wants to
## know at once. Keep it as long as you want to hear. It is opened again after a lost connection; what was raised
## meanwhile is not heard.

## An event was raised. Give [code]heard.sequence[/code] as [code]answers[/code] to a raise that follows from it: events
## that answer each other for ever are cut then.
signal event_heard(heard: GcsV1Ges.ListenResponse)
## The server hears this stream: what is raised from now on arrives.
signal opened()
## The server refuses, or [method close] was called; nothing more is heard.
signal ended(status: GrpcStatus)

const Backoff = preload("../grpc/core/backoff.gd")

## Whether the server hears it.
var is_open: bool = false

var _request: GcsV1Ges.ListenRequest
var _channel: GrpcChannel = null
var _backoff: Backoff
var _call: GrpcCall = null
var _retry_at_ms: int = 0
var _over: bool = false


func _init(request: GcsV1Ges.ListenRequest) -> void:
	_request = request
	_backoff = Backoff.new(GrpcChannelOptions.new(), hash(get_instance_id()))


## Stops listening.
func close() -> void:
	if _over:
		return
	_over = true
	is_open = false
	if _call != null:
		_call.cancel()
		_call = null
	ended.emit(GrpcStatus.make(GrpcStatus.Code.CANCELLED, "the stream was closed"))


## Opens it when it is time to. Called once a frame; [param channel] is null while there is none.
func _poll(channel: GrpcChannel) -> void:
	if channel != _channel:
		_channel = channel
		_call = null
		is_open = false
		_retry_at_ms = 0
	if _over or _call != null or _channel == null or Time.get_ticks_msec() < _retry_at_ms:
		return
	var options: GrpcCallOptions = GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE)
	options.wait_for_ready = true
	_call = GcsV1Ges.GesServiceClient.new(_channel).listen(_request, options)
	_call.headers_received.connect(_on_headers.bind(_call))
	_call.message_received.connect(_on_message.bind(_call))
	_call.finished.connect(_on_finished.bind(_call))


func _on_headers(_metadata: Dictionary[String, Array], from_call: GrpcCall) -> void:
	if from_call == _call:
		is_open = true
		_backoff.reset()
		opened.emit()


func _on_message(message: ProtoMessage, from_call: GrpcCall) -> void:
	if from_call == _call:
		var heard: GcsV1Ges.ListenResponse = message
		event_heard.emit(heard)


func _on_finished(status: GrpcStatus, from_call: GrpcCall) -> void:
	if from_call != _call:
		return
	_call = null
	is_open = false
	match status.code:
		GrpcStatus.Code.UNAVAILABLE, GrpcStatus.Code.CANCELLED, GrpcStatus.Code.OK, GrpcStatus.Code.UNKNOWN:
			_retry_at_ms = Time.get_ticks_msec() + _backoff.next_ms()
		_:
			_over = true
			ended.emit(status)
