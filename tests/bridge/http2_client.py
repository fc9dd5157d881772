"""Just enough of an HTTP/2 client to see the frames that end a connection."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Final, Self

PING: Final = 6
GOAWAY: Final = 7
_SETTINGS: Final = 4
_ACK: Final = 1
_HEAD: Final = 9


class Connection:
    """A connection without any call, for a with statement."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=20)
        self._socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _frame(_SETTINGS))
        self._received = b""
        # The server has taken us in once it has acknowledged our settings.
        while self.next() != (_SETTINGS, _ACK):
            pass

    def next(self) -> tuple[int, int] | None:
        """Type and flags of the next frame, answered if it has to be; None when the server has ended it."""
        head = self._read(_HEAD)
        if head is None:
            return None
        size, kind, flags = int.from_bytes(head[:3]), head[3], head[4]
        payload = self._read(size) or b""
        if kind in (_SETTINGS, PING) and not flags & _ACK:
            self._socket.sendall(_frame(kind, _ACK, payload if kind == PING else b""))
        return kind, flags

    def rest(self) -> list[int]:
        """The types of all frames until the server ends the connection."""
        kinds = []
        while (frame := self.next()) is not None:
            kinds.append(frame[0])
        return kinds

    def _read(self, size: int) -> bytes | None:
        while len(self._received) < size:
            data = self._socket.recv(4096)
            if not data:
                return None
            self._received += data
        taken, self._received = self._received[:size], self._received[size:]
        return taken

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()


def _frame(kind: int, flags: int = 0, payload: bytes = b"") -> bytes:
    return len(payload).to_bytes(3) + bytes([kind, flags]) + bytes(4) + payload
