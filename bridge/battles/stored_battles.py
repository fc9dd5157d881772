"""The battles of a store that are not in memory: listed at once, loaded when somebody asks for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

import msgspec

from bridge.battles.counters import Counters
from bridge.battles.packs import PackLibrary
from bridge.battles.restoring import RestoreError, prepare, restoring
from bridge.battles.session import Session
from bridge.battles.slices import Slices, at_once
from bridge.battles.telemetry import BattleTelemetry
from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, not_found
from bridge.ges import Ges
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerSettings
from bridge.store.interface import DamagedError, Store, StoreError
from bridge.store.journal import BattleJournal, store_failed
from bridge.store.records import Overview, StoredBattle, overview_of

_log: Final = logging.getLogger(__name__)

_UNREADABLE: Final = Overview(summary=b"", running=False, callers=(), timed=False)


class StoredBattles:
    """What is known of them by their ids. Without a store there are none.

    One that cannot be loaded is told of in the log and stays as it is on disk: another version of gcs
    may be able to play it.
    """

    def __init__(
        self,
        store: Store | None,
        settings: ServerSettings,
        library: PackLibrary,
        ges: Ges,
        counters: Counters,
        *,
        journal_of: Callable[[str, int, Overview], BattleJournal],
        take: Callable[[Session], None],
    ) -> None:
        """Reads what there is.

        Args:
            store: The store, if there is one.
            settings: Those of the server.
            library: The packs.
            ges: The bridge that the battles belong to.
            counters: What happens from then on is counted in them.
            journal_of: Makes a battle's journal from its id, the number of its steps and its overview on disk.
            take: Is given each battle that is in memory from then on.

        Raises:
            StoreError: It cannot be read.
        """
        self._store = store
        self._settings = settings
        self._library = library
        self._ges = ges
        self._counters = counters
        self._journal_of = journal_of
        self._take = take
        self._slices = Slices()
        # Those that are being loaded, and why no more are.
        self._coming: dict[str, asyncio.Task[None]] = {}
        self._closed: CallError | None = None
        self._overviews: dict[str, Overview] = {}
        self._broken: dict[str, CallError] = {}
        for battle_id, encoded in store.overviews() if store is not None else ():
            try:
                self.put(battle_id, overview_of(encoded))
            except msgspec.MsgspecError as error:
                self.put(battle_id, _UNREADABLE)
                self._break(battle_id, f"its overview is damaged: {error}")

    def __len__(self) -> int:
        return len(self._overviews)

    def __contains__(self, battle_id: str) -> bool:
        return battle_id in self._overviews

    @property
    def running(self) -> int:
        """How many of them go on."""
        return sum(known.running for known in self._overviews.values())

    def ids(self) -> list[str]:
        """All ids."""
        return list(self._overviews)

    def of_caller(self, caller: str) -> list[str]:
        """The ids of running battles that somebody has started or joined."""
        return [name for name, known in self._overviews.items() if known.running and caller in known.callers]

    def timed(self) -> list[str]:
        """The ids of those in which something is due on the server's clock."""
        return [name for name, known in self._overviews.items() if known.timed and name not in self._broken]

    def is_broken(self, battle_id: str) -> bool:
        """Whether a battle cannot be loaded."""
        return battle_id in self._broken

    def plays(self, pack_id: str) -> bool:
        """Whether any of them plays with a pack of this id."""
        return any(self.summary(battle_id).pack == pack_id for battle_id in self._overviews)

    def summary(self, battle_id: str) -> service_pb2.BattleSummary:
        """A battle in short."""
        summary = service_pb2.BattleSummary.FromString(self._overviews[battle_id].summary)
        summary.battle_id = battle_id
        return summary

    def overview(self, battle_id: str) -> Overview:
        """What is known of a battle."""
        return self._overviews[battle_id]

    def put(self, battle_id: str, overview: Overview) -> None:
        """A battle is not in memory any more."""
        self._overviews[battle_id] = overview

    def forget(self, battle_id: str) -> None:
        """A battle was dropped."""
        del self._overviews[battle_id]
        self._broken.pop(battle_id, None)

    @property
    def closed(self) -> bool:
        """Whether no more are loaded apart."""
        return self._closed is not None

    def close(self, error: CallError) -> None:
        """Brings no more back apart: who waits for one or asks for one is told the error."""
        self._closed = error
        for task in self._coming.values():
            task.cancel()

    def is_coming(self, battle_id: str) -> bool:
        """Whether a battle is being loaded."""
        return battle_id in self._coming

    def load_at_once(self, battle_id: str) -> Session:
        """Brings a battle into memory at once, at exactly the point at which it was.

        Args:
            battle_id: The battle.

        Raises:
            CallError: There is no such battle, it cannot be loaded, or the store cannot be read now.
        """
        stored = self._load(battle_id)
        overview = self._overviews[battle_id]
        try:
            prepared = prepare(stored, self._library)
            session = at_once(restoring(battle_id, prepared, overview, self._settings))
        except Exception as error:
            raise self._broken_by(battle_id, error) from error
        return self._attach(session, len(stored.steps), overview)

    async def load(self, battle_id: str) -> None:
        """Brings a battle into memory like `load_at_once`, beside those that go on, if it is one of these.

        Its pack is compiled in the library's thread, and its steps are carried out in slices. All who wait for one
        share the work.

        Args:
            battle_id: The battle.

        Raises:
            CallError: It cannot be loaded, the store cannot be read now, or no more are loaded.
        """
        # More than once only for one that was given up again at once, as its store has failed.
        while battle_id in self._overviews:
            if self._closed is not None:
                raise self._closed
            task = self._coming.get(battle_id)
            if task is None:
                task = asyncio.create_task(self._load_beside(battle_id))
                self._coming[battle_id] = task
                task.add_done_callback(partial(self._has_come, battle_id))
            # Who does not wait any longer takes it from nobody else.
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

    def _has_come(self, battle_id: str, task: asyncio.Task[None]) -> None:
        del self._coming[battle_id]
        if not task.cancelled():
            # Read here, as nobody may be waiting any more: the log has it.
            task.exception()

    async def _load_beside(self, battle_id: str) -> None:
        stored = self._load(battle_id)
        overview = self._overviews[battle_id]
        try:
            prepared = await self._library.apart(prepare, stored, self._library)
            session = await self._slices.work_off(restoring(battle_id, prepared, overview, self._settings))
        except Exception as error:
            if self._overviews.get(battle_id) is not overview:
                # It was dropped or loaded meanwhile.
                return
            raise self._broken_by(battle_id, error) from error
        if self._overviews.get(battle_id) is overview:
            self._attach(session, len(stored.steps), overview)

    def _load(self, battle_id: str) -> StoredBattle:
        broken = self._broken.get(battle_id)
        if broken is not None:
            raise broken
        if self._store is None or battle_id not in self._overviews:
            raise not_found("battle", battle_id)
        try:
            stored = self._store.load(battle_id)
        except DamagedError as error:
            raise self._break(battle_id, f"the store is damaged: {error}") from error
        except StoreError as error:
            _log.error("cannot bring a battle back: %s", error, extra={"battle_id": battle_id})
            raise store_failed(error) from error
        if stored is None:
            self.forget(battle_id)
            raise not_found("battle", battle_id)
        return stored

    def _broken_by(self, battle_id: str, error: Exception) -> CallError:
        if isinstance(error, RestoreError):
            return self._break(battle_id, str(error))
        # Whatever damaged records bring about: this battle is concerned, and no other.
        return self._break(battle_id, f"{type(error).__name__}: {error}", error)

    def _attach(self, session: Session, steps: int, overview: Overview) -> Session:
        battle_id = session.battle_id
        journal = self._journal_of(battle_id, steps, overview)
        del self._overviews[battle_id]
        _log.info("battle loaded", extra={"battle_id": battle_id})
        telemetry = BattleTelemetry(battle_id, self._counters)
        session.attach(self._ges, self._ges.clock, self._settings.allow_set_state, telemetry, journal)
        session.raises.set_database_active(self._ges.is_active(session.battle.content.id))
        self._take(session)
        return session

    def _break(self, battle_id: str, why: str, unexpected: Exception | None = None) -> CallError:
        text = "a battle cannot be loaded, and stays in the store as it is: %s"
        _log.error(text, why, exc_info=unexpected, extra={"battle_id": battle_id})
        message = f"battle {battle_id!r} cannot be loaded: {why}"
        error = CallError(ErrorReason.BATTLE_NOT_RESTORED, message, {"battle": battle_id})
        self._broken[battle_id] = error
        return error
