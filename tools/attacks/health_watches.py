"""Watches of the server's health, which take no token and have no end."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from tools.attacks.attack import Door
from tools.attacks.raw_http2 import raw_connection

_METHOD: Final = "/grpc.health.v1.Health/Watch"
_ON_EACH: Final = 1_000
_AT_ONCE: Final = 100


@asynccontextmanager
async def health_watches(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Begins `size` watches, a thousand on each connection, and leaves them open."""
    async with AsyncExitStack() as stack:
        for first in range(0, size, _ON_EACH):
            connection = await stack.enter_async_context(raw_connection(door, counts))
            for number in range(min(_ON_EACH, size - first)):
                connection.call(_METHOD, b"")
                counts["sent"] += 1
                if number % _AT_ONCE == 0 and not await connection.flush():
                    break
        yield
