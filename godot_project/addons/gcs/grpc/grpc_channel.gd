class_name GrpcChannel
extends RefCounted
## A gRPC server as seen from a game: one connection, made and kept up without ever blocking a frame, and the calls on
## it.
##
## Call [method poll] once a frame. Nothing happens without it.
## [codeblock]
## var channel: GrpcChannel = GrpcChannel.open("grpc://127.0.0.1:50051")
##
## func _process(_delta: float) -> void:
##     channel.poll()
## [/codeblock]
## URLs: [code]grpc://host:port[/code] or [code]host:port[/code] (plain TCP), [code]grpc+unix:/path[/code] (Godot 4.6),
## [code]grpcs://host:port[/code] (a TLS relay), [code]ws://host:port/path[/code] and [code]wss://…[/code] (a WebSocket
## relay).
##
## A lost connection is made anew with growing waits; calls are never sent twice by themselves.

## The state changed, or the reason for it did. [param reason] is a sentence for people; [member failure] names it for
## programs.
signal state_changed(state: State, reason: String)

## Where the channel stands.
enum State {
	## Nothing tried yet.
	IDLE,
	## A connection is being made.
	CONNECTING,
	## Calls go through.
	READY,
	## The last attempt failed or the connection broke; the next attempt follows by itself.
	TRANSIENT_FAILURE,
	## [method close] was called, or the URL or an option is wrong: nothing will happen any more.
	SHUTDOWN,
}

const Backoff = preload("core/backoff.gd")
const Frames = preload("http2/frames.gd")
const Link = preload("core/link.gd")
const MetadataCodec = preload("core/metadata_codec.gd")
const RequestHeaders = preload("core/request_headers.gd")
const Target = preload("core/target.gd")

## Microseconds that [method poll] may take when nothing is said.
const DEFAULT_BUDGET_USEC: int = 2_000
## Interval of PINGs, in milliseconds, after a server complained about more: what grpcio accepts by default.
const POLITE_KEEPALIVE_MS: int = 300_000
## How long a connection must have stood, in milliseconds, for the waits between attempts to start over.
const STABLE_MS: int = 5_000
## How deep [method poll] may be called from slots that it called itself.
const MAX_DEPTH: int = 8

## Where the channel stands.
var state: State = State.IDLE
## Why it is not [constant READY], or the token was refused.
var failure: GrpcFailure.Kind = GrpcFailure.Kind.NONE
## The same as a sentence.
var reason: String = ""

var _target: Target
## Encoded headers by path.
var _heads: Dictionary[String, MetadataCodec] = {}
var _options: GrpcChannelOptions
var _backoff: Backoff
var _keepalive_ms: int
var _ping_when_idle: bool = true
## The connection in use or in the making; null while waiting for the next attempt.
var _link: Link = null
## Connections that the server closes, with calls still on them.
var _old_links: Array[Link] = []
var _ready_at_ms: int = 0
var _retry_at_ms: int = 0
## All calls that have not finished, in the order they were started.
var _calls: Array[GrpcCall] = []
## Those that have no stream yet.
var _waiting: Array[GrpcCall] = []
var _next_deadline_ms: int = 0
var _endings: bool = false
var _flush_asked: bool = false
var _depth: int = 0


## A channel to [param address], a URL. The first [method poll] starts connecting.
static func open(address: String, options: GrpcChannelOptions = null) -> GrpcChannel:
	var channel: GrpcChannel = GrpcChannel.new()
	channel._start(address, options if options != null else GrpcChannelOptions.new())
	return channel


## Starts a call of the method at [param path] ([code]/package.Service/Method[/code]). Replies are decoded as
## [param response_type], a class that extends [ProtoMessage]; null gives raw bytes. The call's
## [signal GrpcCall.finished] always comes, and never before this returns.
func start_call(path: String, response_type: GDScript, options: GrpcCallOptions = null) -> GrpcCall:
	var call_options: GrpcCallOptions = options if options != null else GrpcCallOptions.new()
	var request: RequestHeaders = RequestHeaders.new(path, call_options, _options, _target, _heads)
	var grpc_call: GrpcCall = GrpcCall.new(request, call_options, _options, response_type)
	grpc_call._wake = _on_wake
	_calls.push_back(grpc_call)
	_expect_deadline(request.deadline_at_ms)
	if state == State.SHUTDOWN:
		grpc_call._end(GrpcStatus.make_unsent(reason))
		_deliver_endings.call_deferred()
	elif not request.error.is_empty():
		grpc_call._end(GrpcStatus.make(GrpcStatus.Code.INTERNAL, request.error))
	elif _waiting.size() >= _options.max_waiting_calls:
		grpc_call._end(GrpcStatus.make(GrpcStatus.Code.RESOURCE_EXHAUSTED, "%d calls wait already" % _waiting.size()))
	else:
		_waiting.push_back(grpc_call)
		_on_wake()
	return grpc_call


