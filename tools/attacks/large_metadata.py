"""Calls without a token whose metadata is large."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tools.attacks.attack import Door, meanwhile
from tools.attacks.raw_http2 import raw_connection

_METHOD: Final = "/gcs.v1.BattleService/GetServerInfo"
_LARGE: Final = [("x-large", "x" * 200_000)]


@asynccontextmanager
async def large_metadata(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Makes up to `size` calls, each with 200 kB of metadata, with a new connection whenever the server ends one."""

    async def attack(begun: asyncio.Event) -> None:
        while counts["sent"] < size:
            async with raw_connection(door, counts) as connection:
                counts["connections"] += 1
                while counts["sent"] < size and await connection.flush():
                    connection.call(_METHOD, b"", _LARGE)
                    counts["sent"] += 1
                    begun.set()

    async with meanwhile(attack):
        yield
