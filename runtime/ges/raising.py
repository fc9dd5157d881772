"""Raising GES events into graphs and out to the engine (R6.4 to R6.6)."""

from __future__ import annotations

from runtime.battle.events import GES_EVENT_RAISED
from runtime.battle.internal_events import find_receivers, send
from runtime.battle.state import RUNNING, Battle
from runtime.graph.definitions import EventDefinition


def raise_from_battle(battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> int:
    """Raises an event that a graph or a notice of the battle asks for: nested, at once (R6.5).

    Returns:
        How many graphs received it. The engine hears of it by the logged event.
    """
    return _raise(battle, event, arguments, True)


def raise_from_outside(battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> int:
    """Raises an event that came from outside, between actions (R6.5).

    Returns:
        How many graphs received it.
    """
    return _raise(battle, event, arguments, False)


def _raise(battle: Battle, event: EventDefinition, arguments: dict[str, object], from_battle: bool) -> int:
    outer = battle.cause
    if battle.logging:
        battle.log.append((GES_EVENT_RAISED, outer, event, arguments, from_battle))
        battle.cause = len(battle.log)
    count = 0
    if battle.outcome == RUNNING:
        count = send(battle, find_receivers(battle, event.guid, True), arguments)
    battle.cause = outer
    return count