## Starts a call with one request and one reply. [code]await call.response()[/code] gives the reply.
func unary(path: String, request: ProtoMessage, response_type: GDScript, options: GrpcCallOptions = null) -> GrpcCall:
	var grpc_call: GrpcCall = start_call(path, response_type, options)
	grpc_call._single_response = true
	if grpc_call.send(request) == ERR_OUT_OF_MEMORY:
		grpc_call._end(GrpcStatus.make(GrpcStatus.Code.RESOURCE_EXHAUSTED,
				"the request has more than %d bytes" % _options.max_send_bytes))
	grpc_call.close_send()
	return grpc_call


## Moves everything along; call it once a frame. Stops after about [param budget_usec] microseconds and goes on in the
## next frame. Signals are emitted from here, and a slot may call it again, up to [constant MAX_DEPTH] deep.
func poll(budget_usec: int = DEFAULT_BUDGET_USEC) -> void:
	if _depth >= MAX_DEPTH:
		return
	_depth += 1
	var end_usec: int = Time.get_ticks_usec() + budget_usec
	if state != State.SHUTDOWN:
		_advance(end_usec)
		_send_waiting()
		_watch_deadlines()
		_flush()
	_deliver_endings()
	_depth -= 1


## Tries to connect now instead of waiting out the time until the next attempt.
func connect_now() -> void:
	_backoff.reset()
	_retry_at_ms = 0


## Ends all calls with CANCELLED, closes the connection and disconnects [signal state_changed].
func close() -> void:
	if state == State.SHUTDOWN:
		return
	for grpc_call: GrpcCall in _calls.duplicate():
		grpc_call._end(GrpcStatus.make(GrpcStatus.Code.CANCELLED, "the channel was closed"))
	if _link != null:
		_link.close(Frames.NO_ERROR, "")
	for link: Link in _old_links:
		link.close(Frames.NO_ERROR, "")
	_link = null
	_old_links.clear()
	_waiting.clear()
	_change(State.SHUTDOWN, GrpcFailure.Kind.NONE, "the channel was closed")
	_deliver_endings()
	# A slot that holds the channel would keep it alive for ever.
	for connection: Dictionary in state_changed.get_connections():
		var slot: Callable = connection["callable"]
		state_changed.disconnect(slot)


## The URL that the channel was opened with.
func url() -> String:
	return _target.url


## Calls that have not finished.
func call_count() -> int:
	return _calls.size()


func _notification(what: int) -> void:
	if what != NOTIFICATION_PREDELETE:
		return
	# Own methods cannot be called any more, neither by this nor by the calls.
	for grpc_call: GrpcCall in _calls:
		grpc_call._wake = Callable()
		grpc_call._end(GrpcStatus.make(GrpcStatus.Code.CANCELLED, "the channel was freed"))
		grpc_call._deliver_end()
	if _link != null:
		_link.close(Frames.NO_ERROR, "")
	for link: Link in _old_links:
		link.close(Frames.NO_ERROR, "")


func _start(url_text: String, options: GrpcChannelOptions) -> void:
	_target = Target.new(url_text)
	_options = options
	_keepalive_ms = options.keepalive_interval_ms
	_backoff = Backoff.new(options, hash([url_text, Time.get_ticks_usec(), get_instance_id()]))
	if not _target.error.is_empty():
		state = State.SHUTDOWN
		failure = GrpcFailure.Kind.BAD_ADDRESS
		reason = _target.error
		return
	for option: StringName in [&"token", &"user_agent", &"authority"] as Array[StringName]:
		var value: String = options.get(option)
		var wrong: String = MetadataCodec.wrong_in_value(value)
		if not wrong.is_empty():
			state = State.SHUTDOWN
			failure = GrpcFailure.Kind.BAD_OPTION
			reason = "%s: the option %s %s" % [_target.url, option, wrong]


## Connects, reads, and takes note of what became of the connections.
func _advance(end_usec: int) -> void:
	for link: Link in _old_links.duplicate():
		link.pump(end_usec)
		if link.phase == Link.Phase.DEAD:
			_old_links.erase(link)
	if state == State.SHUTDOWN:
		return
	if _link == null:
		if Time.get_ticks_msec() < _retry_at_ms:
			return
		_link = Link.new(_target, _options, _keepalive_ms, _ping_when_idle)
		_change(State.CONNECTING, failure, "connecting to %s" % _target.url)
		if _link == null:
			return
	var link: Link = _link
	link.pump(end_usec)
	if link != _link:
		return
	if link.phase == Link.Phase.READY and state != State.READY:
		_ready_at_ms = Time.get_ticks_msec()
		_change(State.READY, GrpcFailure.Kind.NONE, "connected to %s" % _target.url)
	if link == _link and link.phase == Link.Phase.READY and link.is_spent():
		link.drain(GrpcFailure.Kind.NONE, "all stream ids are used up")
	if link == _link and (link.phase == Link.Phase.DRAINING or link.phase == Link.Phase.DEAD):
		_on_link_lost(link)


