class_name GrpcCall
extends RefCounted
## One gRPC call, of any of the four kinds. Made by [method GrpcChannel.start_call].
##
## A call ends exactly once, with [signal finished], and never before [method GrpcChannel.start_call] has returned. The
## channel keeps it alive until then; afterwards its signals are disconnected.
## [codeblock]
## var buying: GrpcCall = channel.start_call("/shop.v1.Shop/Buy", BuyReply)
## buying.send(request)
## buying.close_send()
## var reply: BuyReply = await buying.response()
## if reply == null:
##     print(buying.status)
## [/codeblock]

## The server's first metadata is here: lower-case key to a list of values. See [GrpcMetadata].
signal headers_received(metadata: Dictionary[String, Array])
## A reply of the type given to [method GrpcChannel.start_call].
signal message_received(message: ProtoMessage)
## A reply of a call that was started without a type.
signal bytes_received(bytes: PackedByteArray)
## What waited to be sent is below half of [member GrpcChannelOptions.send_queue_bytes] again, after [method send]
## answered [constant ERR_BUSY].
signal send_ready()
## The call is over.
signal finished(status: GrpcStatus)
## Something was added to the inbox, or the call ended.
signal _inbox_changed()

## Where a call stands.
enum State {
	## Waits for a connection or a free stream.
	WAITING,
	## The server has it.
	OPEN,
	## Ended with OK.
	COMPLETED,
	## Ended with any other status.
	FAILED,
	## Ended by [method cancel].
	CANCELLED,
}

const Frames = preload("http2/frames.gd")
const Http2Stream = preload("http2/http2_stream.gd")
const MessageReader = preload("core/message_reader.gd")
const MetadataCodec = preload("core/metadata_codec.gd")
const RequestHeaders = preload("core/request_headers.gd")
const StatusCodec = preload("core/status_codec.gd")

## Where the call stands.
var state: State = State.WAITING
## How it ended; null until then.
var status: GrpcStatus = null
## [code]/package.Service/Method[/code].
var path: String:
	get:
		return _request.path
## The server's first metadata; empty until [signal headers_received].
var headers: Dictionary[String, Array] = {}

var _options: GrpcCallOptions
var _limits: GrpcChannelOptions
var _response_type: GDScript
var _single_response: bool
var _request: RequestHeaders
var _stream: Http2Stream = Http2Stream.new()
## Ends the stream towards the server. Set by the channel once the call is open.
var _end_stream: Callable = Callable()
## Tells the channel that there is something to send or to finish.
var _wake: Callable = Callable()
## Gives back bytes of the stream's window.
var _consume: Callable = Callable()
var _reader: MessageReader
var _http_status: int = 0
var _received: int = 0
var _last_message: ProtoMessage = null
var _last_bytes: PackedByteArray = PackedByteArray()
var _inbox: Array[PackedByteArray] = []
## Bytes of the stream's window that what waits in the inbox takes up.
var _held: int = 0
var _was_busy: bool = false
## Set when the call is to end and [signal finished] is still to come.
var _ending: GrpcStatus = null


func _init(request: RequestHeaders, options: GrpcCallOptions, limits: GrpcChannelOptions,
		response_type: GDScript) -> void:
	_request = request
	_options = options
	_limits = limits
	_response_type = response_type
	_single_response = options.single_response
	_reader = MessageReader.new(limits.max_receive_bytes)


## Queues a message. [constant ERR_BUSY]: too much waits already, try again after [signal send_ready];
## [constant ERR_UNAVAILABLE]: the call is over or [method close_send] was called; [constant ERR_OUT_OF_MEMORY]: larger
## than [member GrpcChannelOptions.max_send_bytes].
func send(message: ProtoMessage) -> Error:
	return send_bytes(message.to_bytes())


## Queues a message that is serialized already. Answers like [method send].
func send_bytes(bytes: PackedByteArray) -> Error:
	if _ending != null or _stream.is_ending():
		return ERR_UNAVAILABLE
	if bytes.size() > _limits.max_send_bytes:
		return ERR_OUT_OF_MEMORY
	if _stream.queued_bytes > 0 and _stream.queued_bytes + bytes.size() > _limits.send_queue_bytes:
		_was_busy = true
		return ERR_BUSY
	var size: int = bytes.size()
	var framed: PackedByteArray = PackedByteArray(
			[0, size >> 24 & 0xff, size >> 16 & 0xff, size >> 8 & 0xff, size & 0xff])
	framed.append_array(bytes)
	_stream.enqueue(framed)
	_notify()
	return OK


## Tells the server that no more messages come. A call whose method takes one message is answered after this.
func close_send() -> void:
	if _ending == null and not _stream.is_ending():
		_stream.enqueue_end()
		_notify()


## Gives the call up: it finishes with CANCELLED, and the server is told.
func cancel() -> void:
	_end(GrpcStatus.make(GrpcStatus.Code.CANCELLED, "cancelled by the client"))


## True once [signal finished] was emitted.
func is_finished() -> bool:
	return status != null


## Bytes of messages that the server has not let us send yet.
func queued_bytes() -> int:
	return _stream.queued_bytes


## Waits for the end and gives the last reply; null when the call failed ([member status] tells why) or had no reply.
func response() -> ProtoMessage:
	if status == null:
		await finished
	return _last_message if status.is_ok() else null


## Like [method response], for calls that were started without a type. An empty array can be a reply: look at
## [member status].
func response_bytes() -> PackedByteArray:
	if status == null:
		await finished
	return _last_bytes if status.is_ok() else PackedByteArray()


