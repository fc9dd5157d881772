"""``gcs scenario run``: scenario files, in process or against a server."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from bridge.cli.options import ADDRESS_FORMS, checked_address
from bridge.cli.output import PROBLEMS, USAGE, console, fail, problem_text
from bridge.scenario import Driver, GrpcDriver, InProcessDriver, Packs, read_scenario, report_lines, run_scenario
from runtime.content.draft import KINDS
from runtime.content.problems import PackError
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
) -> None:
    """Run scenario files. All wrong expectations of the first wrong step are reported; the exit code is then 1."""

    def make_driver() -> Driver:
        return GrpcDriver(address) if address else InProcessDriver()

    out = console()
    packs = Packs()
    failed = 0
    count = 0
    for path in scenario_files(files):
        count += 1
        try:
            failure = run_scenario(read_scenario(path), make_driver, packs)
        except PackError as error:
            failed += 1
            out.print(Text("failed ", style="bold red") + Text(path.as_posix()))
            for problem in error.problems:
                if problem.severity == "error":
                    out.print(Text("  ") + problem_text(problem))
            continue
        if failure is None:
            out.print(Text("ok     ", style="green") + Text(path.as_posix()))
            continue
        failed += 1
        first, *rest = report_lines(failure)
        out.print(Text("failed ", style="bold red") + Text(first))
        for line in rest:
            out.print(Text(line, style="bold" if line.startswith("  >") else ""))
    out.print(f"{count - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(PROBLEMS)


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
