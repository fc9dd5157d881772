@icon("../icons/gcs.svg")
class_name GcsClient
extends GcsServerCalls
## Plays battles on a gcs server: connects, starts a battle, sends actions and events, mirrors the state and tells what
## happened.
##
## The autoload [code]Gcs[/code] is one of these; add further ones to a scene to play several battles at once.
## [codeblock]
## func _ready() -> void:
##     Gcs.entry_dispatched.connect(_on_entry_dispatched)
##     Gcs.connect_to_server("grpc://127.0.0.1:50051")
##     var battle: GcsBattleState = await Gcs.start_battle("starter", "first_fight").outcome()
##     if battle != null:
##         Gcs.end_turn()
## [/codeblock]
## It never blocks a frame and goes on while the tree is paused. Calls may be made before the server is reached; they go
## out once it is. A lost connection is taken up again by itself, with the battle where it was. A client that leaves the
## tree, also by [method Node.reparent], leaves its battle and its connection.

## How things stand with the server. [param reason] is a sentence for people.
signal connection_changed(connection: Connection, reason: String)
## An action is not allowed and changed nothing.
signal action_rejected(rejection: GcsV1Battle.Rejection)
## An action was not sent: no battle is being played, or the action is too large. [method GcsAction.reason] tells.
signal action_dropped(action: GcsAction)

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

## The environment variable with the token where the project setting [code]gcs/connection/token[/code] is empty.
const TOKEN_VARIABLE: String = "GCS_TOKEN"
## Largest message to receive, in bytes, that [method make_channel_options] sets: the whole state of a battle with all
## events since a lost connection comes as one message.
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

func _init() -> void:
	super()
	_server.changed.connect(_on_connection_changed)


func _process(_delta: float) -> void:
	_queue.deadline_usec = Time.get_ticks_usec() + budget_usec
	_server.poll(budget_usec)
	_poll_ges_streams()
	_poll_view()


func _exit_tree() -> void:
	super()
	if connection != Connection.OFFLINE:
		var battle: String = " and " + _left_with_tree if not _left_with_tree.is_empty() else ""
		_left_with_tree = "gave its connection up%s" % battle
	disconnect_from_server()


## The autoload [code]Gcs[/code]; null where the plugin is not enabled.
static func autoload() -> GcsClient:
	var tree: SceneTree = Engine.get_main_loop() as SceneTree
	return tree.root.get_node_or_null(^"Gcs") as GcsClient if tree != null else null


## Connects to the server at [param url]: [code]grpc://host:port[/code] or another form that [GrpcChannel] takes; empty:
## the project setting [code]gcs/connection/address[/code]. [signal connection_changed] tells what comes of it. A battle
## that is being played goes on over the new connection. [param options] start from [method make_channel_options], which
## null stands for.
func connect_to_server(url: String = "", options: GrpcChannelOptions = null) -> void:
	if url.is_empty():
		url = GcsSettings.text_of(GcsSettings.ADDRESS)
	_server.open(url, options if options != null else make_channel_options())


## The settings of a connection that battles are played over, those of the project among them, to be changed and given
## to [method connect_to_server].
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


## Starts a battle of [param pack]'s [param encounter] and leaves the one before. [signal battle_started] or
## [signal battle_failed] follows once the server is reached or refused; [code]await start_battle(…).outcome()[/code]
## gives the battle or, when it cannot be started, null. Options that the wire cannot carry fail without the server.
func start_battle(pack: String, encounter: String, options: GcsBattleOptions = null) -> GcsBattleStart:
	var used: GcsBattleOptions = options if options != null else GcsBattleOptions.new()
	var error: String = used.error()
	var request: GcsV1Service.StartBattleRequest = GcsV1Service.StartBattleRequest.new()
	if error.is_empty():
		request = used.to_request(pack, encounter)
	if request.battle_id.is_empty():
		request.battle_id = _make_id()
	var stream: BattleStream = BattleStream.new()
	stream.start(request)
	var start: GcsBattleStart = _follow(stream)
	if error.is_empty():
		_attach()
	else:
		stream.fail(GrpcStatus.make(GrpcStatus.Code.INVALID_ARGUMENT, error))
	return start


## Joins a battle that stands at the server, for instance after a restart of the game. [signal battle_started] or
## [signal battle_failed] follows as after [method start_battle]. [GcsWatcher] looks on without taking part.
func join_battle(battle_id: String) -> GcsBattleStart:
	var stream: BattleStream = BattleStream.new()
	stream.resume(battle_id)
	var start: GcsBattleStart = _follow(stream)
	_attach()
	return start


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
	var error: String = WireNumbers.int_error("option", option, 0)
	return _act(action) if error.is_empty() else _drop(action, error)


## Gives the battle up: it is lost.
func concede() -> GcsAction:
	var action: GcsV1Battle.Action = GcsV1Battle.Action.new()
	action.concede = GcsV1Battle.Concede.new()
	return _act(action)


func _act(action: GcsV1Battle.Action) -> GcsAction:
	action.action_id = _make_id()
	var made: GcsAction = GcsAction.new(action)
	if _stream == null:
		return _drop(action, "no battle is being played: start or join one first")
	_stream.act(made)
	return made


## An action that is not sent.
func _drop(action: GcsV1Battle.Action, why: String) -> GcsAction:
	var made: GcsAction = GcsAction.new(action)
	made._drop(why)
	action_dropped.emit(made)
	return made


func _follow(stream: BattleStream) -> GcsBattleStart:
	var start: GcsBattleStart = super(stream)
	stream.action_dropped.connect(func(action: GcsAction) -> void: action_dropped.emit(action))
	return start


func _attach() -> void:
	_attach_to(connection, _server.channel, connection_reason)


func _on_connection_changed(to: Connection, reason: String) -> void:
	if to != Connection.ONLINE and _stream != null:
		_stream.detach()
	_attach()
	connection_changed.emit(to, reason)


func _tell_rejection(rejection: GcsV1Battle.Rejection) -> void:
	action_rejected.emit(rejection)
