"""A client that speaks WebSocket: the bytes of HTTP/2 are the contents of its binary messages, cut anywhere."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Final

from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, Event, State
from websockets.server import ServerProtocol
from websockets.typing import Origin

from bridge.relay.channel import LINGER_SECONDS, PIECE, close
from bridge.settings import ANY_ORIGIN, RelaySettings

# One line for each connection is the relay's own.
_frames_log: Final = logging.getLogger(f"{__name__}.frames")
_frames_log.setLevel(logging.WARNING)


# HTTP's 503 among the codes for private use. Godot takes IANA's 1013, try again later, for a broken rule.
NOT_PASSED_ON: Final = 4503


class WebSocketChannel:
    """A WebSocket, with the protocol of `websockets` and our own reading and writing.

    So that back-pressure is one thing end to end: nothing is read from the client while the server takes nothing.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, settings: RelaySettings, first: bytes
    ) -> None:
        """Takes over a connection whose upgrade is still to come.

        Args:
            reader: Its bytes.
            writer: Where to write.
            settings: Those of the relay.
            first: Bytes that were read from it already.
        """
        self._reader = reader
        self._writer = writer
        self._first = first
        self._protocol = ServerProtocol(
            origins=_origins(settings.origins), max_size=settings.message_bytes, logger=_frames_log
        )
        self._received: deque[bytes] = deque()
        self._finished = False
        # Nothing more comes from the client.
        self._ended = asyncio.Event()

    async def upgrade(self) -> str:
        """Answers the client's HTTP request.

        Returns:
            Why it was refused, which the client was told; empty when it now speaks WebSocket.

        Raises:
            OSError: The connection broke.
        """
        events: list[Event] = []
        while not events and not self._protocol.handshake_exc:
            await self._read()
            events = self._protocol.events_received()
        match events:
            case [Request() as request]:
                self._protocol.send_response(self._protocol.accept(request))
                await self._flush()
            case [_, *_]:
                return "it sent frames before its request was answered"
        refused = self._protocol.handshake_exc
        if refused is None:
            return ""
        await close(self._writer)
        return str(refused)

    async def receive(self) -> bytes:
        """The next bytes; empty once the client has closed, or was closed because it broke the rules."""
        while not self._received and not self._ended.is_set():
            await self._read()
            self._take_frames()
        return self._received.popleft() if self._received else b""

    async def send(self, data: bytes) -> None:
        """Sends bytes as one binary message, and waits while the client does not take them."""
        if self._protocol.state is not State.OPEN:
            raise ConnectionResetError("the WebSocket is closing")
        self._protocol.send_binary(data)
        await self._flush()

    async def finish(self) -> None:
        """Closes the WebSocket: the server behind the relay has nothing more to say."""
        await self._say_close(CloseCode.GOING_AWAY, "the server has closed the connection")
        try:
            async with asyncio.timeout(LINGER_SECONDS):
                await self._ended.wait()
        except TimeoutError:
            self.abort()
        await self.close()

    async def refuse(self, why: str) -> None:
        """Closes the WebSocket with a reason, and waits for the client's own close."""
        await self._say_close(NOT_PASSED_ON, why)
        while await self.receive():
            pass

    async def close(self) -> None:
        """Closes the connection below, once what was sent has been taken."""
        await close(self._writer)

    def abort(self) -> None:
        """Closes at once, whatever has not been sent."""
        self._writer.transport.abort()

    async def _say_close(self, code: int, why: str) -> None:
        self._finished = True
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code, why)
            await self._flush()

    async def _read(self) -> None:
        data, self._first = self._first or await self._reader.read(PIECE), b""
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
            self._ended.set()
        await self._flush()

    def _take_frames(self) -> None:
        text = False
        for event in self._protocol.events_received():
            if not isinstance(event, Frame):
                continue
            text = text or event.opcode is Opcode.TEXT
            if event.opcode in (Opcode.BINARY, Opcode.CONT) and event.data and not text and not self._finished:
                self._received.append(bytes(event.data))
        if text and self._protocol.state is State.OPEN:
            self._protocol.fail(CloseCode.UNSUPPORTED_DATA, "expected binary messages")
            self._write()

    async def _flush(self) -> None:
        self._write()
        await self._writer.drain()

    def _write(self) -> None:
        for data in self._protocol.data_to_send():
            if data != SEND_EOF:
                self._writer.write(data)
                continue
            # A server ends the connection as soon as it has had, or will not wait for, the client's last word.
            self._ended.set()
            if self._writer.can_write_eof():
                self._writer.write_eof()
            else:
                self._writer.close()


def _origins(allowed: Sequence[str]) -> list[Origin | None] | None:
    """The pages that may connect, as `websockets` takes them: None for a client that names none."""
    if ANY_ORIGIN in allowed:
        return None
    return [None, *(Origin(origin) for origin in allowed)]
