"""TLS connections to the relay that say nothing, or no more than the first bytes of HTTP/2."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tools.attacks.attack import Door
from tools.attacks.raw_http2 import connect, frame

_HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)


@asynccontextmanager
async def silent_connections(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Opens `size` connections that speak TLS and HTTP/2 and then keep silent."""
    writers = []
    for _ in range(size):
        try:
            _, writer = await connect(door, relayed=True)
            writer.write(_HELLO)
            await writer.drain()
        except OSError:
            counts["sent away"] += 1
        else:
            writers.append(writer)
            counts["connected"] += 1
    try:
        yield
    finally:
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0)
