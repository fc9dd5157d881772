class_name GcsAction
extends RefCounted
## An action on its way to the server. Made by [method GcsClient.play_card] and the like.
##
## It survives a lost connection: it is sent again under the same id, and the server carries it out once.
## [codeblock]
## var rejection: GcsV1Battle.Rejection = await Gcs.play_card("c4", "enemy0").outcome()
## if rejection != null:
##     print(rejection.message)
## [/codeblock]

## The server answered, and what the action did has been shown; or it is given up.
signal finished()

## Where an action stands.
enum State {
	## No answer yet.
	PENDING,
	## Carried out.
	ACCEPTED,
	## Refused; [member rejection] tells why. It changed nothing.
	REJECTED,
	## There is no battle to carry it out in, the battle was left or failed before the answer, or the action is too large to be sent.
	DROPPED,
}

## Where the action stands.
var state: State = State.PENDING
## The action as it goes over the wire.
var message: GcsV1Battle.Action = null
## Why it was refused; null unless [member state] is [constant REJECTED].
var rejection: GcsV1Battle.Rejection = null


func _init(action: GcsV1Battle.Action) -> void:
	message = action


## Waits until [signal finished]; gives why the action was refused, or null.
func outcome() -> GcsV1Battle.Rejection:
	if state == State.PENDING:
		await finished
	return rejection


func _finish(to_state: State, why: GcsV1Battle.Rejection = null) -> void:
	if state != State.PENDING:
		return
	state = to_state
	rejection = why
	finished.emit()
