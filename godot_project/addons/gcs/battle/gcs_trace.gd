class_name GcsTrace
extends RefCounted
## A battle as readable text: one line for each event, indented by what caused it. The server's command line prints the
## same.
## [codeblock]
## var trace: GcsTrace = GcsTrace.new()
## Gcs.event_received.connect(func(event: GcsV1Events.Event) -> void: print(trace.event_line(event, Gcs.state)))
## [/codeblock]

## What a line is indented by for each event that caused it.
const INDENT: String = "  "
## What stands deeper than this is no longer indented further: its line begins with how much deeper it is, as
## [code](+3)[/code].
const MOST_DEPTH: int = 24
## A round of a fault's chain that comes again is found up to this length.
const LONGEST_ROUND: int = 16

## Depth in the tree of causes by sequence number.
var _depths: Dictionary[int, int] = {}


## The line, or lines, of [param event], indented; empty for what has nothing to say. [param state] names the cards that
## the event does not. Call it once for every event, in order.
func event_line(event: GcsV1Events.Event, state: GcsBattleState) -> String:
	var depth: int = _depths.get(event.cause, -1) + 1
	_depths[event.sequence] = depth
	var text: String = text_of(event, state)
	if text.is_empty() or text.begins_with("=="):
		return text
	if depth > MOST_DEPTH:
		text = "(+%d) %s" % [depth - MOST_DEPTH, text]
	return text.indent(INDENT.repeat(mini(depth, MOST_DEPTH)))


## An Entry's dispatch in the form of scenario files:
## [code]on_damage_taken status:vulnerable@enemy0 amount=6 source=player target=enemy0[/code].
static func entry_line(entry: GcsV1Events.EntryDispatched) -> String:
	var words: PackedStringArray = [entry.entry, owner_text(entry.owner)]
	words.append_array(_arguments(entry.ports))
	return " ".join(words)


## Whose graph ran: [code]card:strike[/code], [code]status:poison@enemy0[/code] or [code]enemy:slime@enemy0[/code].
static func owner_text(owner: GcsV1Events.Owner) -> String:
	match owner.kind:
		GcsV1Events.OwnerKind.OWNER_KIND_CARD:
			return "card:%s" % owner.id
		GcsV1Events.OwnerKind.OWNER_KIND_STATUS:
			return "status:%s@%s" % [owner.id, owner.unit]
		GcsV1Events.OwnerKind.OWNER_KIND_ENEMY:
			return "enemy:%s@%s" % [owner.id, owner.unit]
	return "unknown:%s" % owner.id


## A port's value: a unit, a status' or a card's asset id, or [code]none[/code]; a number, a text, true or false.
static func value_text(value: GcsV1Events.Value) -> String:
	match value.kind_case:
		GcsV1Events.Value.KindCase.INT_VALUE:
			return str(value.int_value)
		GcsV1Events.Value.KindCase.BOOL_VALUE:
			return "true" if value.bool_value else "false"
		GcsV1Events.Value.KindCase.TEXT_VALUE:
			return value.text_value
		GcsV1Events.Value.KindCase.UNIT_VALUE:
			return _or(value.unit_value, "none")
		GcsV1Events.Value.KindCase.CARD_VALUE:
			return _or(value.card_value.card_id, "none")
		GcsV1Events.Value.KindCase.STATUS_VALUE:
			return _or(value.status_value, "none")
	return "none"


