"""``gcs trace``: everything that happens in a battle, nodes and values included."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from bridge.cli.output import PROBLEMS, USAGE, console, fail, fail_with, trace_text
from bridge.cli.players import bot_player
from bridge.cli.start import (
    DEFAULT_PACK,
    DeckOption,
    EncounterOption,
    PackArgument,
    SeedOption,
    spec_from,
    start_battle,
)
from bridge.cli.trace_view import TraceView
from bridge.scenario import InProcessDriver, read_scenario, report_lines, run_scenario
from runtime.content.problems import PackError


def trace(
    pack: PackArgument = DEFAULT_PACK,
    encounter: EncounterOption = "",
    seed: SeedOption = None,
    deck: DeckOption = "",
    bot: Annotated[Literal["random", "greedy"], typer.Option("--bot", "-b", help="Who plays.")] = "greedy",
    turns: Annotated[int, typer.Option(min=0, help="Stop after so many turns; 0: at the end.")] = 0,
    scenario: Annotated[
        Path | None, typer.Option("--scenario", metavar="FILE", help="Trace a scenario file instead.")
    ] = None,
) -> None:
    """Print the tree of Entries and nodes of a battle: who caused what, and the values that each node read and gave.

    A node's line is `[node id] type input=value ... -> output=value ...`.
    """
    driver = InProcessDriver(tracing=True)
    if scenario is not None:
        _trace_scenario(scenario, driver)
        return
    spec = spec_from(pack, encounter, seed, deck)
    player = bot_player(bot, spec.seed, driver)
    out = console()
    view = TraceView()
    shown = 0
    start_battle(driver, spec)
    while True:
        # What a node gives that waits for an answer is not known yet.
        if driver.view.choice is None:
            for line in view.lines(driver.happenings[shown:]):
                out.print(trace_text(line))
            shown = len(driver.happenings)
        if driver.view.over or 0 < turns < driver.view.turn:
            return
        driver.act(player.choose(driver.view))


def _trace_scenario(path: Path, driver: InProcessDriver) -> None:
    if not path.is_file():
        fail(f"{path}: no such file", USAGE)
    try:
        failure = run_scenario(read_scenario(path), lambda: driver)
    except PackError as error:
        fail_with(error.problems, path.as_posix())
    out = console()
    for line in TraceView().lines(driver.happenings):
        out.print(trace_text(line))
    if failure is not None:
        for line in report_lines(failure):
            out.print(line)
        raise typer.Exit(PROBLEMS)
