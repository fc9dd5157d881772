class_name GrpcTransport
extends RefCounted
## A byte channel to a server. HTTP/2 runs over whichever subclass the URL names.
##
## Nothing blocks: [method poll] moves it along, [method read] and [method write] take what is possible now.

## Where the channel stands.
enum Status {
	## Being set up.
	CONNECTING,
	## Bytes pass.
	OPEN,
	## Over: closed by either side, or failed.
	CLOSED,
}

## Why it is [constant CLOSED] without having been asked to; [constant GrpcFailure.NONE] when the other side just closed
## it.
var failure: GrpcFailure.Kind = GrpcFailure.Kind.NONE
## What was seen, as a text to add to the failure.
var failure_text: String = ""


## Moves the channel along and tells where it stands. Bytes that came before the other side closed can still be read
## when it is [constant CLOSED].
func poll() -> Status:
	return Status.CLOSED


## Bytes that are here, at most [param _limit]; empty when there are none.
func read(_limit: int) -> PackedByteArray:
	return PackedByteArray()


## Takes bytes to send and tells how many it took.
func write(_bytes: PackedByteArray) -> int:
	return 0


## Closes the channel.
func close() -> void:
	pass


## Notes why the channel cannot go on.
func _fail(kind: GrpcFailure.Kind, text: String) -> Status:
	failure = kind
	failure_text = text
	close()
	return Status.CLOSED
