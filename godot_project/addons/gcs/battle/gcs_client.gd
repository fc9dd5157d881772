@icon("../icons/gcs.svg")
class_name GcsClient
extends GcsServerCalls
## Plays battles on a gcs server: connects, starts a battle, sends actions and events, mirrors the state and tells what happened.
##
## The autoload [code]Gcs[/code] is one of these; add further ones to a scene to play several battles at once.
## [codeblock]
## func _ready() -> void:
##     Gcs.battle_started.connect(_on_battle_started)
##     Gcs.entry_dispatched.connect(_on_entry_dispatched)
##     Gcs.connect_to_server("grpc://127.0.0.1:50051")
##     Gcs.start_battle("starter", "first_fight")
## [/codeblock]
## It never blocks a frame and goes on while the tree is paused. Calls may be made before the server is reached; they go out
## once it is. A lost connection is taken up again by itself, with the battle where it was.

## How things stand with the server. [param reason] is a sentence for people.
signal connection_changed(connection: Connection, reason: String)
## A battle stands and [member state] shows it. The events of its set-up follow.
signal battle_started(state: GcsBattleState)
## The battle cannot be started, or not be played any further: wrong pack or encounter, the server is full, has lost the battle or
## is refused. [param status] holds its words, [method reason_of] its reason for programs. Actions without an answer are dropped.
signal battle_failed(status: GrpcStatus)
## All that an action, or a raise, did has been shown and taken over.
signal state_changed(state: GcsBattleState)
## An action was refused and changed nothing.
signal action_rejected(rejection: GcsV1Battle.Rejection)
## The battle is over; comes after the last [signal state_changed].
signal battle_ended(result: GcsV1Battle.Result)
## Nothing is left to be shown: the player may act again.
signal settled()

## How things stand with the server.
enum Connection {
	## No server wanted: [method connect_to_server] was not called, or [method disconnect_from_server] was.
	OFFLINE,
	## The first attempt is on its way.
	CONNECTING,
	## The server is there and speaks our protocol.
	ONLINE,
	## It was there and is gone; attempts go on by themselves.
	LOST,
	## It was never reached; attempts go on by themselves.
	UNREACHABLE,
	## Trying again is of no use: wrong address, another version, not a gcs server, or the token is refused.
	REFUSED,
}

const BattleStream = preload("battle_stream.gd")
const EventQueue = preload("event_queue.gd")

## The environment variable with the token where the project setting [code]gcs/connection/token[/code] is empty.
const TOKEN_VARIABLE: String = "GCS_TOKEN"
## Largest message to receive, in bytes, that [method make_channel_options] sets: the whole state of a battle with all events since
## a lost connection comes as one message.
const MAX_RECEIVE_BYTES: int = 64 * 1024 * 1024
## Longest wait between two attempts to reach the server, in milliseconds, that [method make_channel_options] sets.
const BACKOFF_MAX_MS: int = 3_000

## How things stand with the server.
var connection: Connection:
	get:
		return _server.connection
## The same as a sentence.
var connection_reason: String:
	get:
		return _server.reason
## What the server is; null before it was reached.
var server_info: GcsV1Service.GetServerInfoResponse:
	get:
		return _server.info
## The battle as it is shown; null before [signal battle_started].
var state: GcsBattleState = null
## Microseconds of a frame that receiving and handing out events may take, your slots included; what is left comes in the next frame.
## One message, one event and what its slots do are never cut in two. The project setting [code]gcs/connection/poll_budget_usec[/code].
var budget_usec: int = GcsSettings.number_of(GcsSettings.POLL_BUDGET_USEC)

var _queue: EventQueue = EventQueue.new()
var _stream: BattleStream = null
## Whether the state of the update that is shown was taken over before its events.
var _took_snapshot: bool = false
var _announced_end: bool = false


func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	_server.changed.connect(_on_connection_changed)
	_queue.update_begun.connect(_on_update_begun)
	_queue.event_begun.connect(_on_event_begun)
	_queue.update_ended.connect(_on_update_ended)
	_queue.settled.connect(func() -> void: settled.emit())


func _process(_delta: float) -> void:
	_queue.deadline_usec = Time.get_ticks_usec() + budget_usec
	_server.poll(budget_usec)
	_poll_ges_streams()
	if _stream != null:
		_stream.poll()
	_queue.watch()


