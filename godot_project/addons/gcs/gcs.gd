extends GcsClient
## The autoload [code]Gcs[/code], which the plugin adds to the project: the battle client of the game. See [GcsClient].
##
## It alone prints what goes wrong, as far as the project setting [code]gcs/logging/level[/code] asks for it.


func _ready() -> void:
	var level: int = GcsSettings.number_of(GcsSettings.LOG_LEVEL)
	if level >= GcsSettings.LogLevel.WARNINGS:
		connection_changed.connect(_warn_of_connection)
		battle_failed.connect(_warn_of_failure)
		raise_refused.connect(_warn_of_raise)
		action_dropped.connect(_warn_of_action)
		handler_stalled.connect(_warn_of_handler)
	if level >= GcsSettings.LogLevel.INFO:
		connection_changed.connect(_tell_of_connection)
		battle_started.connect(_tell_of_battle)
		battle_ended.connect(_tell_of_result)


func _warn_of_connection(to: Connection, reason: String) -> void:
	if to == Connection.LOST or to == Connection.UNREACHABLE or to == Connection.REFUSED:
		push_warning("Gcs: %s" % reason)


func _tell_of_connection(to: Connection, reason: String) -> void:
	if to == Connection.ONLINE or to == Connection.CONNECTING:
		print("Gcs: %s" % reason)


func _warn_of_failure(status: GrpcStatus) -> void:
	# Who leaves a battle knows it.
	if status.code != GrpcStatus.Code.CANCELLED:
		push_warning("Gcs: the battle cannot be played: %s" % status)


func _warn_of_raise(guid: String, message: String) -> void:
	push_warning("Gcs: event %s is not raised: %s" % [guid, message])


func _warn_of_action(action: GcsAction) -> void:
	push_warning("Gcs: an action is not carried out: %s" % action.reason())


func _warn_of_handler(event: GcsV1Events.Event, lost: bool) -> void:
	var kind: String = str(GcsV1Events.Event.KindCase.find_key(event.kind_case)).to_lower()
	var shown: String = "event %d (%s)" % [event.sequence, kind]
	if lost:
		push_warning("Gcs: handler %s awaits an object that is gone; %s counts as shown" % [_queue.handler_name(),
				shown])
	else:
		push_warning("Gcs: handler %s does not come back from %s; Gcs.skip_event() goes on without it" % [
			_queue.handler_name(), shown,
		])


func _tell_of_battle(begun: GcsBattleState) -> void:
	print("Gcs: battle %s has begun" % begun.battle_id)


func _tell_of_result(result: GcsV1Battle.Result) -> void:
	print("Gcs: the battle has ended: %s" % result.to_text())
