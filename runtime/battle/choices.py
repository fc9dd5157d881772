"""Choices of the player inside a graph (R5.7).

The battle's agent answers at once. Without an agent the running action is parked in a greenlet: the
battle shows the open choice, and the action goes on where it stopped when the answer comes. So the
rules stay plain code, wherever in them a player is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from greenlet import getcurrent, greenlet

from runtime.battle.events import CHOICE_ANSWERED, CHOICE_REQUESTED

if TYPE_CHECKING:
    from runtime.battle.action_types import Action
    from runtime.battle.state import Battle

CARD_CHOICE: Final = "card"
OPTION_CHOICE: Final = "option"


class Choice:
    """A question to the player.

    Attributes:
        kind: ``card`` or ``option``.
        prompt: The node's prompt.
        cards: The candidates of a card choice, as card numbers.
        options: The candidates of an option choice, as texts.
        min: The fewest answers allowed.
        max: The most answers allowed.
    """

    __slots__ = ("cards", "kind", "max", "min", "options", "prompt")

    def __init__(
        self, kind: str, prompt: str, cards: list[int], options: list[str], minimum: int, maximum: int
    ) -> None:
        self.kind = kind
        self.prompt = prompt
        self.cards = cards
        self.options = options
        self.min = minimum
        self.max = maximum

    def kind_problem(self, kind: str) -> str:
        """What is wrong with an answer of a kind, or ``""`` (R5.10).

        Args:
            kind: ``card`` or ``option``.
        """
        if kind == self.kind:
            return ""
        if self.kind == OPTION_CHOICE:
            return f"expected the index of one of {len(self.options)} options, got cards"
        return f"expected {self.min} to {self.max} cards, got an option"

    def problem_with(self, picks: list[int]) -> str:
        """What is wrong with an answer, or ``""``.

        Args:
            picks: Card numbers, or the index of an option.
        """
        if self.kind == OPTION_CHOICE:
            if len(picks) != 1 or not 0 <= picks[0] < len(self.options):
                return f"expected one index from 0 to {len(self.options) - 1}"
            return ""
        if not self.min <= len(picks) <= self.max:
            return f"expected {self.min} to {self.max} cards, got {len(picks)}"
        if len(set(picks)) != len(picks):
            return "a card is named twice"
        for pick in picks:
            if pick not in self.cards:
                return f"card {pick} is not among the candidates"
        return ""


class Parked:
    """An action that waits for an answer.

    Attributes:
        running: The greenlet in which it runs.
        before: A copy of the battle before the action, for `copy`; None where no copies are made at choices.
        action: The action; None for set-up.
        answers: The answers given so far.
    """

    __slots__ = ("action", "answers", "before", "running")

    def __init__(self, running: greenlet, before: Battle | None, action: Action | None) -> None:
        self.running = running
        self.before = before
        self.action = action
        self.answers: list[list[int]] = []


class InvalidAnswerError(ValueError):
    """An agent answered a choice with something that does not fit it."""


def ask(battle: Battle, choice: Choice) -> list[int]:
    """Asks the player and returns the answer: card numbers, or the index of an option.

    Raises:
        InvalidAnswerError: The agent's answer does not fit.
    """
    if battle.logging:
        battle.log.append((CHOICE_REQUESTED, battle.running.cause, choice))
    agent = battle.agent
    if agent is not None:
        # An agent may look round in the middle of a hit: what it finds legal then is not kept.
        battle.plays = {}
        picks = agent.choose(battle, choice)
        battle.plays = {}
        problem = choice.problem_with(picks)
        if problem:
            raise InvalidAnswerError(problem)
    else:
        battle.choice = choice
        outside = getcurrent().parent
        if outside is None:
            raise TypeError("a choice was asked outside of an action")
        picks = outside.switch()
        battle.choice = None
    if battle.logging:
        option = picks[0] if choice.kind == OPTION_CHOICE else -1
        cards = tuple(picks) if choice.kind == CARD_CHOICE else ()
        battle.log.append((CHOICE_ANSWERED, battle.running.cause, cards, option))
    return picks


def run_parkable(battle: Battle, work: Callable[[], None], before: Battle | None, action: Action | None) -> None:
    """Runs an action that may be parked; returns when it is done or waits for an answer."""
    running = _take_idle()
    battle.running.parked = Parked(running, before, action)
    _go_on(battle, running, work)


def resume(battle: Battle, picks: list[int]) -> None:
    """Goes on with the parked action; the answer has been checked."""
    parked = battle.running.parked
    if parked is None:
        raise ValueError("no action is parked")
    parked.answers.append(picks)
    _go_on(battle, parked.running, picks)


def _go_on(battle: Battle, running: greenlet, what: object) -> None:
    """Lets a greenlet run until its action is done, after which it waits for another one, or parked."""
    here = getcurrent()
    if running.parent is not here:
        running.parent = here
    running.switch(what)
    if battle.choice is None:
        battle.running.parked = None
        if len(_idle) < _MOST_IDLE:
            _idle.append(running)


# To make a greenlet and its stack costs as much as playing a card; so those that are done are used again.
_idle: Final[list[greenlet]] = []
_MOST_IDLE: Final = 8


def _take_idle() -> greenlet:
    """A greenlet of this thread that waits for an action: greenlets cannot change threads."""
    thread = _root(getcurrent())
    while _idle:
        waiting = _idle.pop()
        if _root(waiting) is thread:
            return waiting
    return greenlet(_carry_out_all)


def _root(running: greenlet) -> greenlet:
    """The greenlet that a thread begins with; its ancestor."""
    parent = running.parent
    while parent is not None:
        running = parent
        parent = running.parent
    return running


def _carry_out_all(work: Callable[[], None]) -> None:
    """What a greenlet does: one action after the other, each given to it by `_go_on`."""
    while True:
        work()
        # While it waits it keeps no battle alive.
        del work
        outside = getcurrent().parent
        if outside is None:
            raise TypeError("an action was carried out outside of a greenlet")
        work = outside.switch()
