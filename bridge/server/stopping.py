"""How a process of ours is asked to stop: by a signal, or by the end of the process that started it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Iterator
from typing import Any, Final

_log: Final = logging.getLogger(__name__)

_STDIN: Final = 0
_POLL_SECONDS: Final = 1.0


@contextlib.contextmanager
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


async def stop_with_parent(stopped: asyncio.Event, parent: int) -> None:
    """Sets an event once the process that started this one is gone.

    Args:
        stopped: The event.
        parent: As for `parent_gone`.
    """
    await parent_gone(parent)
    _log.info("the process that started this one is gone: stopping")
    stopped.set()


async def parent_gone(parent: int) -> None:
    """Returns once standard input has ended or the process has another parent than `parent`.

    The parent holds the other end of standard input. The system closes it however the parent ends, and on every
    platform; the parent may also close it to stop this process. A third process may have inherited that end, though,
    so POSIX systems are asked for the parent's number as well.

    Args:
        parent: The number of the process that started this one, asked for as early as can be: once that is gone, the
            system names another.
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def read_to_the_end() -> None:
        # An input that cannot be read has no parent behind it either.
        with contextlib.suppress(OSError):
            while os.read(_STDIN, 4096):
                pass
        # The loop is closed when the server stopped for another reason meanwhile.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(ended.set)

    # Not loop.connect_read_pipe, which Windows does not have for standard input. A daemon: the read may never return.
    threading.Thread(target=read_to_the_end, name="parent-watch", daemon=True).start()
    while not ended.is_set() and os.getppid() == parent:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), _POLL_SECONDS)
