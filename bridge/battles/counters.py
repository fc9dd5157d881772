"""What a server counts while it plays. Plain numbers: they are turned into metrics when somebody asks for them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Final

# Upper ends of the histogram's buckets, in seconds. An action takes well below a millisecond; a large one a few.
BUCKETS: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
_BUCKETS_NS: Final = tuple(int(seconds * 1e9) for seconds in BUCKETS)

_MOST_NOTED: Final = 1_000

DONE: Final = "DONE"
IDLE: Final = "idle"
ENDED: Final = "ended"


class Durations:
    """How long something took: how many fell into each bucket, and their sum.

    Attributes:
        counts: By bucket, not cumulated; the last one is for all beyond the others.
        total_ns: All together.
    """

    __slots__ = ("counts", "total_ns")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total_ns = 0

    def add(self, nanoseconds: int) -> None:
        """Counts one."""
        self.counts[bisect_left(_BUCKETS_NS, nanoseconds)] += 1
        self.total_ns += nanoseconds


class Counters:
    """What has happened since the server's start.

    Attributes:
        repeated_actions: Actions that had been carried out already and were sent again.
        battles_started: Battles.
        battles_over: Battles that have come to their end, by outcome.
        battles_dropped: Battles that are gone, by reason: IDLE or ENDED.
        faults: Faults in battles, by kind.
        failed_calls: Calls and streams that ended with an error, by method and reason.
        open_streams: Open streams by method.
    """

    __slots__ = (
        "_action_durations",
        "_actions",
        "_noted",
        "battles_dropped",
        "battles_over",
        "battles_started",
        "failed_calls",
        "faults",
        "open_streams",
        "repeated_actions",
    )

    def __init__(self) -> None:
        self._actions: Counter[tuple[str, str]] = Counter()
        self._action_durations = Durations()
        # Actions that are not counted yet, with how long they took, in ns: counting them one by one, between two
        # messages, would take longer than all of them at once.
        self._noted: list[tuple[str, str, int]] = []
        self.repeated_actions = 0
        self.battles_started = 0
        self.battles_over: Counter[str] = Counter()
        self.battles_dropped: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.failed_calls: Counter[tuple[str, str]] = Counter()
        self.open_streams: Counter[str] = Counter()

    def acted(self, kind: str, result: str, nanoseconds: int) -> None:
        """Counts an action.

        Args:
            kind: Kind of the action on the wire.
            result: DONE, or the reason of its rejection.
            nanoseconds: How long it took.
        """
        noted = self._noted
        noted.append((kind, result, nanoseconds))
        if len(noted) >= _MOST_NOTED:
            self._count_noted()

    @property
    def actions(self) -> Counter[tuple[str, str]]:
        """Actions by their kind on the wire and their result: DONE, or the reason of the rejection."""
        self._count_noted()
        return self._actions

    @property
    def action_durations(self) -> Durations:
        """How long actions took that were carried out or rejected."""
        self._count_noted()
        return self._action_durations

    def _count_noted(self) -> None:
        for kind, result, nanoseconds in self._noted:
            self._actions[kind, result] += 1
            self._action_durations.add(nanoseconds)
        self._noted.clear()
