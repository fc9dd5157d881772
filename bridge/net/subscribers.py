"""Readers of a battle's updates: each has a bounded queue, so that a slow one never holds up the battle."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, exhausted


class Subscriber:
    """One `Play` or `Watch` stream.

    What is sent to it waits in a queue until it is written: by the task that waits for that, or, since
    waking a task takes as long as carrying out an action, by the task that caused it. When more waits
    than may, the stream is cut: what waits is dropped, and the writing, which may be stuck behind a
    client that reads nothing, is given up.
    """

    __slots__ = ("_awaited", "_error", "_limit", "_open", "_waiting", "_write", "_writing")

    def __init__(self, limit: int, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Makes an open, empty queue.

        Args:
            limit: How many messages may wait.
            write: Writes one message to the client.
        """
        self._limit = limit
        self._write = write
        self._waiting: deque[bytes] = deque()
        self._awaited: asyncio.Future[None] | None = None
        # The task that writes now, or is about to.
        self._writing: asyncio.Task[Any] | None = None
        self._open = True
        self._error: CallError | None = None

    @property
    def closed(self) -> bool:
        """Whether nothing more is taken."""
        return not self._open

    def send(self, message: bytes) -> None:
        """Adds a message; with too many of them waiting, the stream is cut instead."""
        if not self._open:
            return
        if len(self._waiting) >= self._limit:
            self._waiting.clear()
            self.close(
                exhausted(ErrorReason.SLOW_READER, f"{self._limit} messages wait to be read; join again", self._limit)
            )
            if self._writing is not None:
                self._writing.cancel()
            return
        self._waiting.append(message)
        if self._writing is None:
            self._wake()

    def close(self, error: CallError | None = None) -> None:
        """Ends the stream, with an error or without, after what waits already."""
        if self._open:
            self._open = False
            self._error = error
            self._wake()

    def _wake(self) -> None:
        awaited = self._awaited
        if awaited is not None and not awaited.done():
            awaited.set_result(None)

    async def write_after(self, work: Callable[[], asyncio.Future[None] | None]) -> None:
        """Does something that may send to this stream, and writes what waits then.

        Args:
            work: What to do. It may return what has to be waited for before it sends.
        """
        if self._writing is not None:
            unstored = work()
            if unstored is not None:
                await unstored
            return
        self._writing = asyncio.current_task()
        try:
            unstored = work()
            if unstored is not None:
                await unstored
            await self._write_waiting()
        finally:
            self._writing = None
            if self._waiting or not self._open:
                self._wake()

    async def _write_waiting(self) -> None:
        waiting = self._waiting
        write = self._write
        while waiting:
            await write(waiting.popleft())

    async def write_all(self) -> None:
        """Writes what is sent until the stream is closed.

        Raises:
            CallError: The stream was closed with this error.
        """
        writer = asyncio.ensure_future(self._write_until_closed())
        try:
            await writer
        except asyncio.CancelledError:
            if self._open or not writer.cancelled():
                # Not the stream was cut, the call was.
                writer.cancel()
                raise
        if self._error is not None:
            raise self._error

    async def _write_until_closed(self) -> None:
        loop = asyncio.get_running_loop()
        while self._open or self._waiting or self._writing is not None:
            if self._waiting and self._writing is None:
                self._writing = asyncio.current_task()
                try:
                    await self._write_waiting()
                finally:
                    self._writing = None
            else:
                self._awaited = loop.create_future()
                await self._awaited
                self._awaited = None


def send_to_all(subscribers: Sequence[Subscriber], message: bytes, failed: CallError | None) -> None:
    """Sends a message, unless what it rests on has failed.

    Args:
        subscribers: The streams.
        message: The message.
        failed: Why it is not true any more; None: it is.
    """
    if failed is None:
        for subscriber in subscribers:
            subscriber.send(message)


def close_all(subscribers: Sequence[Subscriber], error: CallError, failed: CallError | None) -> None:
    """Ends streams with an error, or with why what was to be sent before has failed."""
    for subscriber in subscribers:
        subscriber.close(failed or error)
