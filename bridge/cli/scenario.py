"""``gcs scenario run``: scenario files, in process or against a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from xml.etree import ElementTree

import msgspec
import typer
from rich.text import Text

from bridge.cli.options import ADDRESS_FORMS, checked_address
from bridge.cli.output import PROBLEMS, USAGE, PlainConsole, console, fail, print_json, problem_text
from bridge.scenario import (
    Driver,
    Failure,
    GrpcDriver,
    InProcessDriver,
    Packs,
    read_scenario,
    report_lines,
    run_scenario,
)
from bridge.visible_text import visible
from runtime.content.draft import KINDS
from runtime.content.problems import PackError, Problem
from runtime.content.reading import PACK_FILE

app = typer.Typer(help="Tests of battles without code.", no_args_is_help=True)


@app.callback()
def _scenario() -> None:
    """Tests of battles without code."""


@app.command("run")
def run(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Scenario files, or folders of them (*.json, at any depth).")
    ],
    address: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help=f"Play against this server: {ADDRESS_FORMS}.", callback=checked_address),
    ] = "",
    word: Annotated[
        str, typer.Option("-k", metavar="WORD", help="Only files with this in their path, in any case.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as one JSON object.")] = False,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Write the results as JUnit XML, for CI systems, too."),
    ] = None,
) -> None:
    """Run scenario files. All wrong expectations of the first wrong step are reported; the exit code is then 1."""

    def make_driver() -> Driver:
        return GrpcDriver(address) if address else InProcessDriver()

    paths = [path for path in scenario_files(files) if word.lower() in path.as_posix().lower()]
    if not paths:
        fail(f"no scenario file has {word!r} in its path", USAGE)
    out = console()
    packs = Packs()
    results: list[Result] = []
    for path in paths:
        result = _run(path, make_driver, packs)
        results.append(result)
        if not as_json:
            _show(out, result)
    failed = sum(not result.ok for result in results)
    if junit is not None:
        _write_junit(results, junit)
    if as_json:
        print_json(
            {"passed": len(results) - failed, "failed": failed, "scenarios": [_as_json(result) for result in results]}
        )
    else:
        out.print(f"{len(results) - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(PROBLEMS)


@dataclass(frozen=True, slots=True)
class Result:
    """How a scenario file went: it failed, or was wrong itself, or neither."""

    path: Path
    failure: Failure | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all that it expects holds."""
        return self.failure is None and not self.problems


def _run(path: Path, make_driver: Callable[[], Driver], packs: Packs) -> Result:
    try:
        return Result(path, failure=run_scenario(read_scenario(path), make_driver, packs))
    except PackError as error:
        return Result(path, problems=tuple(problem for problem in error.problems if problem.severity == "error"))


def _show(out: PlainConsole, result: Result) -> None:
    if result.ok:
        out.print(Text("ok     ", style="green") + Text(result.path.as_posix()))
        return
    first, *rest = report_lines(result.failure) if result.failure is not None else [result.path.as_posix()]
    out.print(Text("failed ", style="bold red") + Text(first))
    for line in rest:
        out.print(Text(line, style="bold" if line.startswith("  >") else ""))
    for problem in result.problems:
        out.print(Text("  ") + problem_text(problem))


def _as_json(result: Result) -> dict[str, object]:
    failure = result.failure
    return {
        "file": result.path.as_posix(),
        "ok": result.ok,
        "step": failure.step if failure is not None else None,
        "mismatches": [
            {"expected": mismatch.expected, "actual": mismatch.actual}
            for mismatch in (failure.mismatches if failure is not None else ())
        ],
        "problems": msgspec.to_builtins(result.problems),
    }


def _write_junit(results: Sequence[Result], path: Path) -> None:
    """Writes results as JUnit XML: a test case for each file; when that fails it ends the command."""
    failures = sum(result.failure is not None for result in results)
    errors = sum(bool(result.problems) for result in results)
    counts = {"tests": str(len(results)), "failures": str(failures), "errors": str(errors)}
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": "gcs scenario", **counts})
    for result in results:
        place = {"classname": visible(result.path.parent.as_posix()), "name": visible(result.path.stem)}
        case = ElementTree.SubElement(suite, "testcase", place)
        if result.failure is not None:
            lines = report_lines(result.failure)
            first = result.failure.mismatches[0]
            message = visible(f"{result.failure.step}: expected {first.expected}, got {first.actual}")
            ElementTree.SubElement(case, "failure", {"message": message}).text = "\n".join(map(visible, lines))
        elif result.problems:
            told = [visible(str(problem)) for problem in result.problems]
            ElementTree.SubElement(case, "error", {"message": told[0]}).text = "\n".join(told)
    try:
        ElementTree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
    except OSError as error:
        fail(f"{path}: {error.strerror or error}")


def scenario_files(paths: Iterable[Path]) -> list[Path]:
    """The scenario files named: a folder stands for every ``*.json`` in it, but for those of packs below it."""
    found: list[Path] = []
    for path in paths:
        if (path / PACK_FILE).is_file():
            fail(f"{path}: a pack, not scenario files; `gcs check {path}` checks it, `gcs play {path}` plays it", USAGE)
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*.json") if file.is_file() and not _in_pack(file, path))
            if not inside:
                fail(f"{path}: no *.json in this folder", USAGE)
            found += inside
        elif path.exists():
            found.append(path)
        else:
            fail(f"{path}: no such file or folder", USAGE)
    return found


def _in_pack(file: Path, root: Path) -> bool:
    """Whether a file is one of a pack's own: in a pack's folder, or in one of its folders for assets."""
    for folder in file.parents:
        if folder == root:
            return False
        if (folder / PACK_FILE).is_file():
            inside = file.relative_to(folder).parts
            return len(inside) == 1 or inside[0] in KINDS
    return False
