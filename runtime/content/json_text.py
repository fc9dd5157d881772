"""JSON text to plain values: strict about everything that parsers differ on, and safe on hostile text.

Reported are invalid UTF-8, text that is no JSON, duplicate keys, NaN and infinity, numbers of more than
64 bits, lone surrogates, deep nesting and excessive size. A byte order mark is accepted.
"""

from __future__ import annotations

import json
import math
import re
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

from runtime.content.positions import Step
from runtime.content.problems import Place, Report, shown

MAX_BYTES: Final = 16 * 2**20
MAX_DEPTH: Final = 100
MAX_VALUES: Final = 1_000_000

_BOM: Final = b"\xef\xbb\xbf"
# A string (also an unterminated one, so that no text makes the scan quadratic) or a bracket.
_STRING_OR_BRACKET: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]', re.DOTALL)
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_MAX_DIGITS: Final = 20


class _Object(dict[str, Any]):
    """A parsed object that remembers which keys came more than once."""

    __slots__ = ("duplicates",)

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.duplicates: dict[str, None] = {}
        if len(pairs) != len(self):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.duplicates[key] = None
                seen.add(key)


def parse_json(data: bytes, place: Place, report: Report) -> Any:
    """Parses JSON text to plain dicts, lists and scalars.

    Whatever is wrong is reported; a value that cannot be used becomes None.
    """
    if len(data) > MAX_BYTES:
        report.malformed(place, "too large", expected=f"at most {MAX_BYTES} bytes", found=f"{len(data)} bytes")
        return None
    try:
        text = data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        report.malformed(place, f"invalid UTF-8 at byte {error.start}", expected="UTF-8 text")
        return None
    if _nests_too_deep(text):
        report.malformed(place, "nested too deeply", expected=f"at most {MAX_DEPTH} levels of lists and objects")
        return None
    try:
        value = json.loads(text, object_pairs_hook=_Object, parse_int=_parse_int)
    except json.JSONDecodeError as error:
        message = f"no JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        report.malformed(place, message, position=(error.lineno, error.colno))
        return None
    report.keep_text(place.file, text)
    return plain_copy(value, place, report)


def plain_copy(value: object, place: Place, report: Report) -> Any:
    """Copies a value into plain dicts, lists and scalars of JSON, reporting what is none.

    Args:
        value: What `json.loads` gave, or any object that a caller hands over as content.
        place: Where it stands.
        report: Collects what is wrong; such a value becomes None.
    """
    copier = _Copier(place, report)
    copy = copier.copy(value, None)
    while copier.waiting:
        target, original, where = copier.waiting.popleft()
        copier.count += len(original)
        if copier.count > MAX_VALUES:
            report.malformed(place, "too many values", expected=f"at most {MAX_VALUES} values")
            return None
        if isinstance(original, Mapping):
            for duplicate in getattr(original, "duplicates", ()):
                report.error(copier.place_of(where).at(duplicate), f"duplicate key {shown(duplicate)}")
            for key, item in original.items():
                if not isinstance(key, str):
                    report.malformed(copier.place_of(where), "a key is no text", found=type(key).__name__)
                elif _SURROGATE.search(key):
                    message = f"the key {shown(key)} has a lone surrogate"
                    report.malformed(copier.place_of(where), message, expected="Unicode text")
                else:
                    target[key] = copier.copy(item, _Where(where, key))
        else:
            target.extend([copier.copy(item, _Where(where, index)) for index, item in enumerate(original)])
    return copy


class _Where:
    """Where a value stands below the root; a place is made of it only when something is wrong there."""

    __slots__ = ("above", "depth", "step")

    def __init__(self, above: _Where | None, step: Step) -> None:
        self.above = above
        self.step = step
        self.depth: int = 1 if above is None else above.depth + 1


class _Copier:
    """Copies values one level deep and keeps in mind what is inside them."""

    def __init__(self, root: Place, report: Report) -> None:
        self.root = root
        self.report = report
        self.count = 1
        # The copy of a container, the container, and where it stands.
        self.waiting: deque[tuple[Any, Any, _Where | None]] = deque()

    def place_of(self, where: _Where | None) -> Place:
        """The place of a value."""
        steps: list[Step] = []
        while where is not None:
            steps.append(where.step)
            where = where.above
        return self.root.at(*reversed(steps))

    def copy(self, item: object, where: _Where | None) -> Any:
        """The copy of a value; what is in a list or an object is copied later."""
        if not isinstance(item, Mapping | list | tuple):
            return _scalar(item, self, where)
        if where is not None and where.depth >= MAX_DEPTH:
            self.report.malformed(self.place_of(where), "nested too deeply", expected=f"at most {MAX_DEPTH} levels")
            return None
        copy: Any = {} if isinstance(item, Mapping) else []
        self.waiting.append((copy, item, where))
        return copy


def _scalar(item: object, copier: _Copier, where: _Where | None) -> object:
    wrong, expected, found = "not a JSON value", "", type(item).__name__
    if item is None or isinstance(item, bool):
        return item
    if isinstance(item, str):
        if not _SURROGATE.search(item):
            return str(item)
        wrong, expected, found = "a lone surrogate in a text", "Unicode text", shown(item)
    elif isinstance(item, int):
        # A signed number of 64 bits, or an unsigned one such as a seed.
        if -(2**63) <= item < 2**64:
            return int(item)
        wrong, expected, found = "the number is too large", "a number of at most 64 bits", ""
    elif isinstance(item, float):
        if math.isfinite(item):
            return float(item)
        wrong, expected, found = "not a finite number", "a finite number", str(item)
    copier.report.malformed(copier.place_of(where), wrong, expected=expected, found=found)
    return None


def _parse_int(digits: str) -> int:
    # Longer ones are refused anyway, and Python gives up on converting thousands of digits.
    return int(digits[: _MAX_DIGITS + 1])


def _nests_too_deep(text: str) -> bool:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        token = match[0]
        if token in ("[", "{"):
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif token in ("]", "}"):
            depth -= 1
    return False
