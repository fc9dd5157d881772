"""Asset ids in a scenario's steps and expectations: one that the pack does not have can never be seen.

Without this check a misspelt id would be a test that proves nothing: stacks of a status that is nowhere are 0, and an
Entry of a card that is nowhere never comes. What expects an *absence* (0 stacks, `entries_exclude`) is true of any
such id, so there it is an error only when the pack has an id that it looks like.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from msgspec import UNSET, UnsetType

from bridge.scenario.format import Expect, ScenarioFile, Step
from bridge.scenario.lines import parse_expected
from runtime.content.assets import Pack
from runtime.content.draft import KINDS
from runtime.content.guids import normalize_guid
from runtime.content.problems import PackError, Place, Report, shown
from runtime.graph.types import CARD_REF, STATUS_REF
from runtime.nodes import entries

_LISTS: Final = {"card": "cards", "status": "statuses", "enemy": "enemies", "event": "events"}
_REFERENCES: Final = {CARD_REF: "card", STATUS_REF: "status"}
# State paths whose value is a list of card ids.
_CARD_LISTS: Final = ("hand", "draw", "discard", "exhaust", "choice.cards", "rewards")
_NOTHING: Final = ("none", "")


def check_expected_ids(file: ScenarioFile, pack: Pack) -> None:
    """Checks every asset id that a scenario expects to see, or not to see.

    Raises:
        PackError: An id is in none of the pack's lists; each problem with its JSON path and the nearest id.
    """
    check = _Check(pack)
    check.steps(file.steps, Place().at("steps"))
    if isinstance(file.expect, Expect):
        check.expect(file.expect, Place().at("expect"))
    if check.report.failed:
        raise PackError(check.report.problems())


class _Check:
    def __init__(self, pack: Pack) -> None:
        self.report = Report()
        self._pack = pack
        self._all = frozenset(asset for kind in KINDS for asset in getattr(pack, kind))
        self._guids = frozenset(event.guid for event in pack.events.values())

    def steps(self, steps: Sequence[Step], place: Place) -> None:
        for index, step in enumerate(steps):
            here = place.at(index)
            rejected = step.expect.rejected if isinstance(step.expect, Expect) else UNSET
            if rejected is UNSET:
                self.action(step, here)
            if isinstance(step.expect, Expect):
                self.expect(step.expect, here.at("expect"))
            if not isinstance(step.steps, UnsetType):
                self.steps(step.steps, here.at("steps"))

    def action(self, step: Step, place: Place) -> None:
        """The ids that a step names, if it is to be accepted."""
        if not isinstance(step.raise_, UnsetType) and normalize_guid(step.raise_) not in self._guids:
            self._id("event", step.raise_, place.at("raise"))
        for path in {} if isinstance(step.set_, UnsetType) else step.set_:
            match path.split("."):
                case ["player", "statuses", status] | ["enemies", _, "statuses", status]:
                    self._id("status", status, place.at("set", path))

    def expect(self, expect: Expect, place: Place) -> None:
        for name in ("entries", "entries_contain", "entries_exclude"):
            lines: list[str] | UnsetType = getattr(expect, name)
            for index, line in enumerate([] if isinstance(lines, UnsetType) else lines):
                self._line(line, place.at(name, index), absent=name == "entries_exclude")
        for path, wanted in expect.state.items():
            self._state(path, wanted, place.at("state", path))
        for index, name in enumerate([] if isinstance(expect.raised, UnsetType) else expect.raised):
            if normalize_guid(name) not in self._guids:
                self._id("event", name, place.at("raised", index))

    def _line(self, line: str, place: Place, absent: bool) -> None:
        expected = parse_expected(line)
        if expected.owner:
            kind, _, rest = expected.owner.partition(":")
            self._id(kind, rest.partition("@")[0], place, absent)
        kinds = _reference_ports()[expected.entry]
        for port, value in expected.ports.items():
            if port in kinds and value not in _NOTHING:
                self._id(kinds[port], value, place, absent)

    def _state(self, path: str, wanted: Any, place: Place) -> None:
        match path.split("."):
            case ["player", "statuses", status] | ["enemies", _, "statuses", status]:
                self._id("status", status, place, absent=wanted == 0)
        if path in _CARD_LISTS and isinstance(wanted, list):
            for card in wanted:
                if isinstance(card, str):
                    self._id("card", card, place)

    def _id(self, kind: str, name: str, place: Place, absent: bool = False) -> None:
        if name in self._all:
            return
        known: Collection[str] = getattr(self._pack, _LISTS[kind])
        hint = self.report.nearest(name, known)
        if hint or not absent:
            self.report.error(place, f"unknown {kind} {shown(name)}", expected=f"a {kind} of the pack", hint=hint)


@cache
def _reference_ports() -> dict[str, dict[str, str]]:
    """The ports of each Entry that carry a card or a status, with the kind of asset."""
    return {
        node.type: {port.name: _REFERENCES[port.type] for port in node.outputs if port.type in _REFERENCES}
        for node in entries.NODES
    }
