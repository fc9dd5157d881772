"""``python -m benchmarks.store``: what it costs that every action is on disk before it is answered.

Two servers, one with a store and one without, are asked in turn for the same actions of the same battles over `Play`;
judge by the ratios. Beside them stands what one flushed commit of SQLite takes on the same disk.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grpc import aio
from rich.console import Console
from rich.table import Table

from benchmarks.bridge import Exchanged, Player, cpu_of
from bridge.settings import ServerSettings
from bridge.store import SqliteStore
from bridge.store.records import BattleStarted, StepTaken
from bridge.testing.process import ServerProcess

WITHOUT = "memory alone"
WITH = "--store"
_COMMITS = 200
_STEP = bytes(60)


@contextmanager
def servers(folder: Path) -> Iterator[dict[str, ServerProcess]]:
    """A server without a store and one with."""
    plain = ServerSettings(address="127.0.0.1:0")
    kept = ServerSettings(address="127.0.0.1:0", store=folder / "battles.db")
    with ServerProcess(plain) as without, ServerProcess(kept) as store:
        yield {WITHOUT: without, WITH: store}


async def play(servers: dict[str, ServerProcess], clients: int, battles: int) -> dict[str, Exchanged]:
    """Lets clients play whole battles on each server in turn, all clients of a server at once.

    Args:
        servers: The servers by name.
        clients: How many clients play at the same time.
        battles: How many battles each of them plays on each server.
    """
    results = {name: Exchanged() for name in servers}
    channels = {name: aio.insecure_channel(server.address) for name, server in servers.items()}
    players = {
        name: [Player(channel, "starter", "first_fight", f"{clients}.{number}") for number in range(clients)]
        for name, channel in channels.items()
    }

    async def play_one(player: Player, done: Exchanged) -> None:
        await player.start()
        number = 0
        while not player.over:
            number += 1
            spent, _ = await player.act(player.next_action(number))
            done.seconds.append(spent)

    for _ in range(battles):
        for name, server in servers.items():
            before = cpu_of(server.pid)
            await asyncio.gather(*(play_one(player, results[name]) for player in players[name]))
            results[name].cpu_seconds += cpu_of(server.pid) - before
    for channel in channels.values():
        await channel.close()
    return results


def commits(folder: Path) -> Exchanged:
    """What it takes to put one step on disk, without a server."""
    done = Exchanged()
    store = SqliteStore(folder / "commits.db")
    store.write([BattleStarted("one", b"", "key", b"")])
    for number in range(_COMMITS):
        before = time.perf_counter()
        store.write([StepTaken("one", number, _STEP)])
        done.seconds.append(time.perf_counter() - before)
    store.close()
    return done


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__)
    parser.add_argument("--battles", type=int, default=60, help="battles that one client plays on each server")
    parser.add_argument("--crowd", type=int, default=32, help="clients at once in the second table")
    parser.add_argument(
        "--folder", type=Path, help="where the stores are made; by default the folder for temporary files"
    )
    arguments = parser.parse_args()
    console = Console(width=110)
    table = Table(title="One action over Play, with a store and without")
    for column in ("clients", "kind", "p50 µs", "p99 µs", "server CPU µs", "p50 ratio", "CPU ratio"):
        table.add_column(column, justify="left" if column == "kind" else "right")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as name, servers(Path(name)) as running:
        for clients in (1, arguments.crowd):
            results = asyncio.run(play(running, clients, max(1, arguments.battles // clients)))
            without = results[WITHOUT]
            for kind, measured in results.items():
                # CPU time is counted in ticks of 10 ms: a short run may have none.
                ratios = (
                    f"{measured.p50 / without.p50:.2f}",
                    f"{measured.cpu / without.cpu:.2f}" if without.cpu else "-",
                )
                figures = (f"{measured.p50:.0f}", f"{measured.p99:.0f}", f"{measured.cpu:.0f}")
                table.add_row(str(clients), kind, *figures, *(ratios if kind == WITH else ("", "")))
        console.print(table)
        flushed = commits(Path(name))
    console.print(
        f"one commit of SQLite {sqlite3.sqlite_version}, flushed to this disk: "
        f"p50 {flushed.p50:.0f} µs, p99 {flushed.p99:.0f} µs"
    )


if __name__ == "__main__":
    main()
