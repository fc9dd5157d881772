"""Internal events and the search for receivers that they share with GES events (R6.1, R6.2)."""

from __future__ import annotations

from typing import Final

from runtime.battle.dispatch import NO_PORTS, card_hears, run_branch
from runtime.battle.event_arguments import NO_CARDS, Handled
from runtime.battle.events import INTERNAL_EVENT_RAISED
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, RUNNING, Battle, Status, Unit
from runtime.graph.frame import new_frame
from runtime.graph.program import NO_BRANCHES, Branch

# R6.1: piles in the order of the search; the top of a pile is the end of its list.
_SEARCHED: Final = (HAND, DRAW, DISCARD, EXHAUST_PILE)


class Receiver:
    """One graph that receives an event: of a card, a status or an enemy."""

    __slots__ = ("branches", "card", "status", "unit")

    def __init__(self, card: int, status: Status | None, unit: Unit, branches: tuple[Branch, ...]) -> None:
        self.card = card
        self.status = status
        self.unit = unit
        self.branches = branches


def find_receivers(battle: Battle, key: str, ges: bool) -> list[Receiver]:
    """All graphs that listen to an internal event's name or a GES event's GUID, in search order (R6.1)."""
    found: list[Receiver] = []
    player = battle.player
    cards = battle.cards
    for pile in _SEARCHED:
        numbers = battle.piles[pile]
        if pile != HAND:
            numbers = numbers[::-1]
        for number in numbers:
            behavior = cards[number].definition.behavior
            branches = (behavior.ges if ges else behavior.internal).get(key, NO_BRANCHES)
            if branches:
                found.append(Receiver(number, None, player, branches))
    for unit in battle.units:
        for status in unit.statuses.values():
            behavior = status.definition.behavior
            branches = (behavior.ges if ges else behavior.internal).get(key, NO_BRANCHES)
            if branches:
                found.append(Receiver(-1, status, unit, branches))
    for unit in battle.units:
        if unit.definition is not None and unit.alive:
            behavior = unit.definition.behavior
            branches = (behavior.ges if ges else behavior.internal).get(key, NO_BRANCHES)
            if branches:
                found.append(Receiver(-1, None, unit, branches))
    return found


def send(battle: Battle, receivers: list[Receiver], arguments: dict[str, object], cards: frozenset[str]) -> int:
    """Runs the branches of frozen receivers; those gone by their turn are skipped (R2.2).

    Args:
        battle: The battle.
        receivers: Who receives the event.
        arguments: What it carries.
        cards: The names of the arguments that are cards.

    Returns:
        How many graphs received the event.
    """
    outer = battle.running.handled
    handled = Handled(arguments, cards)
    count = 0
    for receiver in receivers:
        received = False
        for branch in receiver.branches:
            if battle.outcome != RUNNING or not _is_there(battle, receiver):
                break
            received = True
            battle.running.handled = handled
            run_branch(new_frame(battle, branch, receiver.unit, receiver.status, receiver.card, None, NO_PORTS))
        if received:
            count += 1
    battle.running.handled = outer
    return count


def _is_there(battle: Battle, receiver: Receiver) -> bool:
    """Whether a receiver is still in a place that the search covers; asked before each of its Entry nodes."""
    if receiver.card >= 0:
        return card_hears(battle, receiver.card)
    if receiver.status is not None:
        return receiver.status.present
    return receiver.unit.alive


def raise_internal_event(
    battle: Battle, name: str, arguments: dict[str, object], cards: frozenset[str] = NO_CARDS
) -> int:
    """Raises an internal event at once (R6.2): exact match; the empty name matches nothing.

    Args:
        battle: The battle.
        name: The name.
        arguments: What the event carries.
        cards: The names of the arguments that are cards.

    Returns:
        How many graphs received it.
    """
    if not name or battle.outcome != RUNNING:
        return 0
    outer = battle.running.cause
    if battle.logging:
        battle.log.append((INTERNAL_EVENT_RAISED, outer, name, arguments))
        battle.running.cause = len(battle.log)
    count = 0
    if name in battle.content.internal_heard:
        count = send(battle, find_receivers(battle, name, False), arguments, cards)
    battle.running.cause = outer
    return count
