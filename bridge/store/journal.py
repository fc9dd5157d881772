"""The way of battles into a store: written in groups by a thread, and nothing told before it is on disk.

A battle carries out an action in memory and records it here; what it has to say about it is held. All that
was recorded until the thread is free goes into one transaction (a flush to the disk takes as long as many
actions, and one is enough for all of them); once that is on disk, what was held goes out, in order.

When the store cannot be written, memory and disk must not go apart: all battles with something unwritten are
given up in memory, whoever waits gets `STORE_FAILED`, and the battles are loaded from the store, as they
were before, when somebody asks for them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError
from bridge.store.interface import Store
from bridge.store.records import (
    BattleDropped,
    BattleStarted,
    Change,
    Overview,
    OverviewChanged,
    ServerChanged,
    StartRecord,
    Step,
    StepTaken,
    encode,
)

_log: Final = logging.getLogger(__name__)

# Called without an error when all that it rests on is on disk, with one when that was lost.
Held: TypeAlias = Callable[[CallError | None], None]


def store_failed(error: object) -> CallError:
    """What a caller is told when the store fails.

    Args:
        error: Why.
    """
    message = f"the store has failed, and what was asked may not have been done; ask again. {error}"
    return CallError(ErrorReason.STORE_FAILED, message)


class _Batch:
    """Changes that are written together.

    Attributes:
        changes: The changes.
        journals: The battles with changes among them, each with its overview once that is made.
        held: What waits for them.
        done: Whether they are on disk, or lost.
    """

    __slots__ = ("changes", "done", "held", "journals")

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.journals: dict[BattleJournal, Overview | None] = {}
        self.held: list[Held] = []
        self.done = False

    def forget(self) -> None:
        """Lets go of all that has been written and told: each battle holds the last batch that it was part of."""
        self.changes = []
        self.journals = {}
        self.held = []


class Journal:
    """What is on its way into the store of a server. All of it belongs to the thread of the event loop."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        """Makes it empty.

        Args:
            store: The store.
            now: The server's clock, in ms. It is written along with everything.
        """
        self._store = store
        self._now = now
        self._inactive = store.server().inactive
        # What is being collected, and what the thread writes.
        self._collecting: _Batch | None = None
        self._writing: _Batch | None = None
        self._thread = ThreadPoolExecutor(1, "gcs-store")

    def add(self, change: Change, journal: BattleJournal) -> _Batch:
        """Adds a change to what is written next.

        Args:
            change: The change.
            journal: The battle that it belongs to.
        """
        batch = self._open()
        batch.changes.append(change)
        batch.journals[journal] = None
        return batch

    def _open(self) -> _Batch:
        batch = self._collecting
        if batch is None:
            batch = self._collecting = _Batch()
            if self._writing is None:
                # Not at once: the running action has more to record.
                asyncio.get_running_loop().call_soon(self._write)
        return batch

    def switch_databases(self, inactive: set[str]) -> None:
        """Records which packs' GES events are off (R6.6)."""
        self._inactive = tuple(sorted(inactive))
        self.keep_time()

    def keep_time(self) -> None:
        """Records the time on the server's clock, which goes on from it after a restart."""
        # It is part of every batch.
        self._open()

    async def stored(self) -> None:
        """Waits until all that has been recorded is on disk.

        Raises:
            CallError: It was lost.
        """
        batch = self._collecting or self._writing
        if batch is not None:
            await wait_for(batch)

    async def close(self) -> None:
        """Writes what is there to be written and closes the store."""
        while (batch := self._collecting or self._writing) is not None:
            with suppress(CallError):
                await wait_for(batch)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
        self._thread.shutdown()

    def _write(self) -> None:
        batch = self._collecting
        if batch is None or self._writing is not None:
            return
        self._collecting = None
        self._writing = batch
        for journal in batch.journals:
            if journal.describe is not None:
                overview = batch.journals[journal] = journal.describe()
                batch.changes.append(OverviewChanged(journal.battle_id, encode(overview)))
        batch.changes.append(ServerChanged(self._now(), self._inactive))
        written = asyncio.get_running_loop().run_in_executor(self._thread, self._store.write, batch.changes)
        written.add_done_callback(partial(self._written, batch))

    def _written(self, batch: _Batch, written: asyncio.Future[None]) -> None:
        self._writing = None
        error = written.exception()
        if error is not None:
            self._give_up(batch, error)
            return
        batch.done = True
        for journal, overview in batch.journals.items():
            journal.stored_overview = overview
        # The thread goes on while those who waited are told.
        self._write()
        for deliver in batch.held:
            deliver(None)
        batch.forget()

    def _give_up(self, batch: _Batch, error: BaseException) -> None:
        """Gives up what could not be written, and what was recorded meanwhile: it rests on the same memory."""
        _log.error("cannot write to the store: %s", error, exc_info=error)
        lost = [batch] if self._collecting is None else [batch, self._collecting]
        self._collecting = None
        failed = store_failed(error)
        journals = dict.fromkeys([journal for one in lost for journal in one.journals])
        for journal in journals:
            journal.give_up(failed)
        for one in lost:
            one.done = True
            for deliver in one.held:
                deliver(failed)
            one.forget()


