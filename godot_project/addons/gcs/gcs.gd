extends GcsClient
## The autoload [code]Gcs[/code], which the plugin adds to the project: the battle client of the game. See [GcsClient].
##
## It alone prints what goes wrong, as far as the project setting [code]gcs/logging/level[/code] asks for it.


func _ready() -> void:
	var level: int = GcsSettings.number_of(GcsSettings.LOG_LEVEL)
	if level >= GcsSettings.LogLevel.WARNINGS:
		connection_changed.connect(_warn_of_connection)
		battle_failed.connect(func(status: GrpcStatus) -> void: push_warning("Gcs: the battle cannot be played: %s" % status))
		raise_refused.connect(func(guid: String, message: String) -> void: push_warning("Gcs: event %s is not raised: %s" % [guid, message]))
	if level >= GcsSettings.LogLevel.INFO:
		connection_changed.connect(_tell_of_connection)
		battle_started.connect(func(begun: GcsBattleState) -> void: print("Gcs: battle %s has begun" % begun.battle_id))
		battle_ended.connect(func(result: GcsV1Battle.Result) -> void: print("Gcs: the battle has ended: %s" % result.to_text()))


func _warn_of_connection(to: Connection, reason: String) -> void:
	if to == Connection.LOST or to == Connection.UNREACHABLE or to == Connection.REFUSED:
		push_warning("Gcs: %s" % reason)


func _tell_of_connection(to: Connection, reason: String) -> void:
	if to == Connection.ONLINE or to == Connection.CONNECTING:
		print("Gcs: %s" % reason)
