"""BattleService: starts battles, plays them over a stream or action by action, looks at them."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from bridge import __version__
from bridge.battles.battles import Battles
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.battles.simulation import Simulator
from bridge.errors import INTERNAL, CallError, invalid
from bridge.net.subscribers import Subscriber
from bridge.pb.gcs.v1 import service_pb2 as pb
from bridge.server.callers import caller_of, counted_for, stream_counted_for
from bridge.server.rate import RateLimit
from bridge.server.rpc import PEER_GONE, Context, Requests
from bridge.settings import ServerSettings
from bridge.wire.encoding import submessage
from bridge.wire.preview import preview_of

_log: Final = logging.getLogger(__name__)

# A client refuses another major number; the minor one grows with additions that older clients can ignore.
PROTOCOL_MAJOR: Final = 1
PROTOCOL_MINOR: Final = 0

# Where an update stands in all responses that hold one.
_UPDATE: Final = 1

_PAGE: Final = 100
_MOST_PAGE: Final = 1_000


class BattleService:
    """The methods of gcs.v1.BattleService."""

    def __init__(
        self,
        battles: Battles,
        library: PackLibrary,
        simulator: Simulator,
        settings: ServerSettings,
        rate: RateLimit,
    ) -> None:
        self._battles = battles
        self._library = library
        self._settings = settings
        self._rate = rate
        self._simulator = simulator

    async def get_server_info(self, request: pb.GetServerInfoRequest, context: Context) -> pb.GetServerInfoResponse:
        """Tells versions and what is allowed."""
        return pb.GetServerInfoResponse(
            version=__version__,
            protocol_major=PROTOCOL_MAJOR,
            protocol_minor=PROTOCOL_MINOR,
            packs=self._library.ids(),
            allow_inline_packs=self._settings.allow_inline_packs,
            allow_set_state=self._settings.allow_set_state,
        )

    async def start_battle(self, request: pb.StartBattleRequest, context: Context) -> bytes:
        """Starts a battle."""
        session = await self._battles.load_or_start(request)
        session.add_caller(caller_of(context))
        return submessage(_UPDATE, session.snapshot(after=0))

    async def act(self, request: pb.ActRequest, context: Context) -> bytes | pb.ActResponse:
        """Carries out one action."""
        session = await self._battles.load(request.battle_id)
        self._rate.take(*counted_for(context, session.callers))
        action_id = request.action.action_id
        if session.is_done(action_id):
            return submessage(_UPDATE, session.repeat(action_id, full=True))
        done = session.act(request.action)
        if isinstance(done, bytes):
            return submessage(_UPDATE, done)
        return pb.ActResponse(rejection=done)

    async def get_battle(self, request: pb.GetBattleRequest, context: Context) -> bytes:
        """Tells a battle's state."""
        after = request.last_sequence if request.HasField("last_sequence") else None
        session = await self._battles.load(request.battle_id)
        return submessage(_UPDATE, session.snapshot(after))

    async def end_battle(self, request: pb.EndBattleRequest, context: Context) -> bytes:
        """Ends a battle and forgets it."""
        last = await self._battles.load_and_end(request.battle_id)
        return submessage(_UPDATE, last)

    async def list_battles(self, request: pb.ListBattlesRequest, context: Context) -> pb.ListBattlesResponse:
        """Lists the battles."""
        size = request.page_size or _PAGE
        if not 1 <= size <= _MOST_PAGE:
            raise invalid("page_size", f"a number from 1 to {_MOST_PAGE}, or 0 for {_PAGE}", size)
        battles, more = self._battles.page(request.page_token, size)
        return pb.ListBattlesResponse(battles=battles, next_page_token=battles[-1].battle_id if more else "")

    async def get_replay(self, request: pb.GetReplayRequest, context: Context) -> pb.GetReplayResponse:
        """Tells how a battle can be played again."""
        session = await self._battles.load(request.battle_id)
        return session.replay()

    async def preview(self, request: pb.PreviewRequest, context: Context) -> pb.PreviewResponse:
        """Tells what a card in hand would cost and do."""
        session = await self._battles.load(request.battle_id)
        return preview_of(session.battle, request)

    async def watch(self, request: pb.WatchRequest, context: Context) -> None:
        """Watches a battle without taking part."""
        session = await self._battles.load(request.battle_id)
        subscriber = session.subscribe(request.last_sequence, context.write)
        try:
            await subscriber.write_all()
        finally:
            session.unsubscribe(subscriber)

    async def simulate(self, request: pb.SimulateRequest, context: Context) -> None:
        """Plays battles with a bot and streams the results."""
        async for progress in self._simulator.run(request):
            await context.write(progress.SerializeToString())

    async def play(self, requests: Requests[pb.PlayRequest], context: Context) -> None:
        """Plays a battle over one stream."""
        first = await requests.next()
        if first is None:
            return
        if first.WhichOneof("kind") != "join":
            raise invalid("join", "a JoinBattle as the first message", first.WhichOneof("kind") or "nothing")
        counted = stream_counted_for(context)
        session = await self._join(first.join)
        session.add_caller(caller_of(context))
        subscriber = session.subscribe(first.join.last_sequence, context.write)
        reading = asyncio.create_task(self._read_actions(requests, session, subscriber, counted))
        try:
            await subscriber.write_all()
        finally:
            reading.cancel()
            session.unsubscribe(subscriber)

    async def _join(self, join: pb.JoinBattle) -> Session:
        if not join.HasField("start"):
            return await self._battles.load(join.battle_id)
        start = join.start
        if join.battle_id:
            if start.battle_id not in ("", join.battle_id):
                raise invalid("join.start.battle_id", "nothing, or the same as join.battle_id", start.battle_id)
            start.battle_id = join.battle_id
        return await self._battles.load_or_start(start)

    async def _read_actions(
        self, requests: Requests[pb.PlayRequest], session: Session, subscriber: Subscriber, counted: tuple[str, ...]
    ) -> None:
        """Carries out what the client sends; its end, or its first unreadable message, ends the stream."""
        try:
            while (request := await requests.next()) is not None:
                self._rate.take(*counted)
                await subscriber.write_after(partial(_carry_out, request, session, subscriber))
            subscriber.close()
        except CallError as error:
            subscriber.close(error)
        except PEER_GONE:
            subscriber.close()
        except Exception:  # noqa: BLE001 - logged, and answered
            _log.exception("a message on a stream failed", extra={"battle_id": session.battle_id})
            subscriber.close(INTERNAL)


def _carry_out(request: pb.PlayRequest, session: Session, subscriber: Subscriber) -> asyncio.Future[None] | None:
    """Does what one message of a stream asks for; returns what it has to wait for on its way to the disk."""
    kind = request.WhichOneof("kind")
    if kind == "action":
        action = request.action
        if session.is_done(action.action_id):
            session.send(subscriber, submessage(_UPDATE, session.repeat(action.action_id, full=False)))
        else:
            done = session.act(action)
            if not isinstance(done, bytes):
                session.send(subscriber, pb.PlayResponse(rejection=done).SerializeToString())
    elif kind == "request_snapshot":
        session.send(subscriber, submessage(_UPDATE, session.snapshot()))
    else:
        raise invalid("kind", "an action or a request for a snapshot", kind or "nothing")
    return session.unstored()
