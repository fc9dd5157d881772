"""The benchmark of the bridge measures what it says (issue: one action over Play beside an echo of the same sizes)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from grpc import aio

from benchmarks.bridge import echo_process, open_stream, play_beside_echo
from benchmarks.echo_server import METHOD, SIZE_BYTES
from bridge.settings import ServerSettings
from bridge.testing.process import ServerProcess

ROOT = Path(__file__).resolve().parents[2]


async def test_the_echo_answers_with_as_many_bytes_as_asked_for() -> None:
    with echo_process() as (address, _):
        async with aio.insecure_channel(address) as channel:
            echo = open_stream(channel, METHOD)
            for size in (0, 1, 750, 20_000):
                assert await echo(size.to_bytes(SIZE_BYTES, "big") + b"more") == bytes(size)


def test_every_action_has_an_echo() -> None:
    with ServerProcess(ServerSettings(address="127.0.0.1:0")) as server:
        results = asyncio.run(play_beside_echo(server, "reference", "reference", 2))
    assert len(results["echo"].seconds) == len(results["Play"].seconds) > 10
    assert results["Play"].p50 > 0


def test_the_tables_are_printed() -> None:
    command = [sys.executable, "-m", "benchmarks.bridge", "--battles", "1", "--actions", "2", "--live", "80"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for words in ("p50 to echo", "CPU to echo", "80 live battles", "64 active clients", "idle battle takes"):
        assert words in done.stdout
