"""Raising GES events into graphs, to listeners and through flows (R6.4 to R6.6).

For one raise the order is: basic, priority, conditional and persistent listeners, the graphs of the battle
being one of the last with priority 0; then triggers; then chains. What follows without delay belongs to the
same moment, whatever is running; what follows later is scheduled and lands between actions (R6.5).

A raise that answers its own event, directly or through others, is cut after `Battle.echo_limit` of them with a
fault of kind ``echo`` (R2.11). So what answers itself ends, in one moment or over many.
"""

from __future__ import annotations

from typing import Final

from runtime.battle.dispatch import log_fault
from runtime.battle.event_arguments import cards_among, own_units
from runtime.battle.events import ACTION_STARTED, GES_EVENT_RAISED
from runtime.battle.ges_listeners import GesListener, Heard
from runtime.battle.internal_events import find_receivers, send
from runtime.battle.plain_values import plain_argument, plain_value
from runtime.battle.run_nodes import LimitReachedError
from runtime.battle.schedule import Schedule
from runtime.battle.state import RUNNING, Battle
from runtime.graph.conditions import Condition
from runtime.graph.definitions import EventDefinition
from runtime.graph.flows import Chain, Following, passed_on

# Who raised an event.
OUTSIDE: Final = "outside"
GRAPH: Final = "graph"
NOTICE: Final = "notice"
TRIGGER: Final = "trigger"
CHAIN: Final = "chain"

# The most raises that may be scheduled in one battle: triggers must not fill the memory.
MOST_SCHEDULED: Final = 1_000


class Delayed:
    """A raise that is scheduled.

    Attributes:
        event: The trigger's target with `chain` None; else the chain's source.
        arguments: Those of `event`, captured when it was scheduled.
        lineage: The raises that it answers, outermost first.
        chain: The chain that goes on, or None for a trigger.
        step: The step of the chain that is due.
    """

    __slots__ = ("arguments", "chain", "event", "lineage", "step")

    def __init__(
        self,
        event: EventDefinition,
        arguments: dict[str, object],
        lineage: list[EventDefinition],
        chain: Chain | None,
        step: int,
    ) -> None:
        self.event = event
        self.arguments = arguments
        self.lineage = lineage
        self.chain = chain
        self.step = step


def raise_from_battle(battle: Battle, event: EventDefinition, arguments: dict[str, object], origin: str = GRAPH) -> int:
    """Raises an event that a graph or a notice of the battle asks for: nested, at once (R6.5).

    Args:
        battle: The battle.
        event: The event.
        arguments: Its arguments.
        origin: GRAPH or NOTICE.

    Returns:
        How many graphs received it. The engine hears of it by the logged event.

    Raises:
        LimitReachedError: A limit ends the root that this happens under (R2.5).
    """
    if battle.running.chain or battle.running.raising:
        return _raise(battle, event, arguments, origin)
    return _raise_root(battle, event, arguments, origin)


def raise_from_outside(
    battle: Battle,
    event: EventDefinition,
    arguments: dict[str, object],
    answered: tuple[EventDefinition, ...] = (),
) -> int:
    """Raises an event that came from outside, between actions (R6.5).

    Args:
        battle: The battle.
        event: The event.
        arguments: Its arguments.
        answered: The raises that this one answers, outermost first.

    Returns:
        How many graphs received it.
    """
    _answer(battle, list(answered))
    count = _raise_root(battle, event, arguments, OUTSIDE)
    _answer(battle, [])
    return count


def _answer(battle: Battle, lineage: list[EventDefinition]) -> None:
    """Sets what the raises from here on answer: those that happened before this moment, outermost first."""
    battle.running.raising = lineage
    battle.running.raises_answered = len(lineage)
    battle.running.raises_run = 0


def land(battle: Battle, until: int) -> bool:
    """Lands the next scheduled raise that is due by a time, as an action of its own (R6.5).

    Args:
        battle: The battle, between two actions.
        until: The time on the battle's clock, in ms.

    Returns:
        Whether there was one.
    """
    schedule = battle.schedule
    entry = schedule.take(until) if schedule is not None else None
    if entry is None:
        return False
    delayed: Delayed = entry.what
    arguments = own_units(battle, delayed.arguments)
    if battle.logging:
        battle.log.append((ACTION_STARTED, 0, "scheduled"))
        battle.running.cause = len(battle.log)
    _answer(battle, delayed.lineage[:])
    if delayed.chain is None:
        _raise_root(battle, delayed.event, arguments, TRIGGER)
    else:
        try:
            _raise_step(battle, delayed.chain, delayed.step, arguments)
        except LimitReachedError as error:
            log_fault(battle, error.kind, str(error))
    _answer(battle, [])
    battle.running.cause = 0
    return True


def _raise_root(battle: Battle, event: EventDefinition, arguments: dict[str, object], origin: str) -> int:
    """Raises an event outside of any branch: a limit that its flows reach ends them here (R2.5)."""
    cause = battle.running.cause
    try:
        return _raise(battle, event, arguments, origin)
    except LimitReachedError as error:
        log_fault(battle, error.kind, str(error))
        battle.running.cause = cause
        return 0


