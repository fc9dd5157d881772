"""Scenario files as typed objects, read strictly: every mistake is reported with its JSON path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from bridge.scenario.lines import LineError, parse_expected
from bridge.scenario.paths import WrongPart, wrong_part, wrong_part_to_set
from bridge.wire.actions import INVALID_ACTION
from runtime.battle.random_streams import MOST_SEED
from runtime.battle.rejections import (
    BATTLE_OVER,
    CARD_UNPLAYABLE,
    CHOICE_PENDING,
    INVALID_CHOICE,
    INVALID_TARGET,
    NO_CHOICE_PENDING,
    NOT_ENOUGH_ENERGY,
    STALE_STATE,
    UNKNOWN_CARD,
)
from runtime.content.json_text import MAX_BYTES, parse_json
from runtime.content.problems import PackError, Place, Report, listed, shown
from runtime.content.shape import build

# What a raise with an unknown GUID or a payload of the wrong type is rejected with (R6.6).
INVALID_ARGUMENT: Final = "INVALID_ARGUMENT"
REASONS: Final = (
    BATTLE_OVER,
    CHOICE_PENDING,
    NO_CHOICE_PENDING,
    INVALID_CHOICE,
    UNKNOWN_CARD,
    CARD_UNPLAYABLE,
    NOT_ENOUGH_ENERGY,
    INVALID_TARGET,
    STALE_STATE,
    INVALID_ARGUMENT,
    INVALID_ACTION,
)

_UNIT: Final = re.compile(r"player|none|enemy(0|[1-9][0-9]*)")
_PATH: Final = re.compile(r"[^.]+(\.[^.]+)*")

Int = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Rounds = Annotated[int, Meta(ge=0, le=10_000)]
# Numbers above are none of a JSON text that is read here (`runtime.content.json_text`).
Seed = Annotated[int, Meta(ge=0, extra_json_schema={"maximum": MOST_SEED})]


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every part of a scenario file: strict about unknown fields."""


class Expect(Part, frozen=True):
    """What must be true of a step, or of the whole battle.

    Attributes:
        entries: The whole list of Entry lines.
        entries_contain: Entry lines that come in this order, with others between.
        entries_exclude: Entry lines that never come.
        state: Values by state path (`bridge.scenario.paths`).
        rejected: The reason for which the step is rejected; for steps only.
        fault: Whether a fault happened.
        warning: Whether a warning happened.
        raised: The GES events that left for the engine, in order, each by id or GUID.
    """

    entries: list[str] | UnsetType = UNSET
    entries_contain: list[str] = msgspec.field(default_factory=list)
    entries_exclude: list[str] = msgspec.field(default_factory=list)
    state: dict[str, Any] = msgspec.field(default_factory=dict)
    rejected: str | UnsetType = UNSET
    fault: bool | UnsetType = UNSET
    warning: bool | UnsetType = UNSET
    raised: list[str] | UnsetType = UNSET


class Step(Part, frozen=True):
    """One step; exactly one of `VERBS` says what it does."""

    play: str | int | UnsetType = UNSET
    target: str = ""
    raise_: str | UnsetType = msgspec.field(name="raise", default=UNSET)
    arg: Any = UNSET
    sender: Any = UNSET
    choose: list[str | int] | int | str | UnsetType = UNSET
    set_: dict[str, Int] | UnsetType = msgspec.field(name="set", default=UNSET)
    end_turn: bool | UnsetType = UNSET
    concede: bool | UnsetType = UNSET
    repeat: Rounds | UnsetType = UNSET
    steps: list[Step] | UnsetType = UNSET
    expect: Expect | UnsetType = UNSET


# What a step may do, and the fields that go with it.
VERBS: Final[dict[str, tuple[str, ...]]] = {
    "play": ("target",),
    "raise": ("arg", "sender"),
    "choose": (),
    "set": (),
    "end_turn": (),
    "concede": (),
    "repeat": ("steps",),
}


