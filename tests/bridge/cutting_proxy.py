"""A TCP proxy that cuts each connection after so many bytes."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

# Closed with this, a connection is reset: the peer gets no goodbye, and what it had not read is lost.
_RESET: Final = struct.pack("ii", 1, 0)


class CuttingProxy:
    """A proxy in front of a server, for a with statement.

    Attributes:
        address: Where it listens.
        cuts: How many connections it has cut.
    """

    def __init__(self, server: str, cuts: Sequence[tuple[int, int]]) -> None:
        """Prepares it.

        Args:
            server: The server's address.
            cuts: For each connection, in order, after how many bytes from the client and from the server it is cut,
                whichever comes first; later ones are left alone.
        """
        host, _, port = server.rpartition(":")
        self._server = (host, int(port))
        self._left = list(cuts)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.cuts = 0
        self._open: list[_Pair] = []

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            cut = self._left.pop(0) if self._left else None
            self._open.append(_Pair(self, client, socket.create_connection(self._server), cut))

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        for pair in self._open:
            pair.end()


class _Pair:
    """A connection and its other half."""

    def __init__(
        self, proxy: CuttingProxy, client: socket.socket, server: socket.socket, cut: tuple[int, int] | None
    ) -> None:
        self._proxy = proxy
        self._sockets = (client, server)
        self._lock = threading.Lock()
        self._ended = False
        for half in self._sockets:
            half.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for source, target, most in ((client, server, cut and cut[0]), (server, client, cut and cut[1])):
            threading.Thread(target=self._pump, args=(source, target, most), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, most: int | None) -> None:
        with contextlib.suppress(OSError):
            while most is None or most > 0:
                data = source.recv(65_536 if most is None else most)
                if not data:
                    break
                target.sendall(data)
                if most is not None:
                    most -= len(data)
        self.end(cut=most == 0)

    def end(self, cut: bool = False) -> None:
        """Ends both halves without a word; cut: because one of them has had all its bytes."""
        with self._lock:
            if self._ended:
                return
            self._ended = True
            self._proxy.cuts += cut
            for half in self._sockets:
                with contextlib.suppress(OSError):
                    half.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    # Wakes the thread that reads; closing alone does not.
                    half.shutdown(socket.SHUT_RDWR)
                half.close()
