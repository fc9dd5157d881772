"""The server's side of one HTTP/2 connection, as a tool for scenarios that break the rules.

It notes every frame of the client, counts what the client may send, and leaves all else to the scenario. Header blocks
are coded by the `hpack` library, so that the addon's own coder is checked against another one.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable, Iterable
from typing import Any

import hpack

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
TYPE_NAMES = (
    "DATA",
    "HEADERS",
    "PRIORITY",
    "RST_STREAM",
    "SETTINGS",
    "PUSH_PROMISE",
    "PING",
    "GOAWAY",
    "WINDOW_UPDATE",
    "CONTINUATION",
)
ACK = END_STREAM = 0x1
END_HEADERS = 0x4
PADDED = 0x8
HAS_PRIORITY = 0x20
HEADER_TABLE_SIZE = 1
INITIAL_WINDOW = 4
MAX_CONCURRENT = 3

Field = tuple[str, str]
RESPONSE: list[Field] = [(":status", "200"), ("content-type", "application/grpc")]
OK: list[Field] = [("grpc-status", "0")]


def frame(kind: int, flags: int, stream: int, payload: bytes = b"", length: int | None = None) -> bytes:
    """A frame; `length` may lie about the payload."""
    size = len(payload) if length is None else length
    return size.to_bytes(3, "big") + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def settings(values: Iterable[tuple[int, int]] = ()) -> bytes:
    """A SETTINGS frame."""
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", key, value) for key, value in values))


def message(body: bytes, flag: int = 0) -> bytes:
    """A gRPC message with its prefix."""
    return struct.pack(">BI", flag, len(body)) + body


class Http2Peer:
    """One connection of a client.

    Attributes:
        frames: Every frame of the client, as it goes into the report.
        violations: What the client sent beyond its windows or the largest frame.
        bodies: DATA by stream.
        requests: Header fields by stream.
        ended: Streams whose requests are complete.
        answered: How many of them a scenario has answered.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.frames: list[dict[str, Any]] = []
        self.violations: list[str] = []
        self.bodies: dict[int, bytes] = {}
        self.requests: dict[int, list[Field]] = {}
        self.ended: set[int] = set()
        self.initial_window = 65_535
        self.connection_window = 65_535
        self.windows: dict[int, int] = {}
        # What the client lets us send; scenarios that keep the rules look at it.
        self.peer_initial_window = 65_535
        self.peer_connection_window = 65_535
        self.peer_windows: dict[int, int] = {}
        self.encoder = hpack.Encoder()
        self.encoder.header_table_size = 0
        self.decoder = hpack.Decoder()
        self.answer_pings = True
        self.closed = False
        self.answered = 0
        self._reading: asyncio.Task[None] | None = None
        self._changed = asyncio.Condition()

    async def greet(self, values: Iterable[tuple[int, int]] = ()) -> None:
        """Reads the preface and sends SETTINGS with `values`."""
        preface = await self.reader.readexactly(len(PREFACE))
        if preface != PREFACE:
            self.violations.append(f"preface {preface!r}")
        values = list(values)
        self.initial_window = dict(values).get(INITIAL_WINDOW, self.initial_window)
        self.send(settings(values))

    async def start(self, values: Iterable[tuple[int, int]] = ()) -> None:
        """Greets, and takes the client's frames from then on."""
        await self.greet(values)
        self.listen()

    def listen(self) -> None:
        """Takes the client's frames from now on."""
        self._reading = asyncio.create_task(self._read_frames())

    async def serve(self, answer: Callable[[int], None]) -> None:
        """Answers requests as they are complete, by stream."""
        while True:
            await self.until(lambda: len(self.ended) > self.answered)
            self.answered += 1
            answer(sorted(self.ended)[self.answered - 1])

    async def _read_frames(self) -> None:
        try:
            while True:
                head = await self.reader.readexactly(9)
                length = int.from_bytes(head[:3], "big")
                payload = await self.reader.readexactly(length)
                self._take(head[3], head[4], struct.unpack(">I", head[5:])[0], payload)
                async with self._changed:
                    self._changed.notify_all()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.closed = True
            async with self._changed:
                self._changed.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until a frame makes `condition` true, or the client closes.

        Raises:
            ConnectionResetError: The client closed first.
        """
        async with self._changed:
            await self._changed.wait_for(lambda: self.closed or condition())
        if not condition():
            raise ConnectionResetError

    async def request(self, stream: int = 1) -> bytes:
        """Waits for the end of a request and gives its body."""
        await self.until(lambda: stream in self.ended)
        return self.bodies[stream]

    async def body(self, stream: int, size: int) -> None:
        """Waits until a request has `size` bytes or ends."""
        await self.until(lambda: len(self.bodies[stream]) == size or stream in self.ended)

    async def headers_of(self, stream: int = 1) -> dict[str, str]:
        """Waits for a request's headers."""
        await self.until(lambda: stream in self.requests)
        return dict(self.requests[stream])

    def send(self, data: bytes) -> None:
        """Sends bytes as they are."""
        if not self.writer.is_closing():
            self.writer.write(data)

    def block(self, fields: Iterable[Field], huffman: bool = False) -> bytes:
        """Fields as a header block."""
        return bytes(self.encoder.encode(list(fields), huffman=huffman))

    def send_headers(self, stream: int, fields: Iterable[Field], end: bool = False, huffman: bool = False) -> None:
        """Sends HEADERS."""
        flags = END_HEADERS | (END_STREAM if end else 0)
        self.send(frame(HEADERS, flags, stream, self.block(fields, huffman)))

    def send_data(self, stream: int, body: bytes, end: bool = False) -> None:
        """Sends one DATA frame."""
        self.send(frame(DATA, END_STREAM if end else 0, stream, body))

    def send_trailers(self, stream: int, fields: Iterable[Field] = OK) -> None:
        """Sends HEADERS with END_STREAM."""
        self.send_headers(stream, fields, end=True)

    def reply(self, stream: int, body: bytes) -> None:
        """A whole answer with one message."""
        self.send_headers(stream, RESPONSE)
        self.send_data(stream, message(body))
        self.send_trailers(stream)

    def reset(self, stream: int, code: int) -> None:
        """Sends RST_STREAM."""
        self.send(frame(RST_STREAM, 0, stream, struct.pack(">I", code)))

    def goaway(self, last: int, code: int = 0, text: bytes = b"") -> None:
        """Sends GOAWAY."""
        self.send(frame(GOAWAY, 0, 0, struct.pack(">II", last, code) + text))

    def grant(self, stream: int, amount: int) -> None:
        """Lets the client send more, on a stream or with 0 on the connection."""
        if stream == 0:
            self.connection_window += amount
        else:
            self.windows[stream] = self.windows.get(stream, self.initial_window) + amount
        self.send(frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", amount)))

    def change_initial_window(self, value: int) -> None:
        """Sends SETTINGS with another initial window; open streams change by the difference."""
        for stream in self.windows:
            self.windows[stream] += value - self.initial_window
        self.initial_window = value
        self.send(settings([(INITIAL_WINDOW, value)]))

    def count(self, name: str, **wanted: Any) -> int:
        """Number of the client's frames of a type with these values."""
        return sum(
            1 for seen in self.frames if seen["type"] == name and all(seen.get(k) == v for k, v in wanted.items())
        )

    def report(self) -> dict[str, Any]:
        """What the client did, for the test."""
        return {
            "frames": self.frames,
            "violations": self.violations[:5],
            "bodies": {str(stream): len(body) for stream, body in self.bodies.items()},
            "closed": self.closed,
        }

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        name = TYPE_NAMES[kind] if kind < len(TYPE_NAMES) else str(kind)
        seen: dict[str, Any] = {"type": name, "flags": flags, "stream": stream, "length": len(payload)}
        self.frames.append(seen)
        if len(payload) > 16_384:
            self.violations.append(f"frame of {len(payload)} bytes")
        if kind == SETTINGS and flags & ACK == 0:
            values = dict(struct.iter_unpack(">HI", payload))
            seen["settings"] = {str(key): value for key, value in values.items()}
            self.peer_initial_window = values.get(INITIAL_WINDOW, self.peer_initial_window)
            self.send(frame(SETTINGS, ACK, 0))
        elif kind == PING:
            seen["payload"] = payload.hex()
            if flags & ACK == 0 and self.answer_pings:
                self.send(frame(PING, ACK, 0, payload))
        elif kind in (HEADERS, CONTINUATION):
            self._take_headers(seen, flags, stream, payload)
        elif kind == DATA:
            self._take_data(flags, stream, payload)
        elif kind == RST_STREAM:
            seen["code"] = struct.unpack(">I", payload)[0]
        elif kind == WINDOW_UPDATE:
            seen["increment"] = increment = struct.unpack(">I", payload)[0]
            if stream == 0:
                self.peer_connection_window += increment
            else:
                self.peer_windows[stream] = self.peer_windows.get(stream, self.peer_initial_window) + increment
        elif kind == GOAWAY:
            seen["code"] = struct.unpack(">I", payload[4:8])[0]
            seen["text"] = payload[8:].decode()

    def _take_headers(self, seen: dict[str, Any], flags: int, stream: int, payload: bytes) -> None:
        self.bodies[stream] = self.bodies.get(stream, b"") + payload
        if seen["type"] == "HEADERS" and flags & END_STREAM:
            self.violations.append("request without a body")
        if flags & END_HEADERS == 0:
            return
        fields = self.decoder.decode(self.bodies.pop(stream))
        self.bodies[stream] = b""
        self.requests[stream] = [(_text(name), _text(value)) for name, value in fields]
        seen["fields"] = [list(field) for field in self.requests[stream]]
        self.windows.setdefault(stream, self.initial_window)
        self.peer_windows.setdefault(stream, self.peer_initial_window)

    def _take_data(self, flags: int, stream: int, payload: bytes) -> None:
        self.windows[stream] -= len(payload)
        self.connection_window -= len(payload)
        if payload and self.windows[stream] < 0:
            self.violations.append(f"{-self.windows[stream]} bytes beyond the window of stream {stream}")
        if payload and self.connection_window < 0:
            self.violations.append(f"{-self.connection_window} bytes beyond the connection's window")
        self.bodies[stream] += payload
        if flags & END_STREAM:
            self.ended.add(stream)


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value
