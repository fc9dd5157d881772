"""Where values stand in JSON text: line and column of a path, for the problems that a person has to find."""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterable
from typing import Any, Final

# A string, a bracket, a comma or colon, or anything else that is a value.
_TOKEN: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},:]|[^\s\[\]{},:"]++', re.DOTALL)
_LINE_END: Final = re.compile(r"\r\n?|\n")

Step = str | int
Steps = tuple[Step, ...]


def find_positions(text: str, wanted: Iterable[Steps]) -> dict[Steps, tuple[int, int]]:
    """Line and column, from 1 on, of each wanted value; of what is missing, those of the nearest value around it.

    Args:
        text: JSON text that can be parsed.
        wanted: Paths from the root. A member of an object is found by its key, so that a problem with the key itself
            has a place as well; where a key comes twice, the last one counts, as it does for the parser.
    """
    paths = list(wanted)
    tree: dict[Step, Any] = {}
    for path in paths:
        branch = tree
        for step in path:
            branch = branch.setdefault(step, {})
    offsets = _offsets(text, tree)
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    found = {}
    for path in paths:
        offset = _nearest(offsets, path)
        line = bisect.bisect_right(starts, offset)
        found[path] = (line, offset - starts[line - 1] + 1)
    return found


def _nearest(offsets: dict[Steps, int], path: Steps) -> int:
    for length in range(len(path), 0, -1):
        offset = offsets.get(path[:length])
        if offset is not None:
            return offset
    return 0


class _Level:
    """A list or an object that the walk is inside of."""

    __slots__ = ("branch", "index", "is_object", "path")

    def __init__(self, is_object: bool, branch: dict[Step, Any] | None, path: Steps) -> None:
        self.is_object = is_object
        self.branch = branch
        self.path = path
        self.index = 0


def _offsets(text: str, tree: dict[Step, Any]) -> dict[Steps, int]:
    found: dict[Steps, int] = {}
    levels: list[_Level] = []
    # What the next value is: the part of the tree below it, None where nothing in it is wanted; and its path.
    branch: dict[Step, Any] | None = tree
    path: Steps = ()
    awaits_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == ":":
            continue
        if token == ",":
            level = levels[-1]
            level.index += 1
            awaits_key = level.is_object
            if not awaits_key:
                branch, path = _inside(level, level.index, match.end(), found, text)
        elif token in ("}", "]"):
            levels.pop()
        elif awaits_key:
            branch, path = _member(levels[-1], token, match.start(), found)
            awaits_key = False
        elif token == "{":
            levels.append(_Level(True, branch, path))
            awaits_key = True
        elif token == "[":
            level = _Level(False, branch, path)
            levels.append(level)
            branch, path = _inside(level, 0, match.end(), found, text)
    return found


def _inside(
    level: _Level, index: int, end: int, found: dict[Steps, int], text: str
) -> tuple[dict[Step, Any] | None, Steps]:
    """The item of a list that begins behind a bracket or comma."""
    if level.branch is None or index not in level.branch:
        return None, ()
    path = (*level.path, index)
    following = _TOKEN.search(text, end)
    found[path] = following.start() if following is not None else end
    return level.branch[index], path


def _member(level: _Level, token: str, start: int, found: dict[Steps, int]) -> tuple[dict[Step, Any] | None, Steps]:
    if level.branch is None:
        return None, ()
    key = json.loads(token) if "\\" in token else token[1:-1]
    if key not in level.branch:
        return None, ()
    path = (*level.path, key)
    found[path] = start
    return level.branch[key], path
