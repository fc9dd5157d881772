"""One end of a relayed connection: bytes in and out over TCP or TLS, and the joining of two such ends."""

from __future__ import annotations

import asyncio
from typing import Final, Protocol

from bridge.relay.first_call import FirstCall

# Read at once, and the most that waits in memory for the other end beside what the sockets hold.
PIECE: Final = 65_536
# Seconds that a client gets to take what was sent last, or to answer a goodbye.
LINGER_SECONDS: Final = 5.0


class Channel(Protocol):
    """One end of a relayed connection. What goes wrong with it is an OSError."""

    async def receive(self) -> bytes:
        """The next bytes; empty once the other side sends no more."""

    async def send(self, data: bytes) -> None:
        """Sends bytes, and waits while the other side does not take them."""

    async def finish(self) -> None:
        """Sends no more. Where the transport has no way to say that alone, it is closed."""

    async def refuse(self, why: str) -> None:
        """Tells a client that has not been answered yet why it is not passed on."""

    async def close(self) -> None:
        """Closes, once what was sent has been taken."""

    def abort(self) -> None:
        """Closes at once, whatever has not been sent."""


class StreamChannel:
    """TCP, with or without TLS."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes = b"") -> None:
        """Takes over a connection.

        Args:
            reader: Its bytes.
            writer: Where to write.
            first: Bytes that were read from it already.
        """
        self._reader = reader
        self._writer = writer
        self._first = first

    async def receive(self) -> bytes:
        """The next bytes; empty once the other side sends no more."""
        if self._first:
            first, self._first = self._first, b""
            return first
        return await self._reader.read(PIECE)

    async def send(self, data: bytes) -> None:
        """Sends bytes, and waits while the other side does not take them."""
        self._writer.write(data)
        await self._writer.drain()

    async def finish(self) -> None:
        """Half-closes TCP; TLS, which has no such thing in asyncio, is closed."""
        if self._writer.can_write_eof():
            self._writer.write_eof()
        else:
            await self.close()

    async def refuse(self, why: str) -> None:
        """Answers in HTTP/1.1, as proxies do: clients of HTTP/2 know that answer, and wait before they try again.

        A GOAWAY would count as a connection made, and be followed by the next attempt at once.
        """
        await self.send(f"HTTP/1.1 503 {why}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".encode("ascii"))
        if self._writer.can_write_eof():
            self._writer.write_eof()
            # A socket closed with bytes still unread would take the answer back.
            while await self.receive():
                pass

    async def close(self) -> None:
        """Closes, once what was sent has been taken."""
        await close(self._writer)

    def abort(self) -> None:
        """Closes at once, whatever has not been sent."""
        self._writer.transport.abort()


async def close(writer: asyncio.StreamWriter) -> None:
    """Closes a writer and waits until it has sent its last bytes; one that nobody reads from is cut off."""
    writer.close()
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            await writer.wait_closed()
    except TimeoutError:
        writer.transport.abort()


async def join(client: Channel, server: Channel, stalled_seconds: float, first_call: FirstCall) -> None:
    """Passes bytes both ways until both sides have ended, or one broke.

    Args:
        client: The client.
        server: The server.
        stalled_seconds: How long one side may take nothing of what the other sends.
        first_call: Reads what the server sends, until it has let a call in.

    Raises:
        ExceptionGroup: One of them broke; holds its OSError.
    """
    async with asyncio.TaskGroup() as group:
        rising = group.create_task(_pass_on(client, server, stalled_seconds))
        # Nothing more is read of who floods. Its connection stays, as one of the few that its address has, until its
        # time is over: who is cut off comes again, and each handshake costs more than the flood.
        first_call.on_hopeless = rising.cancel
        await _pass_on(server, client, stalled_seconds, first_call)
        # A client that a server has said goodbye to has nothing more to say that anybody would hear.
        await asyncio.wait([rising], timeout=LINGER_SECONDS)
        rising.cancel()


async def _pass_on(
    source: Channel, target: Channel, stalled_seconds: float, first_call: FirstCall | None = None
) -> None:
    while data := await source.receive():
        if first_call is not None and first_call.read(data):
            first_call = None
        async with asyncio.timeout(stalled_seconds):
            await target.send(data)
    await target.finish()