def _raise(battle: Battle, event: EventDefinition, arguments: dict[str, object], origin: str) -> int:
    if not battle.database_active:
        # R6.6: nothing is dispatched, and whoever raised it reads that nobody received it.
        return 0
    raising = battle.running.raising
    depth = len(raising)
    if depth:
        # R2.11
        if raising.count(event) >= battle.echo_limit:
            log_fault(battle, "echo", _echo_message(battle, event))
            return 0
        if depth - battle.running.raises_answered > battle.depth_limit:
            raise LimitReachedError("depth", f"raises nested deeper than {battle.depth_limit}")
    else:
        battle.running.raises_run = 0
    battle.running.raises_run += 1
    if battle.running.raises_run > battle.node_limit:
        raise LimitReachedError("nodes", f"more than {battle.node_limit} raises in one moment")
    outer = battle.running.cause
    sequence = 0
    listeners = battle.listeners
    lineage: tuple[EventDefinition, ...] = ()
    if depth and (battle.logging or listeners is not None):
        lineage = tuple(raising)
    if battle.logging:
        guids = tuple([answered.guid for answered in lineage])
        battle.log.append((GES_EVENT_RAISED, outer, event, arguments, origin != OUTSIDE, origin, guids))
        sequence = len(battle.log)
        battle.running.cause = sequence
    raising.append(event)
    count = 0
    heard: Heard | None = None
    after: list[GesListener] = []
    try:
        if listeners is not None:
            heard = Heard(listeners.battle_id, battle, event, arguments, origin, sequence, lineage)
            began = listeners.all.began
            if began is not None:
                began(heard)
            before, after = listeners.all.frozen(event.guid)
            listeners.all.tell(before, heard)
        if battle.outcome == RUNNING and event.guid in battle.content.ges_heard:
            count = send(battle, find_receivers(battle, event.guid, True), arguments, cards_among(event, arguments))
        if listeners is not None and heard is not None:
            listeners.all.tell(after, heard)
        flows = battle.content.flows
        following = flows.get(event.guid) if flows is not None else None
        if following is not None:
            _follow(battle, event, arguments, following)
    finally:
        # Also when a limit ends everything above, or an action that waits for an answer is given up.
        del raising[depth:]
        if listeners is not None and heard is not None:
            ended = listeners.all.ended
            if ended is not None:
                ended(heard)
    battle.running.cause = outer
    return count


def _echo_message(battle: Battle, event: EventDefinition) -> str:
    names = [raised.id for raised in battle.running.raising[-8:]]
    first = "… → " if len(battle.running.raising) > len(names) else ""
    return f"{event.id} answers itself more than {battle.echo_limit} times: {first}{' → '.join([*names, event.id])}"


def _follow(battle: Battle, event: EventDefinition, arguments: dict[str, object], following: Following) -> None:
    for trigger in following.triggers:
        if trigger.condition is not None and not _holds(battle, trigger.condition, event, arguments):
            continue
        passed = passed_on(event, trigger, arguments)
        if trigger.delay:
            _schedule(battle, trigger.delay, Delayed(trigger.target, passed, battle.running.raising[:], None, 0))
        else:
            _raise(battle, trigger.target, passed, TRIGGER)
    for chain in following.chains:
        _run_chain(battle, chain, 0, 0, arguments)


def _run_chain(battle: Battle, chain: Chain, index: int, waited: int, arguments: dict[str, object]) -> None:
    """Goes on with a chain: its steps as long as they come in the same moment, then the next is scheduled.

    Args:
        battle: The battle.
        chain: The chain.
        index: The next step.
        waited: How many ms the step before it lasts.
        arguments: The arguments of the chain's source.
    """
    while index < len(chain.steps):
        step = chain.steps[index]
        if step.condition is not None and not _holds(battle, step.condition, chain.source, arguments):
            return
        delay = waited + step.delay
        if delay:
            _schedule(battle, delay, Delayed(chain.source, arguments, battle.running.raising[:], chain, index))
            return
        _raise(battle, step.target, passed_on(chain.source, step, arguments), CHAIN)
        waited = step.duration
        index += 1


def _raise_step(battle: Battle, chain: Chain, index: int, arguments: dict[str, object]) -> None:
    """Raises a step whose time has come, and goes on with its chain."""
    step = chain.steps[index]
    _raise(battle, step.target, passed_on(chain.source, step, arguments), CHAIN)
    _run_chain(battle, chain, index + 1, step.duration, arguments)


def _schedule(battle: Battle, delay: int, delayed: Delayed) -> None:
    if battle.outcome != RUNNING:
        # Nothing lands in a battle that is over (R6.6).
        return
    if battle.schedule is None:
        battle.schedule = Schedule()
    if len(battle.schedule) >= MOST_SCHEDULED:
        log_fault(battle, "schedule", f"more than {MOST_SCHEDULED} raises are scheduled")
        return
    battle.schedule.add(delay, delayed)


def _holds(battle: Battle, condition: Condition, event: EventDefinition, arguments: dict[str, object]) -> bool:
    sender = plain_value(battle, "unit", arguments.get("sender"))
    return condition.holds(plain_argument(battle, event, arguments), sender)
