"""The 33 Entry nodes (rules.md §1): where they may stand and what they give."""

from __future__ import annotations

from typing import Final

from runtime.graph.declare import ALL_KINDS, ENTRY, OUT, NodeType, Param, Port
from runtime.graph.timings import (
    ON_ARMOR_GAINED,
    ON_ARMOR_LOST,
    ON_ATTACK_TAKEN,
    ON_BATTLE_END,
    ON_BATTLE_START,
    ON_CARD_ADDED_TO_DECK,
    ON_CARD_ADDED_TO_HAND,
    ON_CARD_DISCARDED,
    ON_CARD_DRAWN,
    ON_CARD_EXHAUSTED,
    ON_CARD_PLAYED,
    ON_CARD_RETAINED,
    ON_DAMAGE_DEALT,
    ON_DAMAGE_TAKEN,
    ON_DISCARD_PHASE,
    ON_DRAW_PHASE,
    ON_DRAW_PILE_SHUFFLED,
    ON_ENEMY_BEHAVIOR_START,
    ON_ENERGY_GAINED,
    ON_ENERGY_SPENT,
    ON_GES_EVENT,
    ON_HP_GAINED,
    ON_HP_LOST,
    ON_INTERNAL_EVENT,
    ON_STATUS_EXPIRED,
    ON_STATUS_INFLICTED,
    ON_STATUS_RECEIVED,
    ON_STATUS_REMOVED,
    ON_STATUS_STACKS_CHANGED,
    ON_TURN_END,
    ON_TURN_START,
    ON_UNIT_DIED,
    ON_UNIT_SPAWNED,
)
from runtime.graph.types import BOOL, CARD, CARD_REF, ENEMY, INT, STATUS, STATUS_REF, UNIT

_CARD_ONLY: Final = (CARD,)
_STATUS_ONLY: Final = (STATUS,)
_CARD_AND_STATUS: Final = (CARD, STATUS)
_ENEMY_ONLY: Final = (ENEMY,)


def _card(help_text: str) -> tuple[Port, ...]:
    return (Port("card", CARD_REF, help=help_text),)


def _amount(amount: str, source: str, target: str) -> tuple[Port, ...]:
    return (Port("amount", INT, help=amount), Port("source", UNIT, help=source), Port("target", UNIT, help=target))


def _status(*more: Port) -> tuple[Port, ...]:
    return (Port("status", STATUS_REF, help="The status in question."), *more)


_STACKS: Final = Port("stacks", INT, help="The resulting stacks.")
_HOLDER: Final = Port("target", UNIT, help="The status' holder.")


def _entry(
    timing: int,
    type_id: str,
    name: str,
    kinds: tuple[str, ...],
    help_text: str,
    outputs: tuple[Port, ...] = (),
    params: tuple[Param, ...] = (),
) -> NodeType:
    return NodeType(
        type=type_id,
        name=name,
        category=ENTRY,
        help=help_text,
        kinds=kinds,
        outputs=(OUT, *outputs),
        params=params,
        timing=timing,
        rule=f"E{timing}",
    )


