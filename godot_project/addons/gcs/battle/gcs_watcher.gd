@icon("../icons/battle.svg")
class_name GcsWatcher
extends GcsBattleView
## Looks on at a battle that others play: the same state, events and signals as [GcsClient] has, and no way to act.
##
## [codeblock]
## var watcher: GcsWatcher = GcsWatcher.new()
## add_child(watcher)
## watcher.hp_changed.connect(_on_hp_changed)
## var battle: GcsBattleState = await watcher.watch(battle_id).outcome()
## [/codeblock]
## It goes over the connection of a [GcsClient], and goes on by itself after that was lost. Several may watch at once.

## Whose connection is used; none: that of the autoload [code]Gcs[/code].
@export var client: GcsClient = null

var _connected_client: GcsClient = null


func _process(_delta: float) -> void:
	_queue.deadline_usec = Time.get_ticks_usec() + budget_usec
	_poll_view()


func _exit_tree() -> void:
	super()
	if is_instance_valid(_connected_client):
		_connected_client.connection_changed.disconnect(_on_connection_changed)
	_connected_client = null


## Watches the battle [param battle_id] from now on, and leaves the one before. [signal battle_started] or
## [signal battle_failed] follows once the server is reached; [code]await watch(…).outcome()[/code] waits for either.
func watch(battle_id: String) -> GcsBattleStart:
	var stream: BattleStream = BattleStream.new()
	stream.watch(battle_id)
	var start: GcsBattleStart = _follow(stream)
	_use_client()
	if _connected_client == null:
		var message: String = "there is no autoload Gcs: enable the plugin GCS, or set client"
		_stream.fail(GrpcStatus.make(GrpcStatus.Code.FAILED_PRECONDITION, message))
	else:
		_attach()
	return start


func _use_client() -> void:
	var wanted: GcsClient = client if client != null else GcsClient.autoload()
	if wanted == _connected_client:
		return
	if is_instance_valid(_connected_client):
		_connected_client.connection_changed.disconnect(_on_connection_changed)
	_connected_client = wanted
	if wanted != null:
		wanted.connection_changed.connect(_on_connection_changed)


func _attach() -> void:
	_attach_to(_connected_client.connection, _connected_client._server.channel, _connected_client.connection_reason)


func _on_connection_changed(to: GcsClient.Connection, _reason: String) -> void:
	if to != GcsClient.Connection.ONLINE and _stream != null:
		_stream.detach()
	_attach()
