"""TLS connections to the relay that say nothing but hello."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from tools.attacks.attack import Door
from tools.attacks.raw_http2 import connect, frame

_HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)
_FROM_EACH_ADDRESS: Final = 200


@asynccontextmanager
async def silent_connections(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Opens `size` connections, 200 from each address of this machine, that speak TLS and HTTP/2 and keep silent."""
    readings = []
    for number in range(size):
        source = f"127.0.0.{1 + number // _FROM_EACH_ADDRESS}"
        try:
            reader, writer = await connect(door, relayed=True, source=source)
        except OSError:
            counts["closed"] += 1
            continue
        writer.write(_HELLO)
        readings.append((asyncio.create_task(_read_all(reader)), writer))
    try:
        yield
    finally:
        counts["held"] += sum(not reading.done() for reading, _ in readings)
        for reading, writer in readings:
            writer.transport.abort()
            counts["sent away"] += (await reading).startswith(b"HTTP/1.1 503")


async def _read_all(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except OSError:
        return b""
