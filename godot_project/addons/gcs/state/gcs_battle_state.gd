@icon("../icons/battle.svg")
class_name GcsBattleState
extends RefCounted
## A battle as its player may see it: a mirror of the server's state, built from one snapshot and the changes after it.
##
## [member GcsClient.state] holds it. The objects in it stay the same throughout a battle, so that a scene can connect
## to their signals once. While the events of an action are shown one by one, HP, armor, energy, stacks, intents, turn
## and piles follow them; what only the server computes (costs, texts, what can be played) is taken over after the last
## one.

## The turn or the phase changed.
signal turn_changed(turn: int, phase: GcsV1Battle.Phase)
## The energy or its maximum changed.
signal energy_changed(energy: int, max_energy: int)
## An enemy came.
signal unit_added(unit: GcsUnit)
## The battle asks the player.
signal choice_opened(choice: GcsV1Battle.Choice)
## The open choice was answered.
signal choice_closed()
## All of an action is taken over.
signal changed()

## The battle's id.
var battle_id: String = ""
## The pack's id.
var pack: String = ""
## The encounter's id; empty for an encounter object without one.
var encounter: String = ""
## The turn, 0 during set-up.
var turn: int = 0
## Whose time it is.
var phase: GcsV1Battle.Phase = GcsV1Battle.Phase.PHASE_UNSPECIFIED
## Whether the battle goes on.
var outcome: GcsV1Battle.Outcome = GcsV1Battle.Outcome.OUTCOME_UNSPECIFIED
## The player's energy.
var energy: int = 0
## What energy is refilled to.
var max_energy: int = 0
## The player first, then the enemies in order of their number, the dead included.
var units: Array[GcsUnit] = []
## Every card instance whose place is known to the player, by id.
var cards: Dictionary[String, GcsCard] = {}
## The hand, left to right.
var hand: GcsPile = GcsPile.new(GcsV1Battle.Pile.PILE_HAND)
## The draw pile.
var draw: GcsPile = GcsPile.new(GcsV1Battle.Pile.PILE_DRAW)
## The discard pile.
var discard: GcsPile = GcsPile.new(GcsV1Battle.Pile.PILE_DISCARD)
## The exhaust pile.
var exhaust: GcsPile = GcsPile.new(GcsV1Battle.Pile.PILE_EXHAUST)
## The open choice; null when there is none.
var choice: GcsV1Battle.Choice = null
## The battle's variables that are not 0.
var variables: Dictionary[String, int] = {}
## How it ended; null while it runs.
var result: GcsV1Battle.Result = null
## The seed it was started with. A seed that the server drew is told when the battle is over; until then 0.
## From 2⁶³ on it is negative: [method GcsSeed.to_text].
@warning_ignore("shadowed_global_identifier")
var seed: int = 0
## Cards played in this turn.
var cards_played_this_turn: int = 0
## The rule set in force.
var rules: GcsV1Battle.Rules = GcsV1Battle.Rules.RULES_UNSPECIFIED
## The version of the state that was taken over last.
var version: int = 0
## Whether the battle is still followed: false once it was left or has failed. The state is then the last one seen.
var live: bool = true

## Whether the battle was started with the draw pile's order told.
var _draw_is_open: bool = false


## The player.
func player() -> GcsUnit:
	return units[0]


## The enemies that are alive, in order.
func alive_enemies() -> Array[GcsUnit]:
	var alive_ones: Array[GcsUnit] = []
	for unit: GcsUnit in units:
		if unit.alive and not unit.is_player():
			alive_ones.push_back(unit)
	return alive_ones


## The unit with [param id]; null when there is none.
func unit_of(id: String) -> GcsUnit:
	for unit: GcsUnit in units:
		if unit.id == id:
			return unit
	return null


## The card instance with [param id]; null when it is not known.
func card_of(id: String) -> GcsCard:
	return cards.get(id)


## The cards in hand, left to right.
func hand_cards() -> Array[GcsCard]:
	var found: Array[GcsCard] = []
	for id: String in hand.cards:
		if cards.has(id):
			found.push_back(cards[id])
	return found


