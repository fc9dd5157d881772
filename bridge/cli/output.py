"""What all commands print with: consoles, the ends of a command, the style of a trace."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from runtime.content.problems import Problem

PROBLEMS: Final = 1
USAGE: Final = 2

_SEVERITIES: Final = {"error": "bold red", "warning": "yellow"}


def console(stderr: bool = False) -> Console:
    """A console on the standard output, or on the standard error, as it is now.

    Lines are never wrapped or coloured for a pipe, so that other programs can read them.
    """
    return Console(stderr=stderr, soft_wrap=True, highlight=False, emoji=False)


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
