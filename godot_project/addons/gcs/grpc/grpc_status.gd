class_name GrpcStatus
extends RefCounted
## How a gRPC call ended: code, message, details and trailing metadata.

## The 17 codes of gRPC.
enum Code {
	## The call succeeded.
	OK = 0,
	## The caller cancelled it.
	CANCELLED = 1,
	## No better code is known.
	UNKNOWN = 2,
	## The request is wrong whatever the state of the server.
	INVALID_ARGUMENT = 3,
	## The deadline passed first.
	DEADLINE_EXCEEDED = 4,
	## What was asked for does not exist.
	NOT_FOUND = 5,
	## What was to be made exists already.
	ALREADY_EXISTS = 6,
	## The caller may not do this.
	PERMISSION_DENIED = 7,
	## A limit is reached: messages too large, too many calls, too often.
	RESOURCE_EXHAUSTED = 8,
	## The state of the server does not allow it now.
	FAILED_PRECONDITION = 9,
	## The server gave up because of a conflict.
	ABORTED = 10,
	## Past the valid range.
	OUT_OF_RANGE = 11,
	## The server has no such method.
	UNIMPLEMENTED = 12,
	## A rule of the protocol was broken.
	INTERNAL = 13,
	## No server, or it went away. Trying later may work.
	UNAVAILABLE = 14,
	## Data was lost beyond repair.
	DATA_LOSS = 15,
	## No valid credentials.
	UNAUTHENTICATED = 16,
}

## The code.
var code: Code = Code.OK
## Text for people, as the server or the client worded it.
var message: String = ""
## [code]grpc-status-details-bin[/code] decoded from base64: normally a serialized [code]google.rpc.Status[/code]. Empty
## when there is none.
var details: PackedByteArray = PackedByteArray()
## Trailing metadata: lower-case key to a list of values, [String]s, or [PackedByteArray]s for keys that end in
## [code]-bin[/code]. See [GrpcMetadata].
var metadata: Dictionary[String, Array] = {}
## True when no server has worked on the call: it was never sent, or the server said so. Sending it again is safe for
## every method.
var unsent: bool = false
## True when sending the call again can succeed. Without [member unsent] the server may have done the work already:
## resend calls that can be done twice, and those alone.
var retryable: bool = false


## A status of [param status_code] with [param text].
static func make(status_code: Code, text: String = "") -> GrpcStatus:
	var status: GrpcStatus = GrpcStatus.new()
	status.code = status_code
	status.message = text
	return status


## UNAVAILABLE for a call that no server has seen: safe to send again.
static func make_unsent(text: String) -> GrpcStatus:
	var status: GrpcStatus = make(Code.UNAVAILABLE, text)
	status.unsent = true
	status.retryable = true
	return status


## True for [constant OK].
func is_ok() -> bool:
	return code == Code.OK


## The code's name, for instance [code]NOT_FOUND[/code].
func code_name() -> String:
	return name_of(code)


## The name of [param status_code]; [code]CODE_n[/code] for a number that gRPC does not define.
static func name_of(status_code: int) -> String:
	var found: Variant = Code.find_key(status_code)
	if found == null:
		return "CODE_%d" % status_code
	return str(found)


func _to_string() -> String:
	return code_name() if message.is_empty() else "%s: %s" % [code_name(), message]
