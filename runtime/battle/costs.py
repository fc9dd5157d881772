"""What a card costs and whether it can be played now: R4.9, R4.10, T3's checks."""

from __future__ import annotations

from typing import Final

from runtime.battle.card import Card
from runtime.battle.hooks import apply_card_hooks, undo_pretended
from runtime.battle.state import HAND, Battle, Unit
from runtime.graph.definitions import TARGET_ANY, TARGET_ENEMY, UNPLAYABLE
from runtime.graph.frame import new_hook_ports
from runtime.graph.timings import CARD_COST_HOOK

# Reasons of refusals; "" stands for none.
BATTLE_OVER: Final = "BATTLE_OVER"
CHOICE_PENDING: Final = "CHOICE_PENDING"
NO_CHOICE_PENDING: Final = "NO_CHOICE_PENDING"
INVALID_CHOICE: Final = "INVALID_CHOICE"
UNKNOWN_CARD: Final = "UNKNOWN_CARD"
CARD_UNPLAYABLE: Final = "UNPLAYABLE"
NOT_ENOUGH_ENERGY: Final = "NOT_ENOUGH_ENERGY"
INVALID_TARGET: Final = "INVALID_TARGET"
STALE_STATE: Final = "STALE_STATE"


def card_cost(battle: Battle, card: Card, real: bool = False) -> int:
    """What a card costs now, after hooks; for a cost of x the current energy (R4.10).

    A Card Cost Hook that reads the cost of a card gets it without hooks: the question would not end.
    """
    cost = card.cost
    if cost < 0:
        return battle.energy
    if not battle.player.listeners[CARD_COST_HOOK] and not card.definition.behavior.branches[CARD_COST_HOOK]:
        return cost
    if battle.in_cost:
        return cost
    battle.in_cost = True
    mark = len(battle.spends)
    try:
        cost = apply_card_hooks(battle, card, CARD_COST_HOOK, cost, new_hook_ports(cost, None, None, card.number), real)
    finally:
        battle.in_cost = False
    if not real:
        undo_pretended(battle, mark)
    return cost if cost > 0 else 0


def unplayable_reason(battle: Battle, card: Card) -> str:
    """Why a card in hand cannot be played now, in the order of T3's checks, or ``""``."""
    if card.keywords & UNPLAYABLE:
        return CARD_UNPLAYABLE
    if card_cost(battle, card) > battle.energy:
        return NOT_ENOUGH_ENERGY
    if needs_target(card) and not targets_of(battle, card):
        return INVALID_TARGET
    return ""


def needs_target(card: Card) -> bool:
    """Whether the player has to choose a target for the card."""
    return card.definition.target >= TARGET_ENEMY


def targets_of(battle: Battle, card: Card) -> list[Unit]:
    """The units that a card which needs a target may be played on, the player first."""
    any_unit = card.definition.target == TARGET_ANY
    return [unit for unit in battle.units if unit.living and (any_unit or not unit.is_player)]


def is_valid_target(card: Card, unit: Unit | None) -> bool:
    """Whether a card that needs a target may be played on a unit."""
    if unit is None or not unit.living:
        return False
    return card.definition.target == TARGET_ANY or not unit.is_player


def in_hand(battle: Battle, number: int) -> bool:
    """Whether a card of that number lies in the hand."""
    return 0 <= number < len(battle.places) and battle.places[number] == HAND
