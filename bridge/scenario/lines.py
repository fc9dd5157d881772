"""Entry lines, ``<entry id> <owner> [port=value …]``, and whether one fits what is expected.

In an expected line only the ports that it lists are compared, in any order; it may stop after the Entry's
id or after the owner.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from runtime.graph.types import FLOW
from runtime.nodes import entries

_OWNER: Final = re.compile(r"card:[a-z][a-z0-9_]*|(status|enemy):[a-z][a-z0-9_]*@(player|enemy(0|[1-9][0-9]*))")


class LineError(ValueError):
    """An expected line that no Entry could ever give.

    Attributes:
        expected: What would be right.
    """

    def __init__(self, message: str, expected: str) -> None:
        super().__init__(message)
        self.expected = expected


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A line in its parts; an empty owner stands for any."""

    entry: str
    owner: str
    ports: dict[str, str]


@cache
def parse_line(line: str) -> EntryLine:
    """Takes apart a line that the runtime wrote."""
    entry, _, rest = line.partition(" ")
    owner, _, ports = rest.partition(" ")
    return EntryLine(entry, owner, dict(port.split("=", 1) for port in ports.split()))


@cache
def parse_expected(line: str) -> EntryLine:
    """Takes apart a line that a scenario file expects.

    Raises:
        LineError: There is no such Entry, the Entry has no such port, or the line is not in the form above.
    """
    words = line.split()
    if not words:
        raise LineError("an empty line", "<entry id> <owner> [port=value ...]")
    ports_of = _ports_by_entry()
    if words[0] not in ports_of:
        raise LineError("unknown Entry", "an Entry id such as on_card_played")
    if len(words) > 1 and not _OWNER.fullmatch(words[1]):
        raise LineError("no owner behind the Entry", "card:<id>, status:<id>@<unit> or enemy:<id>@<unit>")
    ports: dict[str, str] = {}
    for word in words[2:]:
        name, separator, value = word.partition("=")
        if not separator or name not in ports_of[words[0]]:
            known = ", ".join(ports_of[words[0]]) or "none"
            raise LineError(f"{words[0]} has no port {name!r}", f"port=value with one of its ports: {known}")
        ports[name] = value
    return EntryLine(words[0], words[1] if len(words) > 1 else "", ports)


def fits(line: str, expected: str) -> bool:
    """Whether a line of the trace is one that was expected."""
    actual = parse_line(line)
    wanted = parse_expected(expected)
    if wanted.entry != actual.entry or (wanted.owner and wanted.owner != actual.owner):
        return False
    return all(actual.ports.get(name) == value for name, value in wanted.ports.items())


def first_difference(lines: Sequence[str], expected: Sequence[str]) -> int:
    """Where a whole list of lines first differs from the one expected; -1: nowhere."""
    for index, (line, wanted) in enumerate(zip(lines, expected, strict=False)):
        if not fits(line, wanted):
            return index
    return -1 if len(lines) == len(expected) else min(len(lines), len(expected))


def first_missing(lines: Sequence[str], expected: Sequence[str]) -> tuple[int, int]:
    """Which of the lines expected in this order is missing, and behind which place it was looked for.

    Returns:
        The index in `expected`, or -1 when none is missing; and how many of `lines` the ones before it took.
    """
    place = 0
    for index, wanted in enumerate(expected):
        found = next((at for at in range(place, len(lines)) if fits(lines[at], wanted)), -1)
        if found < 0:
            return index, place
        place = found + 1
    return -1, place


@cache
def _ports_by_entry() -> dict[str, tuple[str, ...]]:
    return {node.type: tuple(port.name for port in node.outputs if port.type != FLOW) for node in entries.NODES}
