"""``gcs play``: one battle in the terminal, played by the user or a bot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from bridge.cli.board import Board
from bridge.cli.options import ADDRESS_FORMS, checked_address
from bridge.cli.output import USAGE, console, fail, trace_text
from bridge.cli.players import HumanPlayer, InputEndedError, Player, bot_player
from bridge.cli.replay import record
from bridge.cli.start import (
    DEFAULT_PACK,
    DeckOption,
    EncounterOption,
    PackArgument,
    SeedOption,
    player_fields,
    spec_from,
    start_battle,
    title_of,
)
from bridge.cli.trace_view import TraceView
from bridge.scenario import Driver, DriverError, GrpcDriver, InProcessDriver

# A bot that has done so much plays in circles.
MOST_ACTIONS = 10_000


def play(
    pack: PackArgument = DEFAULT_PACK,
    encounter: EncounterOption = "",
    seed: SeedOption = None,
    deck: DeckOption = "",
    bot: Annotated[
        Literal["none", "random", "greedy"],
        typer.Option("--bot", "-b", help="Who plays; none: you; greedy: a bot that looks ahead, without --address."),
    ] = "none",
    address: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help=f"Play on this server: {ADDRESS_FORMS}.", callback=checked_address),
    ] = "",
    hp: Annotated[int | None, typer.Option(min=1, help="HP to begin with.")] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=STACKS", help="A status to begin with, such as strength=2; may be repeated."),
    ] = None,
    shuffle: Annotated[bool, typer.Option("--shuffle/--no-shuffle", help="Whether piles are shuffled.")] = True,
    record_to: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Write the battle's replay to this file.")
    ] = None,
) -> None:
    """Play one battle in the terminal. It prints what happens as an indented trace, turn by turn, and the outcome.

    With --address the battle runs on a server, which gets the pack's contents and forgets the battle afterwards. When
    the input ends before the battle does, nobody has won or lost, and the exit code is 1.
    """
    if record_to is not None and address:
        fail("--record writes battles of this process: it goes without --address", USAGE)
    spec = replace(spec_from(pack, encounter, seed, deck), player=player_fields(hp, status or ()), shuffle=shuffle)
    driver: Driver = GrpcDriver(address) if address else InProcessDriver()
    out = console()
    board = Board(out, spec.pack, title_of(spec))
    player: Player = HumanPlayer(out, board) if bot == "none" else bot_player(bot, spec.seed, driver)
    out.print(Text(f"{spec.pack.info.id}: {title_of(spec)}, seed {spec.seed}", style="bold"))
    left = False
    try:
        start_battle(driver, spec)
        _play_out(driver, player, board)
    except InputEndedError:
        left = True
    except DriverError as error:
        fail(str(error))
    finally:
        driver.close()
    if record_to is not None and isinstance(driver, InProcessDriver):
        source: dict[str, Any] = {"encounter": spec.encounter}
        if spec.player is not None:
            source["player"] = dict(spec.player)
        if spec.deck is not None:
            source["deck"] = list(spec.deck)
        record(driver.battle, source, record_to)
    if left:
        fail(f"the input has ended: the battle is left on turn {driver.view.turn}, neither won nor lost")


def _play_out(driver: Driver, player: Player, board: Board) -> None:
    out = console()
    trace = TraceView()
    shown = 0
    for _ in range(MOST_ACTIONS):
        for line in trace.lines(driver.happenings[shown:]):
            out.print(trace_text(line))
        shown = len(driver.happenings)
        if driver.view.over:
            board.show_outcome(driver.view)
            return
        rejected = driver.act(player.choose(driver.view))
        if rejected is not None:
            fail(f"rejected: {rejected.reason}: {rejected.message}")
    fail(f"no end after {MOST_ACTIONS} actions")