NODES: Final[tuple[NodeType, ...]] = (
    _entry(
        ON_BATTLE_START,
        "on_battle_start",
        "On Battle Start",
        _STATUS_ONLY,
        "Once, for statuses that are there when hand and first intents are ready.",
    ),
    _entry(
        ON_BATTLE_END,
        "on_battle_end",
        "On Battle End",
        _STATUS_ONLY,
        "Once, when the battle is won or lost; before rewards.",
    ),
    _entry(
        ON_TURN_START,
        "on_turn_start",
        "On Turn Start",
        _CARD_AND_STATUS,
        "A side's own turn begins. Cards: those in hand when the player's turn begins, after player statuses.",
    ),
    _entry(
        ON_TURN_END,
        "on_turn_end",
        "On Turn End",
        _CARD_AND_STATUS,
        "A side's own turn ends, before decay. Cards: those in hand, before the hand is resolved.",
    ),
    _entry(
        ON_DRAW_PHASE,
        "on_draw_phase",
        "On Draw Phase",
        _STATUS_ONLY,
        "Player statuses, right before the normal draw; not on turn 1.",
    ),
    _entry(
        ON_DISCARD_PHASE,
        "on_discard_phase",
        "On Discard Phase",
        _STATUS_ONLY,
        "Player statuses, first thing at the end of the player's turn.",
    ),
    _entry(
        ON_DRAW_PILE_SHUFFLED,
        "on_draw_pile_shuffled",
        "On Draw Pile Shuffled",
        _CARD_ONLY,
        "Every card in the draw pile, whenever it is shuffled.",
    ),
    _entry(
        ON_CARD_DRAWN,
        "on_card_drawn",
        "On Card Drawn",
        _CARD_AND_STATUS,
        "A card came from the draw pile into the hand: player statuses, then the card.",
        _card("The card drawn."),
    ),
    _entry(
        ON_CARD_PLAYED,
        "on_card_played",
        "On Card Played",
        _CARD_ONLY,
        "The card is played: its main effect.",
        _card("The card played."),
    ),
    _entry(
        ON_CARD_DISCARDED,
        "on_card_discarded",
        "On Card Discarded",
        _CARD_ONLY,
        "The card was discarded at the end of the turn or because the hand was full.",
        _card("The card discarded."),
    ),
    _entry(
        ON_CARD_EXHAUSTED,
        "on_card_exhausted",
        "On Card Exhausted",
        _CARD_ONLY,
        "The card was exhausted on play, or as ethereal at the end of the turn.",
        _card("The card exhausted."),
    ),
    _entry(
        ON_CARD_RETAINED,
        "on_card_retained",
        "On Card Retained",
        _CARD_ONLY,
        "The card stays in hand at the end of the turn.",
        _card("The card retained."),
    ),
    _entry(
        ON_CARD_ADDED_TO_HAND,
        "on_card_added_to_hand",
        "On Card Added To Hand",
        _CARD_ONLY,
        "Add Card To Hand made the card, also when the hand was full.",
        _card("The new card."),
    ),
    _entry(
        ON_CARD_ADDED_TO_DECK,
        "on_card_added_to_deck",
        "On Card Added To Deck",
        _CARD_ONLY,
        "Add Card To Draw Pile made the card.",
        _card("The new card."),
    ),
    _entry(
        ON_DAMAGE_DEALT,
        "on_damage_dealt",
        "On Damage Dealt",
        _STATUS_ONLY,
        "The holder's attack was resolved.",
        _amount("The loss after armor and hooks, not clamped.", "The attacker, the holder.", "The unit attacked."),
    ),
    _entry(
        ON_DAMAGE_TAKEN,
        "on_damage_taken",
        "On Damage Taken",
        _STATUS_ONLY,
        "Attack or status damage on the holder was resolved.",
        _amount("The loss after armor and hooks, not clamped.", "The attacker, or no unit.", "The holder."),
    ),
    _entry(
        ON_ATTACK_TAKEN,
        "on_attack_taken",
        "On Attack Taken",
        _STATUS_ONLY,
        "An attack on the holder was resolved.",
        _amount("The loss after armor and hooks, not clamped.", "The attacker.", "The holder."),
    ),
    _entry(
        ON_HP_GAINED,
        "on_hp_gained",
        "On HP Gained",
        _STATUS_ONLY,
        "Gain HP reached the holder, also at full health.",
        _amount("HP restored.", "No unit; under extended rules the acting unit.", "The holder."),
    ),
    _entry(
        ON_HP_LOST,
        "on_hp_lost",
        "On HP Lost",
        _STATUS_ONLY,
        "The holder lost HP by damage or by Lose HP.",
        _amount("Damage: the unclamped loss. Lose HP: what was lost.", "The attacker, or no unit.", "The holder."),
    ),
    _entry(
        ON_ARMOR_GAINED,
        "on_armor_gained",
        "On Armor Gained",
        _STATUS_ONLY,
        "Gain Armor gave the holder armor.",
        _amount("Armor added.", "No unit; under extended rules the acting unit.", "The holder."),
    ),
    _entry(
        ON_ARMOR_LOST,
        "on_armor_lost",
        "On Armor Lost",
        _STATUS_ONLY,
        "Lose Armor hit the holder; absorbed damage and the reset at turn start do not count.",
        _amount("The loss asked for, not clamped.", "No unit; under extended rules the acting unit.", "The holder."),
    ),
    _entry(
        ON_ENERGY_GAINED,
        "on_energy_gained",
        "On Energy Gained",
        _STATUS_ONLY,
        "Gain Energy; player statuses.",
        (Port("amount", INT, help="0; under extended rules the energy gained."),),
    ),
    _entry(
        ON_ENERGY_SPENT,
        "on_energy_spent",
        "On Energy Spent",
        _STATUS_ONLY,
        "Lose Energy; player statuses. Paying for a card does not count.",
        (Port("amount", INT, help="0; under extended rules the energy lost."),),
    ),
    _entry(
        ON_STATUS_INFLICTED,
        "on_status_inflicted",
        "On Status Inflicted",
        _STATUS_ONLY,
        "The holder applied a status.",
        _status(
            _STACKS,
            Port("source", UNIT, help="The unit that applied it."),
            Port("target", UNIT, help="The unit that received it."),
        ),
    ),
    _entry(
        ON_STATUS_RECEIVED,
        "on_status_received",
        "On Status Received",
        _STATUS_ONLY,
        "This status was applied, even if its stacks did not change.",
        _status(_STACKS, Port("source", UNIT, help="The unit that applied it; without one, the receiver."), _HOLDER),
    ),
    _entry(
        ON_STATUS_EXPIRED,
        "on_status_expired",
        "On Status Expired",
        _STATUS_ONLY,
        "Decay took this status' last stack; it has left its holder.",
        _status(Port("target", UNIT, help="The former holder.")),
    ),
    _entry(
        ON_STATUS_REMOVED,
        "on_status_removed",
        "On Status Removed",
        _STATUS_ONLY,
        "This status was removed, or changed to 0 stacks; it has left its holder.",
        _status(Port("stacks", INT, help="0."), Port("target", UNIT, help="The former holder.")),
    ),
    _entry(
        ON_STATUS_STACKS_CHANGED,
        "on_status_stacks_changed",
        "On Status Stacks Changed",
        _STATUS_ONLY,
        "A status of the holder has another positive count of stacks.",
        _status(_STACKS, _HOLDER),
    ),
    _entry(
        ON_UNIT_SPAWNED,
        "on_unit_spawned",
        "On Unit Spawned",
        _STATUS_ONLY,
        "Spawn Unit added an enemy; statuses of player and living enemies.",
        (Port("unit", UNIT, help="The reacting holder; under extended rules the spawned enemy."),),
    ),
    _entry(
        ON_UNIT_DIED,
        "on_unit_died",
        "On Unit Died",
        _STATUS_ONLY,
        "The holder died, or killed another unit.",
        (
            Port("was_kill", BOOL, help="False on the victim's statuses, true on the killer's."),
            Port("source", UNIT, help="The killer, or no unit."),
            Port("target", UNIT, help="The unit that died."),
        ),
    ),
    _entry(
        ON_ENEMY_BEHAVIOR_START,
        "on_enemy_behavior_start",
        "On Enemy Behavior Start",
        _ENEMY_ONLY,
        "Where the planning of the enemy's intent begins: Pattern nodes, then a Leaf Intent.",
    ),
    _entry(
        ON_INTERNAL_EVENT,
        "on_internal_event",
        "On Internal Event",
        ALL_KINDS,
        "An internal event of exactly this name was raised.",
        params=(Param("event", "text", "", help="The name, case-sensitive. Empty: never.", names="internal_event"),),
    ),
    _entry(
        ON_GES_EVENT,
        "on_ges_event",
        "On GES Event",
        ALL_KINDS,
        "The GES event of this GUID was raised.",
        params=(Param("ges_event", "event_guid", None, help="The event's GUID. None: never."),),
    ),
)
