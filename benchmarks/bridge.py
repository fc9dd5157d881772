"""``python -m benchmarks.bridge``: actions over `Play` beside a bare echo of the same message sizes on the same grpcio.

Client and servers are processes of their own on one machine. Every action is followed by an echo of as many bytes both
ways, so that both are measured in the same moments; judge by the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Any

import psutil
from grpc import aio
from rich.console import Console
from rich.table import Table

from benchmarks.echo_server import METHOD, SIZE_BYTES
from bridge.battles import session
from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.mirror import Mirror
from bridge.testing.process import ServerProcess

PLAY = "/gcs.v1.BattleService/Play"
ACTIVE_CLIENTS = 64
BUILD = "plain Python" if session.__file__.endswith(".py") else "compiled"

# Sends one message and gives the answer.
Exchange = Callable[[bytes], Awaitable[bytes]]


@dataclass
class Exchanged:
    """What one kind of exchange cost.

    Attributes:
        seconds: How long each took, for the client.
        cpu_seconds: What all of them together cost the server.
    """

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0

    @property
    def p50(self) -> float:
        """The median, in µs."""
        return median(self.seconds) * 1e6

    @property
    def p99(self) -> float:
        """What one of a hundred exceeds, in µs."""
        return quantiles(self.seconds, n=100)[-1] * 1e6

    @property
    def cpu(self) -> float:
        """The server's CPU time for each, in µs."""
        return self.cpu_seconds / len(self.seconds) * 1e6


