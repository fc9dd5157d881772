class_name GcsBattleEvents
extends Node
## What happens in a battle, as one typed signal for each kind of event; the part of [GcsClient] that speaks.
##
## They come in the order of the battle, each when it is shown: see [method GcsClient.pace_with].

## Any event, with its sequence number and cause; comes before the signal of its kind.
signal event_received(event: GcsV1Events.Event)
## An action or a raise begins.
signal action_started(action: GcsV1Events.ActionStarted)
## An Entry was dispatched to one receiver.
signal entry_dispatched(entry: GcsV1Events.EntryDispatched)
## A card went from one place to another.
signal card_moved(move: GcsV1Events.CardMoved)
## A new card instance came into the battle.
signal card_created(card: GcsV1Events.CardCreated)
## A card's definition, cost or keywords changed.
signal card_changed(change: GcsV1Events.CardChanged)
## A card is being played: paid for, its target known.
signal card_played(card: GcsV1Events.CardPlayed)
## The draw pile was shuffled.
signal draw_pile_shuffled(shuffle: GcsV1Events.DrawPileShuffled)
## A hit was resolved, before its Entries.
signal damage_resolved(damage: GcsV1Events.DamageResolved)
## A unit's HP changed.
signal hp_changed(change: GcsV1Events.HpChanged)
## A unit's maximum HP changed.
signal max_hp_changed(change: GcsV1Events.MaxHpChanged)
## A unit's armor changed.
signal armor_changed(change: GcsV1Events.ArmorChanged)
## The player's energy changed.
signal energy_changed(change: GcsV1Events.EnergyChanged)
## A unit's stacks of one status changed.
signal stacks_changed(change: GcsV1Events.StacksChanged)
## An enemy's intent was planned.
signal intent_changed(change: GcsV1Events.IntentChanged)
## An enemy came into the battle.
signal unit_spawned(unit: GcsV1Events.UnitSpawned)
## A unit died.
signal unit_died(unit: GcsV1Events.UnitDied)
## A unit left the battle alive.
signal unit_removed(unit: GcsV1Events.UnitRemoved)
## The turn or the phase changed.
signal phase_changed(change: GcsV1Events.PhaseChanged)
## An enemy begins its own step of the enemy phase.
signal enemy_acted(enemy: GcsV1Events.EnemyActed)
## A variable changed.
signal variable_changed(change: GcsV1Events.VariableChanged)
## A graph raised an internal event.
signal internal_event_raised(raised: GcsV1Events.InternalEventRaised)
## A GES event was raised into or by the battle.
signal ges_event_raised(raised: GcsV1Events.GesEventRaised)
## The battle asks the player.
signal choice_requested(request: GcsV1Events.ChoiceRequested)
## The player answered.
signal choice_answered(answer: GcsV1Events.ChoiceAnswered)
## A branch was ended by an error or a limit.
signal faulted(fault: GcsV1Events.Fault)
## Something odd that ended nothing.
signal warned(warning: GcsV1Events.Warning)


## Emits the signals of one event.
func _tell(event: GcsV1Events.Event) -> void:
	event_received.emit(event)
	match event.kind_case:
		GcsV1Events.Event.KindCase.ACTION_STARTED:
			action_started.emit(event.action_started)
		GcsV1Events.Event.KindCase.ENTRY_DISPATCHED:
			entry_dispatched.emit(event.entry_dispatched)
		GcsV1Events.Event.KindCase.CARD_MOVED:
			card_moved.emit(event.card_moved)
		GcsV1Events.Event.KindCase.CARD_CREATED:
			card_created.emit(event.card_created)
		GcsV1Events.Event.KindCase.CARD_CHANGED:
			card_changed.emit(event.card_changed)
		GcsV1Events.Event.KindCase.CARD_PLAYED:
			card_played.emit(event.card_played)
		GcsV1Events.Event.KindCase.DRAW_PILE_SHUFFLED:
			draw_pile_shuffled.emit(event.draw_pile_shuffled)
		GcsV1Events.Event.KindCase.DAMAGE_RESOLVED:
			damage_resolved.emit(event.damage_resolved)
		GcsV1Events.Event.KindCase.HP_CHANGED:
			hp_changed.emit(event.hp_changed)
		GcsV1Events.Event.KindCase.MAX_HP_CHANGED:
			max_hp_changed.emit(event.max_hp_changed)
		GcsV1Events.Event.KindCase.ARMOR_CHANGED:
			armor_changed.emit(event.armor_changed)
		GcsV1Events.Event.KindCase.ENERGY_CHANGED:
			energy_changed.emit(event.energy_changed)
		GcsV1Events.Event.KindCase.STACKS_CHANGED:
			stacks_changed.emit(event.stacks_changed)
		GcsV1Events.Event.KindCase.INTENT_CHANGED:
			intent_changed.emit(event.intent_changed)
		GcsV1Events.Event.KindCase.UNIT_SPAWNED:
			unit_spawned.emit(event.unit_spawned)
		GcsV1Events.Event.KindCase.UNIT_DIED:
			unit_died.emit(event.unit_died)
		GcsV1Events.Event.KindCase.UNIT_REMOVED:
			unit_removed.emit(event.unit_removed)
		GcsV1Events.Event.KindCase.PHASE_CHANGED:
			phase_changed.emit(event.phase_changed)
		GcsV1Events.Event.KindCase.ENEMY_ACTED:
			enemy_acted.emit(event.enemy_acted)
		GcsV1Events.Event.KindCase.VARIABLE_CHANGED:
			variable_changed.emit(event.variable_changed)
		GcsV1Events.Event.KindCase.INTERNAL_EVENT_RAISED:
			internal_event_raised.emit(event.internal_event_raised)
		GcsV1Events.Event.KindCase.GES_EVENT_RAISED:
			ges_event_raised.emit(event.ges_event_raised)
		GcsV1Events.Event.KindCase.CHOICE_REQUESTED:
			choice_requested.emit(event.choice_requested)
		GcsV1Events.Event.KindCase.CHOICE_ANSWERED:
			choice_answered.emit(event.choice_answered)
		GcsV1Events.Event.KindCase.FAULT:
			faulted.emit(event.fault)
		GcsV1Events.Event.KindCase.WARNING:
			warned.emit(event.warning)
