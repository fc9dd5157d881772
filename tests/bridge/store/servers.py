"""Servers on one store, in real processes that can be killed and started again fast.

They are forked from a process that has everything imported. Where there is no fork they are started the long way.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from bridge.server.server import serve
from bridge.settings import ServerSettings
from bridge.testing.client import Client
from bridge.testing.process import FREE_PORT

_START_SECONDS = 60.0
_STOP_SECONDS = 15.0

_context = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
_context.set_forkserver_preload(["__main__", "bridge.server.server", "tests.bridge.store.servers"])


def settings_of(path: Path, **changes: object) -> ServerSettings:
    """A server on a free port that keeps its battles in a file."""
    return ServerSettings(address=FREE_PORT, allow_set_state=True, store=path, **changes)  # type: ignore[arg-type]


def run(settings: ServerSettings, log: Path, told: Connection) -> None:
    logging.basicConfig(filename=log, level=logging.INFO, force=True)
    asyncio.run(serve(settings, told.send))


class KeptServer:
    """A server, and a client of it as `client`; for a with statement, which stops it if nobody has killed it."""

    def __init__(self, path: Path, **changes: object) -> None:
        self._log = path.with_suffix(".log")
        self._told, tell = _context.Pipe(duplex=False)
        self._process = _context.Process(target=run, args=(settings_of(path, **changes), self._log, tell))
        self._process.start()
        tell.close()
        if not self._told.poll(_START_SECONDS):
            self._process.kill()
            raise TimeoutError("the server does not listen")
        try:
            address = self._told.recv().removeprefix("listening on ")
        except EOFError as error:
            self._process.join()
            raise ChildProcessError(self.log) from error
        self.client = Client(address)

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8")

    def kill(self) -> None:
        """As a crash would."""
        self._process.kill()
        self._process.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.channel.close()
        self._told.close()
        self._process.terminate()
        self._process.join(_STOP_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()
