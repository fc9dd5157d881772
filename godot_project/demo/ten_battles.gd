extends Node
## Plays ten battles without a window, one after the other, with a bot, and prints a line about each and a summary.
##
## [codeblock]
## godot --headless --path godot_project res://demo/ten_battles.tscn -- --address=127.0.0.1:50051
## [/codeblock]
## Exit code 0 when all were played to their end, 1 when one could not be. [code]--battles=100 --at-once=4[/code] plays
## more of them, several at a time; [code]--seed[/code] is that of the first battle. [code]--local-server[/code] starts
## the server that is shipped with the game, [code]--local-server=PATH[/code] another executable.

const Arguments = preload("arguments.gd")
const SimpleBot = preload("simple_bot.gd")

const KNOWN: PackedStringArray = ["address", "local-server", "pack", "encounter", "seed", "battles", "at-once",
		"max-turns"]
## A battle counts as undecided after so many turns, unless [code]--max-turns[/code] says otherwise.
const MAX_TURNS: int = 100

var _arguments: Arguments = Arguments.new(KNOWN)
var _server: GcsLocalServer = null
var _battles: int = 0
var _first_seed: int = 0
var _begun: int = 0
var _ended: int = 0
## The number of the battle that each client plays.
var _numbers: Dictionary[GcsClient, int] = {}
## How many battles ended with each outcome.
var _outcomes: Dictionary[String, int] = {}
var _over: bool = false


func _ready() -> void:
	_battles = _arguments.number("battles", 10)
	_first_seed = GcsSeed.from_text(_arguments.seed_text("seed", "1"))
	_arguments.number("max-turns")
	if _arguments.number("at-once", 1) < 1 or _battles < 1:
		_arguments.error = "--battles and --at-once: expected at least 1"
	if not _arguments.error.is_empty():
		_give_up(_arguments.error)
	elif _arguments.has("local-server"):
		_server = GcsLocalServer.new()
		_server.executable = _arguments.text("local-server")
		add_child(_server)
		_server.started.connect(_play_all)
		_server.failed.connect(_give_up)
		_server.stopped.connect(
				func(exit_code: int) -> void: _give_up("the server ended with exit code %d" % exit_code))
		_server.start()
	else:
		_play_all(_arguments.text("address"))


func _play_all(url: String) -> void:
	if _server != null:
		print("server: %s, process %d" % [url, _server.pid])
	for _client: int in range(mini(_arguments.number("at-once", 1), _battles)):
		var client: GcsClient = GcsClient.new()
		add_child(client)
		client.connection_changed.connect(_on_connection_changed)
		client.battle_failed.connect(
				func(status: GrpcStatus) -> void: _give_up("a battle cannot be played: %s" % status))
		client.action_rejected.connect(func(rejection: GcsV1Battle.Rejection) -> void:
			_give_up("the bot's action was refused: %s" % rejection.message))
		client.settled.connect(_on_settled.bind(client))
		client.connect_to_server(url, _server.make_channel_options() if _server != null else null)
		_begin_battle(client)


## Begins the next battle on [param client], until enough were begun. Nothing here awaits: a coroutine that waits when
## the game quits never lets go of what it holds.
func _begin_battle(client: GcsClient) -> void:
	if _over or _begun == _battles:
		return
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.set_seed(_first_seed + _begun)
	options.max_turns = _arguments.number("max-turns", MAX_TURNS)
	_begun += 1
	_numbers[client] = _begun
	client.start_battle(_arguments.text("pack", "starter"), _arguments.text("encounter", "first_fight"), options)


## The bot's turn, once what happened has been told.
func _on_settled(client: GcsClient) -> void:
	if _over:
		return
	if client.state.is_running():
		SimpleBot.act(client)
		return
	_tell_end(client.state, _numbers[client])
	if _ended == _battles:
		_finish()
	else:
		# Later: the client is still busy with telling of the battle that is over.
		_begin_battle.call_deferred(client)


func _tell_end(state: GcsBattleState, number: int) -> void:
	var outcome: String = str(GcsV1Battle.Outcome.find_key(state.outcome)).trim_prefix("OUTCOME_").to_lower()
	_outcomes[outcome] = _outcomes.get(outcome, 0) + 1
	_ended += 1
	print("battle %d, seed %s: %s in turn %d with %d HP" % [
			number, GcsSeed.to_text(_first_seed + number - 1), outcome, state.turn, state.player().hp])


func _on_connection_changed(connection: GcsClient.Connection, reason: String) -> void:
	if connection in [GcsClient.Connection.LOST, GcsClient.Connection.UNREACHABLE, GcsClient.Connection.REFUSED]:
		_give_up(reason)


func _finish() -> void:
	var counts: PackedStringArray = []
	for outcome: String in _outcomes:
		counts.push_back("%d %s" % [_outcomes[outcome], outcome])
	print("%d battles: %s" % [_battles, ", ".join(counts)])
	_quit(0)


func _give_up(reason: String) -> void:
	if _over:
		return
	printerr("ten_battles: %s" % reason)
	_quit(1)


## Quits once the server of the game's own has stopped.
func _quit(exit_code: int) -> void:
	_over = true
	if _server == null or _server.state == GcsLocalServer.State.STOPPED:
		get_tree().quit(exit_code)
		return
	_server.stopped.connect(func(_server_code: int) -> void: get_tree().quit(exit_code))
	_server.stop()
