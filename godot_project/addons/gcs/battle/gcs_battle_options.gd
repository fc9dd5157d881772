class_name GcsBattleOptions
extends RefCounted
## How a battle is started, beside its pack and encounter. What is left alone is the encounter's or the server's.
## [codeblock]
## var options: GcsBattleOptions = GcsBattleOptions.new()
## options.set_seed(7)
## options.player = {"hp": 30, "statuses": {"strength": 2}}
## Gcs.start_battle("starter", "first_fight", options)
## [/codeblock]

const WireNumbers = preload("../server/wire_numbers.gd")

const _PLAYER_INTS: Array[String] = ["hp", "max_hp", "energy", "draw", "hand_limit", "armor"]
const _PLAYER_MAPS: Array[String] = ["statuses", "variables"]

## Fields of the encounter's player to override: the ints hp, max_hp, energy, draw, hand_limit and armor, and statuses
## and variables as dictionaries of ints, which replace the encounter's.
var player: Dictionary[String, Variant] = {}
## Card ids to play with instead of the encounter's deck; empty for that deck.
var deck: Array[String] = []
## The rule set; unspecified: the pack's.
var rules: GcsV1Battle.Rules = GcsV1Battle.Rules.RULES_UNSPECIFIED
## False keeps every pile's order, for tests.
var shuffle: bool = true
## Whether the draw pile's order may be told.
var open_draw_pile: bool = false
## After how many turns the battle is undecided; 0 for no limit.
var max_turns: int = 0
## Made by the game, to take the battle up again after a restart of the game; empty: one is drawn.
var battle_id: String = ""

var _seed: int = 0
var _has_seed: bool = false


## The seed to start with, from 0 to 2⁶⁴ − 1; from 2⁶³ on its int is negative ([GcsSeed] has it as text). Without one
## the server draws it, below 2⁵³.
@warning_ignore("shadowed_global_identifier")
func set_seed(seed: int) -> void:
	_seed = seed
	_has_seed = true


## Why no battle can be started with these options: a number that the wire does not carry, a value of another type or an
## unknown field of [member player], by its name. Empty when one can, as far as is known without the server.
func error() -> String:
	for field: String in player:
		var error_of_field: String = ""
		if field in _PLAYER_INTS:
			error_of_field = WireNumbers.int_error("player.%s" % field, player[field])
		elif field in _PLAYER_MAPS:
			error_of_field = WireNumbers.ints_error("player.%s" % field, player[field])
		else:
			error_of_field = "player.%s: unknown field, expected %s" % [field, ", ".join(_PLAYER_INTS + _PLAYER_MAPS)]
		if not error_of_field.is_empty():
			return error_of_field
	return WireNumbers.int_error("max_turns", max_turns, 0)


## The request as it goes over the wire; only without an [method error]. [param pack] that starts with [code]{[/code] is
## a whole pack as one JSON object, where the server allows it; [param encounter] likewise is an encounter object.
func to_request(pack: String, encounter: String) -> GcsV1Service.StartBattleRequest:
	var request: GcsV1Service.StartBattleRequest = GcsV1Service.StartBattleRequest.new()
	if pack.begins_with("{"):
		request.pack_json = pack
	else:
		request.pack = pack
	if encounter.begins_with("{"):
		request.encounter_json = encounter
	else:
		request.encounter = encounter
	request.battle_id = battle_id
	request.rules = rules
	request.shuffle = shuffle
	request.open_draw_pile = open_draw_pile
	if _has_seed:
		request.seed = _seed
	if not player.is_empty():
		request.player = _player_override()
	if not deck.is_empty():
		request.deck = GcsV1Service.DeckOverride.new()
		request.deck.cards = deck.duplicate()
	if max_turns > 0:
		request.limits = GcsV1Service.Limits.new()
		request.limits.max_turns = max_turns
	return request


func _player_override() -> GcsV1Service.PlayerOverride:
	var override: GcsV1Service.PlayerOverride = GcsV1Service.PlayerOverride.new()
	for field: String in player:
		if field in _PLAYER_INTS:
			override.set(field, WireNumbers.to_int(player[field]))
		elif field == "statuses":
			override.statuses = _ints(player[field])
		else:
			override.variables = _ints(player[field])
	return override


static func _ints(values: Variant) -> Dictionary[String, int]:
	var by_id: Dictionary = values
	var ints: Dictionary[String, int] = {}
	for id: Variant in by_id:
		ints[str(id)] = WireNumbers.to_int(by_id[id])
	return ints
