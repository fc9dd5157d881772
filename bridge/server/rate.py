"""How many actions one client may send in a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from bridge.error_reasons import ErrorReason
from bridge.errors import exhausted

_MOST_CLIENTS = 10_000


class RateLimit:
    """A bucket of tokens for each of those that actions are counted for, which fills again with time."""

    __slots__ = ("_buckets", "_clock", "_rate")

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Makes full buckets.

        Args:
            per_second: Actions in a second, and how many may come at once; 0: no limit.
            clock: Seconds that only grow.
        """
        self._rate = per_second
        self._clock = clock
        # For each: the tokens left, and when they were counted.
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, *counted: str) -> None:
        """Counts an action.

        Args:
            counted: For whom (`bridge.server.callers`).

        Raises:
            CallError: One of them has sent too many; it is counted for none then.
        """
        rate = self._rate
        if not rate:
            return
        now = self._clock()
        full = float(rate)
        left = [self._left(client, now, full) for client in counted]
        taken = 1.0 if min(left) >= 1.0 else 0.0
        for client, tokens in zip(counted, left, strict=True):
            # A full bucket needs no place: names that are refused fill none. The one used last stands last, so the
            # first one is full again or its client is gone.
            if tokens - taken < full:
                self._buckets[client] = (tokens - taken, now)
        if not taken:
            raise exhausted(ErrorReason.TOO_MANY_ACTIONS, f"more than {rate} actions in a second", rate)
        while len(self._buckets) > _MOST_CLIENTS:
            del self._buckets[next(iter(self._buckets))]

    def _left(self, client: str, now: float, full: float) -> float:
        tokens, since = self._buckets.pop(client, (full, now))
        return min(full, tokens + max(0.0, now - since) * full)