func _on_link_lost(link: Link) -> void:
	if link.too_many_pings:
		_keepalive_ms = maxi(_keepalive_ms << 1, POLITE_KEEPALIVE_MS)
		_ping_when_idle = false
	var goodbye: bool = link.phase == Link.Phase.DRAINING or link.failure == GrpcFailure.Kind.SERVER_CLOSING
	if link.phase == Link.Phase.DRAINING:
		_old_links.push_back(link)
	_link = null
	var now: int = Time.get_ticks_msec()
	if state == State.READY and (link.useful or now - _ready_at_ms >= STABLE_MS):
		_backoff.reset()
	# A server that says goodbye is asked again at once, for another one may stand there already; but only once, unless
	# it served.
	var at_once: bool = goodbye and _backoff.is_fresh()
	var wait_ms: int = 0 if at_once and link.useful else _backoff.next_ms()
	_retry_at_ms = 0 if at_once else now + wait_ms
	var text: String = "%s: %s" % [_target.url, GrpcFailure.describe(link.failure)]
	if not link.failure_text.is_empty():
		text += " (%s)" % link.failure_text
	_change(State.CONNECTING if at_once else State.TRANSIENT_FAILURE, link.failure, text)


## Gives waiting calls a stream, or fails those that do not want to wait for a connection.
func _send_waiting() -> void:
	while not _waiting.is_empty() and _link != null and _link.can_open():
		var grpc_call: GrpcCall = _waiting.pop_front()
		if grpc_call._ending != null:
			continue
		if grpc_call._request.list_bytes > _link.max_header_list_bytes():
			grpc_call._end(GrpcStatus.make(GrpcStatus.Code.RESOURCE_EXHAUSTED,
					"the call's metadata takes %d bytes, the server accepts %d"
					% [grpc_call._request.list_bytes, _link.max_header_list_bytes()]))
			continue
		_link.open(grpc_call)
	if state == State.TRANSIENT_FAILURE and not _waiting.is_empty():
		var still: Array[GrpcCall] = []
		for grpc_call: GrpcCall in _waiting:
			if grpc_call._options.wait_for_ready:
				still.push_back(grpc_call)
			else:
				grpc_call._end(GrpcStatus.make_unsent(reason))
		_waiting = still


func _watch_deadlines() -> void:
	var now: int = Time.get_ticks_msec()
	if _next_deadline_ms == 0 or now < _next_deadline_ms:
		return
	_next_deadline_ms = 0
	for grpc_call: GrpcCall in _calls.duplicate():
		var deadline_ms: int = grpc_call._request.deadline_at_ms
		if deadline_ms == 0 or grpc_call._ending != null:
			continue
		if now >= deadline_ms:
			var status: GrpcStatus = GrpcStatus.make(GrpcStatus.Code.DEADLINE_EXCEEDED, "no end within the deadline")
			status.unsent = grpc_call.state == GrpcCall.State.WAITING
			if failure != GrpcFailure.Kind.NONE:
				status.message += "; %s" % GrpcFailure.describe(failure)
			grpc_call._end(status)
		else:
			_expect_deadline(deadline_ms)


func _expect_deadline(at_ms: int) -> void:
	if at_ms > 0 and (_next_deadline_ms == 0 or at_ms < _next_deadline_ms):
		_next_deadline_ms = at_ms


func _deliver_endings() -> void:
	if not _endings:
		return
	_endings = false
	var ended: Array[GrpcCall] = []
	var going_on: Array[GrpcCall] = []
	for grpc_call: GrpcCall in _calls:
		if grpc_call._ending != null:
			ended.push_back(grpc_call)
		else:
			going_on.push_back(grpc_call)
	_calls = going_on
	for grpc_call: GrpcCall in ended:
		if _link != null:
			_link.forget(grpc_call)
		for link: Link in _old_links:
			link.forget(grpc_call)
		_waiting.erase(grpc_call)
	for grpc_call: GrpcCall in ended:
		grpc_call._deliver_end()
		_note_token(grpc_call.status)


## A refused token is a reason that a game wants to show, although the connection stands.
func _note_token(status: GrpcStatus) -> void:
	if state != State.READY:
		return
	if status.code == GrpcStatus.Code.UNAUTHENTICATED:
		_change(State.READY, GrpcFailure.Kind.TOKEN_REFUSED,
				"%s: %s (%s)" % [_target.url, GrpcFailure.describe(GrpcFailure.Kind.TOKEN_REFUSED), status.message])
	elif status.is_ok() and failure == GrpcFailure.Kind.TOKEN_REFUSED:
		_change(State.READY, GrpcFailure.Kind.NONE, "connected to %s" % _target.url)


func _change(new_state: State, new_failure: GrpcFailure.Kind, new_reason: String) -> void:
	if state == new_state and failure == new_failure and reason == new_reason:
		return
	state = new_state
	failure = new_failure
	reason = new_reason
	state_changed.emit(state, reason)


## Called by calls that have something to send or to finish. Sends at the end of this frame, so that what is started
## together goes out together.
func _on_wake() -> void:
	_endings = true
	if not _flush_asked:
		_flush_asked = true
		_flush_later.call_deferred()


func _flush_later() -> void:
	_flush_asked = false
	if state == State.READY:
		_send_waiting()
		_flush()


func _flush() -> void:
	if _link != null:
		_link.flush()
	for link: Link in _old_links:
		link.flush()
