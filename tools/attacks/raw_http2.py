"""A client of HTTP/2 that keeps no rule: it opens streams without end, resets them, takes no answers."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import hpack

from tools.attacks.attack import Door

_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_HEAD: Final = 9
# The largest payload of a frame, unless a server says otherwise.
_FRAME: Final = 16_384
_DATA: Final = 0
_HEADERS: Final = 1
_RST_STREAM: Final = 3
_SETTINGS: Final = 4
_PING: Final = 6
_GOAWAY: Final = 7
_WINDOW_UPDATE: Final = 8
_CONTINUATION: Final = 9
_ACK: Final = 1
_END_STREAM: Final = 1
_END_HEADERS: Final = 4
_CANCEL: Final = 8
_MAX_CONCURRENT_STREAMS: Final = 3
_INITIAL_WINDOW_SIZE: Final = 4
_FIRST_WINDOW: Final = 65_535
_LARGEST_WINDOW: Final = 2**31 - 1


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """A frame of HTTP/2."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


async def connect(
    door: Door, relayed: bool, source: str = "127.0.0.1"
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection of bytes, from an address of this machine: to the relay over TLS, or to the plain port."""
    host, _, port = (door.relay if relayed else door.address).rpartition(":")
    context = ssl.create_default_context(cadata=door.trusted) if relayed else None
    return await asyncio.open_connection(host, int(port), ssl=context, local_addr=(source, 0))


class RawConnection:
    """A connection that sends whatever it is told to.

    Attributes:
        counts: What came: ``status N`` for calls that ended with a gRPC status, ``answered`` for those that began to be
            answered, ``reset N`` for streams reset with an error code, ``goaway``, ``bytes``.
        most_streams: What the server allows of streams at a time; 0: it has not said.
        ended: Set once the server has ended the connection.
    """

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str, counts: Counter[str], window: int
    ) -> None:
        """Says hello.

        Args:
            reader: What comes.
            writer: What goes.
            token: What calls show; empty: nothing.
            counts: Where to count.
            window: How many bytes of each answer are taken; 0: none of any.
        """
        self.counts = counts
        self.most_streams = 0
        self.ended = asyncio.Event()
        self._settings_came = asyncio.Event()
        self._reader = reader
        self._writer = writer
        self._encoder = hpack.Encoder()
        self._decoder = hpack.Decoder()
        self._token = token
        self._next = 1
        setting = _INITIAL_WINDOW_SIZE.to_bytes(2) + window.to_bytes(4)
        writer.write(_PREFACE + frame(_SETTINGS, 0, 0, setting))
        if window:
            writer.write(frame(_WINDOW_UPDATE, 0, 0, (_LARGEST_WINDOW - _FIRST_WINDOW).to_bytes(4)))

    def call(self, method: str, request: bytes | None = None, extra: Sequence[tuple[str, str]] = ()) -> int:
        """Begins a call.

        Args:
            method: ``/package.Service/Method``.
            request: The message, with which the call is complete; None: it stays open, without one.
            extra: More metadata.

        Returns:
            The number of its stream.
        """
        stream, self._next = self._next, self._next + 2
        headers = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", method),
            (":authority", "localhost"),
            ("te", "trailers"),
            ("content-type", "application/grpc"),
            *([("authorization", f"Bearer {self._token}")] if self._token else []),
        ]
        # More metadata is never indexed: what was said before would be one byte.
        block = self._encoder.encode(
            [*headers, *(hpack.NeverIndexedHeaderTuple(*field) for field in extra)], huffman=False
        )
        pieces = [block[at : at + _FRAME] for at in range(0, len(block), _FRAME)]
        for number, piece in enumerate(pieces):
            last = _END_HEADERS if number == len(pieces) - 1 else 0
            self._writer.write(frame(_CONTINUATION if number else _HEADERS, last, stream, piece))
        if request is not None:
            message = b"\x00" + len(request).to_bytes(4) + request
            for at in range(0, len(message), _FRAME):
                last = _END_STREAM if at + _FRAME >= len(message) else 0
                self._writer.write(frame(_DATA, last, stream, message[at : at + _FRAME]))
        return stream

    def reset(self, stream: int) -> None:
        """Cancels a call."""
        self._writer.write(frame(_RST_STREAM, 0, stream, _CANCEL.to_bytes(4)))

    async def flush(self) -> bool:
        """Waits until the server takes more; False once the connection is over."""
        try:
            # What has come is read first, whether the server takes more or not.
            await asyncio.sleep(0)
            await self._writer.drain()
        except OSError:
            self.ended.set()
        return not self.ended.is_set()

    async def read(self) -> None:
        """Takes in what comes, until the connection is over."""
        try:
            while True:
                head = await self._reader.readexactly(_HEAD)
                payload = await self._reader.readexactly(int.from_bytes(head[:3]))
                self.counts["bytes"] += len(payload)
                self._take(head[3], head[4], payload)
        except (OSError, asyncio.IncompleteReadError):
            self.counts["ended"] += 1
        finally:
            self.ended.set()
            self._settings_came.set()

    async def know_limits(self) -> None:
        """Waits until the server has said what it allows, or has ended the connection."""
        await self._settings_came.wait()

    def _take(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == _SETTINGS and not flags & _ACK:
            for at in range(0, len(payload), 6):
                if int.from_bytes(payload[at : at + 2]) == _MAX_CONCURRENT_STREAMS:
                    self.most_streams = int.from_bytes(payload[at + 2 : at + 6])
            self._writer.write(frame(_SETTINGS, _ACK, 0))
            self._settings_came.set()
        elif kind == _PING and not flags & _ACK:
            self._writer.write(frame(_PING, _ACK, 0, payload))
        elif kind == _HEADERS:
            fields = dict(self._decoder.decode(payload, raw=True))
            status = fields.get(b"grpc-status")
            self.counts["answered" if status is None else f"status {status.decode()}"] += 1
        elif kind == _RST_STREAM:
            self.counts[f"reset {int.from_bytes(payload)}"] += 1
        elif kind == _GOAWAY:
            self.counts["goaway"] += 1

    def abort(self) -> None:
        """Cuts the connection."""
        self._writer.transport.abort()


@asynccontextmanager
async def raw_connection(
    door: Door, counts: Counter[str], *, relayed: bool = False, token: str = "", window: int = _FIRST_WINDOW
) -> AsyncIterator[RawConnection]:
    """A connection, cut at the end. The arguments are those of `RawConnection` and `connect`."""
    reader, writer = await connect(door, relayed)
    connection = RawConnection(reader, writer, token, counts, window)
    reading = asyncio.create_task(connection.read())
    try:
        yield connection
    finally:
        connection.abort()
        await reading
