@tool
extends RefCounted
## What the dock knows of the server: whether it is there, how fast it answers, its battles, and what happens in one of
## them.

## How things stand with the server.
signal connection_changed(connection: GcsClient.Connection, reason: String)
## How long an answer took, in microseconds.
signal latency_measured(usec: int)
## The battles that stand at the server.
signal battles_listed(battles: Array[GcsV1Service.BattleSummary])
## Another battle is watched; empty: none.
signal watch_changed(battle_id: String)
## Something happened in the battle that is watched. [param state] is the battle after it.
signal events_arrived(events: Array[GcsV1Events.Event], state: GcsBattleState)

const ServerConnection = preload("../server/server_connection.gd")

## Milliseconds between two looks at the server.
const INTERVAL_MS: int = 1_000
## Events of a battle that are asked for when it is watched first.
const HISTORY: int = 200
## Microseconds of a frame that receiving may take.
const BUDGET_USEC: int = 2_000
## Microseconds that may be spent on waiting for one answer, once in an interval. An answer that comes later is measured
## by frames: the editor draws few of them when nothing moves.
const WAIT_USEC: int = 4_000

## How things stand with the server.
var connection: GcsClient.Connection:
	get:
		return _server.connection
## What the server is; null before it was reached.
var info: GcsV1Service.GetServerInfoResponse:
	get:
		return _server.info
## The channel to the server; null before [method open].
var channel: GrpcChannel:
	get:
		return _server.channel
## The battle that is watched; empty: none.
var battle_id: String = ""

var _server: ServerConnection = ServerConnection.new()
var _look_at_ms: int = 0
var _asking: GrpcCall = null
var _asked_at_usec: int = 0
var _watching: GrpcCall = null
var _state: GcsBattleState = null
var _known: Dictionary[String, bool] = {}


func _init() -> void:
	_server.changed.connect(_on_connection_changed)


## Looks for the server of the project settings from now on.
func open() -> void:
	watch("", 0)
	_known.clear()
	_server.open(GcsSettings.text_of(GcsSettings.ADDRESS), GcsClient.make_channel_options())


## Gives the server up.
func close() -> void:
	_watching = null
	_asking = null
	_server.close()


## Moves everything along; call it once a frame.
func poll() -> void:
	_server.poll(BUDGET_USEC)
	if connection != GcsClient.Connection.ONLINE or _asking != null or Time.get_ticks_msec() < _look_at_ms:
		return
	_look_at_ms = Time.get_ticks_msec() + INTERVAL_MS
	_ask()


## Watches [param id] from now on, with the events after [param last_sequence]; empty: no battle.
func watch(id: String, last_sequence: int) -> void:
	if _watching != null:
		var former: GrpcCall = _watching
		_watching = null
		former.cancel()
	battle_id = id
	_state = null
	watch_changed.emit(battle_id)
	if id.is_empty() or channel == null:
		return
	var request: GcsV1Service.WatchRequest = GcsV1Service.WatchRequest.new()
	request.battle_id = id
	request.last_sequence = maxi(0, last_sequence)
	var service: GcsV1Service.BattleServiceClient = GcsV1Service.BattleServiceClient.new(channel)
	_watching = service.watch(request, GrpcCallOptions.with_deadline(GrpcCallOptions.NO_DEADLINE))
	_watching.message_received.connect(_on_watched.bind(_watching))
	_watching.finished.connect(_on_watch_ended.bind(_watching))


func _ask() -> void:
	var service: GcsV1Service.BattleServiceClient = GcsV1Service.BattleServiceClient.new(channel)
	_asking = service.get_server_info(GcsV1Service.GetServerInfoRequest.new())
	_asked_at_usec = Time.get_ticks_usec()
	_asking.finished.connect(_on_answered.bind(_asking), CONNECT_ONE_SHOT)
	service.list_battles(GcsV1Service.ListBattlesRequest.new()).message_received.connect(_on_battles)
	while _asking != null and Time.get_ticks_usec() - _asked_at_usec < WAIT_USEC:
		_server.poll(BUDGET_USEC)


func _on_answered(status: GrpcStatus, asked: GrpcCall) -> void:
	if asked != _asking:
		return
	_asking = null
	if status.is_ok():
		latency_measured.emit(Time.get_ticks_usec() - _asked_at_usec)


func _on_battles(message: ProtoMessage) -> void:
	var response: GcsV1Service.ListBattlesResponse = message
	battles_listed.emit(response.battles)
	var fresh: GcsV1Service.BattleSummary = null
	for battle: GcsV1Service.BattleSummary in response.battles:
		# The battle that was just started is the one to look at; else any.
		if not _known.has(battle.battle_id) or (battle_id.is_empty() and fresh == null):
			fresh = battle
		_known[battle.battle_id] = true
	if fresh != null:
		watch(fresh.battle_id, fresh.last_sequence - HISTORY)


func _on_watched(message: ProtoMessage, from_call: GrpcCall) -> void:
	if from_call != _watching:
		return
	var response: GcsV1Service.WatchResponse = message
	var update: GcsV1Events.Update = response.update
	if update.has_snapshot():
		_state = GcsBattleState.new()
		_state._take_snapshot(update.snapshot)
	elif update.has_change() and _state != null:
		_state._take_change(update.change)
	events_arrived.emit(update.events, _state)


func _on_watch_ended(_status: GrpcStatus, from_call: GrpcCall) -> void:
	if from_call == _watching:
		_watching = null
		watch("", 0)


func _on_connection_changed(to: GcsClient.Connection, reason: String) -> void:
	if to != GcsClient.Connection.ONLINE:
		_asking = null
		_look_at_ms = 0
		watch("", 0)
		_known.clear()
		battles_listed.emit([] as Array[GcsV1Service.BattleSummary])
	connection_changed.emit(to, reason)
