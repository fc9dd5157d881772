"""What the answer of a call rests on: it goes out when that is on disk, and no call can forget to wait for it.

Whatever a call is handed that a store keeps is noted by `rests_on`, and `durable` waits for all of it at the call's
end, however that is. Streams have queues of their own, in which messages are held (`BattleJournal.hold`).
"""

from __future__ import annotations

from collections.abc import Awaitable
from contextvars import ContextVar
from typing import Final, Protocol, TypeVar

T = TypeVar("T")


class Durable(Protocol):
    """Something that a store keeps."""

    async def stored(self) -> None:
        """Waits until it is on disk as it is now.

        Raises:
            CallError: The store has failed.
        """


_noted: Final[ContextVar[list[Durable] | None]] = ContextVar("noted", default=None)


def rests_on(durable: Durable) -> None:
    """Notes that the answer of the call that runs, if one does, rests on something."""
    noted = _noted.get()
    if noted is not None and durable not in noted:
        noted.append(durable)


async def durable(call: Awaitable[T]) -> T:
    """Carries out a call, and waits for what its answer or its error rests on.

    Args:
        call: The call.

    Raises:
        CallError: The store has failed.
    """
    noted: list[Durable] = []
    token = _noted.set(noted)
    try:
        return await call
    finally:
        _noted.reset(token)
        for each in noted:
            await each.stored()
