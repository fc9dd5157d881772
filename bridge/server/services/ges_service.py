"""GesService: raises GES events in battles, tells of those that are raised, switches them on and off."""

from __future__ import annotations

from typing import Final

from bridge.battles.battles import Battles
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.battles.timetable import ENDLESS
from bridge.errors import invalid
from bridge.ges import Ges
from bridge.ges.stats import write_stats
from bridge.pb.gcs.v1 import ges_pb2 as pb
from bridge.server.callers import caller_of, counted_for
from bridge.server.rate import RateLimit
from bridge.server.rpc import Context
from bridge.wire.content import write_event
from bridge.wire.payloads import find_event, require_guid

# A day; who wants to wait longer has a battle that nobody plays.
_MOST_MS: Final = 86_400_000
_MOST_ID: Final = 128


class GesService:
    """The methods of gcs.v1.GesService."""

    def __init__(self, battles: Battles, library: PackLibrary, ges: Ges, rate: RateLimit) -> None:
        self._battles = battles
        self._library = library
        self._ges = ges
        self._rate = rate

    async def raise_(self, request: pb.RaiseRequest, context: Context) -> pb.RaiseResponse | bytes:
        """Raises an event."""
        caller = caller_of(context)
        if len(request.raise_id) > _MOST_ID:
            raise invalid("raise_id", f"at most {_MOST_ID} characters", f"{len(request.raise_id)}")
        if request.battle_id:
            session = await self._battles.load(request.battle_id)
            self._rate.take(*counted_for(context, session.callers))
            return session.raises.raise_event(request, caller)
        response = pb.RaiseResponse(result=pb.RAISE_RESULT_NO_BATTLE)
        sessions = await self._battles_of(request, context, caller)
        for session in sessions:
            one = pb.RaiseResponse.FromString(session.raises.raise_event(request, caller))
            response.battles.add(battle_id=session.battle_id, result=one.result, receivers=one.receivers)
            response.receivers += one.receivers
        results = [battle.result for battle in response.battles]
        if results:
            dispatched = pb.RAISE_RESULT_DISPATCHED
            response.result = dispatched if dispatched in results else results[0]
        return response

    async def raise_delayed(self, request: pb.RaiseDelayedRequest, context: Context) -> pb.RaiseDelayedResponse:
        """Raises an event later."""
        _check_ms("delay_ms", request.delay_ms, 0)
        result, battles = await self._schedule(request.request, context, request.delay_ms, 0, 1)
        return pb.RaiseDelayedResponse(result=result, battle_count=battles)

    async def raise_repeating(self, request: pb.RaiseRepeatingRequest, context: Context) -> pb.RaiseRepeatingResponse:
        """Raises an event again and again."""
        _check_ms("interval_ms", request.interval_ms, 1)
        if request.count < 1 and request.count != ENDLESS:
            raise invalid("count", "1 or more, or -1", request.count)
        interval = request.interval_ms
        result, battles = await self._schedule(request.request, context, interval, interval, request.count)
        return pb.RaiseRepeatingResponse(result=result, battle_count=battles)

    async def cancel(self, request: pb.CancelRequest, context: Context) -> pb.CancelResponse:
        """Cancels a delayed or repeating raise."""
        if request.battle_id:
            sessions = [await self._battles.load(request.battle_id)]
        else:
            sessions = await self._battles.of_caller(caller_of(context))
        cancelled = [session for session in sessions if session.raises.cancel(request.raise_id)]
        return pb.CancelResponse(battle_count=len(cancelled))

    async def advance_clock(self, request: pb.AdvanceClockRequest, context: Context) -> bytes:
        """Lets time pass in a battle with a manual clock."""
        _check_ms("ms", request.ms, 0)
        session = await self._battles.load(request.battle_id)
        return session.raises.advance_clock(request.ms)

    async def listen(self, request: pb.ListenRequest, context: Context) -> None:
        """Streams the events that are raised."""
        guids = [require_guid(guid, f"guids[{index}]") for index, guid in enumerate(request.guids)]
        if request.battle_id:
            await self._battles.load(request.battle_id)
        not_by = caller_of(context) if request.others_only else ""
        subscriber = self._ges.streams.add(request.battle_id, guids, context.write, not_by)
        try:
            # Whoever has the headers hears everything from then on.
            await context.send_initial_metadata(())
            await subscriber.write_all()
        finally:
            self._ges.streams.remove(subscriber)

    async def list_events(self, request: pb.ListEventsRequest, context: Context) -> pb.ListEventsResponse:
        """Lists the events of a pack with what was seen of each."""
        response = pb.ListEventsResponse()
        monitor = self._ges.monitor
        for event in (await self._library.fetch(request.pack)).content.events.values():
            listed = response.events.add()
            write_event(listed, event)
            stats = monitor.get(request.pack, event.guid)
            if stats is not None:
                write_stats(listed.stats, stats, monitor.per_second(stats))
        return response

    async def set_database_active(
        self, request: pb.SetDatabaseActiveRequest, context: Context
    ) -> pb.SetDatabaseActiveResponse:
        """Switches the events of a pack on or off, in all its battles."""
        if not self._battles.plays(request.pack):
            await self._library.fetch(request.pack)
        was_active = self._battles.set_database_active(request.pack, request.active)
        return pb.SetDatabaseActiveResponse(was_active=was_active)

    async def _battles_of(self, request: pb.RaiseRequest, context: Context, caller: str) -> list[Session]:
        """The caller's battles that a raise without battle goes to, once it is counted and right for all of them.

        Raises:
            CallError: There are too many actions, none of them has the event, or the raise is wrong for one that has
                it.
        """
        if request.answers:
            raise invalid("answers", "0 without a battle_id", request.answers)
        if not request.guid:
            raise invalid("guid", "a GUID, or an event's id or name", "nothing")
        sessions = await self._battles.of_caller(caller)
        self._rate.take(*counted_for(context, (caller,) if sessions else ()))
        concerned = [session for session in sessions if find_event(session.battle.content, request.guid) is not None]
        for session in concerned or sessions[:1]:
            session.raises.check(request, caller)
        return concerned

    async def _schedule(
        self, request: pb.RaiseRequest, context: Context, delay: int, interval: int, count: int
    ) -> tuple[pb.RaiseResult.ValueType, int]:
        caller = caller_of(context)
        if not 1 <= len(request.raise_id) <= _MOST_ID:
            raise invalid("request.raise_id", f"1 to {_MOST_ID} characters: it is the handle for Cancel")
        if request.battle_id:
            sessions = [await self._battles.load(request.battle_id)]
            self._rate.take(*counted_for(context, sessions[0].callers))
        else:
            sessions = await self._battles_of(request, context, caller)
        results = [session.raises.schedule(request, caller, delay, interval, count) for session in sessions]
        scheduled = results.count(pb.RAISE_RESULT_SCHEDULED)
        if scheduled:
            return pb.RAISE_RESULT_SCHEDULED, scheduled
        return results[0] if results else pb.RAISE_RESULT_NO_BATTLE, 0


def _check_ms(field: str, value: int, least: int) -> None:
    if not least <= value <= _MOST_MS:
        raise invalid(field, f"a number from {least} to {_MOST_MS}", value)
