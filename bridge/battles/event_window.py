"""The encoded events of a battle, kept for clients that come back; the oldest are forgotten."""

from __future__ import annotations

from collections import deque

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError
from bridge.pb.gcs.v1 import events_pb2


class EventWindow:
    """Events as the encoded field `events` of updates, in the pieces in which they were told.

    Attributes:
        last: The number of the last event.
    """

    __slots__ = ("_bytes", "_kept", "_most_bytes", "_spans", "last")

    def __init__(self, kept: int, most_bytes: int) -> None:
        """Makes it empty.

        Args:
            kept: How many events are kept at least, if they are not too large.
            most_bytes: How large all of them together may be; the last piece stays whatever its size.
        """
        self._kept = kept
        self._most_bytes = most_bytes
        self._bytes = 0
        # Consecutive events: the numbers of the first and the last one, and all of them encoded.
        self._spans: deque[tuple[int, int, bytes]] = deque()
        self.last = 0

    def add(self, last: int, encoded: bytes) -> None:
        """Adds the next events.

        Args:
            last: The number of the last one.
            encoded: The events.
        """
        spans = self._spans
        spans.append((self.last + 1, last, encoded))
        self.last = last
        self._bytes += len(encoded)
        while len(spans) > 1 and (spans[0][1] <= last - self._kept or self._bytes > self._most_bytes):
            self._bytes -= len(spans.popleft()[2])

    def between(self, first: int, last: int) -> bytes:
        """The events from one number to another as far as they are kept; both must be ends of pieces."""
        return b"".join([encoded for begin, end, encoded in self._spans if begin >= first and end <= last])

    def after(self, after: int) -> tuple[int, bytes]:
        """The number of the first event behind a number, 0 for none, and the events from it on.

        Args:
            after: The number; with 0 all that are kept.

        Raises:
            CallError: Some of them are forgotten, or none has had that number yet.
        """
        kept_from = self._spans[0][0] if self._spans else self.last + 1
        if after > self.last:
            raise CallError(
                ErrorReason.UNKNOWN_SEQUENCE,
                f"the battle has had {self.last} events, not {after}",
                {"last_sequence": str(self.last)},
            )
        if 0 < after < kept_from - 1:
            raise CallError(
                ErrorReason.EVENTS_GONE,
                f"events are kept from number {kept_from} on; join again with last_sequence 0",
                {"first_sequence": str(kept_from)},
            )
        after = max(after, kept_from - 1)
        if after == self.last:
            return 0, b""
        parts = []
        for first, last, encoded in self._spans:
            if first > after:
                parts.append(encoded)
            elif last > after:
                parts.append(_cut(encoded, after))
        return after + 1, b"".join(parts)


def _cut(encoded: bytes, after: int) -> bytes:
    """The events behind a number."""
    update = events_pb2.Update.FromString(encoded)
    return events_pb2.Update(events=[event for event in update.events if event.sequence > after]).SerializeToString()
