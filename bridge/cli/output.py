"""What all commands print with: consoles, tables, JSON, the ends of a command, the style of a trace.

Names come from packs, files and servers. Nothing here takes them as markup, and their controls are made visible.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Final, NoReturn

import msgspec
import typer
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from bridge.visible_text import json_escapes, visible, visible_json
from runtime.content.problems import Problem

PROBLEMS: Final = 1
USAGE: Final = 2

_SEVERITIES: Final = {"error": "bold red", "warning": "yellow"}


class PlainConsole(Console):
    """A console that shows texts as they are: no markup, controls made visible, one line for each text printed."""

    def __init__(self, stderr: bool = False) -> None:
        """A console on the standard output, or on the standard error, as it is now."""
        super().__init__(stderr=stderr, soft_wrap=True, highlight=False, emoji=False, markup=False)

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints texts and tables; the options are those of rich."""
        super().print(*map(_plain, objects), **options)


class PlainTable(Table):
    """A table without lines whose cells are shown as they are: no markup, controls made visible."""

    def __init__(self, *headers: Any, **options: Any) -> None:
        """A table; the arguments are those of rich."""
        super().__init__(*headers, **{"box": None, **options})

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        """Adds a row; the options are those of rich."""
        super().add_row(*map(_plain, cells), **options)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return Text(visible(value))
    if isinstance(value, Text) and visible(value.plain) != value.plain:
        return Text.assemble(*((visible(part.plain), part.style) for part in _styled_parts(value)), style=value.style)
    return value


def _styled_parts(text: Text) -> Iterable[Text]:
    """The text in parts that have one style each."""
    edges = sorted({0, len(text), *(span.start for span in text.spans), *(span.end for span in text.spans)})
    for part in text.divide(edges[1:-1]):
        yield Text(part.plain, style=part.spans[-1].style if part.spans else "")


def console(stderr: bool = False) -> PlainConsole:
    """A console on the standard output, or on the standard error, as it is now.

    Lines are never wrapped or coloured for a pipe, so that other programs can read them.
    """
    return PlainConsole(stderr)


def print_json(value: Any) -> None:
    """Prints a value as indented JSON; what the standard output has no character for is escaped, as are controls."""
    text = visible_json(msgspec.json.format(msgspec.json.encode(value)).decode())
    encoding = sys.stdout.encoding
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = "".join(letter if letter.isascii() else json_escapes(letter) for letter in text)
    typer.echo(text)


def fail(message: str, code: int = PROBLEMS) -> NoReturn:
    """Ends the command with a message on the standard error.

    Args:
        message: What is wrong, in one line.
        code: The exit code.
    """
    console(stderr=True).print(Text("gcs: ", style="bold red") + Text(message))
    raise typer.Exit(code)


def problem_text(problem: Problem) -> Text:
    """A problem as a line, its severity in colour."""
    text = Text(str(problem))
    text.highlight_words([f"{problem.severity}:"], style=_SEVERITIES[problem.severity])
    return text


def fail_with(problems: Iterable[Problem], what: str) -> NoReturn:
    """Ends the command with the errors of a pack on the standard error.

    Args:
        problems: All problems; warnings are left out.
        what: What they are the problems of.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    err = console(stderr=True)
    for problem in errors:
        err.print(problem_text(problem))
    fail(f"{what} has {len(errors)} error{'s' if len(errors) != 1 else ''}")


# Styles of trace lines by what they begin with.
_TRACE_STYLES: Final = (
    ("==", "bold"),
    (">", "bold cyan"),
    ("on_", "magenta"),
    ("[", "dim"),
    ("! fault", "bold red"),
    ("! warning", "yellow"),
)


def trace_text(line: str) -> Text:
    """A line of a trace in colour: Entries, HP and what went wrong stand out."""
    bare = line.lstrip()
    for start, style in _TRACE_STYLES:
        if bare.startswith(start):
            return Text(line, style=style)
    return Text(line, style="red" if ": HP " in bare else "")
