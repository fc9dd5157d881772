"""All battles of a server: started once under their id, found again, dropped when nobody cares any more."""

from __future__ import annotations

import logging
import re
import secrets
import uuid
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

import grpc

from bridge.errors import CallError, exhausted, invalid, not_found
from bridge.ges import Ges
from bridge.library import PackLibrary
from bridge.operation.counters import ENDED, IDLE, Counters
from bridge.pb.gcs.v1 import service_pb2
from bridge.session import Session, SessionOptions
from bridge.settings import ServerSettings
from bridge.starting import Beginning, beginning_apart, beginning_of

_log: Final = logging.getLogger(__name__)

_BATTLE_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_SEED_BITS: Final = 64
# However much later than the last one `drop_idle` comes, no more idle time than this passes: a machine that has
# slept must not cost the battles of clients that have slept as well.
_MOST_IDLE_STEP: Final = 60_000


class Battles:
    """The live battles by id."""

    def __init__(
        self,
        settings: ServerSettings,
        library: PackLibrary,
        ges: Ges,
        counters: Counters | None = None,
    ) -> None:
        """Makes a server without battles.

        Args:
            settings: What is allowed, and the limits.
            library: The packs.
            ges: The bridge to GES; its clock is that of idle battles as well.
            counters: What happens is counted in them.
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

    def __len__(self) -> int:
        return len(self._sessions)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._sessions.values()))

    def get(self, battle_id: str) -> Session:
        """A battle by its id.

        Raises:
            CallError: There is none.
        """
        session = self._sessions.get(battle_id)
        if session is None:
            raise not_found("battle", battle_id)
        self._used[battle_id] = self._idle_now
        return session

    def of_caller(self, caller: str) -> list[Session]:
        """The running battles that somebody has started or joined, in order of their ids.

        Args:
            caller: Who (`bridge.callers`).
        """
        return [
            session for _, session in sorted(self._sessions.items()) if session.running and caller in session.callers
        ]

    def page(self, after: str, size: int) -> tuple[list[Session], bool]:
        """Some battles in order of their ids, and whether there are more.

        Args:
            after: They come behind this id.
            size: The most battles.
        """
        ids = sorted(self._sessions)
        start = bisect_right(ids, after)
        return [self._sessions[battle_id] for battle_id in ids[start : start + size]], start + size < len(ids)

    async def start_apart(self, request: service_pb2.StartBattleRequest) -> Session:
        """Starts a battle like `start`, and reads and compiles what is large beside the battles that go on.

        Raises:
            CallError: Something in the request is wrong, or a limit is reached.
        """
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
            if battle_id in self._sessions:
                session = self.get(battle_id)
                if session.request != encoded:
                    raise CallError(
                        grpc.StatusCode.ALREADY_EXISTS,
                        "BATTLE_EXISTS",
                        f"battle {battle_id!r} was started with another request",
                        {"battle": battle_id},
                    )
                return session
        most = self._settings.limits.battles
        if len(self._sessions) >= most:
            raise exhausted("TOO_MANY_BATTLES", f"the server has {most} battles already", most)
        return None

    def _begin(
        self, battle_id: str, request: service_pb2.StartBattleRequest, encoded: bytes, beginning: Beginning
    ) -> Session:
        limits = self._settings.limits
        seed_known = request.HasField("seed")
        ges = self._ges
        options = SessionOptions(
            open_draw_pile=request.open_draw_pile,
            seed_known=seed_known,
            allow_set_state=self._settings.allow_set_state,
            events_kept=limits.events_kept,
            streams=limits.streams_per_battle,
            queued_messages=limits.queued_messages,
            scheduled_raises=limits.scheduled_raises,
            manual_clock=request.manual_clock,
            database_inactive=not ges.is_active(beginning.loaded.content.id),
        )
        ges.begin_action()
        try:
            battle = beginning.start(
                request.seed if seed_known else secrets.randbits(_SEED_BITS),
                listeners=ges.listeners_of(battle_id),
                database_active=not options.database_inactive,
            )
            session = Session(battle_id, battle, beginning.loaded, options, encoded, ges, self._counters)
        finally:
            ges.end_action()
        self._sessions[battle_id] = session
        self._used[battle_id] = self._idle_now
        self._counters.battles_started += 1
        pack = battle.content.id
        _log.info("battle started", extra={"battle_id": battle_id, "pack": pack, "encounter": battle.encounter.id})
        return session

    def end(self, battle_id: str) -> bytes:
        """Ends a battle from outside, if it still runs, and drops it.

        Returns:
            Its last state, as an encoded update.

        Raises:
            CallError: There is none.
        """
        session = self.get(battle_id)
        session.abort()
        last = session.snapshot()
        self._drop(session, ENDED)
        return last

    def drop_idle(self) -> int:
        """Drops battles that nobody has asked for or listened to for too long; returns how many.

        It has to be called several times in a minute, for idle time passes here.
        """
        now = self._ges.clock.now()
        self._idle_now += min(now - self._seen, _MOST_IDLE_STEP)
        self._seen = now
        oldest = self._idle_now - self._settings.limits.idle_seconds * 1000
        idle = []
        for session in self:
            if session.streams:
                # What counts is how long nobody has listened.
                self._used[session.battle_id] = self._idle_now
            elif self._used[session.battle_id] <= oldest:
                idle.append(session)
        for session in idle:
            self._drop(session, IDLE)
        return len(idle)

    def _drop(self, session: Session, reason: str) -> None:
        self._counters.battles_dropped[reason] += 1
        _log.info("battle dropped: %s", reason, extra={"battle_id": session.battle_id})
        del self._sessions[session.battle_id]
        del self._used[session.battle_id]
        session.close(not_found("battle", session.battle_id))
        self._ges.forget_battle(session.battle_id)

    def close(self, error: CallError) -> None:
        """Ends all streams of all battles with an error; the battles stay."""
        for session in self:
            session.close(error)
