"""How long nobody has cared for each battle of a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

# However much later than the last time `pass_time` comes, no more idle time than this passes: a machine that has slept
# must not cost the battles of clients that have slept as well.
_MOST_STEP_MS: Final = 60_000


class IdleTime:
    """The idle time of battles by their ids. It passes with `pass_time` alone, and jumps less than the clock does."""

    def __init__(self, now: Callable[[], int], limit_seconds: float) -> None:
        """Makes it without battles.

        Args:
            now: The time in ms.
            limit_seconds: After how much of it a battle is over it.
        """
        self._now = now
        self._limit = limit_seconds * 1000
        self._seen = now()
        self._passed = 0
        # When each was last used.
        self._used: dict[str, int] = {}

    def pass_time(self) -> None:
        """Lets the time since the last call pass; it has to come several times in a minute."""
        now = self._now()
        self._passed += min(now - self._seen, _MOST_STEP_MS)
        self._seen = now

    def use(self, battle_id: str) -> None:
        """Somebody cares for a battle, which may be a new one: its idle time begins now."""
        self._used[battle_id] = self._passed

    def forget(self, battle_id: str) -> None:
        """A battle is gone."""
        del self._used[battle_id]

    def is_over(self, battle_id: str) -> bool:
        """Whether nobody has cared for a battle for too long."""
        return self._used[battle_id] <= self._passed - self._limit