class BattleJournal:
    """One battle's part of a journal.

    Attributes:
        battle_id: The battle.
        describe: Makes the battle's overview; None once it is dropped.
        stored_overview: The last overview that is on disk; None when nothing of the battle is.
    """

    __slots__ = (
        "_batch",
        "_closed",
        "_dropped",
        "_failed",
        "_journal",
        "_number",
        "_on_failed",
        "battle_id",
        "describe",
        "stored_overview",
    )

    def __init__(
        self,
        journal: Journal,
        battle_id: str,
        on_failed: Callable[[BattleJournal, CallError], None],
        steps: int = 0,
        stored_overview: Overview | None = None,
    ) -> None:
        """Makes it for a battle that is about to start or was loaded.

        Args:
            journal: The journal of the server.
            battle_id: The battle.
            on_failed: Called with it and an error when something of it could not be written: what is in memory is
                to be given up.
            steps: How many steps of it are on disk.
            stored_overview: Overview of the battle there.
        """
        self.battle_id = battle_id
        self.describe: Callable[[], Overview] | None = None
        self.stored_overview = stored_overview
        self._journal = journal
        self._number = steps
        self._on_failed = on_failed
        self._batch: _Batch | None = None
        self._dropped = False
        # Why nothing more can be done with the battle, and whether something recorded was lost.
        self._closed: CallError | None = None
        self._failed = False

    def start(self, start: StartRecord, pack_key: str, pack_text: bytes) -> None:
        """Records that the battle has started."""
        self._batch = self._journal.add(BattleStarted(self.battle_id, encode(start), pack_key, pack_text), self)

    def record(self, step: Step) -> None:
        """Records a step that was accepted, before anybody is told of it."""
        if not self._dropped:
            self._number += 1
            self._batch = self._journal.add(StepTaken(self.battle_id, self._number, encode(step)), self)

    def drop(self) -> None:
        """Records that nothing is to be kept of the battle, whatever is still done with it."""
        self._batch = self._journal.add(BattleDropped(self.battle_id), self)
        self._dropped = True
        self.describe = None

    def close(self, error: CallError) -> None:
        """Nothing more is to be done with the battle.

        Args:
            error: What who tries is told.
        """
        self._closed = error

    def require(self) -> None:
        """Refuses to go on with a battle that is dropped or was given up.

        Raises:
            CallError: It is.
        """
        if self._closed is not None:
            raise self._closed

    def hold(self, deliver: Held) -> None:
        """Calls something once all that the battle has recorded is on disk or lost: now, if it is on disk."""
        batch = self._batch
        if batch is None or batch.done:
            deliver(self._closed if self._failed else None)
        else:
            batch.held.append(deliver)

    def unstored(self) -> asyncio.Future[None] | None:
        """Waits for all that the battle has recorded; None when it is on disk.

        Raises:
            CallError: Something was lost.
        """
        batch = self._batch
        if batch is not None and not batch.done:
            return wait_for(batch)
        if self._failed and self._closed is not None:
            raise self._closed
        return None

    async def stored(self) -> None:
        """Waits for all that the battle has recorded.

        Raises:
            CallError: Something was lost.
        """
        unstored = self.unstored()
        if unstored is not None:
            await unstored

    def give_up(self, error: CallError) -> None:
        """Something that was recorded is lost."""
        self._closed = error
        self._failed = True
        self._on_failed(self, error)


def wait_for(batch: _Batch) -> asyncio.Future[None]:
    """Is done when a batch is on disk; fails when it is lost."""
    saved: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def settle(error: CallError | None) -> None:
        if saved.cancelled():
            return
        if error is None:
            saved.set_result(None)
        else:
            saved.set_exception(error)

    batch.held.append(settle)
    return saved