func _exit_tree() -> void:
	leave_battle()
	disconnect_from_server()


## The autoload [code]Gcs[/code]; null where the plugin is not enabled.
static func autoload() -> GcsClient:
	var tree: SceneTree = Engine.get_main_loop() as SceneTree
	return tree.root.get_node_or_null(^"Gcs") as GcsClient if tree != null else null


## Connects to the server at [param url]: [code]grpc://host:port[/code] or another form that [GrpcChannel] takes; empty: the
## project setting [code]gcs/connection/address[/code]. [signal connection_changed] tells what comes of it. A battle that is
## being played goes on over the new connection. [param options] start from [method make_channel_options], which null stands for.
func connect_to_server(url: String = "", options: GrpcChannelOptions = null) -> void:
	if url.is_empty():
		url = GcsSettings.text_of(GcsSettings.ADDRESS)
	_server.open(url, options if options != null else make_channel_options())


## The settings of a connection that battles are played over, those of the project among them, to be changed and given to
## [method connect_to_server].
static func make_channel_options() -> GrpcChannelOptions:
	var options: GrpcChannelOptions = GrpcChannelOptions.new()
	options.token = GcsSettings.text_of(GcsSettings.TOKEN)
	if options.token.is_empty():
		options.token = OS.get_environment(TOKEN_VARIABLE)
	var certificate: String = GcsSettings.text_of(GcsSettings.TLS_CERTIFICATE)
	if not certificate.is_empty():
		var error: Error = options.trust(certificate)
		if error != OK:
			push_error("%s: %s cannot be read: %s" % [GcsSettings.TLS_CERTIFICATE, certificate, error_string(error)])
	options.max_receive_bytes = MAX_RECEIVE_BYTES
	options.backoff_max_ms = BACKOFF_MAX_MS
	options.default_deadline_ms = GcsSettings.number_of(GcsSettings.CALL_DEADLINE_MS)
	return options


## Gives the connection up. A battle stands on at the server.
func disconnect_from_server() -> void:
	_server.close()


## Starts a battle of [param pack]'s [param encounter] and leaves the one before; gives its id. [signal battle_started] or
## [signal battle_failed] follows once the server is reached or refused; [signal connection_changed] tells while it is not.
func start_battle(pack: String, encounter: String, options: GcsBattleOptions = null) -> String:
	var request: GcsV1Service.StartBattleRequest = (options if options != null else GcsBattleOptions.new()).to_request(pack, encounter)
	if request.battle_id.is_empty():
		request.battle_id = _make_id()
	_begin_stream()
	_stream.start(request)
	_attach()
	return request.battle_id


## Joins a battle that stands at the server, for instance after a restart of the game. [signal battle_started] or
## [signal battle_failed] follows as after [method start_battle].
func join_battle(battle_id: String) -> void:
	_begin_stream()
	_stream.resume(battle_id)
	_attach()


## Leaves the battle. It stands on at the server; [method join_battle] takes it up again.
func leave_battle() -> void:
	_queue.clear()
	if _stream != null:
		_stream.close()
		_stream = null
	state = null


## Plays [param card] from the hand on [param target]; no target for a card that takes none.
func play_card(card: String, target: String = "") -> GcsAction:
	var action: GcsV1Battle.Action = GcsV1Battle.Action.new()
	action.play_card = GcsV1Battle.PlayCard.new()
	action.play_card.card = card
	action.play_card.target = target
	return _act(action)


## Ends the player's turn.
func end_turn() -> GcsAction:
	var action: GcsV1Battle.Action = GcsV1Battle.Action.new()
	action.end_turn = GcsV1Battle.EndTurn.new()
	return _act(action)


## Answers an open choice of cards with the instances picked.
func choose_cards(cards: Array[String]) -> GcsAction:
	var action: GcsV1Battle.Action = GcsV1Battle.Action.new()
	action.answer_choice = GcsV1Battle.AnswerChoice.new()
	action.answer_choice.cards = cards.duplicate()
	return _act(action)


