"""Turns for what is due on the server's clock, so that timers leave time for calls.

However many battles have something due, their timers take at most a quarter of the event loop's time: after a turn
they rest three times as long as it took. Who comes late for that finds the time passed, and beats of repeating raises
that were missed are left out (`bridge.battles.timetable`): so a server with more timers than it can carry out gives
fewer beats to each, first come, first served, and answers calls all the same.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Final

# How long a turn may take, in seconds; its last call is finished.
_TURN: Final = 0.001
_RESTS: Final = 3


class TimerTurns:
    """Calls that are due, made in turns."""

    def __init__(self, measure: Callable[[], float] = perf_counter) -> None:
        """Makes it without calls.

        Args:
            measure: Seconds, for how long calls take.
        """
        self._measure = measure
        self._due: deque[Callable[[], None]] = deque()
        # Whether a turn is being taken, or one is to come.
        self._set = False
        # Until when they rest.
        self._rests_until = 0.0

    def add(self, call: Callable[[], None]) -> None:
        """Makes a call when its turn comes: at once, if nobody waits and no rest is due.

        Args:
            call: What to call; it must not fail.
        """
        self._due.append(call)
        if self._set:
            return
        self._set = True
        wait = self._rests_until - self._measure()
        if wait <= 0.0:
            self._take_turn()
        else:
            asyncio.get_running_loop().call_later(wait, self._take_turn)

    def _take_turn(self) -> None:
        began = now = self._measure()
        try:
            while self._due and now - began < _TURN:
                self._due.popleft()()
                now = self._measure()
        finally:
            took = self._measure() - began
            self._rests_until = began + (1 + _RESTS) * took
            self._set = bool(self._due)
            if self._due:
                asyncio.get_running_loop().call_later(_RESTS * took, self._take_turn)
