"""Who is asked in which order: statuses of a unit and holders of a battle (R2.4)."""

from __future__ import annotations

from typing import TypeAlias

from runtime.battle.state import DECAYING, EMPTY_TABLE, Battle, Listener, Status, Unit
from runtime.graph.timings import FIRST_HOOK

# A unit and the branches of its statuses that answer a timing, in the order first applied.
Holder: TypeAlias = "tuple[Unit, tuple[Listener, ...]]"


def freeze_holders(battle: Battle, timing: int, player_even_dead: bool = False) -> list[Holder]:
    """Who answers a timing of all sides, frozen now (R2.2): the player, then the enemies by slot (R2.4).

    Args:
        battle: The battle.
        timing: E1, E2 or E29.
        player_even_dead: Whether the player's statuses are among them when the player is dead, as in E2.
    """
    player = battle.player
    return [
        (unit, unit.listeners[timing])
        for unit in battle.units
        if unit.statuses and (unit.alive or (player_even_dead and unit is player))
    ]


def add_to_index(unit: Unit, status: Status) -> None:
    """Enters a new status, the last in order, into its holder's table of branches."""
    behavior = status.definition.behavior
    for timing in behavior.timings:
        table = unit.listeners[timing]
        for branch in behavior.branches[timing]:
            table = (*table, (status, branch))
        if timing >= FIRST_HOOK and len(table) > 1:
            table = tuple(sorted(table, key=_phase))
        unit.listeners[timing] = table
    if status.definition.decay:
        unit.listeners[DECAYING] = (*unit.listeners[DECAYING], (status, None))
    _note_hearing(unit, status)


def remove_from_index(unit: Unit, status: Status) -> None:
    """Takes a status out of its holder's table of branches."""
    for timing in status.definition.behavior.timings:
        unit.listeners[timing] = tuple([entry for entry in unit.listeners[timing] if entry[0] is not status])
    if status.definition.decay:
        unit.listeners[DECAYING] = tuple([entry for entry in unit.listeners[DECAYING] if entry[0] is not status])
    _note_all_hearing(unit)


def _note_hearing(unit: Unit, status: Status) -> None:
    behavior = status.definition.behavior
    if behavior.hears_hits:
        unit.hears_hits = True
    if behavior.hears_attacks:
        unit.hears_attacks = True
    if behavior.hears_plays:
        unit.hears_plays = True
    if behavior.hears_turns or status.definition.decay:
        unit.hears_turns = True


def _note_all_hearing(unit: Unit) -> None:
    unit.hears_hits = unit.hears_attacks = unit.hears_plays = unit.hears_turns = False
    for status in unit.statuses.values():
        _note_hearing(unit, status)


def index_statuses(unit: Unit) -> None:
    """Builds the table of branches anew from the statuses."""
    unit.listeners = EMPTY_TABLE[:]
    _note_all_hearing(unit)
    for status in unit.statuses.values():
        add_to_index(unit, status)


def _phase(listener: Listener) -> int:
    branch = listener[1]
    return 0 if branch is None else branch.phase
