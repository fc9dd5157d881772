"""``gcs check``: all problems of a pack at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from bridge.cli.output import PROBLEMS, console, print_json, problem_text
from runtime.content.problems import Problem, Report, listed
from runtime.packs import check_pack, installed_packs


def check(
    pack: Annotated[str, typer.Argument(metavar="DIR", help="A pack's folder, or the id of an installed pack.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the problems as one JSON object.")] = False,
) -> None:
    """Check a pack: everything that is wrong, with file, JSON path, what was found and what was expected.

    The exit code is 1 when there is an error; warnings alone are fine.
    """
    problems = check_pack(pack).problems
    if not Path(pack).exists():
        problems = [_with_packs(problem, pack) for problem in problems]
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    if as_json:
        report = {"errors": errors, "warnings": warnings, "problems": msgspec.to_builtins(problems)}
        print_json(report)
    else:
        out = console()
        for problem in problems:
            out.print(problem_text(problem))
        out.print(f"{pack}: {_count(errors, 'error')}, {_count(warnings, 'warning')}")
    if errors:
        raise typer.Exit(PROBLEMS)


def _with_packs(problem: Problem, name: str) -> Problem:
    """Says of a pack that is nowhere which ones are installed; an installed one has no such problem."""
    installed = installed_packs()
    if name in installed:
        return problem
    return replace(
        problem,
        expected=f"a folder, or an installed pack: {listed(installed) or 'there is none'}",
        hint=Report().nearest(name, installed),
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