## One of the four piles; null for other places.
func pile_of(pile: GcsV1Battle.Pile) -> GcsPile:
	match pile:
		GcsV1Battle.Pile.PILE_HAND:
			return hand
		GcsV1Battle.Pile.PILE_DRAW:
			return draw
		GcsV1Battle.Pile.PILE_DISCARD:
			return discard
		GcsV1Battle.Pile.PILE_EXHAUST:
			return exhaust
	return null


## Whether the player can act: the battle runs, it is the player's turn and no choice is open.
func can_act() -> bool:
	return is_running() and phase == GcsV1Battle.Phase.PHASE_PLAYER and choice == null


## Whether the battle goes on and is followed.
func is_running() -> bool:
	return live and outcome == GcsV1Battle.Outcome.OUTCOME_RUNNING


## Takes over a snapshot. Units and cards that are known keep their objects.
func _take_snapshot(state: GcsV1Battle.BattleState) -> void:
	battle_id = state.battle_id
	pack = state.pack
	encounter = state.encounter
	seed = state.seed
	rules = state.rules
	var known: Dictionary[String, bool] = {}
	for card: GcsV1Battle.CardState in state.cards:
		known[card.id] = true
	for id: String in cards.keys():
		if not known.has(id):
			cards.erase(id)
	_take_units(state.units)
	_take_cards(state.cards)
	_take_piles(state.piles)
	variables = state.variables.duplicate()
	outcome = state.outcome
	result = state.result
	cards_played_this_turn = state.cards_played_this_turn
	_set_energy(state.energy, state.max_energy)
	_set_turn(state.turn, state.phase)
	_set_choice(state.choice)


## Takes over what differs from the state before.
func _take_change(change: GcsV1Battle.StateChange) -> void:
	_take_units(change.units)
	_take_cards(change.cards)
	for id: String in change.hidden_cards:
		cards.erase(id)
	_take_piles(change.piles)
	for variable: String in change.variables:
		if change.variables[variable] == 0:
			variables.erase(variable)
		else:
			variables[variable] = change.variables[variable]
	if change.has_outcome():
		outcome = change.outcome
	if change.has_result():
		result = change.result
	if change.has_seed():
		seed = change.seed
	if change.has_cards_played_this_turn():
		cards_played_this_turn = change.cards_played_this_turn
	_set_energy(
			change.energy if change.has_energy() else energy,
			change.max_energy if change.has_max_energy() else max_energy)
	_set_turn(change.turn if change.has_turn() else turn, change.phase if change.has_phase() else phase)
	if change.has_choice():
		_set_choice(change.choice)
	elif change.choice_closed:
		_set_choice(null)


## All of an update is taken over.
func _end_update(to_version: int) -> void:
	version = to_version
	changed.emit()


## Cards that the coming events name, so that a scene can show them before the last event.
func _foresee(coming: Array[GcsV1Battle.CardState]) -> void:
	for card: GcsV1Battle.CardState in coming:
		if not cards.has(card.id):
			_take_card(card)


