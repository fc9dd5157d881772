"""All battles of a server: started once under their id, found again, dropped when nobody cares any more.

With a store they outlive the server. Then a battle is in memory from the first time that somebody asks for
it; until then, only what lists it is.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import uuid
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Final

import grpc

from bridge.errors import CallError, exhausted, invalid, not_found
from bridge.ges import Ges
from bridge.library import PackLibrary
from bridge.operation.counters import ENDED, IDLE, Counters
from bridge.operation.telemetry import BattleTelemetry
from bridge.pb.gcs.v1 import events_pb2, service_pb2
from bridge.session import Session, hash_of
from bridge.session_options import options_of
from bridge.settings import ServerSettings
from bridge.starting import Beginning, beginning_apart, beginning_of
from bridge.store import BattleJournal, Journal, Overview, Store
from bridge.store.kept_battles import KeptBattles
from bridge.store.recording import record_start

_log: Final = logging.getLogger(__name__)

_BATTLE_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_SEED_BITS: Final = 64
# However much later than the last one `drop_idle` comes, no more idle time than this passes: a machine that has
# slept must not cost the battles of clients that have slept as well.
_MOST_IDLE_STEP: Final = 60_000


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
        # The time of `drop_idle`: it jumps less than the clock does.
        self._seen = ges.clock.now()
        self._idle_now = 0
        self._used: dict[str, int] = {}
        self._journal: Journal | None = None
        # Those that are not in memory.
        self._kept: KeptBattles | None = None
        # Those that are being brought back, and why no more are.
        self._restoring: dict[str, asyncio.Task[None]] = {}
        self._closed: CallError | None = None
        if store is not None:
            self._journal = Journal(store, ges.clock.now)
            self._kept = KeptBattles(store, settings, library, ges, self._counters)
            self._used = dict.fromkeys(self._kept.ids(), self._idle_now)
            ges.inactive.update(store.server().inactive)

    def __len__(self) -> int:
        return len(self._sessions) + (len(self._kept) if self._kept is not None else 0)

    def __iter__(self) -> Iterator[Session]:
        """Those that are in memory."""
        return iter(list(self._sessions.values()))

    @property
    def running(self) -> int:
        """How many of them go on."""
        kept = self._kept.running if self._kept is not None else 0
        return kept + sum(session.running for session in self._sessions.values())

    async def get_apart(self, battle_id: str) -> Session:
        """A battle by its id like `get`; one that is not in memory is brought back beside those that go on.

        Raises:
            CallError: There is none, or the store has it and it cannot be brought back.
        """
        await self._ready(battle_id)
        return self.get(battle_id)

    def get(self, battle_id: str) -> Session:
        """A battle by its id. One that is not in memory is brought back at once, and everybody else waits for that.

        Raises:
            CallError: There is none, or the store has it and it cannot be brought back.
        """
        session = self._sessions.get(battle_id)
        if session is None:
            session = self._bring_back(battle_id)
        self._used[battle_id] = self._idle_now
        return session

    async def of_caller(self, caller: str) -> list[Session]:
        """The running battles that somebody has started or joined, in order of their ids.

        They are brought back beside those that go on, as far as that can be done; about the others, the log has it.

        Args:
            caller: Who (`bridge.callers`).

        Raises:
            CallError: The server stops.
        """
        if self._kept is not None:
            for battle_id in self._kept.of_caller(caller):
                try:
                    await self._ready(battle_id)
                except CallError:
                    if self._closed is not None:
                        raise
        return [
            session for _, session in sorted(self._sessions.items()) if session.running and caller in session.callers
        ]

    def page(self, after: str, size: int) -> tuple[list[service_pb2.BattleSummary], bool]:
        """Some battles in short, in order of their ids, and whether there are more.

        Args:
            after: They come behind this id.
            size: The most battles.
        """
        ids = sorted({*self._sessions, *(self._kept.ids() if self._kept is not None else ())})
        start = bisect_right(ids, after)
        return [self._summary(battle_id) for battle_id in ids[start : start + size]], start + size < len(ids)

    def _summary(self, battle_id: str) -> service_pb2.BattleSummary:
        session = self._sessions.get(battle_id)
        if session is None and self._kept is not None:
            return self._kept.summary(battle_id)
        return self._sessions[battle_id].summary()

    def plays(self, pack_id: str) -> bool:
        """Whether any battle plays with a pack of this id."""
        if self._kept is not None and self._kept.plays(pack_id):
            return True
        return any(session.battle.content.id == pack_id for session in self)

    def set_database_active(self, pack_id: str, active: bool) -> bool:
        """Switches the GES events of a pack on or off, in all its battles (R6.6).

        Returns:
            Whether they were on.
        """
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

    async def start_apart(self, request: service_pb2.StartBattleRequest) -> Session:
        """Starts a battle like `start`, and reads and compiles what is large beside the battles that go on.

        Raises:
            CallError: Something in the request is wrong, or a limit is reached.
        """
        await self._ready(request.battle_id)
        session = self._started(request, request.SerializeToString(deterministic=True))
        if session is not None:
            return session
        beginning = await beginning_apart(request, self._library, self._settings)
        # Somebody may have sent the same request meanwhile: then the battle is there by now.
        return self.start(request, beginning)

    def start(self, request: service_pb2.StartBattleRequest, beginning: Beginning | None = None) -> Session:
        """Starts a battle; a request sent again gives the battle that it started.

        Args:
            request: The request.
            beginning: What the request asks for, where that is known already.

        Raises:
            CallError: Something in the request is wrong, or a limit is reached.
        """
        encoded = request.SerializeToString(deterministic=True)
        session = self._started(request, encoded)
        if session is not None:
            return session
        if beginning is None:
            beginning = beginning_of(request, self._library, self._settings)
        return self._begin(request.battle_id or uuid.uuid4().hex, request, encoded, beginning)

    def _started(self, request: service_pb2.StartBattleRequest, encoded: bytes) -> Session | None:
        """The battle that a request has started already; None when it is free to start one.

        Raises:
            CallError: The id is none or another battle's, or there are too many battles.
        """
        battle_id = request.battle_id
        if battle_id:
            if not _BATTLE_ID.fullmatch(battle_id):
                raise invalid("battle_id", "1 to 128 letters, digits, points, colons, hyphens or underscores")
            if battle_id in self._sessions or (self._kept is not None and battle_id in self._kept):
                session = self.get(battle_id)
                if session.request_hash != hash_of(encoded):
                    raise CallError(
                        grpc.StatusCode.ALREADY_EXISTS,
                        "BATTLE_EXISTS",
                        f"battle {battle_id!r} was started with another request",
                        {"battle": battle_id},
                    )
                return session
        most = self._settings.limits.battles
        if len(self) >= most:
            raise exhausted("TOO_MANY_BATTLES", f"the server has {most} battles already", most)
        return None

    def _begin(
        self, battle_id: str, request: service_pb2.StartBattleRequest, encoded: bytes, beginning: Beginning
    ) -> Session:
        options = options_of(request, self._settings, not self._ges.is_active(beginning.loaded.content.id))
        seed = request.seed if options.seed_known else secrets.randbits(_SEED_BITS)
        ges = self._ges
        ges.begin_action()
        try:
            battle = beginning.start(
                seed, listeners=ges.listeners_of(battle_id), database_active=not options.database_inactive
            )
            journal = None
            if self._journal is not None:
                journal = self._journal_of(battle_id)
                record_start(journal, battle, beginning, options, request, ges.clock.now())
            telemetry = BattleTelemetry(battle_id, self._counters)
            session = Session(battle_id, battle, beginning.loaded, options, encoded, ges, telemetry, journal)
        finally:
            ges.end_action()
        self._sessions[battle_id] = session
        self._used[battle_id] = self._idle_now
        session.when_kept(partial(self._tell_started, session))
        return session

    def _tell_started(self, session: Session, lost: CallError | None) -> None:
        if lost is None:
            self._counters.battles_started += 1
            battle = session.battle
            about = {"battle_id": session.battle_id, "pack": battle.content.id, "encounter": battle.encounter.id}
            _log.info("battle started", extra=about)

    async def end_apart(self, battle_id: str) -> bytes:
        """Ends and drops a battle like `end`; one that is not in memory is brought back beside those that go on.

        Raises:
            CallError: There is none.
        """
        try:
            await self._ready(battle_id)
        except CallError:
            if self._kept is None or not self._kept.is_broken(battle_id):
                raise
        return self.end(battle_id)

    def end(self, battle_id: str) -> bytes:
        """Ends a battle from outside, if it still runs, and drops it, from the store as well.

        Returns:
            Its last state, as an encoded update; without state for one that could not be brought back. Whoever
            answers a call by it awaits `saved` first.

        Raises:
            CallError: There is none.
        """
        try:
            session = self.get(battle_id)
        except CallError:
            if self._kept is None or not self._kept.is_broken(battle_id):
                raise
            self._drop_kept(self._kept, battle_id, ENDED)
            return events_pb2.Update(battle_id=battle_id).SerializeToString()
        if session.journal is not None:
            # What follows rests on this: nobody hears that it has ended before it is gone from the store.
            session.journal.drop()
        session.abort()
        last = session.snapshot()
        self._drop(session, ENDED)
        return last

    async def saved(self) -> None:
        """Waits until everything is on disk, if there is a store.

        Raises:
            CallError: Something was lost.
        """
        if self._journal is not None:
            await self._journal.saved()

    async def wake(self) -> None:
        """Brings back the battles of the store in which something is due by itself, one after the other."""
        for battle_id in self._kept.timed() if self._kept is not None else ():
            with suppress(CallError):
                await self._ready(battle_id)

    def keep_time(self) -> None:
        """Notes in the store, if there is one, what time it is on the server's clock."""
        if self._journal is not None:
            self._journal.keep_time()

    def _bring_back(self, battle_id: str) -> Session:
        kept = self._kept
        if kept is None or battle_id not in kept:
            raise not_found("battle", battle_id)
        session = self._sessions[battle_id] = kept.bring_back(battle_id, partial(self._journal_of, battle_id))
        return session

    async def _ready(self, battle_id: str) -> None:
        """Brings a battle back, if it is one of those that are not in memory. All who wait for one share the work.

        Raises:
            CallError: It cannot be brought back, or the server stops.
        """
        kept = self._kept
        if kept is None:
            return
        # More than once only for one that was given up again at once, as its store has failed.
        while battle_id not in self._sessions and battle_id in kept:
            if self._closed is not None:
                raise self._closed
            task = self._restoring.get(battle_id)
            if task is None:
                task = asyncio.create_task(self._bring_back_apart(kept, battle_id))
                self._restoring[battle_id] = task
                task.add_done_callback(partial(self._brought_back, battle_id))
            # Who does not wait any longer takes it from nobody else.
            await asyncio.wait([task])
            if not task.cancelled():
                task.result()

    async def _bring_back_apart(self, kept: KeptBattles, battle_id: str) -> None:
        session = await kept.bring_back_apart(battle_id, partial(self._journal_of, battle_id))
        if session is not None:
            self._sessions[battle_id] = session

    def _brought_back(self, battle_id: str, task: asyncio.Task[None]) -> None:
        del self._restoring[battle_id]
        if not task.cancelled():
            # Read here, as nobody may be waiting any more: the log has it.
            task.exception()

    def _lose(self, journal: BattleJournal, error: CallError) -> None:
        """Gives up a battle in memory whose last steps could not be written: the store has it as it was before."""
        session = self._sessions.get(journal.battle_id)
        if session is not None and session.journal is journal:
            self._forget(session, error)
        _log.warning("battle set back to what the store has", extra={"battle_id": journal.battle_id})
        if journal.kept is not None and self._kept is not None:
            self._kept.put(journal.battle_id, journal.kept)
            self._used[journal.battle_id] = self._idle_now

    def drop_idle(self) -> int:
        """Drops battles that nobody has asked for or listened to for too long; returns how many.

        Those listen who have an open `Play`, `Watch` or `Listen` stream for the battle. A `Listen` to all battles holds
        none: what writes down all events would else keep every battle for ever.

        It has to be called several times in a minute, for idle time passes here.
        """
        now = self._ges.clock.now()
        self._idle_now += min(now - self._seen, _MOST_IDLE_STEP)
        self._seen = now
        oldest = self._idle_now - self._settings.limits.idle_seconds * 1000
        heard = self._ges.streams.battles()
        idle = []
        for session in self:
            if session.streams or session.battle_id in heard:
                # What counts is how long nobody has listened.
                self._used[session.battle_id] = self._idle_now
            elif self._used[session.battle_id] <= oldest:
                idle.append(session)
        for session in idle:
            if session.journal is not None:
                session.journal.drop()
            self._drop(session, IDLE)
        return len(idle) + self._drop_idle_kept(oldest)

    def _drop_idle_kept(self, oldest: float) -> int:
        kept = self._kept
        if kept is None:
            return 0
        # One that cannot be brought back is not lost for that, and one that is being brought back is wanted.
        spared = {name for name in kept.ids() if kept.is_broken(name) or name in self._restoring}
        idle = [name for name in kept.ids() if self._used[name] <= oldest and name not in spared]
        for battle_id in idle:
            self._drop_kept(kept, battle_id, IDLE)
        return len(idle)

    def _drop_kept(self, kept: KeptBattles, battle_id: str, reason: str) -> None:
        journal = self._journal_of(battle_id, kept=kept.overview(battle_id))
        journal.drop()
        kept.forget(battle_id)
        del self._used[battle_id]
        journal.hold(partial(self._tell_dropped, battle_id, reason))

    def _journal_of(self, battle_id: str, steps: int = 0, kept: Overview | None = None) -> BattleJournal:
        if self._journal is None:
            raise ValueError("a battle is recorded only with a store")
        return BattleJournal(self._journal, battle_id, self._lose, steps, kept)

    def _drop(self, session: Session, reason: str) -> None:
        gone = not_found("battle", session.battle_id)
        self._forget(session, gone)
        if session.journal is not None:
            session.journal.close(gone)
        session.when_kept(partial(self._tell_dropped, session.battle_id, reason))

    def _tell_dropped(self, battle_id: str, reason: str, lost: CallError | None) -> None:
        if lost is None:
            self._counters.battles_dropped[reason] += 1
            _log.info("battle dropped: %s", reason, extra={"battle_id": battle_id})

    def _forget(self, session: Session, error: CallError) -> None:
        del self._sessions[session.battle_id]
        del self._used[session.battle_id]
        session.close(error)
        self._ges.forget_battle(session.battle_id)

    def close(self, error: CallError) -> None:
        """Ends all streams of all battles with an error; the battles stay, and no more are brought back apart."""
        self._closed = error
        for task in self._restoring.values():
            task.cancel()
        for session in self:
            session.close(error)

    async def close_store(self) -> None:
        """Writes what is still to be written, if there is a store, and lets go of it; nothing is called after that."""
        if self._journal is not None:
            self._journal.keep_time()
            await self._journal.close()
