"""A server in a process of its own; `python -m bridge.testing.process` is that process."""

from __future__ import annotations

import asyncio
import os
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from bridge.server.logs import configure_logging
from bridge.server.server import serve
from bridge.settings import ServerSettings

_READY: Final = "gcs: listening on "
_RELAY: Final = "gcs: relay on "
_START_SECONDS: Final = 60.0
_STOP_SECONDS: Final = 15.0
FREE_PORT: Final = "127.0.0.1:0"


class ServerProcessError(Exception):
    """The process ended, or said nothing, instead of listening; the message holds its output."""


class ServerProcess:
    """A server in a process of its own, for a with statement.

    Attributes:
        address: Where it listens.
        relay_urls: What clients of its relay connect to, for gRPC and for WebSocket; empty without a relay.
    """

    def __init__(self, settings: ServerSettings | None = None) -> None:
        """Prepares a server.

        Args:
            settings: Its settings; by default those of `gcs serve` with state to be set, on a free port. Relative
                paths in them start from the caller's working folder.
        """
        self._settings = settings or ServerSettings(address=FREE_PORT, allow_set_state=True)
        self.address = ""
        self.relay_urls: tuple[str, ...] = ()
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._output: list[str] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._running().pid

    @property
    def output(self) -> str:
        """What it has written so far, its log included."""
        return "".join(self._output)

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None:
            raise ServerProcessError("the server is not started")
        return self._process

    def start(self) -> None:
        """Starts the process and waits until it listens.

        Raises:
            ServerProcessError: It does not listen.
        """
        settings = msgspec.json.encode(self._settings, enc_hook=str).decode()
        self._process = subprocess.Popen(
            # -P: what lies in the caller's folder is not imported instead of a module that the server needs.
            [sys.executable, "-P", "-m", "bridge.testing.process", settings],
            env={**os.environ, "PYTHONPATH": _search_path()},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        deadline = time.monotonic() + _START_SECONDS
        while not self.address or (self._settings.relay is not None and not self.relay_urls):
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                self.kill()
                raise ServerProcessError(f"the server does not listen:\n{self.output}")
            if line.startswith(_READY):
                self.address = line.removeprefix(_READY).strip()
            elif line.startswith(_RELAY):
                self.relay_urls = tuple(line.removeprefix(_RELAY).strip().split(", "))

    def _read(self, process: subprocess.Popen[str]) -> None:
        if process.stdout is None:
            return
        for line in process.stdout:
            self._output.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def wait(self) -> int:
        """Waits until it ends by itself and returns its exit code; one that does not is killed."""
        process = self._running()
        try:
            process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        return self._reap()

    def terminate(self) -> int:
        """Asks it to stop, waits for it and returns its exit code; one that does not stop is killed."""
        self._running().terminate()
        return self.wait()

    def kill(self) -> int:
        """Kills it at once, as a crash would, and returns its exit code."""
        self._running().kill()
        return self._reap()

    def _reap(self) -> int:
        process = self._running()
        code = process.wait()
        if self._reader is not None:
            self._reader.join(timeout=_STOP_SECONDS)
        if process.stdout is not None:
            process.stdout.close()
        return code

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._running().poll() is None:
            self.terminate()
        else:
            self._reap()


def _search_path() -> str:
    """The PYTHONPATH of the server: the packages that this module is one of come first, wherever the caller stands."""
    own = str(Path(__file__).resolve().parents[2])
    given = os.environ.get("PYTHONPATH")
    return os.pathsep.join([own, given]) if given else own


def main() -> None:
    """Runs a server with the settings, as JSON, in the first argument."""
    configure_logging()
    settings = msgspec.json.decode(sys.argv[1], type=ServerSettings, dec_hook=lambda kind, value: kind(value))
    asyncio.run(serve(settings, _announce))


def _announce(line: str) -> None:
    sys.stdout.write(f"gcs: {line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
