"""How a process of ours is asked to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def stop_signals() -> Iterator[asyncio.Event]:
    """An event that is set by SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    before = {}
    for number in (signal.SIGTERM, signal.SIGINT):
        # Not loop.add_signal_handler, which Windows does not have.
        before[number] = signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
