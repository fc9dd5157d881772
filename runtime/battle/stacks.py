"""Stacks of a status: put on silently, taken off, and the Entries that tell of it (R5.1, R5.3)."""

from __future__ import annotations

from runtime.battle.dispatch import dispatch_to_statuses, run_status_branch
from runtime.battle.events import STACKS_CHANGED
from runtime.battle.state import Battle, Status, Unit
from runtime.battle.status_order import add_to_index, remove_from_index
from runtime.graph.definitions import StatusDefinition
from runtime.graph.frame import StatusPorts
from runtime.graph.timings import ON_STATUS_REMOVED, ON_STATUS_STACKS_CHANGED


def put_status(unit: Unit, definition: StatusDefinition, stacks: int) -> None:
    """Puts a status on a unit silently, as set-up and spawning do (T1, R5.5): capped, no Entry."""
    stacks = min(stacks, definition.max_stacks)
    status = unit.statuses.get(definition.id)
    if status is None:
        status = Status(definition, stacks)
        unit.statuses[definition.id] = status
        add_to_index(unit, status)
    else:
        status.stacks = stacks


def dispatch_stacks_changed(battle: Battle, unit: Unit, status: Status) -> None:
    """E28 on every status of the holder."""
    if unit.listeners[ON_STATUS_STACKS_CHANGED]:
        ports = StatusPorts(status.definition, status.stacks, None, unit)
        dispatch_to_statuses(battle, unit, ON_STATUS_STACKS_CHANGED, ports)


def dispatch_removed(battle: Battle, unit: Unit, status: Status) -> None:
    """E27 on a status that has left the map, with 0 stacks (R5.3)."""
    dispatch_gone(battle, unit, status, ON_STATUS_REMOVED)


def dispatch_gone(battle: Battle, unit: Unit, status: Status, timing: int) -> None:
    """An Entry on a status that has left the map, with 0 stacks (R5.3).

    Args:
        battle: The battle.
        unit: The unit that held it.
        status: The status.
        timing: E26 or E27.
    """
    branches = status.definition.behavior.branches[timing]
    if branches:
        ports = StatusPorts(status.definition, 0, None, unit)
        for branch in branches:
            run_status_branch(battle, unit, status, branch, ports)


def _take_off(unit: Unit, status: Status) -> None:
    status.present = False
    status.stacks = 0
    del unit.statuses[status.definition.id]
    remove_from_index(unit, status)


def take_stacks(battle: Battle, unit: Unit, status: Status, count: int, reason: str) -> bool:
    """Takes stacks off without an Entry; the caller dispatches E26, E27 or E28.

    Returns:
        Whether none was left, so that the status has gone.
    """
    before = status.stacks
    after = before - count
    if after > 0:
        status.stacks = after
    else:
        after = 0
        _take_off(unit, status)
    if battle.logging:
        battle.log.append(
            (STACKS_CHANGED, battle.running.cause, unit.number, status.definition.id, before, after, reason)
        )
    return after == 0
