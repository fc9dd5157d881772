"""How a process of ours is asked to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def stop_signals() -> Iterator[asyncio.Event]:
    """An event that is set by SIGTERM or SIGINT. A second signal ends the process at once."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    before: dict[signal.Signals, Any] = {}

    def stop(*_: object) -> None:
        for number in before:
            signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stopped.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        # Not loop.add_signal_handler, which Windows does not have.
        before[number] = signal.signal(number, stop)
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
