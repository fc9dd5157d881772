"""How many actions one client may send in a second."""

from __future__ import annotations

import time
from collections.abc import Callable

from bridge.errors import exhausted

_MOST_CLIENTS = 10_000


class RateLimit:
    """A bucket of tokens per client that fills again with time."""

    __slots__ = ("_buckets", "_clock", "_rate")

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Makes full buckets.

        Args:
            per_second: Actions in a second, and how many may come at once; 0: no limit.
            clock: Seconds that only grow.
        """
        self._rate = per_second
        self._clock = clock
        # By client: the tokens left, and when they were counted.
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, client: str) -> None:
        """Counts an action of a client.

        Raises:
            CallError: It has sent too many.
        """
        rate = self._rate
        if not rate:
            return
        now = self._clock()
        left, counted = self._buckets.pop(client, (float(rate), now))
        left = min(float(rate), left + max(0.0, now - counted) * rate)
        if left < 1.0:
            self._buckets[client] = (left, now)
            raise exhausted("TOO_MANY_ACTIONS", f"more than {rate} actions in a second", rate)
        # The bucket used last stands last: the first one is full again or its client is gone.
        self._buckets[client] = (left - 1.0, now)
        if len(self._buckets) > _MOST_CLIENTS:
            del self._buckets[next(iter(self._buckets))]