@contextmanager
def echo_process() -> Iterator[tuple[str, int]]:
    """A bare echo in a process of its own: its address and the process's number."""
    command = [sys.executable, "-m", "benchmarks.echo_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1], process.pid
        finally:
            process.kill()


def open_stream(channel: aio.Channel, method: str) -> Exchange:
    """A stream on which every message has one answer; bytes, so that a client's own work does not count."""
    call: Any = channel.stream_stream(method)()

    async def exchange(message: bytes) -> bytes:
        await call.write(message)
        answer: Any = await call.read()
        if not isinstance(answer, bytes):
            raise RuntimeError(f"{method} ended: {await call.code()} {await call.details()}")
        return answer

    return exchange


def cpu_of(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


class Player:
    """A client that plays one battle after the other over `Play`, any legal action at random."""

    def __init__(self, channel: aio.Channel, pack: str, encounter: str, name: str) -> None:
        self._channel = channel
        self._draw = random.Random(name)
        self._pack = pack
        self._encounter = encounter
        self._name = name
        self._battles = 0
        self._exchange: Exchange = open_stream(channel, PLAY)
        self._mirror = Mirror()

    @property
    def over(self) -> bool:
        """Whether the battle is over."""
        return self._mirror.state.outcome != battle_pb2.OUTCOME_RUNNING

    async def start(self) -> None:
        """Starts the next battle."""
        self._battles += 1
        self._exchange = open_stream(self._channel, PLAY)
        self._mirror = Mirror()
        start = service_pb2.StartBattleRequest(pack=self._pack, encounter=self._encounter, seed=self._battles)
        join = service_pb2.JoinBattle(battle_id=f"{self._name}.{self._battles}", start=start)
        self._take(await self._exchange(service_pb2.PlayRequest(join=join).SerializeToString()))

    def next_action(self, number: int) -> bytes:
        """Any legal action, as a message."""
        state = self._mirror.state
        actions = [battle_pb2.Action(end_turn=battle_pb2.EndTurn())]
        if state.HasField("choice"):
            cards = list(state.choice.cards)[: state.choice.min]
            actions = [battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(cards=cards))]
        else:
            for card in state.cards:
                if card.playable:
                    for target in list(card.targets) or [""]:
                        actions.append(battle_pb2.Action(play_card=battle_pb2.PlayCard(card=card.id, target=target)))
        action = self._draw.choice(actions)
        action.action_id = f"a{number}"
        return service_pb2.PlayRequest(action=action).SerializeToString()

    async def act(self, message: bytes) -> tuple[float, int]:
        """Sends an action; how long the answer took, in seconds, and its size."""
        before = time.perf_counter()
        answer = await self._exchange(message)
        spent = time.perf_counter() - before
        self._take(answer)
        return spent, len(answer)

    def _take(self, answer: bytes) -> None:
        response = service_pb2.PlayResponse.FromString(answer)
        if not response.HasField("update"):
            raise RuntimeError(f"refused: {response.rejection}")
        self._mirror.take(response.update)


async def play_beside_echo(server: ServerProcess, pack: str, encounter: str, battles: int) -> dict[str, Exchanged]:
    """Plays battles, an echo after every action."""
    results = {"echo": Exchanged(), "Play": Exchanged()}
    with echo_process() as (echo_address, echo_pid):
        async with aio.insecure_channel(echo_address) as echo_channel, aio.insecure_channel(server.address) as channel:
            echo = open_stream(echo_channel, METHOD)
            player = Player(channel, pack, encounter, pack)
            for _ in range(battles):
                await player.start()
                played = cpu_of(server.pid)
                echoed = cpu_of(echo_pid)
                number = 0
                while not player.over:
                    number += 1
                    message = player.next_action(number)
                    spent, size = await player.act(message)
                    results["Play"].seconds.append(spent)
                    request = size.to_bytes(SIZE_BYTES, "big") + message[SIZE_BYTES:]
                    before = time.perf_counter()
                    await echo(request)
                    results["echo"].seconds.append(time.perf_counter() - before)
                results["Play"].cpu_seconds += cpu_of(server.pid) - played
                results["echo"].cpu_seconds += cpu_of(echo_pid) - echoed
    return results


@dataclass(frozen=True)
class Crowd:
    """A server with many battles, some of them played.

    Attributes:
        bytes_a_battle: What an idle battle takes.
        actions: All actions.
        seconds: How long they took together.
    """

    bytes_a_battle: float
    actions: Exchanged
    seconds: float


async def play_in_a_crowd(
    server: ServerProcess, pack: str, encounter: str, live_battles: int, actions_a_client: int
) -> Crowd:
    """Plays with 64 clients at once on a server with many battles."""
    done = Exchanged()
    async with aio.insecure_channel(server.address) as channel:
        players = [Player(channel, pack, encounter, f"active{number}") for number in range(ACTIVE_CLIENTS)]
        for player in players:
            await player.start()
        before = psutil.Process(server.pid).memory_info().rss
        idle = live_battles - ACTIVE_CLIENTS
        start: Any = channel.unary_unary("/gcs.v1.BattleService/StartBattle")
        for number in range(idle):
            request = service_pb2.StartBattleRequest(
                battle_id=f"idle{number}", pack=pack, encounter=encounter, seed=number
            )
            await start(request.SerializeToString())
        bytes_a_battle = (psutil.Process(server.pid).memory_info().rss - before) / idle

        async def keep_playing(player: Player) -> None:
            for number in range(actions_a_client):
                if player.over:
                    await player.start()
                spent, _ = await player.act(player.next_action(number))
                done.seconds.append(spent)

        played = cpu_of(server.pid)
        began = time.perf_counter()
        await asyncio.gather(*map(keep_playing, players))
        seconds = time.perf_counter() - began
        done.cpu_seconds = cpu_of(server.pid) - played
    return Crowd(bytes_a_battle, done, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bridge", description=__doc__)
    parser.add_argument("--battles", type=int, default=150, help="battles played beside the echo")
    parser.add_argument("--actions", type=int, default=100, help="actions of each of the 64 clients")
    parser.add_argument("--live", type=int, default=1_000, help="live battles around them")
    arguments = parser.parse_args()
    console = Console(width=110)
    table = Table(title=f"One action over Play beside a bare echo of the same sizes, {BUILD}")
    for column in ("pack", "kind", "p50 µs", "p99 µs", "server CPU µs", "p50 to echo", "CPU to echo"):
        table.add_column(column, justify="left" if column in ("pack", "kind") else "right")
    # All clients share a connection, as they would behind a proxy.
    most_calls = 2 * max(arguments.battles, arguments.live)
    settings = ServerSettings(address="127.0.0.1:0", limits=ServerLimits(calls_per_connection=most_calls))
    for pack, encounter in (("reference", "reference"), ("starter", "first_fight")):
        with ServerProcess(settings) as server:
            results = asyncio.run(play_beside_echo(server, pack, encounter, arguments.battles))
        echo = results["echo"]
        for kind, measured in results.items():
            # CPU time is counted in ticks of 10 ms: a short run may have none.
            ratios = (f"{measured.p50 / echo.p50:.2f}", f"{measured.cpu / echo.cpu:.2f}" if echo.cpu else "-")
            figures = (f"{measured.p50:.0f}", f"{measured.p99:.0f}", f"{measured.cpu:.0f}")
            table.add_row(pack, kind, *figures, *(ratios if kind == "Play" else ("", "")))
    console.print(table)
    with ServerProcess(settings) as server:
        crowd = asyncio.run(play_in_a_crowd(server, "starter", "first_fight", arguments.live, arguments.actions))
    console.print(
        f"{arguments.live:,} live battles, {ACTIVE_CLIENTS} active clients: "
        f"{len(crowd.actions.seconds) / crowd.seconds:,.0f} actions/s, p50 {crowd.actions.p50 / 1000:.1f} ms, "
        f"p99 {crowd.actions.p99 / 1000:.1f} ms, server CPU {crowd.actions.cpu:.0f} µs an action; "
        f"an idle battle takes {crowd.bytes_a_battle / 1024:.0f} KiB"
    )


if __name__ == "__main__":
    main()
