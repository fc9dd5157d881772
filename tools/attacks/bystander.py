"""What a bystander notices of an attack: a second client's ping-pong of GetBattle, and the server's memory."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import grpc
import msgspec
import psutil
import trustme

from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import RelaySettings, ServerSettings, TlsFiles
from bridge.testing.client import Client, ClientBattle
from bridge.testing.process import FREE_PORT, ServerProcess
from tools.attacks.attack import Attack, Door
from tools.attacks.catalogue import ATTACKS

TOKEN: Final = "a-token-of-the-attacked-server"
_ROOT: Final = Path(__file__).resolve().parents[2]
# Who is not served in this time counts as failed.
_SECONDS: Final = 30.0
# Between calls while the memory settles.
_PAUSE: Final = 0.1
_MEGABYTE: Final = 1_000_000


@dataclass(slots=True)
class Measured:
    """What was measured of one attack.

    Attributes:
        quiet: Seconds of each call while nobody attacked, round by round.
        attacked: The same under attack.
        failed: Why calls of the bystander failed, with how often; empty: all were answered.
        memory: MB of the server before the attacks, the most under them, and afterwards.
        counts: What the attacker has counted, all rounds together.
        log: What the server has logged.
    """

    quiet: list[list[float]] = field(default_factory=list)
    attacked: list[list[float]] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    memory: tuple[int, int, int] = (0, 0, 0)
    counts: Counter[str] = field(default_factory=Counter)
    log: str = ""

    def p99_ratio(self) -> float:
        """How many times its quiet value the 99th percentile is under attack: the median of all rounds."""
        pairs = zip(self.quiet, self.attacked, strict=True)
        return statistics.median(percentile(attacked, 99) / percentile(quiet, 99) for quiet, attacked in pairs)


def percentile(seconds: list[float], percent: int) -> float:
    """The value that `percent` of 100 do not exceed."""
    return sorted(seconds)[min(len(seconds) - 1, len(seconds) * percent // 100)]


@contextmanager
def attacked_server(attack: Attack) -> Iterator[tuple[ServerProcess, Door]]:
    """A server with a token, and with a relay that speaks TLS, for an attack."""
    authority = trustme.CA()
    issued = authority.issue_cert("localhost", "127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        files = TlsFiles(Path(folder) / "server.crt", Path(folder) / "server.key")
        issued.cert_chain_pems[0].write_to_path(files.cert)
        issued.private_key_pem.write_to_path(files.key)
        settings = ServerSettings(
            address=FREE_PORT, limits=attack.limits, tokens=(TOKEN,), tls=files, relay=RelaySettings(FREE_PORT)
        )
        with ServerProcess(settings) as server:
            relay = server.relay_urls[0].removeprefix("grpcs://")
            yield server, Door(server.address, relay, TOKEN, authority.cert_pem.bytes().decode())


def measure(name: str, size: int, rounds: int, calls: int, settle: float = 0.0) -> Measured:
    """Starts a server, and has it attacked in each round after a quiet time.

    Args:
        name: The attack.
        size: How large it is.
        rounds: How many rounds; quiet time and attack take turns, since a shared machine is never the same for long.
        calls: How many calls the bystander makes in each half of a round.
        settle: Seconds until the memory is looked at afterwards.
    """
    attack = ATTACKS[name]
    found = Measured()
    with attacked_server(attack) as (server, door):
        address = f"grpcs://{door.relay}" if attack.relayed else door.address
        with Client(address, _SECONDS, token=TOKEN, trusted=door.trusted.encode()) as client:
            battle = client.start("starter", "first_fight", seed=1)
            process = psutil.Process(server.pid)
            # What the first calls load is no news later on.
            _pings(client, battle, calls, Counter())
            before = most = process.memory_info().rss
            for _ in range(rounds):
                found.quiet.append(_pings(client, battle, calls, found.failed))
                with _attacker(name, size, door, found.counts):
                    found.attacked.append(_pings(client, battle, calls, found.failed))
                    most = max(most, process.memory_info().rss)
            settled = time.monotonic() + settle
            _pings(client, battle, calls, found.failed)
            while time.monotonic() < settled:
                _pings(client, battle, 1, found.failed)
                time.sleep(min(_PAUSE, settle))
            after = process.memory_info().rss
        found.memory = (before // _MEGABYTE, most // _MEGABYTE, after // _MEGABYTE)
    found.log = server.output
    return found


def _pings(client: Client, battle: ClientBattle, calls: int, failed: Counter[str]) -> list[float]:
    request = service_pb2.GetBattleRequest(battle_id=battle.battle_id, last_sequence=battle.mirror.last_sequence)
    seconds = []
    for _ in range(calls):
        begun = time.perf_counter()
        try:
            client.battles.GetBattle(request, timeout=_SECONDS)
        except grpc.RpcError as error:
            failed[error.code().name] += 1
        seconds.append(time.perf_counter() - begun)
    return seconds


@contextmanager
def _attacker(name: str, size: int, door: Door, counts: Counter[str]) -> Iterator[None]:
    command = [sys.executable, "-m", "tools.attacks.attacker", name, str(size), msgspec.json.encode(door).decode()]
    with subprocess.Popen(
        command, cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        if process.stdout is None or process.stdin is None:
            raise RuntimeError("the attacker has no pipes")
        if process.stdout.readline() != "ready\n":
            raise RuntimeError(f"the attack {name} could not begin")
        try:
            yield
        finally:
            process.stdin.write("\n")
            process.stdin.flush()
            told = process.stdout.readline()
        counts.update(json.loads(told))
