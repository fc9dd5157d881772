"""Memory that an attack has taken goes back to the system."""

from __future__ import annotations

import asyncio
import sys

import psutil
import pytest

from bridge.ges import ManualClock
from bridge.server.memory import give_back_memory
from tests.bridge.local_server import local_server

PIECES = 20_000
BYTES = 8_000


def fill_and_free() -> int:
    """Takes 160 MB in pieces and frees all but the last of them; gives what the process has then, in bytes."""
    pieces = [bytes(BYTES) for _ in range(PIECES)]
    for piece in pieces:
        assert len(piece) == BYTES
    last = pieces[-1]
    del pieces
    fill_and_free.kept = last  # type: ignore[attr-defined]
    return psutil.Process().memory_info().rss


def test_what_is_free_is_given_back() -> None:
    taken = fill_and_free()
    give_back_memory()
    # Elsewhere than on Linux the allocator has done so by itself, sooner or later.
    least = PIECES * BYTES // 2 if sys.platform == "linux" else 0
    assert psutil.Process().memory_info().rss <= taken - least


async def test_the_server_does_so_every_ten_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    given = asyncio.Event()
    loop = asyncio.get_running_loop()
    clock = ManualClock()
    async with local_server(clock):
        monkeypatch.setattr("bridge.server.server.give_back_memory", lambda: loop.call_soon_threadsafe(given.set))
        clock.advance(10_000)
        await given.wait()
