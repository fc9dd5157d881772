extends SceneTree
## Prints what the codec costs, beside a plain loop over bytes in the same run:
## [code]godot --headless --path godot_project --script res://tests/protobuf/measure.gd[/code]

const ROUNDS: int = 200


func _initialize() -> void:
	var state: GcsV1Battle.BattleState = _snapshot()
	var state_bytes: PackedByteArray = state.to_bytes()
	var update: GcsV1Events.Update = _update()
	var update_bytes: PackedByteArray = update.to_bytes()
	print("best of %d rounds, Godot %s" % [ROUNDS, Engine.get_version_info()["string"]])
	_row("loop over 10,000 bytes", 10_000, func() -> void: _add_up(state_bytes, 10_000))
	_row("snapshot: decode", state_bytes.size(), func() -> void: GcsV1Battle.BattleState.new().parse(state_bytes))
	_row("snapshot: encode", state_bytes.size(), func() -> void: state.to_bytes())
	_row("snapshot: clone", state_bytes.size(), func() -> void: state.clone())
	_row("40 events: decode", update_bytes.size(), func() -> void: GcsV1Events.Update.new().parse(update_bytes))
	_row("40 events: encode", update_bytes.size(), func() -> void: update.to_bytes())
	quit(0)


func _row(label: String, size: int, work: Callable) -> void:
	var best: int = 1 << 62
	for round_number: int in ROUNDS:
		var start: int = Time.get_ticks_usec()
		work.call()
		best = mini(best, Time.get_ticks_usec() - start)
	print("%-24s %6d bytes %6d µs" % [label, size, best])


func _add_up(bytes: PackedByteArray, count: int) -> int:
	var sum: int = 0
	for index: int in count:
		sum += bytes[index & 1023]
	return sum


# Five units and thirty cards, as in the middle of a battle.
func _snapshot() -> GcsV1Battle.BattleState:
	var state: GcsV1Battle.BattleState = GcsV1Battle.BattleState.new()
	state.battle_id = "battle-1"
	state.pack = "starter"
	state.seed = 0x7FFFFFFFFFFFFFFF
	for unit_number: int in 5:
		var unit: GcsV1Battle.UnitState = GcsV1Battle.UnitState.new()
		unit.id = "enemy%d" % unit_number
		unit.enemy = "lugworm"
		unit.hp = 40 + unit_number
		unit.max_hp = 244
		unit.alive = true
		for id: String in ["strength", "vulnerable", "poison"] as Array[String]:
			var status: GcsV1Battle.StatusState = GcsV1Battle.StatusState.new()
			status.id = id
			status.stacks = unit_number + 1
			unit.statuses.append(status)
		unit.intent = GcsV1Battle.Intent.new()
		unit.intent.kind = "attack"
		unit.intent.amount = 12
		unit.intent.text = "Attacks for 12"
		state.units.append(unit)
	for card_number: int in 30:
		var card: GcsV1Battle.CardState = GcsV1Battle.CardState.new()
		card.id = "c%d" % card_number
		card.card_id = "strike"
		card.pile = GcsV1Battle.Pile.PILE_HAND
		card.cost = 1
		card.playable = true
		card.text = "Deal 12 damage to an enemy."
		card.targets = ["enemy1", "enemy2"]
		state.cards.append(card)
	return state


func _update() -> GcsV1Events.Update:
	var update: GcsV1Events.Update = GcsV1Events.Update.new()
	update.battle_id = "battle-1"
	for number: int in 40:
		var event: GcsV1Events.Event = GcsV1Events.Event.new()
		event.sequence = 300 + number
		event.cause = 299 + number
		if number % 2 == 0:
			event.hp_changed = GcsV1Events.HpChanged.new()
			event.hp_changed.unit = "enemy1"
			event.hp_changed.before = 40
			event.hp_changed.after = 34
			event.hp_changed.reason = "damage"
		else:
			event.entry_dispatched = GcsV1Events.EntryDispatched.new()
			event.entry_dispatched.entry = "on_card_played"
			event.entry_dispatched.node = "n1"
			event.entry_dispatched.owner = GcsV1Events.Owner.new()
			event.entry_dispatched.owner.id = "strike"
			event.entry_dispatched.owner.card = "c3"
		update.events.append(event)
	return update