## [param event] in words, without its indentation; empty for what has nothing to say.
static func text_of(event: GcsV1Events.Event, state: GcsBattleState) -> String:
	match event.kind_case:
		GcsV1Events.Event.KindCase.PHASE_CHANGED:
			if event.phase_changed.phase == GcsV1Battle.Phase.PHASE_ENDED:
				return ""
			return "== turn %d: %s ==" % [event.phase_changed.turn,
					_name(GcsV1Battle.Phase, event.phase_changed.phase, "PHASE_")]
		GcsV1Events.Event.KindCase.ACTION_STARTED:
			return "> %s" % event.action_started.kind
		GcsV1Events.Event.KindCase.ENTRY_DISPATCHED:
			return entry_line(event.entry_dispatched)
		GcsV1Events.Event.KindCase.CARD_MOVED:
			var move: GcsV1Events.CardMoved = event.card_moved
			return "%s: %s -> %s (%s)" % [_or(move.card_id, "a card"), _pile(move.from_pile), _pile(move.to_pile),
					move.reason]
		GcsV1Events.Event.KindCase.CARD_CREATED:
			return "%s: created in %s" % [_or(event.card_created.card_id, "a card"), _pile(event.card_created.pile)]
		GcsV1Events.Event.KindCase.CARD_CHANGED:
			return "%s: %s" % [event.card_changed.card_id, event.card_changed.what]
		GcsV1Events.Event.KindCase.CARD_PLAYED:
			return _card_played(event.card_played)
		GcsV1Events.Event.KindCase.DRAW_PILE_SHUFFLED:
			return "draw pile shuffled, %d cards" % event.draw_pile_shuffled.size
		GcsV1Events.Event.KindCase.DAMAGE_RESOLVED:
			var hit: GcsV1Events.DamageResolved = event.damage_resolved
			var amounts: String = "%d damage, %d absorbed, %d lost" % [hit.amount, hit.absorbed, hit.hp_loss]
			return "%s hits %s: %s" % [hit.source, hit.target, amounts] if hit.is_attack else "%s takes %s" % [
					hit.target, amounts]
		GcsV1Events.Event.KindCase.HP_CHANGED:
			var hp: GcsV1Events.HpChanged = event.hp_changed
			return "%s: HP %d -> %d (%s)" % [hp.unit, hp.before, hp.after, hp.reason]
		GcsV1Events.Event.KindCase.MAX_HP_CHANGED:
			var max_hp: GcsV1Events.MaxHpChanged = event.max_hp_changed
			return "%s: max HP %d -> %d" % [max_hp.unit, max_hp.before, max_hp.after]
		GcsV1Events.Event.KindCase.ARMOR_CHANGED:
			var armor: GcsV1Events.ArmorChanged = event.armor_changed
			return "%s: armor %d -> %d (%s)" % [armor.unit, armor.before, armor.after, armor.reason]
		GcsV1Events.Event.KindCase.ENERGY_CHANGED:
			var energy: GcsV1Events.EnergyChanged = event.energy_changed
			return "energy %d -> %d (%s)" % [energy.before, energy.after, energy.reason]
		GcsV1Events.Event.KindCase.STACKS_CHANGED:
			var stacks: GcsV1Events.StacksChanged = event.stacks_changed
			return "%s: %s %d -> %d (%s)" % [stacks.unit, stacks.status, stacks.before, stacks.after, stacks.reason]
		GcsV1Events.Event.KindCase.VARIABLE_CHANGED:
			var variable: GcsV1Events.VariableChanged = event.variable_changed
			var owner: String = variable.scope if variable.scope == "battle" else variable.owner
			return "%s: %s = %d" % [_card_name(owner, state) if variable.scope == "card" else owner, variable.name,
					variable.after]
		GcsV1Events.Event.KindCase.INTENT_CHANGED:
			return "%s: intends %s" % [event.intent_changed.unit, _intent(event.intent_changed.intent)]
		GcsV1Events.Event.KindCase.ENEMY_ACTED:
			return "%s: acts, %s" % [event.enemy_acted.unit, event.enemy_acted.intent.kind]
		GcsV1Events.Event.KindCase.UNIT_SPAWNED:
			var unit: GcsV1Events.UnitSpawned = event.unit_spawned
			return "%s: %s comes, %d/%d HP" % [unit.unit, unit.enemy, unit.hp, unit.max_hp]
		GcsV1Events.Event.KindCase.UNIT_DIED:
			var killer: String = event.unit_died.killer
			return "%s: dies%s" % [event.unit_died.unit, "" if killer.is_empty() else " (killer %s)" % killer]
		GcsV1Events.Event.KindCase.UNIT_REMOVED:
			return "%s: leaves" % event.unit_removed.unit
		GcsV1Events.Event.KindCase.INTERNAL_EVENT_RAISED:
			return _raised("internal event " + event.internal_event_raised.name, event.internal_event_raised.arguments)
		GcsV1Events.Event.KindCase.GES_EVENT_RAISED:
			var raised: GcsV1Events.GesEventRaised = event.ges_event_raised
			return _raised("GES event " + raised.event, raised.arguments) + (
					" (from battle)" if raised.from_battle else " (from outside)")
		GcsV1Events.Event.KindCase.CHOICE_REQUESTED:
			return _choice(event.choice_requested.choice, state)
		GcsV1Events.Event.KindCase.CHOICE_ANSWERED:
			return _answer(event.choice_answered, state)
		GcsV1Events.Event.KindCase.FAULT:
			var lines: PackedStringArray = ["! fault %s: %s" % [event.fault.kind, event.fault.message]]
			for line: String in _chain_lines(event.fault.chain):
				lines.push_back(INDENT + line)
			return "\n".join(lines)
		GcsV1Events.Event.KindCase.WARNING:
			return "! warning %s: %s" % [event.warning.kind, event.warning.message]
		GcsV1Events.Event.KindCase.BATTLE_ENDED:
			var result: GcsV1Battle.Result = event.battle_ended.result
			return "== %s, %d HP ==" % [_name(GcsV1Battle.Outcome, result.outcome, "OUTCOME_"), result.hp]
	return ""


