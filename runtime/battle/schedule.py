"""A schedule: what is due when, on a clock that nobody but its owner advances.

Times are whole milliseconds from the schedule's start. Two entries due at once come in the order in which
they were added. A schedule calls nobody: its owner takes out what is due.
"""

from __future__ import annotations

from bisect import insort
from typing import Any, Final

# The handle of a schedule's first entry.
FIRST_HANDLE: Final = 1


class Entry:
    """Something that is due.

    Attributes:
        due: When, in ms.
        handle: Its number, never used again.
        what: What the owner put in.
    """

    __slots__ = ("due", "handle", "what")

    def __init__(self, due: int, handle: int, what: Any) -> None:
        self.due = due
        self.handle = handle
        self.what = what


class Schedule:
    """Entries by due time.

    Attributes:
        now: The time, in ms. It never goes back.
        next_handle: The handle that the next entry will get; they grow.
    """

    __slots__ = ("_entries", "next_handle", "now")

    def __init__(self, now: int = 0) -> None:
        self.now = now
        # Sorted by due time and handle; handles differ, so what is in an entry is never compared.
        self._entries: list[tuple[int, int, Any]] = []
        self.next_handle = FIRST_HANDLE

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, delay: int, what: Any) -> int:
        """Adds an entry.

        Args:
            delay: In how many ms from now it is due, at least 0.
            what: Anything.

        Returns:
            Its handle.

        Raises:
            ValueError: The delay is negative.
        """
        if delay < 0:
            raise ValueError(f"delay: expected 0 or more ms, got {delay}")
        handle = self.next_handle
        self.next_handle = handle + 1
        insort(self._entries, (self.now + delay, handle, what))
        return handle

    def cancel(self, handle: int) -> bool:
        """Takes an entry out; False when it is not there any more."""
        for place, entry in enumerate(self._entries):
            if entry[1] == handle:
                del self._entries[place]
                return True
        return False

    def postpone(self, first: int, ms: int) -> None:
        """Lets what was added last come later.

        Args:
            first: The handle of the first entry that is concerned.
            ms: How much later, at least 0.
        """
        self._entries = sorted(
            [(due + ms if handle >= first else due, handle, what) for due, handle, what in self._entries],
            key=_due_and_handle,
        )

    def next_due(self) -> int:
        """When the next entry is due; -1 when there is none."""
        return self._entries[0][0] if self._entries else -1

    def take(self, until: int) -> Entry | None:
        """Takes out the next entry that is due by a time, and moves the clock to when it was due.

        Args:
            until: The time, in ms.

        Returns:
            The entry; None when nothing is due by then.
        """
        if not self._entries or self._entries[0][0] > until:
            return None
        due, handle, what = self._entries.pop(0)
        self.now = max(self.now, due)
        return Entry(due, handle, what)

    def advance_to(self, time: int) -> None:
        """Moves the clock on; a time that has passed is ignored."""
        self.now = max(self.now, time)

    def entries(self) -> list[Entry]:
        """All entries in the order in which they are due."""
        return [Entry(due, handle, what) for due, handle, what in self._entries]

    def copy(self) -> Schedule:
        """A schedule of its own with the same entries."""
        twin = Schedule(self.now)
        twin._entries = self._entries[:]
        twin.next_handle = self.next_handle
        return twin


def _due_and_handle(entry: tuple[int, int, Any]) -> tuple[int, int]:
    return entry[:2]
