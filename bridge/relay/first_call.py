"""When a server has let a connection's first call in, as a relay sees it in what the server answers.

A relay knows no tokens. What it has to know is whether a client is somebody: until the server has answered a call, with
anything but that the token is missing or wrong, a connection is a stranger's, of whom the relay keeps few and not for
long. So the header blocks that the server sends are read until then, and nothing is afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import hpack

from bridge.settings import NO_TOKEN_METADATA

_HEAD: Final = 9
_HEADERS: Final = 1
_RST_STREAM: Final = 3
_CONTINUATION: Final = 9
_END_STREAM: Final = 0x1
_END_HEADERS: Final = 0x4
_PADDED: Final = 0x8
_PRIORITY: Final = 0x20
_PRIORITY_BYTES: Final = 5
# grpc.StatusCode.UNAUTHENTICATED on the wire.
_UNAUTHENTICATED: Final = b"16"
# So many calls that end without an answer, with none let in, are no accident.
_MOST_FAILURES: Final = 32
# A header block of a server is far below; its frames are dropped when they are not.
_MOST_BYTES: Final = 65_536


class FirstCall:
    """Reads what a server sends on one connection until it has let a call in.

    Attributes:
        let_in: Whether it has.
        on_hopeless: Called once so many calls were refused or reset before that no more of them are to be passed on.
    """

    def __init__(self, on_let_in: Callable[[], None]) -> None:
        """Makes it for a new connection.

        Args:
            on_let_in: Called once a call is let in.
        """
        self.let_in = False
        self.on_hopeless: Callable[[], object] = _nothing
        self._on_let_in = on_let_in
        self._failures = 0
        self._decoder = hpack.Decoder()
        self._head = bytearray()
        self._kind = 0
        self._flags = 0
        # Of the frame: bytes that are still to come; of the header block: its pieces, and whether it ends the stream.
        self._left = 0
        self._payload = bytearray()
        self._block = bytearray()
        self._ends_stream = False

    def read(self, data: bytes) -> bool:
        """Reads on.

        Args:
            data: What the server has sent next.

        Returns:
            Whether it has let a call in by now.
        """
        at = 0
        while at < len(data) and not self.let_in:
            if not self._left:
                at = self._read_head(data, at)
                continue
            piece = data[at : at + self._left]
            at += len(piece)
            self._left -= len(piece)
            if self._kind in (_HEADERS, _CONTINUATION):
                self._payload += piece
            if not self._left:
                self._end_frame()
        return self.let_in

    def _read_head(self, data: bytes, at: int) -> int:
        missing = _HEAD - len(self._head)
        self._head += data[at : at + missing]
        if len(self._head) == _HEAD:
            self._left = int.from_bytes(self._head[:3])
            self._kind, self._flags = self._head[3], self._head[4]
            self._head.clear()
            if not self._left:
                self._end_frame()
        return at + missing

    def _end_frame(self) -> None:
        payload, self._payload = bytes(self._payload), bytearray()
        if self._kind == _HEADERS:
            self._ends_stream = bool(self._flags & _END_STREAM)
            self._block = bytearray(_without_padding(payload, self._flags))
        elif self._kind == _CONTINUATION:
            self._block += payload
        else:
            if self._kind == _RST_STREAM:
                self._count_failure()
            return
        if len(self._block) > _MOST_BYTES:
            self._block.clear()
        elif self._flags & _END_HEADERS:
            self._judge(bytes(self._block))

    def _judge(self, block: bytes) -> None:
        try:
            fields = {bytes(name): bytes(value) for name, value in self._decoder.decode(block, raw=True)}
        except hpack.HPACKError:
            # Nothing that comes after it can be read either: the client stays a stranger.
            self._kind = 0
            return
        # Without a status it is what follows an answer that has been judged already.
        if fields.get(b":status") != b"200" or NO_TOKEN_METADATA.encode() in fields:
            return
        # An answer that consists of nothing but its end is an error. gRPC's own come before any look at the token, and
        # have no details; ours have.
        refused = fields.get(b"grpc-status") == _UNAUTHENTICATED or b"grpc-status-details-bin" not in fields
        if self._ends_stream and refused:
            self._count_failure()
        else:
            self.let_in = True
            self._on_let_in()

    def _count_failure(self) -> None:
        self._failures += 1
        if self._failures == _MOST_FAILURES:
            self.on_hopeless()


def _nothing() -> None:
    """Until somebody wants to know."""


def _without_padding(payload: bytes, flags: int) -> bytes:
    first, last = 0, len(payload)
    if flags & _PADDED and payload:
        first, last = 1, last - payload[0]
    if flags & _PRIORITY:
        first += _PRIORITY_BYTES
    return payload[first:last]
