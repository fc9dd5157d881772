"""All battles of a server: started once under their id, found again, dropped when nobody cares any more.

With a store they outlive the server. Then a battle is in memory from the first time that somebody asks for
it; until then, only what lists it is.
"""

from __future__ import annotations

import logging
import re
import uuid
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Final

from bridge.battles.battle_setup import BattleSetup, resolve_setup, setup_of
from bridge.battles.counters import ENDED, IDLE, Counters
from bridge.battles.idle_time import IdleTime
from bridge.battles.packs import PackLibrary
from bridge.battles.recorded_start import hash_of
from bridge.battles.session import Session
from bridge.battles.start import start_session
from bridge.battles.stored_battles import StoredBattles
from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, exhausted, invalid, not_found
from bridge.ges import Ges
from bridge.pb.gcs.v1 import events_pb2, service_pb2
from bridge.settings import ServerSettings
from bridge.store import BattleJournal, Journal, Overview, Store, rests_on

_log: Final = logging.getLogger(__name__)

_BATTLE_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


class Battles:
    """The battles by id."""

    def __init__(
        self,
        settings: ServerSettings,
        library: PackLibrary,
        ges: Ges,
        counters: Counters | None = None,
        store: Store | None = None,
    ) -> None:
        """Makes a server with the battles of its store, or without any.

        Args:
            settings: What is allowed, and the limits.
            library: The packs.
            ges: The bridge to GES; its clock is that of idle battles as well.
            counters: What happens is counted in them.
            store: Where the battles are kept; None: nowhere.

        Raises:
            StoreError: The store cannot be read.
        """
        self._settings = settings
        self._library = library
        self._ges = ges
        self._counters = counters or Counters()
        self._sessions: dict[str, Session] = {}
        self._idle = IdleTime(ges.clock.now, settings.limits.idle_seconds)
        self._journal: Journal | None = None
        if store is not None:
            self._journal = Journal(store, ges.clock.now)
            ges.inactive.update(store.server().inactive)
        # Those that are not in memory.
        self._stored = StoredBattles(
            store, settings, library, ges, self._counters, journal_of=self._journal_of, take=self._take_back
        )
        for battle_id in self._stored.ids():
            self._idle.use(battle_id)

    def __len__(self) -> int:
        return len(self._sessions) + len(self._stored)

    def __iter__(self) -> Iterator[Session]:
        """Those that are in memory."""
        return iter(list(self._sessions.values()))

    @property
    def running(self) -> int:
        """How many of them go on."""
        return self._stored.running + sum(session.running for session in self._sessions.values())

    async def load(self, battle_id: str) -> Session:
        """A battle by its id like `get`; one that is not in memory is loaded beside those that go on.

        Raises:
            CallError: There is none, or the store has it and it cannot be loaded.
        """
        await self._stored.load(battle_id)
        return self.get(battle_id)

    def get(self, battle_id: str) -> Session:
        """A battle by its id. One that is not in memory is loaded at once, and everybody else waits for that.

        Raises:
            CallError: There is none, or the store has it and it cannot be loaded.
        """
        session = self._sessions.get(battle_id)
        if session is None:
            session = self._stored.load_at_once(battle_id)
        self._idle.use(battle_id)
        rests_on(session)
        return session

    async def of_caller(self, caller: str) -> list[Session]:
        """The running battles that somebody has started or joined, in order of their ids.

        They are loaded beside those that go on, as far as that can be done; about the others, the log has it.

        Args:
            caller: Who (`bridge.server.callers`).

        Raises:
            CallError: The server stops.
        """
        for battle_id in self._stored.of_caller(caller):
            try:
                await self._stored.load(battle_id)
            except CallError:
                if self._stored.closed:
                    raise
        sessions = [
            session for _, session in sorted(self._sessions.items()) if session.running and caller in session.callers
        ]
        for session in sessions:
            self._idle.use(session.battle_id)
            rests_on(session)
        return sessions

    def page(self, after: str, size: int) -> tuple[list[service_pb2.BattleSummary], bool]:
        """Some battles in short, in order of their ids, and whether there are more.

        Args:
            after: They come behind this id.
            size: The most battles.
        """
        rests_on(self)
        ids = sorted({*self._sessions, *self._stored.ids()})
        start = bisect_right(ids, after)
        return [self._summary(battle_id) for battle_id in ids[start : start + size]], start + size < len(ids)

    def _summary(self, battle_id: str) -> service_pb2.BattleSummary:
        session = self._sessions.get(battle_id)
        return session.summary() if session is not None else self._stored.summary(battle_id)

    def plays(self, pack_id: str) -> bool:
        """Whether any battle plays with a pack of this id."""
        return self._stored.plays(pack_id) or any(session.battle.content.id == pack_id for session in self)

    def set_database_active(self, pack_id: str, active: bool) -> bool:
        """Switches the GES events of a pack on or off, in all its battles (R6.6).

        Returns:
            Whether they were on.
        """
        rests_on(self)
        was_active = self._ges.is_active(pack_id)
        if was_active != active:
            if active:
                self._ges.inactive.discard(pack_id)
            else:
                self._ges.inactive.add(pack_id)
            if self._journal is not None:
                self._journal.switch_databases(self._ges.inactive)
            for session in self:
                if session.battle.content.id == pack_id:
                    session.raises.set_database_active(active)
        return was_active

    async def load_or_start(self, request: service_pb2.StartBattleRequest) -> Session:
        """Starts a battle like `start`, and reads and compiles what is large beside the battles that go on.

        Raises:
            CallError: Something in the request is wrong, or a limit is reached.
        """
        await self._stored.load(request.battle_id)
        session = self._started(request, request.SerializeToString(deterministic=True))
        if session is not None:
            return session
        setup = await resolve_setup(request, self._library, self._settings)
        # Somebody may have sent the same request meanwhile: then the battle is there by now.
        return self.start(request, setup)

    def start(self, request: service_pb2.StartBattleRequest, setup: BattleSetup | None = None) -> Session:
        """Starts a battle; a request sent again gives the battle that it started.

        Args:
            request: The request.
            setup: What the request asks for, where that is known already.

        Raises:
            CallError: Something in the request is wrong, or a limit is reached.
        """
        encoded = request.SerializeToString(deterministic=True)
        session = self._started(request, encoded)
        if session is not None:
            return session
        if setup is None:
            setup = setup_of(request, self._library, self._settings)
        battle_id = request.battle_id or uuid.uuid4().hex
        journal = self._journal_of(battle_id) if self._journal is not None else None
        session = start_session(battle_id, request, encoded, setup, self._settings, self._ges, self._counters, journal)
        self._sessions[battle_id] = session
        self._idle.use(battle_id)
        session.when_stored(partial(self._count_started, session))
        rests_on(session)
        return session

    def _started(self, request: service_pb2.StartBattleRequest, encoded: bytes) -> Session | None:
        """The battle that a request has started already; None when it is free to start one.

        Raises:
            CallError: The id is none or another battle's, or there are too many battles.
        """
        battle_id = request.battle_id
        if battle_id:
            if not _BATTLE_ID.fullmatch(battle_id):
                raise invalid("battle_id", "1 to 128 letters, digits, points, colons, hyphens or underscores")
            if battle_id in self._sessions or battle_id in self._stored:
                session = self.get(battle_id)
                if session.recorded_start.request_hash != hash_of(encoded):
                    raise CallError(
                        ErrorReason.BATTLE_EXISTS,
                        f"battle {battle_id!r} was started with another request",
                        {"battle": battle_id},
                    )
                return session
        most = self._settings.limits.battles
        if len(self) >= most:
            raise exhausted(ErrorReason.TOO_MANY_BATTLES, f"the server has {most} battles already", most)
        return None

    def _count_started(self, session: Session, failed: CallError | None) -> None:
        if failed is None:
            self._counters.battles_started += 1
            battle = session.battle
            about = {"battle_id": session.battle_id, "pack": battle.content.id, "encounter": battle.encounter.id}
            _log.info("battle started", extra=about)

    async def load_and_end(self, battle_id: str) -> bytes:
        """Ends and drops a battle like `end`; one that is not in memory is loaded beside those that go on.

        Raises:
            CallError: There is none.
        """
        try:
            await self._stored.load(battle_id)
        except CallError:
            if not self._stored.is_broken(battle_id):
                raise
        return self.end(battle_id)

    def end(self, battle_id: str) -> bytes:
        """Ends a battle from outside, if it still runs, and drops it, from the store as well.

        Returns:
            State of the battle at its end, as an encoded update; without state for one that could not be loaded.

        Raises:
            CallError: There is none.
        """
        rests_on(self)
        try:
            session = self.get(battle_id)
        except CallError:
            if not self._stored.is_broken(battle_id):
                raise
            self._drop_stored(battle_id, ENDED)
            return events_pb2.Update(battle_id=battle_id).SerializeToString()
        if session.journal is not None:
            # What follows rests on this: nobody hears that it has ended before it is gone from the store.
            session.journal.drop()
        session.abort()
        last = session.snapshot()
        self._drop(session, ENDED)
        return last

    async def stored(self) -> None:
        """Waits until everything is on disk, if there is a store.

        Raises:
            CallError: Something was lost.
        """
        if self._journal is not None:
            await self._journal.stored()

    async def wake(self) -> None:
        """Loads the battles of the store in which something is due by itself, one after the other."""
        for battle_id in self._stored.timed():
            with suppress(CallError):
                await self._stored.load(battle_id)

    def keep_time(self) -> None:
        """Notes in the store, if there is one, what time it is on the server's clock."""
        if self._journal is not None:
            self._journal.keep_time()

    def _take_back(self, session: Session) -> None:
        self._sessions[session.battle_id] = session

    def _give_up(self, journal: BattleJournal, error: CallError) -> None:
        """Gives up a battle in memory whose last steps could not be written: the store has it as it was before."""
        session = self._sessions.get(journal.battle_id)
        if session is not None and session.journal is journal:
            self._forget(session, error)
        _log.warning("battle set back to what the store has", extra={"battle_id": journal.battle_id})
        if journal.stored_overview is not None:
            self._stored.put(journal.battle_id, journal.stored_overview)
            self._idle.use(journal.battle_id)

    def drop_idle(self) -> int:
        """Drops battles that nobody has asked for or listened to for too long; returns how many.

        Those listen who have an open `Play`, `Watch` or `Listen` stream for the battle. A `Listen` to all battles holds
        none: what writes down all events would else keep every battle for ever.

        It has to be called several times in a minute, for idle time passes here.
        """
        self._idle.pass_time()
        heard = self._ges.streams.battles()
        idle = []
        for session in self:
            if session.streams or session.battle_id in heard:
                # What counts is how long nobody has listened.
                self._idle.use(session.battle_id)
            elif self._idle.is_over(session.battle_id):
                idle.append(session)
        for session in idle:
            if session.journal is not None:
                session.journal.drop()
            self._drop(session, IDLE)
        return len(idle) + self._drop_idle_stored()

    def _drop_idle_stored(self) -> int:
        stored = self._stored
        # One that cannot be loaded is not lost for that, and one that is being loaded is wanted.
        idle = [
            name
            for name in stored.ids()
            if self._idle.is_over(name) and not stored.is_broken(name) and not stored.is_coming(name)
        ]
        for battle_id in idle:
            self._drop_stored(battle_id, IDLE)
        return len(idle)

    def _drop_stored(self, battle_id: str, reason: str) -> None:
        journal = self._journal_of(battle_id, stored_overview=self._stored.overview(battle_id))
        journal.drop()
        self._stored.forget(battle_id)
        self._idle.forget(battle_id)
        journal.hold(partial(self._count_dropped, battle_id, reason))

    def _journal_of(self, battle_id: str, steps: int = 0, stored_overview: Overview | None = None) -> BattleJournal:
        if self._journal is None:
            raise ValueError("a battle is recorded only with a store")
        return BattleJournal(self._journal, battle_id, self._give_up, steps, stored_overview)

    def _drop(self, session: Session, reason: str) -> None:
        gone = not_found("battle", session.battle_id)
        self._forget(session, gone)
        if session.journal is not None:
            session.journal.close(gone)
        session.when_stored(partial(self._count_dropped, session.battle_id, reason))

    def _count_dropped(self, battle_id: str, reason: str, failed: CallError | None) -> None:
        if failed is None:
            self._counters.battles_dropped[reason] += 1
            _log.info("battle dropped: %s", reason, extra={"battle_id": battle_id})

    def _forget(self, session: Session, error: CallError) -> None:
        del self._sessions[session.battle_id]
        self._idle.forget(session.battle_id)
        session.close(error)
        self._ges.forget_battle(session.battle_id)

    def close(self, error: CallError) -> None:
        """Ends all streams of all battles with an error; the battles stay, and no more are loaded apart."""
        self._stored.close(error)
        for session in self:
            session.close(error)

    async def close_store(self) -> None:
        """Writes what is still to be written, if there is a store, and lets go of it; nothing is called after that."""
        if self._journal is not None:
            self._journal.keep_time()
            await self._journal.close()
