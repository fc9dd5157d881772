extends RefCounted
## The connection to a server, with what it is: a battle is played only against a server whose protocol is known to fit.

## [param connection] or the reason for it changed.
signal changed(connection: GcsClient.Connection, reason: String)

## The major number of the protocol that this addon speaks.
const PROTOCOL_MAJOR: int = 1
## Milliseconds that the server may take to say what it is.
const INFO_DEADLINE_MS: int = 5_000

const Backoff = preload("../grpc/core/backoff.gd")

var connection: GcsClient.Connection = GcsClient.Connection.OFFLINE
var reason: String = ""
var failure: GrpcFailure.Kind = GrpcFailure.Kind.NONE
## What the server said it is; null before.
var info: GcsV1Service.GetServerInfoResponse = null
var channel: GrpcChannel = null

var _asking: GrpcCall = null
## When a server that stands, but does not say what it is, is asked again.
var _ask_at_ms: int = 0
var _backoff: Backoff = null
## Whether the server at this address has ever been reached.
var _was_online: bool = false


## Opens a channel to [param url] and gives up the one before.
func open(url: String, options: GrpcChannelOptions) -> void:
	close()
	_was_online = false
	_ask_at_ms = 0
	_backoff = Backoff.new(options, hash([url, Time.get_ticks_usec(), get_instance_id()]))
	channel = GrpcChannel.open(url, options)
	if channel.state == GrpcChannel.State.SHUTDOWN:
		_change(GcsClient.Connection.REFUSED, channel.failure, channel.reason)
		return
	channel.state_changed.connect(_on_channel_changed)
	_change(GcsClient.Connection.CONNECTING, GrpcFailure.Kind.NONE, "connecting to %s" % channel.url())


## Gives the connection up.
func close() -> void:
	_asking = null
	info = null
	if channel != null:
		if channel.state_changed.is_connected(_on_channel_changed):
			channel.state_changed.disconnect(_on_channel_changed)
		channel.close()
		channel = null
	_change(GcsClient.Connection.OFFLINE, GrpcFailure.Kind.NONE, "")


## Moves everything along for about [param budget_usec] microseconds.
func poll(budget_usec: int) -> void:
	if channel == null:
		return
	channel.poll(budget_usec)
	if _asking == null and connection != GcsClient.Connection.ONLINE and channel != null \
			and channel.state == GrpcChannel.State.READY and Time.get_ticks_msec() >= _ask_at_ms:
		_ask()


func _on_channel_changed(state: GrpcChannel.State, why: String) -> void:
	if state == GrpcChannel.State.TRANSIENT_FAILURE:
		_asking = null
		_go_without(channel.failure, why)


## The server cannot be used for now; attempts go on.
func _go_without(kind: GrpcFailure.Kind, why: String) -> void:
	if _was_online:
		_change(GcsClient.Connection.LOST, kind, why)
	else:
		_change(GcsClient.Connection.UNREACHABLE, kind, why + _advice(kind))


## What to do about a server that was never reached.
func _advice(kind: GrpcFailure.Kind) -> String:
	if kind == GrpcFailure.Kind.NO_SERVER:
		return ". Start it with: gcs serve"
	return ""


func _ask() -> void:
	var options: GrpcCallOptions = GrpcCallOptions.with_deadline(INFO_DEADLINE_MS)
	options.single_response = true
	var service: GcsV1Service.BattleServiceClient = GcsV1Service.BattleServiceClient.new(channel)
	_asking = service.get_server_info(GcsV1Service.GetServerInfoRequest.new(), options)
	_asking.finished.connect(_on_answered.bind(_asking), CONNECT_ONE_SHOT)


func _on_answered(status: GrpcStatus, asking: GrpcCall) -> void:
	if asking != _asking:
		return
	_asking = null
	if not status.is_ok():
		_on_no_answer(status)
		return
	var answer: GcsV1Service.GetServerInfoResponse = await asking.response()
	if answer.protocol_major != PROTOCOL_MAJOR:
		_refuse("%s: version mismatch: the server (gcs %s) speaks protocol %d, this addon speaks %d. Update the older one" % [
				channel.url(), answer.version, answer.protocol_major, PROTOCOL_MAJOR])
		return
	info = answer
	_was_online = true
	_ask_at_ms = 0
	_backoff.reset()
	_change(GcsClient.Connection.ONLINE, GrpcFailure.Kind.NONE,
			"connected to gcs %s at %s" % [info.version, channel.url()])


func _on_no_answer(status: GrpcStatus) -> void:
	match status.code:
		GrpcStatus.Code.UNIMPLEMENTED:
			_refuse("%s: a gRPC server answers there, but it is not gcs" % channel.url())
		GrpcStatus.Code.UNAUTHENTICATED, GrpcStatus.Code.PERMISSION_DENIED:
			_refuse("%s: the server refuses the token (%s)" % [channel.url(), status.message])
		GrpcStatus.Code.UNAVAILABLE, GrpcStatus.Code.DEADLINE_EXCEEDED:
			_ask_at_ms = Time.get_ticks_msec() + _backoff.next_ms()
			# Of a broken connection the channel tells.
			if channel.state == GrpcChannel.State.READY:
				_go_without(GrpcFailure.Kind.NONE, "%s: the server is not ready (%s)" % [channel.url(), status.message])
		_:
			_refuse("%s: the server does not say what it is: %s" % [channel.url(), status])


## Ends the attempts: trying again cannot help until somebody changes something.
func _refuse(why: String) -> void:
	channel.state_changed.disconnect(_on_channel_changed)
	channel.close()
	_change(GcsClient.Connection.REFUSED, channel.failure, why)


func _change(to: GcsClient.Connection, kind: GrpcFailure.Kind, why: String) -> void:
	# The text of one failure differs from attempt to attempt, and a lost server is first gone and then not to be found:
	# a game wants to hear of either once.
	var known: bool = connection == to and (failure == kind or to == GcsClient.Connection.LOST)
	connection = to
	failure = kind
	reason = why
	if known:
		return
	changed.emit(connection, reason)
