"""What is wrong with content, where, and what was expected; and the report that collects all of it."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

from runtime.content.positions import Step, find_positions

# Past this many of one severity nobody reads on, and a hostile pack must not fill the memory.
MAX_PROBLEMS: Final = 5_000

# Looking for the nearest name compares it with every known one, at a cost that grows with the square of its
# length; these bound the work for one report.
MAX_HINT_LENGTH: Final = 64
MAX_HINT_WORK: Final = 10_000_000
# The same for what comes with a call, while which others wait: some hundredths of a second.
MAX_CALL_HINT_WORK: Final = 200_000

_MAX_SHOWN: Final = 60
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a file, or in an object that came from no file.

    Attributes:
        file: The file's path inside the pack, with slashes; empty for an object.
        steps: Keys and indexes that lead from the root to the value.
    """

    file: str = ""
    steps: tuple[Step, ...] = ()

    def at(self, *steps: Step) -> Place:
        """The place of a value inside this one."""
        return Place(self.file, self.steps + steps)

    @property
    def path(self) -> str:
        """The JSON path, ``$.graph.nodes[2].params.amount``."""
        parts = ["$"]
        for step in self.steps:
            if isinstance(step, int):
                parts.append(f"[{step}]")
            elif _PLAIN_KEY.fullmatch(step) and len(step) <= _MAX_SHOWN:
                parts.append(f".{step}")
            else:
                parts.append(f"[{shown(step)}]")
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        severity: ``error`` (the pack cannot be used) or ``warning``.
        file: The file's path inside the pack, with slashes; empty for an object that came from no file.
        path: The JSON path in that file.
        message: What is wrong.
        expected: What would be right, if that is not the message itself.
        found: What is there instead.
        hint: What was probably meant.
        line: The line in that file, from 1 on; 0 where there is no text.
        column: The column in that line, from 1 on.
    """

    severity: Literal["error", "warning"]
    file: str
    path: str
    message: str
    expected: str = ""
    found: str = ""
    hint: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        position = f":{self.line}:{self.column}" if self.line else ""
        where = f"{self.file}{position}: {self.path}" if self.file else self.path
        text = f"{where}: {self.severity}: {self.message}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.found:
            text += f"; found {self.found}"
        if self.hint:
            text += f" ({self.hint})"
        return text


class PackError(ValueError):
    """Content that cannot be used.

    Attributes:
        problems: Everything that is wrong with it, warnings included.
    """

    def __init__(self, problems: Collection[Problem]) -> None:
        self.problems = list(problems)
        errors = [problem for problem in self.problems if problem.severity == "error"]
        super().__init__("\n".join(str(problem) for problem in errors))


class Report:
    """Collects problems.

    A value whose very shape is wrong is replaced by a neutral one so that checking can go on (see
    `runtime.content.shape`); whatever is then said about that value, or anything in it, is left out.

    Attributes:
        failed: Whether there is any error.
    """

    def __init__(self, hint_work: int = MAX_HINT_WORK) -> None:
        """Makes it empty.

        Args:
            hint_work: How much may be done to find out what was probably meant, in characters squared.
        """
        self.failed = False
        # With the steps to the place of each.
        self._problems: dict[Problem, tuple[Step, ...]] = {}
        # The text of each file that was read.
        self._texts: dict[str, str] = {}
        self._counts = {"error": 0, "warning": 0}
        # The steps to values of the wrong shape, by file.
        self._malformed: dict[str, set[tuple[Step, ...]]] = {}
        self._hint_work_left = hint_work

    def keep_text(self, file: str, text: str) -> None:
        """Remembers the text of a file, so that its problems are found by line and column."""
        self._texts[file] = text

    def malformed(
        self,
        place: Place,
        message: str,
        *,
        expected: str = "",
        found: str = "",
        hint: str = "",
        position: tuple[int, int] = (0, 0),
    ) -> None:
        """Reports a value of the wrong shape, and nothing more at or under its place.

        Args:
            place: Where the value stands.
            message: What is wrong.
            expected: What would be right.
            found: What is there instead.
            hint: What was probably meant.
            position: Line and column, of a text in which places cannot be found.
        """
        self._add("error", place, message, expected, found, hint, position)
        if not self.is_full:
            self._malformed.setdefault(place.file, set()).add(place.steps)

    def error(self, place: Place, message: str, *, expected: str = "", found: str = "", hint: str = "") -> None:
        """Reports an error."""
        self._add("error", place, message, expected, found, hint)

    def warning(self, place: Place, message: str, *, expected: str = "", found: str = "", hint: str = "") -> None:
        """Reports a warning."""
        self._add("warning", place, message, expected, found, hint)

    def unknown(self, place: Place, what: str, name: str, known: Collection[str]) -> None:
        """Reports an error: a name that is not among the known ones; the hint is the nearest of them."""
        self.error(place, f"unknown {what} {shown(name)}", found=shown(name), hint=self.nearest(name, known))

    def nearest(self, name: str, known: Collection[str]) -> str:
        """A hint with the known name that is most like this one; empty if none is."""
        work = len(known) * len(name) ** 2
        if len(name) > MAX_HINT_LENGTH or work > self._hint_work_left:
            return ""
        self._hint_work_left -= work
        matches = difflib.get_close_matches(name, known, n=1)
        return f"did you mean {shown(matches[0])}?" if matches else ""

    @property
    def is_full(self) -> bool:
        """Whether there are so many errors that further ones are only counted, and warnings left out."""
        return self._counts["error"] >= MAX_PROBLEMS

    def problems(self) -> list[Problem]:
        """All problems by file, within a file in the order of checking."""
        problems = sorted(self._with_positions(), key=lambda problem: problem.file)
        for severity, count in self._counts.items():
            if count > MAX_PROBLEMS:
                message = f"{count - MAX_PROBLEMS} more of this severity are left out"
                problems.append(Problem("error" if severity == "error" else "warning", "", "$", message))
        return problems

    def _with_positions(self) -> list[Problem]:
        by_file: dict[str, list[tuple[Step, ...]]] = {}
        for problem, steps in self._problems.items():
            if problem.file in self._texts and not problem.line:
                by_file.setdefault(problem.file, []).append(steps)
        positions = {file: find_positions(self._texts[file], steps) for file, steps in by_file.items()}
        return [
            replace(problem, line=position[0], column=position[1])
            if (position := positions.get(problem.file, {}).get(steps)) and not problem.line
            else problem
            for problem, steps in self._problems.items()
        ]

    def is_malformed(self, place: Place) -> bool:
        """Whether the value there, or one that it is part of, has been replaced by a neutral one."""
        malformed = self._malformed.get(place.file)
        if malformed is None:
            return False
        steps = place.steps
        return any(steps[:length] in malformed for length in range(len(steps) + 1))

    def _add(
        self,
        severity: Literal["error", "warning"],
        place: Place,
        message: str,
        expected: str,
        found: str,
        hint: str,
        position: tuple[int, int] = (0, 0),
    ) -> None:
        if self.is_full:
            self._counts["error"] += severity == "error"
            return
        if self.is_malformed(place):
            return
        if severity == "error":
            self.failed = True
        if self._counts[severity] < MAX_PROBLEMS:
            problem = Problem(severity, place.file, place.path, message, expected, found, hint, *position)
            if problem in self._problems:
                return
            self._problems[problem] = place.steps
        self._counts[severity] += 1


def shown(value: object) -> str:
    """A JSON value as it is named in a message: short, on one line, printable."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    if isinstance(value, str):
        cut = value if len(value) <= _MAX_SHOWN else value[:_MAX_SHOWN] + "…"
        return json.dumps(cut, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 64:
        return "an integer of more than 64 bits"
    return json.dumps(value)


def listed(names: Collection[str]) -> str:
    """Names as an enumeration for a message: the first dozen of them."""
    some = [shown(name) for _, name in zip(range(12), names, strict=False)]
    if len(names) > len(some):
        return ", ".join(some) + ", …"
    return " or ".join([", ".join(some[:-1]), some[-1]]) if len(some) > 1 else "".join(some)


def or_nearest(name: str, known: Collection[str]) -> str:
    """What to say of a name that is not known: the known one that it looks like, or else the first of them all.

    Args:
        name: The name that was given.
        known: The names that there are.
    """
    return Report(MAX_CALL_HINT_WORK).nearest(name, known) or f"there is {listed(known) or 'none'}"
