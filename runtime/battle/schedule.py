"""A schedule: what is due when, on a clock that nobody but its owner advances.

Times are whole milliseconds from the schedule's start. Two items due at once come in the order in which
they were added. A schedule calls nobody: its owner takes out what is due.
"""

from __future__ import annotations

from bisect import insort
from typing import Any, Final

# The handle of a schedule's first item.
FIRST_HANDLE: Final = 1


class DueItem:
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
    """Items by due time.

    Attributes:
        now: The time, in ms. It never goes back.
        next_handle: The handle that the next item will get; they grow.
    """

    __slots__ = ("_items", "next_handle", "now")

    def __init__(self, now: int = 0) -> None:
        self.now = now
        # Sorted by due time and handle; handles differ, so what is in an item is never compared.
        self._items: list[tuple[int, int, Any]] = []
        self.next_handle = FIRST_HANDLE

    def __len__(self) -> int:
        return len(self._items)

    def add(self, delay: int, what: Any) -> int:
        """Adds an item.

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
        insort(self._items, (self.now + delay, handle, what))
        return handle

    def cancel(self, handle: int) -> bool:
        """Takes an item out; False when it is not there any more."""
        for place, item in enumerate(self._items):
            if item[1] == handle:
                del self._items[place]
                return True
        return False

    def postpone(self, first: int, ms: int) -> None:
        """Lets what was added last come later.

        Args:
            first: The handle of the first item that is concerned.
            ms: How much later, at least 0.
        """
        self._items = sorted(
            [(due + ms if handle >= first else due, handle, what) for due, handle, what in self._items],
            key=_due_and_handle,
        )

    def next_due(self) -> int:
        """When the next item is due; -1 when there is none."""
        return self._items[0][0] if self._items else -1

    def take(self, until: int) -> DueItem | None:
        """Takes out the next item that is due by a time, and moves the clock to when it was due.

        Args:
            until: The time, in ms.

        Returns:
            The item; None when nothing is due by then.
        """
        if not self._items or self._items[0][0] > until:
            return None
        due, handle, what = self._items.pop(0)
        self.now = max(self.now, due)
        return DueItem(due, handle, what)

    def advance_to(self, time: int) -> None:
        """Moves the clock on; a time that has passed is ignored."""
        self.now = max(self.now, time)

    def items(self) -> list[DueItem]:
        """All items in the order in which they are due."""
        return [DueItem(due, handle, what) for due, handle, what in self._items]

    def copy(self) -> Schedule:
        """A schedule of its own with the same items."""
        twin = Schedule(self.now)
        twin._items = self._items[:]
        twin.next_handle = self.next_handle
        return twin


def _due_and_handle(item: tuple[int, int, Any]) -> tuple[int, int]:
    return item[:2]
