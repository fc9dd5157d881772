"""A relay in this process, in front of a server that is a plain coroutine, and raw clients of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from bridge.net.tls import Certificate
from bridge.relay import Relay
from bridge.settings import RelaySettings
from tests.bridge.identity import Identity

Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
UPGRADE = (
    b"GET /battles HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
# A binary message of one byte, masked with zeros.
ONE_BYTE = b"\x82\x81\x00\x00\x00\x00x"
LIMIT = 20.0


async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Gives back every byte, and ends when the client has."""
    while data := await reader.read(4096):
        writer.write(data)
        await writer.drain()
    writer.close()
    await writer.wait_closed()


@asynccontextmanager
async def relayed(handler: Handler = echo, identity: Identity | None = None, **settings: Any) -> AsyncIterator[Relay]:
    """A relay that listens, with a server behind it; both are stopped at the end."""
    server = await asyncio.start_server(handler, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    certificate = Certificate(identity.files) if identity else None
    relay = Relay(RelaySettings("127.0.0.1:0", **settings), f"127.0.0.1:{port}", certificate)
    await relay.start()
    try:
        async with asyncio.timeout(LIMIT):
            yield relay
    finally:
        await relay.stop()
        server.close()


@asynccontextmanager
async def connected(
    relay: Relay, identity: Identity | None = None
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A raw client of a relay, over TLS where it has an identity."""
    host, port = relay.address.split(":")
    context = identity.client_context() if identity else None
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Everything until the other side ends; a reset is an end, too."""
    received = b""
    try:
        while data := await reader.read(65_536):
            received += data
    except ConnectionError:
        pass
    return received