## Follows one event, as far as it tells the new values.
func _follow(event: GcsV1Events.Event) -> void:
	match event.kind_case:
		GcsV1Events.Event.KindCase.HP_CHANGED:
			var unit: GcsUnit = unit_of(event.hp_changed.unit)
			if unit != null:
				unit._set_hp(event.hp_changed.after, unit.max_hp)
		GcsV1Events.Event.KindCase.MAX_HP_CHANGED:
			var unit: GcsUnit = unit_of(event.max_hp_changed.unit)
			if unit != null:
				unit._set_hp(unit.hp, event.max_hp_changed.after)
		GcsV1Events.Event.KindCase.ARMOR_CHANGED:
			var unit: GcsUnit = unit_of(event.armor_changed.unit)
			if unit != null:
				unit._set_armor(event.armor_changed.after)
		GcsV1Events.Event.KindCase.STACKS_CHANGED:
			var unit: GcsUnit = unit_of(event.stacks_changed.unit)
			if unit != null:
				unit._set_stacks(event.stacks_changed.status, event.stacks_changed.after)
		GcsV1Events.Event.KindCase.INTENT_CHANGED:
			var unit: GcsUnit = unit_of(event.intent_changed.unit)
			if unit != null:
				unit._set_intent(event.intent_changed.intent)
		GcsV1Events.Event.KindCase.UNIT_DIED:
			var unit: GcsUnit = unit_of(event.unit_died.unit)
			if unit != null:
				unit._set_alive(false)
		GcsV1Events.Event.KindCase.UNIT_REMOVED:
			var unit: GcsUnit = unit_of(event.unit_removed.unit)
			if unit != null:
				unit._set_alive(false)
		GcsV1Events.Event.KindCase.UNIT_SPAWNED:
			_follow_spawn(event.unit_spawned)
		GcsV1Events.Event.KindCase.ENERGY_CHANGED:
			_set_energy(event.energy_changed.after, max_energy)
		GcsV1Events.Event.KindCase.PHASE_CHANGED:
			_set_turn(event.phase_changed.turn, event.phase_changed.phase)
		GcsV1Events.Event.KindCase.BATTLE_ENDED:
			_set_turn(turn, GcsV1Battle.Phase.PHASE_ENDED)
		GcsV1Events.Event.KindCase.CARD_MOVED:
			_follow_move(event.card_moved)
		GcsV1Events.Event.KindCase.CARD_CREATED:
			var pile: GcsPile = pile_of(event.card_created.pile)
			if pile != null:
				pile._put(event.card_created.card if _is_open(pile) else "", event.card_created.index)


func _follow_spawn(spawned: GcsV1Events.UnitSpawned) -> void:
	if unit_of(spawned.unit) != null:
		return
	var unit: GcsUnit = GcsUnit.new()
	unit.id = spawned.unit
	unit.enemy = spawned.enemy
	unit.hp = spawned.hp
	unit.max_hp = spawned.max_hp
	units.push_back(unit)
	unit_added.emit(unit)


func _follow_move(moved: GcsV1Events.CardMoved) -> void:
	var from_pile: GcsPile = pile_of(moved.from_pile)
	if from_pile != null:
		from_pile._remove(moved.card)
	var to_pile: GcsPile = pile_of(moved.to_pile)
	if to_pile != null:
		to_pile._put(moved.card if _is_open(to_pile) else "", moved.index)
	if cards.has(moved.card):
		cards[moved.card].pile = moved.to_pile


## Whether a pile tells its cards.
func _is_open(pile: GcsPile) -> bool:
	return pile != draw or _draw_is_open


func _take_units(states: Array[GcsV1Battle.UnitState]) -> void:
	for state: GcsV1Battle.UnitState in states:
		var unit: GcsUnit = unit_of(state.id)
		if unit != null:
			unit._take(state)
			continue
		unit = GcsUnit.new()
		unit._take(state)
		units.push_back(unit)
		unit_added.emit(unit)


func _take_cards(states: Array[GcsV1Battle.CardState]) -> void:
	for state: GcsV1Battle.CardState in states:
		_take_card(state)


func _take_card(state: GcsV1Battle.CardState) -> void:
	if not cards.has(state.id):
		cards[state.id] = GcsCard.new()
	cards[state.id]._take(state)


func _take_piles(states: Array[GcsV1Battle.PileState]) -> void:
	for state: GcsV1Battle.PileState in states:
		var pile: GcsPile = pile_of(state.pile)
		if pile == null:
			continue
		if pile == draw and state.size > 0:
			_draw_is_open = not state.cards.is_empty()
		pile._take(state)


func _set_energy(to_energy: int, to_max: int) -> void:
	if energy == to_energy and max_energy == to_max:
		return
	energy = to_energy
	max_energy = to_max
	energy_changed.emit(energy, max_energy)


func _set_turn(to_turn: int, to_phase: GcsV1Battle.Phase) -> void:
	if turn == to_turn and phase == to_phase:
		return
	turn = to_turn
	phase = to_phase
	turn_changed.emit(turn, phase)


func _set_choice(to_choice: GcsV1Battle.Choice) -> void:
	if choice == to_choice or (choice != null and to_choice != null and choice.equals(to_choice)):
		return
	choice = to_choice
	if choice != null:
		choice_opened.emit(choice)
	else:
		choice_closed.emit()