## With [member GrpcCallOptions.pull]: waits for the next reply; null once the call is over and all replies are taken.
func next_message() -> ProtoMessage:
	while _inbox.is_empty() and status == null:
		await _inbox_changed
	if _inbox.is_empty():
		return null
	return _decode(_take_from_inbox())


## With [member GrpcCallOptions.pull], for calls that were started without a type: waits for the next reply. An empty
## array can be one: [method has_message] and [method is_finished] tell.
func next_bytes() -> PackedByteArray:
	while _inbox.is_empty() and status == null:
		await _inbox_changed
	return PackedByteArray() if _inbox.is_empty() else _take_from_inbox()


## With [member GrpcCallOptions.pull]: true while replies wait.
func has_message() -> bool:
	return not _inbox.is_empty()


## Ends the call with [param ending]. The server is told at once, the signal comes with the next poll of the channel.
func _end(ending: GrpcStatus) -> void:
	if _ending != null:
		return
	_ending = ending
	if _end_stream.is_valid():
		_end_stream.call(_stream)
	_stream.drop_output()
	_stream.closed = true
	_reader.clear()
	_notify()


## Emits [signal finished]. Called by the channel, outside of everything else.
func _deliver_end() -> void:
	if status != null:
		return
	status = _ending
	match status.code:
		GrpcStatus.Code.OK:
			state = State.COMPLETED
		GrpcStatus.Code.CANCELLED:
			state = State.CANCELLED
		_:
			state = State.FAILED
	finished.emit(status)
	_inbox_changed.emit()
	# A slot that holds the call, as a lambda does that cancels it, would keep it alive for ever.
	for ended: Signal in [headers_received, message_received, bytes_received, send_ready, finished]:
		for connection: Dictionary in ended.get_connections():
			var slot: Callable = connection["callable"]
			ended.disconnect(slot)


## The server's headers or trailers.
func _on_headers(fields: PackedStringArray, first: bool, last: bool) -> void:
	if _ending != null:
		return
	if first:
		_http_status = fields[1].to_int()
		_reader.encoding = MetadataCodec.find(fields, "grpc-encoding", "identity")
		if not last:
			if _http_status != 200:
				_end(StatusCodec.from_http(_http_status))
				return
			var content_type: String = MetadataCodec.find(fields, "content-type")
			if not content_type.begins_with("application/grpc"):
				_end(GrpcStatus.make(GrpcStatus.Code.UNKNOWN,
						"the server answered with content-type \"%s\", expected application/grpc" % content_type.c_escape()))
				return
			headers = MetadataCodec.decode(fields)
			headers_received.emit(headers)
	if last:
		_end(_checked(StatusCodec.from_trailers(fields, _http_status)))


## One message out of the reader; false when there is none or the call is over.
func _deliver_next() -> bool:
	if _ending != null:
		return false
	var next: Variant = _reader.next()
	if next == null:
		if _reader.error != GrpcStatus.Code.OK:
			_end(GrpcStatus.make(_reader.error, _reader.error_text))
		return false
	var bytes: PackedByteArray = next
	_received += 1
	if _single_response and _received > 1:
		_end(GrpcStatus.make(GrpcStatus.Code.INTERNAL, "the server sent a second reply, expected one"))
		return false
	if _options.pull:
		_inbox.push_back(bytes)
		_inbox_changed.emit()
		return true
	if _response_type == null:
		_last_bytes = bytes
		bytes_received.emit(bytes)
		return true
	var message: ProtoMessage = _decode(bytes)
	if message == null:
		return false
	_last_message = message
	message_received.emit(message)
	return true


## The server ended its side without trailers.
func _on_torn_off() -> void:
	_end(StatusCodec.from_trailers(PackedStringArray(), _http_status))


## Bytes of the stream's window that are free again after a piece of DATA was cut up. What waits in the inbox stays
## taken.
func _after_piece(length: int) -> void:
	if not _options.pull or _inbox.is_empty() or _stream.closed:
		_give_back(length)
	else:
		_held += length


## Lets the caller know that there is room again.
func _after_send() -> void:
	if _was_busy and _stream.queued_bytes << 1 <= _limits.send_queue_bytes:
		_was_busy = false
		send_ready.emit()


func _notify() -> void:
	if _wake.is_valid():
		_wake.call()


func _give_back(length: int) -> void:
	if _consume.is_valid() and not _stream.closed:
		_consume.call(_stream, length)


func _take_from_inbox() -> PackedByteArray:
	var bytes: PackedByteArray = _inbox.pop_front()
	if _inbox.is_empty() and _held > 0:
		var held: int = _held
		_held = 0
		_give_back(held)
		_notify()
	return bytes


func _decode(bytes: PackedByteArray) -> ProtoMessage:
	if _response_type == null:
		_end(GrpcStatus.make(GrpcStatus.Code.INTERNAL,
				"the call has no response type: take its replies with next_bytes"))
		return null
	var message: ProtoMessage = _response_type.new()
	if message.parse(bytes):
		return message
	_end(GrpcStatus.make(GrpcStatus.Code.INTERNAL, "the reply cannot be read: %s" % message.parse_error))
	return null


## An OK that breaks a promise of the method becomes an error.
func _checked(ending: GrpcStatus) -> GrpcStatus:
	if not ending.is_ok():
		return ending
	if _reader.is_torn():
		return GrpcStatus.make(GrpcStatus.Code.INTERNAL, "the server ended the call inside a message")
	if _single_response and _received == 0:
		return GrpcStatus.make(GrpcStatus.Code.INTERNAL, "the server ended the call without a reply")
	return ending
