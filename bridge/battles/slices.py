"""Long work in the thread of the event loop, done in slices so that everybody else has their turns."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from time import perf_counter_ns
from typing import Final, TypeVar

T = TypeVar("T")

# How long a slice may take; its last step is finished.
SLICE_NS: Final = 5_000_000


class Slices:
    """Works off any number of generators, with at most one slice of one of them in each turn of the event loop.

    Those that are under way together take turns, so a short one does not wait for the end of a long one.
    """

    def __init__(self, slice_ns: int = SLICE_NS) -> None:
        """Makes it without work.

        Args:
            slice_ns: How many nanoseconds a slice may take; with 0, each step is a slice of its own.
        """
        self._slice_ns = slice_ns
        self._turn = asyncio.Lock()

    async def work_off(self, work: Generator[None, None, T]) -> T:
        """Runs a generator to its end and returns what it returns.

        Args:
            work: Yields after each of its steps, which should be short.
        """
        while True:
            # First come, first served.
            async with self._turn:
                end = perf_counter_ns() + self._slice_ns
                try:
                    next(work)
                    while perf_counter_ns() < end:
                        next(work)
                except StopIteration as done:
                    result: T = done.value
                    return result
                await asyncio.sleep(0)


def at_once(work: Generator[None, None, T]) -> T:
    """Runs a generator to its end in one go and returns what it returns.

    Args:
        work: The same as for `Slices.work_off`.
    """
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: T = done.value
            return result
