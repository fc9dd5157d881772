"""All battles of a server: started once under their id, found again, dropped when nobody cares any more."""

from __future__ import annotations

import re
import secrets
import time
import uuid
from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Final

import grpc

from bridge.errors import CallError, exhausted, invalid, not_found
from bridge.ges import Ges
from bridge.library import PackLibrary
from bridge.pb.gcs.v1 import service_pb2
from bridge.session import Session, SessionOptions
from bridge.settings import ServerSettings
from bridge.starting import beginning_of

_BATTLE_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_SEED_BITS: Final = 64


class Battles:
    """The live battles by id."""

    def __init__(
        self,
        settings: ServerSettings,
        library: PackLibrary,
        ges: Ges,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Makes a server without battles.

        Args:
            settings: What is allowed, and the limits.
            library: The packs.
            ges: The bridge to GES.
            clock: Seconds that only grow.
        """
        self._settings = settings
        self._library = library
        self._ges = ges
        self._clock = clock
        self._sessions: dict[str, Session] = {}
        self._used: dict[str, float] = {}

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
        self._used[battle_id] = self._clock()
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
        else:
            battle_id = uuid.uuid4().hex
        limits = self._settings.limits
        if len(self._sessions) >= limits.battles:
            message = f"the server has {limits.battles} battles already"
            raise exhausted("TOO_MANY_BATTLES", message, limits.battles)
        beginning = beginning_of(request, self._library, self._settings)
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
            session = Session(battle_id, battle, beginning.loaded, options, encoded, ges)
        finally:
            ges.end_action()
        self._sessions[battle_id] = session
        self._used[battle_id] = self._clock()
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
        self._drop(session)
        return last

    def drop_idle(self) -> int:
        """Drops battles that nobody has asked for or listened to for too long; returns how many."""
        oldest = self._clock() - self._settings.limits.idle_seconds
        idle = [session for session in self if not session.streams and self._used[session.battle_id] < oldest]
        for session in idle:
            self._drop(session)
        return len(idle)

    def _drop(self, session: Session) -> None:
        del self._sessions[session.battle_id]
        del self._used[session.battle_id]
        session.close(not_found("battle", session.battle_id))
        self._ges.forget_battle(session.battle_id)

    def close(self, error: CallError) -> None:
        """Ends all streams of all battles with an error; the battles stay."""
        for session in self:
            session.close(error)
