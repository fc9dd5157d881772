"""All battles of a server: started once under their id, found again, dropped when nobody cares any more.

With a store they outlive the server. Then a battle is in memory from the first time that somebody asks for
it; until then, only what lists it is.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
import time
import uuid
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final

import grpc

from bridge import __version__
from bridge.errors import CallError, exhausted, invalid, not_found
from bridge.ges import Ges
from bridge.library import PackLibrary
from bridge.pb.gcs.v1 import events_pb2, service_pb2
from bridge.session import Session
from bridge.session_options import SessionOptions, options_of
from bridge.settings import ServerSettings
from bridge.starting import Beginning, beginning_of
from bridge.store import BattleJournal, Journal, Overview, Start, Store
from bridge.store.kept_battles import KeptBattles
from runtime.battle.replay import RULE_FLAGS
from runtime.battle.state import Battle

_log: Final = logging.getLogger(__name__)

_BATTLE_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_SEED_BITS: Final = 64


class Battles:
    """The battles by id."""

    def __init__(
        self,
        settings: ServerSettings,
        library: PackLibrary,
        ges: Ges,
        clock: Callable[[], float] = time.monotonic,
        store: Store | None = None,
    ) -> None:
        """Makes a server with the battles of its store, or without any.

        Args:
            settings: What is allowed, and the limits.
            library: The packs.
            ges: The bridge to GES.
            clock: Seconds that only grow.
            store: Where the battles are kept; None: nowhere.

        Raises:
            StoreError: The store cannot be read.
        """
        self._settings = settings
        self._library = library
        self._ges = ges
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._used: dict[str, float] = {}
        self._journal: Journal | None = None
        # Those that are not in memory.
        self._kept: KeptBattles | None = None
        if store is not None:
            self._journal = Journal(store, ges.clock.now)
            self._kept = KeptBattles(store, settings, library, ges)
            self._used = dict.fromkeys(self._kept.ids(), clock())
            ges.inactive.update(store.server().inactive)

    def __len__(self) -> int:
        return len(self._sessions) + (len(self._kept) if self._kept is not None else 0)

    def __iter__(self) -> Iterator[Session]:
        """Those that are in memory."""
        return iter(list(self._sessions.values()))

    def get(self, battle_id: str) -> Session:
        """A battle by its id.

        Raises:
            CallError: There is none, or the store has it and it cannot be brought back.
        """
        session = self._sessions.get(battle_id)
        if session is None:
            session = self._bring_back(battle_id)
        self._used[battle_id] = self._clock()
        return session

    def of_caller(self, caller: str) -> list[Session]:
        """The running battles that somebody has started or joined, in order of their ids.

        Args:
            caller: Who (`bridge.callers`).
        """
        if self._kept is not None:
            self._bring_all_back(self._kept.of_caller(caller))
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

    def start(self, request: service_pb2.StartBattleRequest) -> Session:
        """Starts a battle; a request sent again gives the battle that it started.

        Raises:
            CallError: Something in the request is wrong, or a limit is reached.
        """
        battle_id = request.battle_id
        encoded = request.SerializeToString(deterministic=True)
        if battle_id:
            if not _BATTLE_ID.fullmatch(battle_id):
                raise invalid("battle_id", "1 to 128 letters, digits, points, colons, hyphens or underscores")
            if battle_id in self._sessions or (self._kept is not None and battle_id in self._kept):
                session = self.get(battle_id)
                if session.request != encoded:
                    raise CallError(
                        grpc.StatusCode.ALREADY_EXISTS,
                        "BATTLE_EXISTS",
                        f"battle {battle_id!r} was started with another request",
                        {"battle": battle_id},
                    )
                return session
        else:
            battle_id = uuid.uuid4().hex
        limits = self._settings.limits
        if len(self) >= limits.battles:
            message = f"the server has {limits.battles} battles already"
            raise exhausted("TOO_MANY_BATTLES", message, limits.battles)
        beginning = beginning_of(request, self._library, self._settings)
        options = options_of(request, self._settings, not self._ges.is_active(beginning.loaded.content.id))
        seed = request.seed if options.seed_known else secrets.randbits(_SEED_BITS)
        ges = self._ges
        ges.begin_action()
        try:
            battle = beginning.start(
                seed, listeners=ges.listeners_of(battle_id), database_active=not options.database_inactive
            )
            journal = self._begin_journal(battle_id, battle, beginning, options, request)
            session = Session(battle_id, battle, beginning.loaded, options, encoded, ges, journal)
        finally:
            ges.end_action()
        self._sessions[battle_id] = session
        self._used[battle_id] = self._clock()
        return session

    def _begin_journal(
        self,
        battle_id: str,
        battle: Battle,
        beginning: Beginning,
        options: SessionOptions,
        request: service_pb2.StartBattleRequest,
    ) -> BattleJournal | None:
        """The journal of a battle that has been set up, its start recorded; None without a store."""
        if self._journal is None:
            return None
        inline = request.HasField("pack_json")
        text = request.pack_json.encode() if inline else beginning.loaded.text
        bare = request
        if inline:
            bare = service_pb2.StartBattleRequest()
            bare.CopyFrom(request)
            bare.ClearField("pack_json")
        start = Start(
            request=bare.SerializeToString(),
            inline=inline,
            content_hash=battle.content.hash,
            seed=battle.seed,
            node_limit=beginning.node_limit,
            database_inactive=options.database_inactive,
            flags=RULE_FLAGS,
            at=0 if options.manual_clock else self._ges.clock.now(),
            version=__version__,
        )
        journal = self._journal_of(battle_id)
        journal.start(start, hashlib.sha256(text).hexdigest(), text)
        return journal

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
            self._drop_kept(self._kept, battle_id)
            return events_pb2.Update(battle_id=battle_id).SerializeToString()
        if session.journal is not None:
            # What follows rests on this: nobody hears that it has ended before it is gone from the store.
            session.journal.drop()
        session.abort()
        last = session.snapshot()
        self._drop(session)
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
            self._bring_all_back([battle_id])
            await asyncio.sleep(0)

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

    def _bring_all_back(self, battle_ids: list[str]) -> None:
        """Brings battles back as far as that can be done; about the others, the log has it."""
        for battle_id in battle_ids:
            if battle_id not in self._sessions:
                with suppress(CallError):
                    self._bring_back(battle_id)

    def _lose(self, journal: BattleJournal, error: CallError) -> None:
        """Gives up a battle in memory whose last steps could not be written: the store has it as it was before."""
        session = self._sessions.get(journal.battle_id)
        if session is not None and session.journal is journal:
            self._forget(session, error)
        if journal.kept is not None and self._kept is not None:
            self._kept.put(journal.battle_id, journal.kept)
            self._used[journal.battle_id] = self._clock()

    def drop_idle(self) -> int:
        """Drops battles that nobody has asked for or listened to for too long; returns how many."""
        oldest = self._clock() - self._settings.limits.idle_seconds
        idle = [session for session in self if not session.streams and self._used[session.battle_id] < oldest]
        for session in idle:
            if session.journal is not None:
                session.journal.drop()
            self._drop(session)
        return len(idle) + self._drop_idle_kept(oldest)

    def _drop_idle_kept(self, oldest: float) -> int:
        kept = self._kept
        if kept is None:
            return 0
        # One that cannot be brought back is not lost for that.
        idle = [name for name in kept.ids() if self._used[name] < oldest and not kept.is_broken(name)]
        for battle_id in idle:
            self._drop_kept(kept, battle_id)
        return len(idle)

    def _drop_kept(self, kept: KeptBattles, battle_id: str) -> None:
        journal = self._journal_of(battle_id, kept=kept.overview(battle_id))
        journal.drop()
        kept.forget(battle_id)
        del self._used[battle_id]

    def _journal_of(self, battle_id: str, steps: int = 0, kept: Overview | None = None) -> BattleJournal:
        if self._journal is None:
            raise ValueError("a battle is recorded only with a store")
        return BattleJournal(self._journal, battle_id, self._lose, steps, kept)

    def _drop(self, session: Session) -> None:
        gone = not_found("battle", session.battle_id)
        self._forget(session, gone)
        if session.journal is not None:
            session.journal.close(gone)

    def _forget(self, session: Session, error: CallError) -> None:
        del self._sessions[session.battle_id]
        del self._used[session.battle_id]
        session.close(error)
        self._ges.forget_battle(session.battle_id)

    def close(self, error: CallError) -> None:
        """Ends all streams of all battles with an error; the battles stay."""
        for session in self:
            session.close(error)

    async def close_store(self) -> None:
        """Writes what is still to be written, if there is a store, and lets go of it; nothing is called after that."""
        if self._journal is not None:
            self._journal.keep_time()
            await self._journal.close()
