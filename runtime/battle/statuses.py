"""Statuses: application, removal, direct change, decay (R5.1 to R5.3, R3.5)."""

from __future__ import annotations

from runtime.battle.dispatch import dispatch_to_listeners, run_status_branch
from runtime.battle.events import STACKS_CHANGED
from runtime.battle.hooks import apply_hooks, flush_spends
from runtime.battle.stacks import dispatch_gone, dispatch_removed, dispatch_stacks_changed, take_stacks
from runtime.battle.state import ALIVE, DECAYING, NO_LISTENERS, RUNNING, Battle, Status, Unit
from runtime.battle.status_order import add_to_index
from runtime.graph.definitions import ADD, MAX, StatusDefinition
from runtime.graph.frame import StatusPorts, new_hook_ports
from runtime.graph.timings import (
    ON_STATUS_EXPIRED,
    ON_STATUS_INFLICTED,
    ON_STATUS_RECEIVED,
    STATUS_STACKS_HOOK,
)
from runtime.graph.types import saturate


def apply_status(
    battle: Battle, definition: StatusDefinition, stacks: int, target: Unit, source: Unit | None, cause: str
) -> int:
    """One attempt to apply a status (R5.1): hooks, stack rule and cap, then E24, E25, E28.

    Args:
        battle: The battle.
        definition: The status.
        stacks: The stacks asked for.
        target: Who receives it; a unit that is not living is skipped.
        source: Who applies it, or None (R5.2).
        cause: The kind of graph that acts.

    Returns:
        The target's stacks right after the stack rule; 0 when nothing happened.
    """
    if target.hp <= 0 or target.life != ALIVE:
        return 0
    mark = len(battle.running.spends)
    if target.listeners[STATUS_STACKS_HOOK]:
        asked = new_hook_ports(stacks, source, target, -1, cause, False, definition)
        stacks = apply_hooks(battle, target, target.listeners[STATUS_STACKS_HOOK], stacks, asked, True)
    if stacks <= 0:
        if len(battle.running.spends) > mark:
            flush_spends(battle, mark)
        return 0
    inflicting = NO_LISTENERS
    if source is not None and source.alive:
        inflicting = source.listeners[ON_STATUS_INFLICTED]
    status = target.statuses.get(definition.id)
    before = 0 if status is None else status.stacks
    after = stacks
    if status is not None:
        if definition.stack_rule == ADD:
            after = saturate(before + stacks)
        elif definition.stack_rule == MAX and before > stacks:
            after = before
    if after > definition.max_stacks:
        after = definition.max_stacks
    if status is None:
        status = Status(definition, after)
        target.statuses[definition.id] = status
        add_to_index(target, status)
    else:
        status.stacks = after
    if target is battle.player and source is not None and source is not target:
        status.applied_by_enemy = True
    outer = battle.running.cause
    if battle.logging and after != before:
        battle.log.append((STACKS_CHANGED, outer, target.number, definition.id, before, after, "applied"))
        battle.running.cause = len(battle.log)
    if inflicting and source is not None:
        dispatch_to_listeners(battle, source, inflicting, StatusPorts(definition, after, source, target))
    received = definition.behavior.branches[ON_STATUS_RECEIVED]
    if received:
        # Never skipped although gone (R2.2). Without a source the receiver stands in (R5.2).
        ports = StatusPorts(definition, after, source if source is not None else target, target)
        for branch in received:
            run_status_branch(battle, target, status, branch, ports)
    if status.present and status.stacks != before:
        dispatch_stacks_changed(battle, target, status)
    if len(battle.running.spends) > mark:
        flush_spends(battle, mark)
    battle.running.cause = outer
    return after


def remove_status(battle: Battle, unit: Unit, status: Status) -> None:
    """Removes a status that is present: out of the map, then E27 (R5.3)."""
    outer = battle.running.cause
    take_stacks(battle, unit, status, status.stacks, "removed")
    if battle.logging:
        battle.running.cause = len(battle.log)
    dispatch_removed(battle, unit, status)
    battle.running.cause = outer


def set_stacks(battle: Battle, unit: Unit, status: Status, stacks: int) -> None:
    """Changes the stacks of a present status directly (R5.3): E28, or E27 when none is left."""
    if stacks <= 0:
        remove_status(battle, unit, status)
        return
    stacks = min(stacks, status.definition.max_stacks)
    before = status.stacks
    if stacks == before:
        return
    status.stacks = stacks
    outer = battle.running.cause
    if battle.logging:
        battle.log.append((STACKS_CHANGED, outer, unit.number, status.definition.id, before, stacks, "changed"))
        battle.running.cause = len(battle.log)
    dispatch_stacks_changed(battle, unit, status)
    battle.running.cause = outer


def decay_statuses(battle: Battle, unit: Unit) -> None:
    """Decay of a side at its turn's end (R3.5): frozen list, one status at a time with its Entry.

    A status with `decay_skips_new` that an enemy applied to the player since the last decay is passed
    over once.
    """
    for status, _ in unit.listeners[DECAYING]:
        if battle.fallen and (battle.outcome != RUNNING or not unit.alive):
            return
        if not status.present:
            continue
        definition = status.definition
        fresh = status.applied_by_enemy
        status.applied_by_enemy = False
        if fresh and definition.decay_skips_new:
            continue
        outer = battle.running.cause
        gone = take_stacks(battle, unit, status, definition.decay, "decay")
        if battle.logging:
            battle.running.cause = len(battle.log)
        if gone:
            dispatch_gone(battle, unit, status, ON_STATUS_EXPIRED)
        else:
            dispatch_stacks_changed(battle, unit, status)
        battle.running.cause = outer
