"""Hooks: graphs that change an amount before it is used (R4.9).

Hooks run by phase, low first, within a phase in status order; each sees the last result. A dry run
uses the same hooks and changes nothing, so that what is shown is what is paid. A real use that changed
the amount may *spend* stacks of the hook's own status: they go at once, their Entry follows after the
Entries of the operation (`flush_spends`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.battle.dispatch import describe_owner, log_fault
from runtime.battle.events import NODE_RUN
from runtime.battle.run_nodes import LimitReachedError, run_nodes
from runtime.battle.stacks import dispatch_removed, dispatch_stacks_changed, take_stacks
from runtime.battle.state import Battle, Listener, Status, Unit
from runtime.graph.frame import Frame, HookPorts, new_hook_frame
from runtime.graph.program import Branch
from runtime.graph.types import INT, INT_MAX, INT_MIN, saturate

if TYPE_CHECKING:
    from runtime.battle.card import Card


class Spend:
    """Stacks that a hook took off its own status; the Entry follows later (R4.9)."""

    __slots__ = ("removed", "status", "unit")

    def __init__(self, unit: Unit, status: Status, removed: bool) -> None:
        self.unit = unit
        self.status = status
        self.removed = removed


# What `reckon_hooks` returns when a graph has to run; no amount is that small.
NO_RULES: Final = INT_MIN - 1


def reckon_hooks(battle: Battle, hooks: tuple[Listener, ...], amount: int, is_attack: bool) -> int:
    """What hooks that all follow rules make of an amount; counts the flow nodes that their graphs would run.

    Returns:
        The amount after the last hook, not yet clamped to 0; `NO_RULES`, with nothing counted, where a hook has
        no rule, or where it shows that none runs: while tracing, at a limit, and when a unit may be dead (R2.8).
    """
    if battle.fallen or battle.tracing:
        return NO_RULES
    nodes = battle.running.nodes_run
    for status, branch in hooks:
        if not status.present:
            # Spent by a hook in front of it, in a dry run only in pretence.
            continue
        rule = branch.rule if branch is not None else None
        if rule is None:
            return NO_RULES
        if is_attack or not rule.attacks_only:
            nodes += rule.nodes
            amount = rule.reckon(amount, status.stacks)
        else:
            nodes += rule.nodes_otherwise
    if nodes >= battle.node_limit:
        # The last node that the limit allows runs in its frame, so that a fault can tell where it stopped.
        return NO_RULES
    battle.running.nodes_run = nodes
    return amount


def apply_hooks(
    battle: Battle, unit: Unit, hooks: tuple[Listener, ...], amount: int, ports: HookPorts, real: bool
) -> int:
    """Lets the hooks of a unit's statuses change an amount.

    Args:
        battle: The battle.
        unit: Whose statuses are asked.
        hooks: The hooks, from `Unit.listeners`.
        amount: The amount so far.
        ports: The hook's other outputs; its `amount` is set here.
        real: False for a dry run.

    Returns:
        The amount after the last hook, not yet clamped to 0.
    """
    nodes = battle.running.nodes_run
    reckoned = reckon_hooks(battle, hooks, amount, ports.is_attack)
    if reckoned != NO_RULES:
        if not real or not battle.running.chain:
            # As in `_run_aside`: these count for themselves.
            battle.running.nodes_run = nodes
        return reckoned
    for status, branch in hooks:
        if branch is None or not status.present:
            continue
        # One object serves all hooks of an operation: nobody reads it when its hook is done.
        ports.amount = amount
        frame = new_hook_frame(battle, branch, unit, status, -1, ports)
        result = _run_hook(battle, frame, amount, real)
        if frame.spend and result != amount:
            if real:
                _spend(battle, unit, status, frame.spend)
            else:
                _pretend(battle, unit, status, frame.spend)
        amount = result
    return amount


def apply_card_hooks(battle: Battle, card: Card, timing: int, amount: int, ports: HookPorts, real: bool) -> int:
    """Lets player statuses, then the card itself change an amount, by phase."""
    player = battle.player
    listeners = player.listeners[timing]
    own = card.definition.behavior.branches[timing]
    if not own:
        return apply_hooks(battle, player, listeners, amount, ports, real)
    steps: list[tuple[int, int, Listener | None, Branch | None]] = []
    for listener in listeners:
        branch = listener[1]
        steps.append((branch.phase if branch is not None else 0, len(steps), listener, None))
    for branch in own:
        steps.append((branch.phase, len(steps), None, branch))
    steps.sort(key=_order)
    for _, _, asked, card_branch in steps:
        if asked is not None:
            amount = apply_hooks(battle, player, (asked,), amount, ports, real)
        elif card_branch is not None:
            ports.amount = amount
            frame = new_hook_frame(battle, card_branch, player, None, card.number, ports)
            amount = _run_hook(battle, frame, amount, real)
    return amount


def _order(step: tuple[int, int, Listener | None, Branch | None]) -> tuple[int, int]:
    return (step[0], step[1])


def _run_hook(battle: Battle, frame: Frame, amount: int, real: bool) -> int:
    """Runs one hook branch. An error in it leaves the amount as it was (R2.6)."""
    chain = battle.running.chain
    if not real or not chain:
        return _run_aside(battle, frame, amount, real)
    chain.append(frame)
    cause = battle.running.cause
    if battle.tracing:
        _log_hook(battle, frame)
    try:
        run_nodes(frame, frame.branch.first)
        amount = frame.amount
        if not INT_MIN <= amount <= INT_MAX:
            amount = saturate(amount)
    except LimitReachedError:
        raise
    except Exception as error:  # noqa: BLE001 - R2.6: whatever a node raises ends its branch alone
        log_fault(battle, "error", f"{type(error).__name__}: {error}")
    battle.running.cause = cause
    chain.pop()
    return amount


def _log_hook(battle: Battle, frame: Frame) -> None:
    """Logs whose hook runs as the cause of the nodes behind it, for `gcs trace`."""
    branch = frame.branch
    asked = f"{branch.entry} {describe_owner(frame)}"
    battle.log.append((NODE_RUN, battle.running.cause, branch.node, asked, (("amount", INT, frame.amount),), ()))
    battle.running.cause = len(battle.log)


def _run_aside(battle: Battle, frame: Frame, amount: int, real: bool) -> int:
    """Runs a hook that counts for itself: one outside of any root, or a dry run, which must not log either."""
    chain = battle.running.chain
    nodes, steps, logging, tracing = battle.running.nodes_run, battle.running.steps_run, battle.logging, battle.tracing
    if not real:
        battle.logging = False
        battle.tracing = False
    if not chain:
        battle.running.nodes_run = 0
        battle.running.steps_run = 0
    chain.append(frame)
    cause = battle.running.cause
    if battle.tracing:
        _log_hook(battle, frame)
    try:
        run_nodes(frame, frame.branch.first)
        amount = saturate(frame.amount)
    except LimitReachedError as limit:
        # Not named like the other: mypyc gives one name one type, and a cast that fails would get out.
        log_fault(battle, limit.kind, str(limit))
    except Exception as error:  # noqa: BLE001 - R2.6: whatever a node raises ends its branch alone
        log_fault(battle, "error", f"{type(error).__name__}: {error}")
    finally:
        battle.logging = logging
        battle.tracing = tracing
        battle.running.cause = cause
    chain.pop()
    battle.running.nodes_run = nodes
    battle.running.steps_run = steps
    return amount


def _spend(battle: Battle, unit: Unit, status: Status, stacks: int) -> None:
    removed = take_stacks(battle, unit, status, stacks, "spent")
    battle.running.spends.append(Spend(unit, status, removed))


class _Pretended(Spend):
    """What a dry run would have spent, with what it takes to undo it."""

    __slots__ = ("stacks", "statuses")

    def __init__(self, unit: Unit, status: Status) -> None:
        super().__init__(unit, status, False)
        self.stacks = status.stacks
        self.statuses = unit.statuses


def _pretend(battle: Battle, unit: Unit, status: Status, stacks: int) -> None:
    """Spends in a dry run, so that the hooks that follow see what they would see in the real use (R4.9)."""
    battle.running.spends.append(_Pretended(unit, status))
    if status.stacks > stacks:
        status.stacks -= stacks
        return
    status.stacks = 0
    status.present = False
    unit.statuses = {key: other for key, other in unit.statuses.items() if other is not status}


def undo_pretended(battle: Battle, since: int) -> None:
    """Takes back what a dry run has spent since a mark: it changes nothing (R4.9)."""
    spends = battle.running.spends
    while len(spends) > since:
        pretended = spends.pop()
        if isinstance(pretended, _Pretended):
            pretended.status.stacks = pretended.stacks
            pretended.status.present = True
            pretended.unit.statuses = pretended.statuses


def flush_spends(battle: Battle, since: int) -> None:
    """Dispatches E27 or E28 for stacks that hooks have spent since a mark, in order (R4.9)."""
    spends = battle.running.spends[since:]
    del battle.running.spends[since:]
    for spend in spends:
        if spend.removed:
            dispatch_removed(battle, spend.unit, spend.status)
        elif spend.status.present:
            dispatch_stacks_changed(battle, spend.unit, spend.status)
