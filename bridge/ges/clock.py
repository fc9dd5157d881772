"""Clocks: milliseconds that only grow, and calls that are due on them."""

from __future__ import annotations

import asyncio
import time
from bisect import insort
from collections.abc import Callable
from typing import Protocol

from bridge.ges.turns import TimerTurns


class Wake(Protocol):
    """A call that is due."""

    def cancel(self) -> None:
        """Takes it back; nothing happens when it has been made."""


class Clock(Protocol):
    """Time as battles are handed it."""

    def now(self) -> int:
        """The time in ms. It never goes back, whatever the machine's clock does."""

    def call_at(self, due: int, call: Callable[[], None]) -> Wake:
        """Calls a function once the time has come.

        Args:
            due: The time in ms.
            call: What to call, in the thread of the event loop.
        """


class MonotonicClock:
    """The time since the server's start, or since another time. It needs a running event loop only for `call_at`.

    What is due is called in turns, which leave time for others (`bridge.ges.turns`).

    A source that jumps back makes it stand still until that has been made up for: it goes on from there.
    """

    def __init__(self, source: Callable[[], float] = time.monotonic, start: int = 0) -> None:
        """Starts.

        Args:
            source: Seconds.
            start: The time to start at, in ms.
        """
        self._source = source
        self._last = source()
        self._start = start
        self._passed = 0.0
        self.turns = TimerTurns()

    def now(self) -> int:
        """The time in ms."""
        read = self._source()
        self._passed += max(0.0, read - self._last)
        self._last = read
        return self._start + int(self._passed * 1000)

    def call_at(self, due: int, call: Callable[[], None]) -> Wake:
        """Calls a function once the time has come."""
        return _LoopWake(self, due, call)


class _LoopWake:
    """A timer of the event loop; one that rings too early, after a jump of the source, is set again."""

    def __init__(self, clock: MonotonicClock, due: int, call: Callable[[], None]) -> None:
        self._clock = clock
        self._due = due
        self._call = call
        self._loop = asyncio.get_running_loop()
        self._cancelled = False
        self._timer = self._set()

    def _set(self) -> asyncio.TimerHandle:
        # The millisecond is up when it is over: `now` cuts off.
        return self._loop.call_later(max(0, self._due - self._clock.now() + 1) / 1000, self._ring)

    def _ring(self) -> None:
        if self._clock.now() < self._due:
            self._timer = self._set()
        else:
            self._clock.turns.add(self._take_turn)

    def _take_turn(self) -> None:
        if not self._cancelled:
            self._call()

    def cancel(self) -> None:
        self._cancelled = True
        self._timer.cancel()


class ManualClock:
    """A clock that stands still until somebody moves it, for tests."""

    def __init__(self) -> None:
        """Starts at 0."""
        self._now = 0
        self._calls: list[_ManualWake] = []
        self._made = 0

    def now(self) -> int:
        """The time in ms."""
        return self._now

    def call_at(self, due: int, call: Callable[[], None]) -> Wake:
        """Calls a function once the clock has been moved there; it is not called from in here."""
        self._made += 1
        wake = _ManualWake(self, due, self._made, call)
        insort(self._calls, wake)
        return wake

    def advance(self, ms: int, go_on: Callable[[], bool] | None = None) -> bool:
        """Lets time pass: every call is made at the very time at which it is due, in order.

        Args:
            ms: How many milliseconds, at least 0.
            go_on: Asked before each call; once it says no, the time stays where it is.

        Returns:
            Whether all of the time has passed.
        """
        until = self._now + ms
        while self._calls and self._calls[0].due <= until:
            if go_on is not None and not go_on():
                return False
            wake = self._calls.pop(0)
            self._now = max(self._now, wake.due)
            wake.call()
        self._now = until
        return True

    def jump(self, ms: int) -> None:
        """Lets time pass in one leap, as for a machine that was asleep: what was due is called late.

        Args:
            ms: How many milliseconds, at least 0.
        """
        self._now += ms
        self.advance(0)

    def forget(self, wake: _ManualWake) -> None:
        """Takes a call back."""
        if wake in self._calls:
            self._calls.remove(wake)


class _ManualWake:
    """A call that waits for a `ManualClock`."""

    def __init__(self, clock: ManualClock, due: int, number: int, call: Callable[[], None]) -> None:
        self.due = due
        self.call = call
        self._number = number
        self._clock = clock

    def __lt__(self, other: _ManualWake) -> bool:
        return (self.due, self._number) < (other.due, other._number)

    def cancel(self) -> None:
        self._clock.forget(self)
