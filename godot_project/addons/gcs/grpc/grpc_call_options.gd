class_name GrpcCallOptions
extends RefCounted
## Settings of one call.

## For [member deadline_ms]: take [member GrpcChannelOptions.default_deadline_ms].
const CHANNEL_DEFAULT: int = -1
## For [member deadline_ms]: no deadline. For streams that stay open as long as a battle lasts.
const NO_DEADLINE: int = 0

## Milliseconds from the start of the call until it ends with DEADLINE_EXCEEDED. The server is told.
var deadline_ms: int = CHANNEL_DEFAULT
## Metadata to send: lower-case key to a [String] or an [Array] of them; keys that end in [code]-bin[/code] take
## [PackedByteArray]s instead. Keys that start with [code]grpc-[/code] are reserved.
var metadata: Dictionary[String, Variant] = {}
## Wait for a connection instead of failing at once with UNAVAILABLE while none can be made. The deadline still holds.
var wait_for_ready: bool = false
## Tell the server that compressed replies (gzip, deflate) are welcome. A server that compresses unasked is understood
## all the same.
var accept_compression: bool = true
## Exactly one reply is expected (unary and client-stream methods): none, or a second one, makes the call fail with
## INTERNAL.
var single_response: bool = false
## Keep messages in the call until [method GrpcCall.next_message] takes them, instead of emitting
## [signal GrpcCall.message_received]. The server is held back once [member GrpcChannelOptions.stream_window] bytes
## wait.
var pull: bool = false


## Options with [param milliseconds] as deadline.
static func with_deadline(milliseconds: int) -> GrpcCallOptions:
	var options: GrpcCallOptions = GrpcCallOptions.new()
	options.deadline_ms = milliseconds
	return options