class ScenarioFile(Part, frozen=True):
    """A scenario file as it is written. `note` is for people: what it shows, the rule ids that it proves."""

    pack: str | dict[str, Any]
    encounter: str | dict[str, Any]
    note: str = ""
    seed: Seed = 0
    rules: Literal["documented", "extended"] | UnsetType = UNSET
    shuffle: bool = True
    player: dict[str, Any] | UnsetType = UNSET
    deck: list[str] | UnsetType = UNSET
    steps: list[Step] = msgspec.field(default_factory=list)
    expect: Expect | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that has been read.

    Attributes:
        path: The file it came from.
        file: What the file says.
    """

    path: Path
    file: ScenarioFile


def read_scenario(path: Path) -> Scenario:
    """Reads a scenario file.

    Raises:
        PackError: With everything that is wrong in it, each problem with file and JSON path.
    """
    report = Report()
    place = Place(path.as_posix())
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        report.error(place, "cannot be read", expected="a scenario file", found=(error.strerror or str(error)).lower())
        raise PackError(report.problems()) from error
    value = parse_json(data, place, report)
    scenario = build(ScenarioFile, value, place, report)
    if isinstance(value, dict):
        _check_steps(scenario.steps, value.get("steps"), place.at("steps"), report)
        if isinstance(scenario.expect, Expect):
            _check_expect(scenario.expect, place.at("expect"), report)
            if scenario.expect.rejected is not UNSET:
                report.error(place.at("expect", "rejected"), "only a step can be rejected")
    if report.failed:
        raise PackError(report.problems())
    return Scenario(path, scenario)


def _check_steps(steps: list[Step], written: Any, place: Place, report: Report) -> None:
    for index, step in enumerate(steps):
        given = written[index]
        if isinstance(given, dict):
            _check_step(step, given, place.at(index), report)


def _check_step(step: Step, given: dict[str, Any], place: Place, report: Report) -> None:
    verbs = [verb for verb in VERBS if verb in given]
    if len(verbs) != 1:
        found = listed(verbs).replace(" or ", " and ") if verbs else "none of them"
        report.error(place, "a step does one thing", expected=f"one of {listed(VERBS)}", found=found)
        return
    verb = verbs[0]
    for owner, companions in VERBS.items():
        for name in companions:
            if name in given and owner != verb:
                report.error(place.at(name), f"{shown(name)} goes with {shown(owner)}", found=f"a step with {verb!r}")
    for name in ("end_turn", "concede"):
        if given.get(name) is False:
            report.error(place.at(name), "a step that does nothing", expected="true", found="false")
    if verb == "repeat":
        if isinstance(step.steps, UnsetType):
            report.error(place.at("steps"), 'missing field "steps"', expected="the steps to repeat")
        else:
            _check_steps(step.steps, given.get("steps"), place.at("steps"), report)
    rejected = step.expect.rejected if isinstance(step.expect, Expect) else UNSET
    if not isinstance(step.set_, UnsetType) and rejected is UNSET:
        _check_set(step.set_, place, report)
    if step.target and not _UNIT.fullmatch(step.target):
        report.error(place.at("target"), "no unit", expected="player, none or enemy<number>", found=shown(step.target))
    if isinstance(step.expect, Expect):
        _check_expect(step.expect, place.at("expect"), report)
        if verb == "repeat" and rejected is not UNSET:
            report.error(place.at("expect", "rejected"), "only a single step can be rejected")
        elif isinstance(rejected, str) and rejected not in REASONS:
            report.unknown(place.at("expect", "rejected"), "reason", rejected, REASONS)


def _check_expect(expect: Expect, place: Place, report: Report) -> None:
    for name in ("entries", "entries_contain", "entries_exclude"):
        lines = getattr(expect, name)
        for index, line in enumerate([] if lines is UNSET else lines):
            try:
                parse_expected(line)
            except LineError as error:
                report.error(place.at(name, index), str(error), expected=error.expected, found=shown(line))
    for path in expect.state:
        here = place.at("state", path)
        if not _PATH.fullmatch(path):
            report.error(here, "no state path", expected="names with dots between", found=shown(path))
        elif (wrong := wrong_part(path)) is not None:
            _tell_wrong_part(wrong, "no state path", here, report)


def _check_set(changes: Iterable[str], place: Place, report: Report) -> None:
    for path in changes:
        wrong = wrong_part_to_set(path)
        if wrong is not None:
            what = "cannot be set" if wrong_part(path) is None else "no state path"
            _tell_wrong_part(wrong, what, place.at("set", path), report)


def _tell_wrong_part(wrong: WrongPart, what: str, place: Place, report: Report) -> None:
    expected = listed_words(wrong.known) if wrong.known else "the end of the path"
    found = shown(wrong.part) if wrong.part else "the end of the path"
    hint = report.nearest(wrong.part, wrong.known) if wrong.part else ""
    report.error(place, what, expected=expected, found=found, hint=hint)


def listed_words(words: Sequence[str]) -> str:
    """Words as a sentence lists them: ``a, b or c``."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))
