"""Calls without a token that are begun and never completed, more at a time than the server allows."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tools.attacks.attack import Door, meanwhile
from tools.attacks.raw_http2 import raw_connection

_METHOD: Final = "/gcs.v1.BattleService/Act"
_AT_ONCE: Final = 200


@asynccontextmanager
async def open_streams(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Opens up to `size` calls on one connection, and one connection after the other when the server ends it."""

    async def attack(begun: asyncio.Event) -> None:
        while counts["sent"] < size:
            async with raw_connection(door, counts) as connection:
                # What the server allows is known first, and then not kept to.
                await connection.know_limits()
                counts["allowed"] = connection.most_streams
                while counts["sent"] < size and await connection.flush():
                    for _ in range(_AT_ONCE):
                        connection.call(_METHOD)
                    counts["sent"] += _AT_ONCE
                    begun.set()

    async with meanwhile(attack):
        yield