## Answers an open choice of options with the index picked.
func choose_option(option: int) -> GcsAction:
	var action: GcsV1Battle.Action = GcsV1Battle.Action.new()
	action.answer_choice = GcsV1Battle.AnswerChoice.new()
	action.answer_choice.option = option
	return _act(action)


## Gives the battle up: it is lost.
func concede() -> GcsAction:
	var action: GcsV1Battle.Action = GcsV1Battle.Action.new()
	action.concede = GcsV1Battle.Concede.new()
	return _act(action)


## Asks for the whole state; [signal state_changed] follows.
func request_snapshot() -> void:
	if _stream != null:
		_stream.request_snapshot()


## Lets [param handler] show the events one at a time: [code]func(event: GcsV1Events.Event) -> void[/code], awaited before the next
## one. The state follows the events. An empty [Callable] shows everything at once.
func pace_with(handler: Callable) -> void:
	_queue.set_handler(handler)


## Whether events wait to be shown.
func is_showing() -> bool:
	return _queue.is_busy()


func _battle_id() -> String:
	return _stream.battle_id if _stream != null else ""


func _act(action: GcsV1Battle.Action) -> GcsAction:
	action.action_id = _make_id()
	var made: GcsAction = GcsAction.new(action)
	if _stream == null:
		made._finish(GcsAction.State.DROPPED)
		return made
	_stream.act(made)
	return made


func _begin_stream() -> void:
	leave_battle()
	_announced_end = false
	_stream = BattleStream.new()
	_stream.update_received.connect(_queue.push)
	_stream.rejection_received.connect(_on_rejection)
	_stream.failed.connect(func(status: GrpcStatus) -> void: battle_failed.emit(status))


func _attach() -> void:
	if _stream == null:
		return
	if connection == Connection.ONLINE:
		_stream.attach(_server.channel)
	elif connection == Connection.REFUSED:
		_stream.fail(GrpcStatus.make(GrpcStatus.Code.FAILED_PRECONDITION, connection_reason))


func _on_connection_changed(to: Connection, reason: String) -> void:
	if to != Connection.ONLINE and _stream != null:
		_stream.detach()
	_attach()
	connection_changed.emit(to, reason)


func _on_update_begun(update: GcsV1Events.Update) -> void:
	_took_snapshot = state == null and update.has_snapshot()
	if _took_snapshot:
		# The first state comes before the events of the set-up that led to it, so that a scene has units to show them on.
		state = GcsBattleState.new()
		state._take_snapshot(update.snapshot)
		state.version = update.state_version
		battle_started.emit(state)
	elif state != null and update.has_change():
		state._foresee(update.change.cards)
	elif state != null and update.has_snapshot():
		state._foresee(update.snapshot.cards)


func _on_event_begun(event: GcsV1Events.Event) -> void:
	if state != null and not _took_snapshot:
		state._follow(event)
	_tell(event)


func _on_update_ended(update: GcsV1Events.Update) -> void:
	if state == null:
		return
	if update.has_snapshot() or update.has_change():
		if update.has_change():
			state._take_change(update.change)
		elif not _took_snapshot:
			state._take_snapshot(update.snapshot)
		state._end_update(update.state_version)
		state_changed.emit(state)
	if _stream != null and not update.action_id.is_empty():
		var action: GcsAction = _stream.take_action(update.action_id)
		if action != null:
			action._finish(GcsAction.State.ACCEPTED)
	if state != null and state.result != null and not _announced_end:
		_announced_end = true
		battle_ended.emit(state.result)


func _on_rejection(rejection: GcsV1Battle.Rejection) -> void:
	var action: GcsAction = _stream.take_action(rejection.action_id)
	if action != null:
		action._finish(GcsAction.State.REJECTED, rejection)
	action_rejected.emit(rejection)


## Why the server ended a call, as a word for programs such as [code]TOO_MANY_BATTLES[/code]; empty when [param status] holds none.
static func reason_of(status: GrpcStatus) -> String:
	var told: GoogleRpcStatus.Status = GoogleRpcStatus.Status.new()
	if not told.parse(status.details):
		return ""
	for detail: GoogleProtobufAny.Any in told.details:
		var info: GoogleRpcErrorDetails.ErrorInfo = detail.unpack(GoogleRpcErrorDetails.ErrorInfo)
		if info != null:
			return info.reason
	return ""
