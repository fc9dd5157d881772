"""What a server needs of a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bridge.settings import CannotServeError
from bridge.store.records import Change, ServerChanged, StoredBattle


class StoreError(CannotServeError):
    """A store cannot be opened, read or written; the message says which, where and why."""


class DamagedError(StoreError):
    """What a store has of one battle is not what was written; the message says what of it."""


class Store(Protocol):
    """Keeps battles. Reads are made by the thread of the event loop and short, writes by a thread of their own."""

    def server(self) -> ServerChanged:
        """What is kept of the server.

        Raises:
            StoreError: It cannot be read.
        """

    def overviews(self) -> Sequence[tuple[str, bytes]]:
        """The ids of all battles, each with its encoded Overview; empty where that is damaged.

        Raises:
            StoreError: They cannot be read.
        """

    def overview(self, battle_id: str) -> bytes | None:
        """The encoded Overview of one battle; empty when it is damaged, None when there is none.

        Raises:
            StoreError: It cannot be read.
        """

    def load(self, battle_id: str) -> StoredBattle | None:
        """Everything that is kept of a battle; None when it is nothing.

        Raises:
            DamagedError: Something of it is not as it was written.
            StoreError: It cannot be read.
        """

    def write(self, changes: Sequence[Change]) -> None:
        """Makes changes, in order and all or none; when it returns, they outlast a crash of the machine.

        Raises:
            StoreError: They cannot be made.
        """

    def close(self) -> None:
        """Lets go of the store. Nothing else is called after it."""
