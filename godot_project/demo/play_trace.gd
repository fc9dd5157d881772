extends Node
## Plays one whole battle without a window and prints it as a trace.
##
## [codeblock]
## godot --headless --path godot_project res://demo/play_trace.tscn -- --address=127.0.0.1:50051 --seed=7
## [/codeblock]
## Exit code 0 when the battle was finished, 1 when it could not be played. [code]--deck=strike,defend[/code] replaces
## the encounter's deck. [code]--raise=GUID[/code] with [code]--arg=3[/code] raises a GES event at the start of the
## second turn; [code]--trace-file=PATH[/code] writes seed, actions and Entry lines as JSON.

const Arguments = preload("arguments.gd")
const SimpleBot = preload("simple_bot.gd")

const KNOWN: PackedStringArray = ["address", "pack", "encounter", "seed", "deck", "raise", "arg", "trace-file",
		"max-turns"]
## The turn in which [code]--raise[/code] happens.
const RAISE_TURN: int = 2
## The battle counts as undecided after so many turns, unless [code]--max-turns[/code] says otherwise.
const MAX_TURNS: int = 100

var _arguments: Arguments = Arguments.new(KNOWN)
var _trace: GcsTrace = GcsTrace.new()
var _seed: int = 0
var _raised: bool = false
var _gave_up: bool = false
## What was sent and accepted, as the trace file lists it.
var _actions: Array[Dictionary] = []
var _entries: Array[String] = []


func _ready() -> void:
	var options: GcsBattleOptions = GcsBattleOptions.new()
	options.max_turns = _arguments.number("max-turns", MAX_TURNS)
	# Nobody plays who could cheat, and the trace can name every card.
	options.open_draw_pile = true
	_seed = GcsSeed.from_text(_arguments.seed_text("seed", str(randi())))
	options.set_seed(_seed)
	for card: String in _arguments.text("deck").split(",", false):
		options.deck.push_back(card)
	_arguments.number("arg")
	if not _arguments.error.is_empty():
		_give_up(_arguments.error)
		return
	Gcs.connection_changed.connect(_on_connection_changed)
	Gcs.battle_failed.connect(func(status: GrpcStatus) -> void: _give_up("the battle cannot be played: %s" % status))
	Gcs.event_received.connect(_on_event)
	Gcs.battle_started.connect(func(_state: GcsBattleState) -> void: _play.call_deferred())
	var pack: String = _arguments.text("pack", "starter")
	var encounter: String = _arguments.text("encounter", "first_fight")
	print("%s: %s, seed %s" % [pack, encounter, GcsSeed.to_text(_seed)])
	Gcs.connect_to_server(_arguments.text("address"))
	Gcs.start_battle(pack, encounter, options)


func _on_connection_changed(connection: GcsClient.Connection, reason: String) -> void:
	if connection in [GcsClient.Connection.LOST, GcsClient.Connection.UNREACHABLE, GcsClient.Connection.REFUSED]:
		_give_up(reason)


func _on_event(event: GcsV1Events.Event) -> void:
	var line: String = _trace.event_line(event, Gcs.state)
	if not line.is_empty():
		print(line)
	if event.has_entry_dispatched():
		_entries.push_back(GcsTrace.entry_line(event.entry_dispatched))


func _play() -> void:
	while Gcs.state.is_running():
		if _arguments.has("raise") and not _raised and Gcs.state.turn == RAISE_TURN and Gcs.state.can_act():
			_raised = true
			if not await _raise():
				return
			continue
		var action: GcsAction = await SimpleBot.act(Gcs).outcome()
		if not action.was_accepted():
			_give_up("the bot's action was not carried out: %s" % action.reason())
			return
		_actions.push_back(_described(action.message))
	_finish()


func _raise() -> bool:
	var version: int = Gcs.state.version
	var guid: String = _arguments.text("raise")
	var payload: Variant = null
	if _arguments.has("arg"):
		payload = _arguments.number("arg")
	var raising: GcsRaise = Gcs.raise_event(guid, payload)
	if await raising.outcome() != GcsV1Ges.RaiseResult.RAISE_RESULT_DISPATCHED:
		_give_up("the event was not raised: %s" % raising.message)
		return false
	while Gcs.state.version == version:
		await Gcs.state_changed
	_actions.push_back({"raise": guid, "arg": payload})
	return true


func _described(action: GcsV1Battle.Action) -> Dictionary:
	match action.kind_case:
		GcsV1Battle.Action.KindCase.PLAY_CARD:
			return {"play_card": action.play_card.card, "target": action.play_card.target}
		GcsV1Battle.Action.KindCase.ANSWER_CHOICE:
			return {"cards": action.answer_choice.cards, "option": action.answer_choice.option}
	return {"end_turn": true}


func _finish() -> void:
	var path: String = _arguments.text("trace-file")
	if not path.is_empty():
		var file: FileAccess = FileAccess.open(path, FileAccess.WRITE)
		if file == null:
			_give_up("%s cannot be written: %s" % [path, error_string(FileAccess.get_open_error())])
			return
		file.store_string(JSON.stringify({"seed": GcsSeed.to_text(_seed), "actions": _actions, "entries": _entries},
				"\t"))
		file.close()
	get_tree().quit(0)


func _give_up(reason: String) -> void:
	if _gave_up:
		return
	_gave_up = true
	printerr("play_trace: %s" % reason)
	get_tree().quit(1)
