"""Dispatch of Entries: synchronous, depth first, to receivers frozen when the timing begins (R2.1, R2.2).

A root is a dispatch that no other encloses. Limits end everything under a root (R2.5), any other error
ends its branch alone (R2.6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime.battle.events import ENTRY_DISPATCHED, FAULT
from runtime.battle.run_nodes import LimitReachedError, run_nodes
from runtime.battle.state import IN_PLAY, RUNNING, Battle, Listener, Status, Unit
from runtime.battle.trace import owner_text
from runtime.graph.frame import Frame, Ports, new_frame, new_ports
from runtime.graph.program import Branch, ExecNode, Leaf
from runtime.graph.timings import ON_BATTLE_END

if TYPE_CHECKING:
    from runtime.battle.event_arguments import Handled

NO_PORTS: Final = new_ports()


def dispatch_to_listeners(battle: Battle, unit: Unit, listeners: tuple[Listener, ...], ports: Ports) -> None:
    """Runs branches of a unit's statuses; a status that is gone by its turn is skipped (R2.2)."""
    for status, branch in listeners:
        if status.present and branch is not None:
            run_status_branch(battle, unit, status, branch, ports)


def dispatch_to_statuses(battle: Battle, unit: Unit, timing: int, ports: Ports) -> None:
    """Dispatches a timing to all statuses of a unit that listen to it, in status order (R2.4)."""
    listeners = unit.listeners[timing]
    if listeners:
        dispatch_to_listeners(battle, unit, listeners, ports)


def run_status_branch(battle: Battle, unit: Unit, status: Status, branch: Branch, ports: Ports) -> None:
    """Dispatches one Entry node of a status, whether the status is still there or not."""
    if battle.outcome != RUNNING and branch.timing != ON_BATTLE_END:
        return
    run_branch(new_frame(battle, branch, unit, status, -1, None, ports))


def dispatch_to_card(battle: Battle, card: int, timing: int, ports: Ports, chosen: Unit | None = None) -> None:
    """Dispatches a timing to one card, in node order (R1.2)."""
    branches = battle.cards[card].definition.behavior.branches[timing]
    if branches:
        for branch in branches:
            if battle.outcome != RUNNING:
                return
            run_branch(new_frame(battle, branch, battle.player, None, card, chosen, ports))


def dispatch_to_card_in(battle: Battle, card: int, place: int, timing: int) -> None:
    """Dispatches a timing to a card as long as it lies in the pile that the timing searches (R2.2).

    What the card is now runs, upgraded or not (R2.9).
    """
    for branch in battle.cards[card].definition.behavior.branches[timing]:
        if battle.outcome != RUNNING or battle.places[card] != place:
            return
        run_branch(new_frame(battle, branch, battle.player, None, card, None, NO_PORTS))


def card_hears(battle: Battle, card: int) -> bool:
    """Whether a card lies in one of the four piles."""
    place = battle.places[card]
    return place < IN_PLAY


def run_branch(frame: Frame) -> None:
    """Runs one branch: a line of the Entry trace, and everything under it."""
    battle = frame.battle
    cause = battle.running.cause
    if battle.logging:
        log_dispatch(battle, frame.branch, frame.acting, frame.card, frame.ports)
    run_dispatched(frame)
    battle.running.cause = cause


def log_dispatch(battle: Battle, branch: Branch, acting: Unit, card: int, ports: Ports) -> None:
    """Logs the dispatch of an Entry as the cause of what follows."""
    card_id = battle.cards[ports.card].definition.id if ports.card >= 0 else ""
    log = battle.log
    log.append((ENTRY_DISPATCHED, battle.running.cause, branch, acting.number, card, ports, card_id))
    battle.running.cause = len(log)


def run_dispatched(frame: Frame) -> None:
    """Runs a branch whose dispatch is logged."""
    battle = frame.battle
    if battle.running.chain:
        _run_nested(frame)
        return
    battle.running.nodes_run = 0
    battle.running.steps_run = 0
    go_on(frame, frame.branch.first)