## The chain of a fault, outermost first; links that come again and again stand there once, with a count.
static func _chain_lines(chain: Array[String]) -> PackedStringArray:
	var lines: PackedStringArray = []
	var place: int = 0
	while place < chain.size():
		var size: int = 1
		var rounds: int = _rounds_at(chain, place, size)
		while rounds == 1 and size < LONGEST_ROUND:
			size += 1
			rounds = _rounds_at(chain, place, size)
		if rounds == 1:
			size = 1
		for link: String in chain.slice(place, place + size):
			lines.push_back("at " + link)
		if rounds > 1:
			var what: String = "the same" if size == 1 else "these %d" % size
			lines.push_back("... %s again, %d time%s" % [what, rounds - 1, "s" if rounds > 2 else ""])
		place += size * rounds
	return lines


## How often so many links from a place on stand there one after the other.
static func _rounds_at(chain: Array[String], place: int, size: int) -> int:
	if place + size > chain.size():
		return 1
	var links: Array[String] = chain.slice(place, place + size)
	var rounds: int = 1
	while chain.slice(place + size * rounds, place + size * (rounds + 1)) == links:
		rounds += 1
	return rounds


static func _card_played(played: GcsV1Events.CardPlayed) -> String:
	var text: String = "player plays %s" % played.card_id if played.by_player else "%s is played" % played.card_id
	if not played.target.is_empty():
		text += " on %s" % played.target
	return "%s for %d" % [text, played.paid]


static func _intent(intent: GcsV1Battle.Intent) -> String:
	if intent == null:
		return "none"
	var text: String = intent.kind
	if intent.amount > 0:
		text += " %d" % intent.amount
	return text + (" x%d" % intent.hits if intent.hits > 1 else "")


static func _raised(text: String, arguments: Array[GcsV1Events.Port]) -> String:
	var words: PackedStringArray = [text]
	words.append_array(_arguments(arguments))
	return " ".join(words)


static func _choice(choice: GcsV1Battle.Choice, state: GcsBattleState) -> String:
	if choice.kind == "option":
		return "choice, option: %s" % ", ".join(choice.options)
	return "choice, %d to %d cards: %s" % [choice.min, choice.max, _card_names(choice.cards, state)]


static func _answer(answer: GcsV1Events.ChoiceAnswered, state: GcsBattleState) -> String:
	if answer.option >= 0:
		return "chosen: option %d" % answer.option
	return "chosen: %s" % _or(_card_names(answer.cards, state), "none")


static func _card_names(cards: Array[String], state: GcsBattleState) -> String:
	var names: PackedStringArray = []
	for card: String in cards:
		names.push_back(_card_name(card, state))
	return ", ".join(names)


static func _card_name(card: String, state: GcsBattleState) -> String:
	var found: GcsCard = state.card_of(card) if state != null else null
	return found.card_id if found != null else "a card"


static func _arguments(ports: Array[GcsV1Events.Port]) -> PackedStringArray:
	var words: PackedStringArray = []
	for port: GcsV1Events.Port in ports:
		words.push_back("%s=%s" % [port.name, value_text(port.value)])
	return words


static func _pile(pile: GcsV1Battle.Pile) -> String:
	return _name(GcsV1Battle.Pile, pile, "PILE_")


static func _name(values: Dictionary, value: int, prefix: String) -> String:
	return str(values.find_key(value)).trim_prefix(prefix).to_lower()


static func _or(text: String, otherwise: String) -> String:
	return text if not text.is_empty() else otherwise
