"""What has reached a battle, as encoded steps of a replay (R8.2), and how much a battle may keep."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bridge.error_reasons import ErrorReason
from bridge.errors import exhausted

# What a step costs beside its bytes, and what an event costs that has been sent: its number stays taken.
_STEP_BYTES: Final = 64
_EVENT_BYTES: Final = 8


class ReplaySteps:
    """The steps of one battle, in order.

    Attributes:
        most_bytes: How many bytes may be kept; 0: any number.
    """

    __slots__ = ("_bytes", "_steps", "most_bytes")

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._steps: list[bytes] = []
        self._bytes = 0

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._steps)

    def __len__(self) -> int:
        return len(self._steps)

    def add(self, step: bytes) -> None:
        """Keeps a step that was carried out."""
        self._steps.append(step)
        self._bytes += len(step) + _STEP_BYTES

    def count_events(self, count: int) -> None:
        """Counts events that the battle has had."""
        self._bytes += count * _EVENT_BYTES

    @property
    def full(self) -> bool:
        """Whether no more can be kept: then nothing more happens in the battle but its end."""
        return 0 < self.most_bytes <= self._bytes

    def require_room(self) -> None:
        """Refuses another step when no more can be kept.

        Raises:
            CallError: No more can be kept.
        """
        if self.full:
            message = f"the battle has kept {self._bytes} bytes of steps; end it, and start another"
            raise exhausted(ErrorReason.BATTLE_TOO_LARGE, message, self.most_bytes)
