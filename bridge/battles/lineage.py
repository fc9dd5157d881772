"""Which raises a raise answers: an event that answers itself, also by way of a client, is cut (R2.11)."""

from __future__ import annotations

from typing import Final

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, invalid
from runtime.graph.definitions import Content, EventDefinition

# How many of a battle's last raises can be answered.
_KEPT: Final = 1_000


class Lineages:
    """The last raises of one battle by sequence number, each with those that it answers."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._raises: dict[int, tuple[str, ...]] = {}
        self._forgotten = 0

    def add(self, sequence: int, guids: tuple[str, ...]) -> None:
        """Keeps a raise.

        Args:
            sequence: Number of the raise.
            guids: The GUIDs of the raises that it answers, outermost first, and its own.
        """
        self._raises[sequence] = guids
        if len(self._raises) > _KEPT:
            self._forgotten = next(iter(self._raises))
            del self._raises[self._forgotten]

    def answered(self, sequence: int) -> tuple[EventDefinition, ...]:
        """What a raise answers that answers the raise of this number; 0: nothing.

        Raises:
            CallError: No GES event has the number, or it was too long ago to be answered.
        """
        if not sequence:
            return ()
        guids = self._raises.get(sequence)
        if guids is None:
            if sequence <= self._forgotten:
                message = f"only the last {_KEPT} raises of a battle can be answered"
                raise CallError(ErrorReason.RAISE_GONE, message)
            raise invalid("answers", "0, or the number of a GES event of the battle", sequence)
        return tuple([self._content.events_by_guid[guid] for guid in guids])
