class_name GcsBattleStart
extends RefCounted
## A battle that is on its way to stand. Made by [method GcsClient.start_battle], [method GcsClient.join_battle] and
## [method GcsWatcher.watch].
##
## [codeblock]
## var start: GcsBattleStart = Gcs.start_battle("starter", "first_fight")
## var battle: GcsBattleState = await start.outcome()
## if battle == null:
##     print(start.status.message)
## [/codeblock]

## The battle stands, or it is known that it never will.
signal finished()

## The battle's id.
var battle_id: String = ""
## The battle, once it stands; null before, and when it never will.
var battle: GcsBattleState = null
## How it ended: OK once the battle stands, otherwise why it does not; [constant GrpcStatus.Code.CANCELLED]: it was left
## before it stood. Null while it is under way. [method GcsBattleView.reason_of] gives the reason for programs.
var status: GrpcStatus = null


func _init(id: String) -> void:
	battle_id = id


## Waits until [signal finished]; gives the battle, or null with the reason in [member status]. Takes at least a frame.
## While the server cannot be reached, attempts go on and this waits; [signal GcsClient.connection_changed] tells.
func outcome() -> GcsBattleState:
	if status == null:
		await finished
	else:
		await (Engine.get_main_loop() as SceneTree).process_frame
	return battle


func _stand(state: GcsBattleState) -> void:
	battle = state
	_finish(GrpcStatus.make(GrpcStatus.Code.OK, ""))


func _finish(with: GrpcStatus) -> void:
	if status == null:
		status = with
		finished.emit()
