"""``gcs simulate``: many battles played by a bot, and how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Annotated, Final, Literal

import grpc
import typer
from rich.progress import Progress
from rich.table import Column
from rich.text import Text

from bridge.battles.battle_setup import MOST_TURNS, setup_with
from bridge.battles.packs import LoadedPack
from bridge.battles.simulation import play_slice
from bridge.cli.options import ADDRESS_FORMS, checked_address
from bridge.cli.output import PlainTable, console, fail, print_json
from bridge.cli.start import DEFAULT_PACK, DeckOption, EncounterOption, PackArgument, spec_from, title_of
from bridge.net.call_failures import failure_of
from bridge.net.channel import open_channel
from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.pb.gcs.v1.service_pb2_grpc import BattleServiceStub
from bridge.scenario import BattleSpec
from bridge.scenario.over_grpc import start_request
from bridge.settings import ServerLimits
from bridge.wire.names import OUTCOME_NAMES
from runtime.graph.compile import compile_pack
from runtime.nodes import library

# All results are kept until the last battle is over.
_MOST_BATTLES: Final = 1_000_000
# How a battle may end; one that still runs is one in which the bot found no end.
_OUTCOMES: Final = (
    battle_pb2.OUTCOME_WON,
    battle_pb2.OUTCOME_LOST,
    battle_pb2.OUTCOME_UNDECIDED,
    battle_pb2.OUTCOME_RUNNING,
)

Results = Sequence[service_pb2.SimulatedBattle]


def simulate(
    pack: PackArgument = DEFAULT_PACK,
    encounter: EncounterOption = "",
    battles: Annotated[
        int, typer.Option("--battles", "-n", min=1, max=_MOST_BATTLES, help="How many battles are played.")
    ] = 100,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            "-s",
            min=0,
            help="The seed of the first battle, each other one has the next; by default a new one.",
        ),
    ] = None,
    deck: DeckOption = "",
    bot: Annotated[Literal["random", "greedy"], typer.Option("--bot", "-b", help="Who plays.")] = "greedy",
    max_turns: Annotated[
        int, typer.Option(min=0, max=MOST_TURNS, help="After so many turns a battle is undecided; 0: no limit.")
    ] = 100,
    address: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help=f"Play on this server: {ADDRESS_FORMS}.", callback=checked_address),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print everything, each battle included, as one JSON object.")
    ] = False,
) -> None:
    """Let a bot play many battles, and tell how many are won, how long they take and how many HP are left.

    Each is the battle that `gcs play` plays with the same bot and seed. With --address they run on a server, which gets
    the pack's contents.
    """
    spec = spec_from(pack, encounter, seed, deck)
    request = service_pb2.SimulateRequest(start=start_request(spec), bot=bot, battle_count=battles)
    request.start.limits.max_turns = max_turns
    played = _on_server(request, address) if address else _in_process(request, spec)
    results = _collect(played, battles)
    if as_json:
        print_json(_report(spec, bot, results))
        return
    out = console()
    seeds = f"seeds {results[0].seed} to {results[-1].seed}" if len(results) > 1 else f"seed {results[0].seed}"
    out.print(Text(f"{spec.pack.info.id}: {title_of(spec)}, {bot}, {seeds}", style="bold"))
    out.print(_table(results))


def _in_process(request: service_pb2.SimulateRequest, spec: BattleSpec) -> Iterator[Results]:
    loaded = LoadedPack(compile_pack(spec.pack, library()))
    setup = setup_with(loaded, request.start, ServerLimits().node_budget)
    done = 0
    while done < request.battle_count:
        played = play_slice(setup, request.bot, request.start.seed + done, request.battle_count - done)
        done += len(played)
        yield played


def _on_server(request: service_pb2.SimulateRequest, address: str) -> Iterator[Results]:
    with open_channel(address) as channel:
        try:
            for progress in BattleServiceStub(channel).Simulate(request):
                yield progress.battles
        except grpc.RpcError as error:
            fail(failure_of(error, address))


def _collect(played: Iterator[Results], battles: int) -> list[service_pb2.SimulatedBattle]:
    """All results; the standard error shows how far it is, if it is a terminal."""
    results: list[service_pb2.SimulatedBattle] = []
    err = console(stderr=True)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("battles", total=battles)
        for some in played:
            results += some
            progress.update(task, completed=len(results))
    return results


def _report(spec: BattleSpec, bot: str, results: Results) -> dict[str, object]:
    return {
        "pack": spec.pack.info.id,
        "encounter": spec.encounter,
        "bot": bot,
        "outcomes": {
            OUTCOME_NAMES[outcome]: sum(result.outcome == outcome for result in results) for outcome in _OUTCOMES
        },
        "battles": [
            {
                "seed": result.seed,
                "outcome": OUTCOME_NAMES[result.outcome],
                "turns": result.turns,
                "hp": result.hp,
            }
            for result in results
        ],
    }


def _table(results: Results) -> PlainTable:
    names = ("battles", "%", "turns", "least", "most", "HP left", "least", "most")
    table = PlainTable("outcome", *(Column(name, justify="right") for name in names), pad_edge=False)
    for outcome in _OUTCOMES:
        some = [result for result in results if result.outcome == outcome]
        if some or outcome != battle_pb2.OUTCOME_RUNNING:
            table.add_row(OUTCOME_NAMES[outcome], *_cells(some, len(results)))
    table.add_row("all", *_cells(results, len(results)), style="bold")
    return table


def _cells(some: Results, total: int) -> list[str]:
    """Of some battles: how many, their share of all, and mean, least and most of their turns and of the HP left."""
    cells = [str(len(some)), f"{100 * len(some) / total:.1f}"]
    for values in ([result.turns for result in some], [result.hp for result in some]):
        cells += [f"{mean(values):.1f}", str(min(values)), str(max(values))] if values else ["-"] * 3
    return cells