def start_root(
    battle: Battle, node: ExecNode | None, acting: Unit, chosen: Unit | None, leaf: Leaf | None
) -> ExecNode | None:
    """Runs the first nodes of a root branch as far as they need no frame (`ExecNode.run_alone`).

    Returns:
        The node to `go_on` with; None when nothing is left to do.
    """
    battle.running.steps_run = 0
    nodes = 0
    # The last node that the limit allows is run in the frame, so that a fault can tell where it stopped.
    most = 0 if battle.tracing else battle.node_limit - 1
    while node is not None and nodes < most:
        battle.running.nodes_run = nodes + 1
        if not node.run_alone(battle, acting, chosen, leaf):
            break
        nodes = battle.running.nodes_run
        node = node.next
    battle.running.nodes_run = nodes
    return node


def go_on(frame: Frame, node: ExecNode | None) -> None:
    """Runs a branch that no other encloses, from a node on; a limit ends everything under it (R2.5)."""
    battle = frame.battle
    chain = battle.running.chain
    chain.append(frame)
    try:
        run_nodes(frame, node)
    except LimitReachedError as limit:
        # Not named like the other: mypyc gives one name one type, and a cast that fails would get out.
        log_fault(battle, limit.kind, str(limit))
        _abandon_root(battle)
    except Exception as error:  # noqa: BLE001 - R2.6: whatever a node raises ends its branch alone
        _end_branch(battle, error, 0, None)
    chain.clear()


def _run_nested(frame: Frame) -> None:
    battle = frame.battle
    chain = battle.running.chain
    if len(chain) > battle.depth_limit:
        raise LimitReachedError("depth", f"dispatch nested deeper than {battle.depth_limit}")
    hit_depth = battle.running.hit_depth
    handled = battle.running.handled
    chain.append(frame)
    try:
        run_nodes(frame, frame.branch.first)
    except LimitReachedError:
        raise
    except Exception as error:  # noqa: BLE001 - R2.6: whatever a node raises ends its branch alone
        _end_branch(battle, error, hit_depth, handled)
    chain.pop()


def _end_branch(battle: Battle, error: Exception, hit_depth: int, handled: Handled | None) -> None:
    """Ends one branch after an error (R2.6): the hits that it held open are closed, what encloses it goes on."""
    log_fault(battle, "error", f"{type(error).__name__}: {error}")
    battle.running.hit_depth = hit_depth
    battle.running.handled = handled
    if hit_depth == 0 and battle.fallen:
        _settle(battle, False)


def _abandon_root(battle: Battle) -> None:
    """Brings the battle back to where its timeline can go on (R2.5): what was done stays done.

    Units that the abandoned hits left at 0 HP die now, since nothing else would ever ask again.
    """
    battle.running.break_off()
    _settle(battle, True)


def _settle(battle: Battle, abandoned: bool) -> None:
    """Decides the battle if it can be (R2.7), once a branch has ended early; first the deaths of an abandoned root."""
    # A late import: E30 and E2 are dispatched from there.
    from runtime.battle.death import check_decision, complete_deaths

    if abandoned:
        complete_deaths(battle)
    else:
        check_decision(battle)


def log_fault(battle: Battle, kind: str, message: str) -> None:
    """Logs a fault with the chain of Entries and nodes that led to it, outermost first (R2.5)."""
    if battle.logging:
        battle.log.append((FAULT, battle.running.cause, kind, message, tuple(describe_chain(battle))))


def describe_chain(battle: Battle) -> list[str]:
    """The Entries and nodes that run now, outermost first, such as ``on_damage_taken status:thorns@player/hit``."""
    running = battle.running.chain
    return [f"{describe_owner(frame)} {frame.branch.entry}/{frame.node.id if frame.node else ''}" for frame in running]


def describe_owner(frame: Frame) -> str:
    """The owner of a running branch as in an Entry line."""
    branch = frame.branch
    return owner_text(branch.owner_kind, branch.owner, frame.acting.name)
