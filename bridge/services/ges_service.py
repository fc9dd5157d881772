"""GesService: raises GES events in battles, tells of those that are raised, switches them on and off."""

from __future__ import annotations

from bridge.battles import Battles
from bridge.convert.content import write_event
from bridge.errors import invalid
from bridge.library import PackLibrary
from bridge.listening import Listeners
from bridge.pb.gcs.v1 import ges_pb2 as pb
from bridge.rate import RateLimit
from bridge.rpc import Context
from runtime.content.guids import normalize_guid


class GesService:
    """The methods of gcs.v1.GesService."""

    def __init__(self, battles: Battles, library: PackLibrary, listeners: Listeners, rate: RateLimit) -> None:
        self._battles = battles
        self._library = library
        self._listeners = listeners
        self._rate = rate

    async def raise_(self, request: pb.RaiseRequest, context: Context) -> bytes:
        """Raises an event in one battle."""
        self._rate.take(context.peer())
        return self._battles.get(request.battle_id).raise_event(request)

    async def listen(self, request: pb.ListenRequest, context: Context) -> None:
        """Streams the events that are raised."""
        guids = []
        for index, guid in enumerate(request.guids):
            normal = normalize_guid(guid)
            if normal is None:
                raise invalid(f"guids[{index}]", "a GUID of 32 hexadecimal digits", repr(guid[:80]))
            guids.append(normal)
        if request.battle_id:
            self._battles.get(request.battle_id)
        subscriber = self._listeners.add(request.battle_id, guids, context.write)
        try:
            # Whoever has the headers hears everything from then on.
            await context.send_initial_metadata(())
            await subscriber.write_all()
        finally:
            self._listeners.remove(subscriber)

    async def list_events(self, request: pb.ListEventsRequest, context: Context) -> pb.ListEventsResponse:
        """Lists the events of a pack."""
        response = pb.ListEventsResponse()
        for event in self._library.require(request.pack).content.events.values():
            write_event(response.events.add(), event)
        return response

    async def set_database_active(
        self, request: pb.SetDatabaseActiveRequest, context: Context
    ) -> pb.SetDatabaseActiveResponse:
        """Switches the events of a pack on or off."""
        self._library.require(request.pack)
        inactive = self._listeners.inactive
        was_active = request.pack not in inactive
        if request.active:
            inactive.discard(request.pack)
        else:
            inactive.add(request.pack)
        return pb.SetDatabaseActiveResponse(was_active=was_active)
