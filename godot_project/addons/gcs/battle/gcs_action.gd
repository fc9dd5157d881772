class_name GcsAction
extends RefCounted
## An action on its way to the server. Made by [method GcsClient.play_card] and the like.
##
## It survives a lost connection: it is sent again under the same id, and the server carries it out once.
## [codeblock]
## var action: GcsAction = await Gcs.play_card("c4", "enemy0").outcome()
## if not action.was_accepted():
##     print(action.reason())
## [/codeblock]

## The server answered, and what the action did has been shown; or it is given up.
signal finished()

## Where an action stands.
enum State {
	## No answer yet.
	PENDING,
	## Carried out.
	ACCEPTED,
	## Not allowed; [member rejection] tells why. It changed nothing.
	REJECTED,
	## Not sent, or no longer of interest: there is no battle to carry it out in, the battle was left before the answer,
	## or the action is too large.
	DROPPED,
	## The battle failed before the answer; [member failure] tells why. Whether the action was carried out is not known.
	FAILED,
}

## Where the action stands.
var state: State = State.PENDING
## The action as it goes over the wire.
var message: GcsV1Battle.Action = null
## Why the action is not allowed; null unless [member state] is [constant REJECTED].
var rejection: GcsV1Battle.Rejection = null
## Why the battle failed; null unless [member state] is [constant FAILED].
var failure: GrpcStatus = null

var _why_dropped: String = ""


func _init(action: GcsV1Battle.Action) -> void:
	message = action


## Waits until [signal finished] and gives this action. Takes at least a frame, so that a loop of actions that come to
## nothing holds up nobody.
func outcome() -> GcsAction:
	if state == State.PENDING:
		await finished
	else:
		await (Engine.get_main_loop() as SceneTree).process_frame
	return self


## Whether the action was carried out.
func was_accepted() -> bool:
	return state == State.ACCEPTED


## Why the action was not carried out, as a sentence for people; empty while it is under way and when it was.
func reason() -> String:
	match state:
		State.REJECTED:
			return rejection.message
		State.FAILED:
			return failure.message
	return _why_dropped


func _accept() -> void:
	_finish(State.ACCEPTED)


func _reject(why: GcsV1Battle.Rejection) -> void:
	if state == State.PENDING:
		rejection = why
	_finish(State.REJECTED)


func _drop(why: String) -> void:
	if state == State.PENDING:
		_why_dropped = why
	_finish(State.DROPPED)


func _fail(why: GrpcStatus) -> void:
	if state == State.PENDING:
		failure = why
	_finish(State.FAILED)


func _finish(to_state: State) -> void:
	if state != State.PENDING:
		return
	state = to_state
	finished.emit()
