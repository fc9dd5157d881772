"""``gcs simulate``: many battles played by a bot, and how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
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
from runtime.bots import MOST_ACTIONS
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
    for line in _warnings(results, max_turns):
        out.print(Text(line, style="yellow"))


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
        "out_of_turns": sum(result.outcome == battle_pb2.OUTCOME_UNDECIDED for result in results),
        "out_of_actions": [
            {"seed": result.seed, "repeated_card": result.repeated_card} for result in _without_end(results)
        ],
        "fault_count": sum(result.fault_count for result in results),
        "faults": [asdict(place) for place in _fault_places(results)],
        "battles": [
            {
                "seed": result.seed,
                "outcome": OUTCOME_NAMES[result.outcome],
                "turns": result.turns,
                "hp": result.hp,
                "fault_count": result.fault_count,
            }
            for result in results
        ],
    }


def _without_end(results: Results) -> list[service_pb2.SimulatedBattle]:
    return [result for result in results if result.outcome == battle_pb2.OUTCOME_RUNNING]


@dataclass(slots=True)
class FaultPlace:
    """Faults of one kind at one node, over all battles.

    Attributes:
        kind: ``depth``, ``nodes`` or ``error``.
        place: The node at which they happened.
        root: The node from which everything began.
        message: What was wrong, the first time.
        seed: The first battle with one.
        count: How many.
        battles: In how many battles.
    """

    kind: str
    place: str
    root: str
    message: str
    seed: int
    count: int = 0
    battles: int = 0


def _fault_places(results: Results) -> list[FaultPlace]:
    """Where faults happened, most first."""
    places: dict[tuple[str, str, str], FaultPlace] = {}
    for result in results:
        for fault in result.faults:
            key = fault.kind, fault.place, fault.root
            place = places.setdefault(key, FaultPlace(*key, fault.message, result.seed))
            place.count += fault.count
            place.battles += 1
    return sorted(places.values(), key=lambda place: -place.count)


def _warnings(results: Results, max_turns: int) -> Iterator[str]:
    """What is behind the table's numbers that a designer would want to look into."""
    undecided = [result for result in results if result.outcome == battle_pb2.OUTCOME_UNDECIDED]
    if undecided:
        some_turns = _counted(max_turns, "turn")
        yield f"{_counted(len(undecided), 'battle')} ran out of {some_turns}, first seed {undecided[0].seed}"
    for card, some in _by_card(_without_end(results)).items():
        again = f", playing {card} again and again" if card else ""
        yield f"{_counted(len(some), 'battle')} ran out of {MOST_ACTIONS} actions{again}, first seed {some[0].seed}"
    faults = sum(result.fault_count for result in results)
    if faults:
        faulty = sum(result.fault_count > 0 for result in results)
        yield f"{faults} fault{'s' if faults != 1 else ''} in {_counted(faulty, 'battle')}:"
    for place in _fault_places(results):
        under = f" (under {place.root})" if place.root != place.place else ""
        yield f"  {place.place}{under}: {place.kind}: {place.message}"
        yield f"    {place.count} in {_counted(place.battles, 'battle')}, first seed {place.seed}"


def _by_card(results: Results) -> dict[str, list[service_pb2.SimulatedBattle]]:
    found: dict[str, list[service_pb2.SimulatedBattle]] = {}
    for result in results:
        found.setdefault(result.repeated_card, []).append(result)
    return found


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" + ("s" if count != 1 else "")


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
