"""Plays a scenario through a driver and compares what happened with what was expected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType

from bridge.scenario.driver import (
    Action,
    Answer,
    BattleSpec,
    Concede,
    Driver,
    DriverError,
    EndTurn,
    PlayCard,
    RaiseEvent,
    SetState,
)
from bridge.scenario.expected_ids import check_expected_ids
from bridge.scenario.format import Expect, Scenario, Step
from bridge.scenario.lines import first_difference, first_missing, fits
from bridge.scenario.packs import Packs
from bridge.scenario.paths import PathError, read_path
from bridge.scenario.views import BattleView, Happening
from runtime.battle.rejections import Rejection
from runtime.content.guids import normalize_guid
from runtime.content.overrides import check_deck, check_encounter, check_player
from runtime.content.problems import PackError

# An instance that no card has: what is played or chosen although it is not there, so that the battle refuses it.
NO_CARD: Final = "c999999999"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """An expectation that does not hold.

    Attributes:
        expected: What was expected.
        actual: What happened instead.
        entries: Entry lines around it.
        marked: The index in `entries` where it went wrong; -1 for none.
    """

    expected: str
    actual: str
    entries: tuple[str, ...] = ()
    marked: int = -1


@dataclass(frozen=True, slots=True)
class Failure:
    """The first step of a scenario that is not as expected.

    Attributes:
        path: The scenario file.
        step: Where, such as ``steps[2] (play strike)``; ``set-up`` or ``end``.
        mismatches: Everything in it that is not as expected, one or more.
        note: The file's note.
    """

    path: Path
    step: str
    mismatches: tuple[Mismatch, ...]
    note: str = ""


# Repeats nest: without a bound on all of them together a short file could run for ever.
MOST_STEPS: Final = 100_000


class _MismatchError(Exception):
    """Ends a scenario; becomes its `Failure`."""

    def __init__(self, mismatches: Sequence[Mismatch]) -> None:
        super().__init__(mismatches[0].expected)
        self.mismatches = mismatches


def run_scenario(scenario: Scenario, make_driver: Callable[[], Driver], packs: Packs | None = None) -> Failure | None:
    """Plays a scenario.

    Args:
        scenario: The scenario.
        make_driver: Makes a driver without a battle.
        packs: Packs that have been read already, to share among scenarios.

    Returns:
        The first step with wrong expectations; None when all hold.

    Raises:
        PackError: Its pack, encounter or overrides are wrong.
    """
    spec = spec_of(scenario, packs or Packs())
    driver = make_driver()
    try:
        return _Run(scenario, driver).run(spec)
    finally:
        driver.close()


def spec_of(scenario: Scenario, packs: Packs) -> BattleSpec:
    """What a scenario's battle is started with; its pack, encounter and overrides, and the ids it expects, are checked.

    Raises:
        PackError: With what is wrong, by its place in the scenario file or in the pack's files.
    """
    file = scenario.file
    with _problems_of(scenario, "pack"):
        pack = packs.find(file.pack, scenario.path.parent)
    with _problems_of(scenario, "encounter"):
        check_encounter(pack, file.encounter)
    if not isinstance(file.player, UnsetType):
        with _problems_of(scenario, "player"):
            check_player(pack, file.player)
    if not isinstance(file.deck, UnsetType):
        with _problems_of(scenario, "deck"):
            check_deck(pack, file.deck)
    with _problems_of(scenario):
        check_expected_ids(file, pack)
    return BattleSpec(
        pack=pack,
        encounter=file.encounter,
        player=None if isinstance(file.player, UnsetType) else file.player,
        deck=None if isinstance(file.deck, UnsetType) else file.deck,
        seed=file.seed,
        rules="" if isinstance(file.rules, UnsetType) else file.rules,
        shuffle=file.shuffle,
    )


@contextmanager
def _problems_of(scenario: Scenario, part: str = "") -> Iterator[None]:
    """Tells problems of an object that stands in the scenario file by their places in that file."""
    try:
        yield
    except PackError as error:
        name = scenario.path.as_posix()
        root = f"$.{part}" if part else "$"
        raise PackError(
            [
                problem if problem.file else replace(problem, file=name, path=f"{root}{problem.path[1:]}")
                for problem in error.problems
            ]
        ) from error


class _Run:
    def __init__(self, scenario: Scenario, driver: Driver) -> None:
        self._scenario = scenario
        self._driver = driver
        self._where = "set-up"
        self._taken = 0

    def run(self, spec: BattleSpec) -> Failure | None:
        try:
            self._driver.start(spec)
            self._take_steps(self._scenario.file.steps, "steps")
            self._where = "end"
            if isinstance(self._scenario.file.expect, Expect):
                wrong = list(self._check(self._scenario.file.expect, self._driver.happenings))
                if wrong:
                    return self._failure(wrong)
        except _MismatchError as error:
            return self._failure(error.mismatches)
        except DriverError as error:
            return self._failure([self._mismatch("a battle that can be played on", str(error))])
        return None

    def _failure(self, mismatches: Sequence[Mismatch]) -> Failure:
        return Failure(self._scenario.path, self._where, tuple(mismatches), self._scenario.file.note)

    def _mismatch(self, expected: str, actual: str) -> Mismatch:
        return Mismatch(expected, actual, tuple(self._lines()[-_AROUND:]))

    def _lines(self) -> list[str]:
        return entry_lines(self._driver.happenings)

    def _take_steps(self, steps: Sequence[Step], place: str) -> None:
        for index, step in enumerate(steps):
            self._take(step, f"{place}[{index}]")

    def _take(self, step: Step, place: str) -> None:
        mark = len(self._driver.happenings)
        wrong: list[Mismatch] = []
        self._taken += 1
        if self._taken > MOST_STEPS:
            raise _MismatchError([Mismatch(f"at most {MOST_STEPS:,} steps, repeated ones counted each time", "more")])
        if isinstance(step.repeat, int):
            nested = [] if isinstance(step.steps, UnsetType) else step.steps
            for number in range(step.repeat):
                self._take_steps(nested, f"{place} round {number + 1} steps")
            self._where = f"{place} (repeat)"
        else:
            self._where = f"{place} ({describe(step)})"
            action = action_of(step, self._driver.view)
            rejected = self._driver.act(action)
            if rejected is not None and action == PlayCard(NO_CARD, step.target):
                hand = ", ".join(card.card_id for card in self._driver.view.hand) or "empty"
                rejected = Rejection(rejected.reason, f"the hand is {hand}")
            wrong += self._check_rejection(step, rejected)
        if isinstance(step.expect, Expect):
            wrong += self._check(step.expect, self._driver.happenings[mark:])
        if wrong:
            raise _MismatchError(wrong)

    def _check_rejection(self, step: Step, rejected: Rejection | None) -> Iterator[Mismatch]:
        wanted = step.expect.rejected if isinstance(step.expect, Expect) else UNSET
        if rejected is None and isinstance(wanted, str):
            yield self._mismatch(f"rejected: {wanted}", "accepted")
        if rejected is not None and wanted != rejected.reason:
            expected = f"rejected: {wanted}" if isinstance(wanted, str) else "accepted"
            yield self._mismatch(expected, f"rejected: {rejected.reason} ({rejected.message})")

    def _check(self, expect: Expect, happenings: Sequence[Happening]) -> Iterator[Mismatch]:
        """Everything in an expectation that does not hold."""
        lines = entry_lines(happenings)
        last = tuple(lines[-_AROUND:])
        yield from _check_entries(expect, lines)
        for path, wanted in expect.state.items():
            try:
                actual = read_path(self._driver.view, path)
            except PathError as error:
                yield Mismatch(f"{path} = {_json(wanted)}", str(error), last)
                continue
            if not same_value(actual, wanted):
                yield Mismatch(f"{path} = {_json(wanted)}", f"{path} = {_json(actual)}", last)
        for kind in ("fault", "warning"):
            wanted = getattr(expect, kind)
            messages = [str(event.fields["message"]) for event in happenings if event.kind == kind]
            if isinstance(wanted, bool) and wanted != bool(messages):
                expected = f"a {kind}" if wanted else f"no {kind}"
                yield Mismatch(expected, f"{kind}: {messages[0]}" if messages else f"no {kind}", last)
        if not isinstance(expect.raised, UnsetType):
            yield from _check_raised(expect.raised, happenings, last)


# Entry lines shown on each side of the place where it went wrong.
_AROUND: Final = 8


def _check_entries(expect: Expect, lines: list[str]) -> Iterator[Mismatch]:
    if not isinstance(expect.entries, UnsetType):
        place = first_difference(lines, expect.entries)
        if place >= 0:
            wanted = expect.entries[place] if place < len(expect.entries) else "no further Entry"
            actual = lines[place] if place < len(lines) else "no further Entry"
            yield _mismatch_at(f"entries[{place}]: {wanted}", actual, lines, place)
    missing, place = first_missing(lines, expect.entries_contain)
    if missing >= 0:
        after = f" after {lines[place - 1]!r}" if place else ""
        expected = f"entries_contain[{missing}]: {expect.entries_contain[missing]}"
        yield _mismatch_at(expected, f"no such Entry{after}", lines, place)
    for index, excluded in enumerate(expect.entries_exclude):
        place = next((place for place, line in enumerate(lines) if fits(line, excluded)), -1)
        if place >= 0:
            yield _mismatch_at(f"entries_exclude[{index}]: no {excluded}", lines[place], lines, place)


def _mismatch_at(expected: str, actual: str, lines: list[str], place: int) -> Mismatch:
    first = max(0, place - _AROUND)
    return Mismatch(expected, actual, tuple(lines[first : place + _AROUND + 1]), place - first)


def _check_raised(wanted: list[str], happenings: Sequence[Happening], last: tuple[str, ...]) -> Iterator[Mismatch]:
    raised = [event.fields for event in happenings if event.kind == "ges_event_raised" and event.fields["from_battle"]]
    left = [str(fields["event"]) for fields in raised]
    same = len(raised) == len(wanted) and all(
        name == fields["event"] or normalize_guid(name) == fields["guid"]
        for name, fields in zip(wanted, raised, strict=True)
    )
    if not same:
        yield Mismatch(f"raised {_json(wanted)}", f"raised {_json(left)}", last)


def same_value(actual: Any, wanted: Any) -> bool:
    """Whether a value is the one expected, in value and JSON type: true is not 1."""
    if isinstance(actual, list) and isinstance(wanted, list):
        return len(actual) == len(wanted) and all(map(same_value, actual, wanted))
    return type(actual) is type(wanted) and bool(actual == wanted)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def entry_lines(happenings: Sequence[Happening]) -> list[str]:
    """The Entry trace of some events."""
    return [event.fields["line"] for event in happenings if event.kind == "entry_dispatched"]


def describe(step: Step) -> str:
    """A step in a few words, such as ``play strike on enemy0``."""
    if not isinstance(step.play, UnsetType):
        return f"play {step.play} on {step.target}" if step.target else f"play {step.play}"
    if not isinstance(step.raise_, UnsetType):
        return f"raise {step.raise_}"
    if not isinstance(step.choose, UnsetType):
        return f"choose {_json(step.choose)}"
    if not isinstance(step.set_, UnsetType):
        return f"set {_json(step.set_)}"
    return "concede" if step.concede is True else "end_turn"


def action_of(step: Step, view: BattleView) -> Action:
    """What a step does in the battle as it is now."""
    if not isinstance(step.play, UnsetType):
        target = "" if step.target == "none" else step.target
        return PlayCard(_card_in_hand(step.play, view), target)
    if not isinstance(step.raise_, UnsetType):
        return RaiseEvent(step.raise_, *(None if value is UNSET else value for value in (step.arg, step.sender)))
    if not isinstance(step.choose, UnsetType):
        return _answer(step.choose, view)
    if not isinstance(step.set_, UnsetType):
        return SetState(step.set_)
    return Concede() if step.concede is True else EndTurn()


def _card_in_hand(play: str | int, view: BattleView) -> str:
    if isinstance(play, int):
        return view.hand[play].id if 0 <= play < len(view.hand) else NO_CARD
    return next((card.id for card in view.hand if card.card_id == play), NO_CARD)


def _answer(choose: list[str | int] | str | int, view: BattleView) -> Answer:
    picks = choose if isinstance(choose, list) else [choose]
    choice = view.choice
    if choice is None:
        return Answer()
    if choice.kind == "option":
        if len(picks) == 1 and isinstance(picks[0], int):
            return Answer(option=picks[0])
        return Answer(cards=(NO_CARD,) * len(picks))
    left = list(range(len(choice.cards)))
    cards: list[str] = []
    for pick in picks:
        index = pick if isinstance(pick, int) else next((at for at in left if choice.cards[at] == pick), -1)
        cards.append(choice.instances[index] if 0 <= index < len(choice.instances) else NO_CARD)
        if index in left:
            left.remove(index)
    return Answer(cards=tuple(cards))
