"""A server whose clock jumps plays on. Clocks and timetables alone: `tests/bridge/ges/test_clocks.py`."""

from __future__ import annotations

import asyncio
import json

from bridge.ges import MonotonicClock
from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from tests.bridge.ges.test_clocks import Source
from tests.bridge.local_server import local_server, payload, weather
from tests.runtime.ges_packs import guid_of

PACK = json.dumps(weather())
HOUR = 3_600.0


async def test_a_server_plays_on_whatever_its_clock_does() -> None:
    """Back by an hour, ahead by a day: no action, no raise and no battle is lost, and nothing lands twice."""
    source = Source()
    async with local_server(MonotonicClock(source), idle_seconds=2 * HOUR) as (server, client):
        battle = await client.start(PACK)
        guid = guid_of("thunder")

        async def raise_(raise_id: str, delay_ms: int) -> None:
            request = ges_pb2.RaiseRequest(battle_id=battle, guid=guid, arg=payload(1), raise_id=raise_id)
            await client.ges.RaiseDelayed(ges_pb2.RaiseDelayedRequest(request=request, delay_ms=delay_ms))

        await raise_("late", 1_000)
        source.seconds -= HOUR
        assert await client.raised(battle) == []
        await raise_("soon", 500)
        source.seconds += 0.6
        listening = client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle, guids=[guid]))
        await listening.initial_metadata()
        async with asyncio.timeout(20):
            assert (await listening.read()).raise_id == "soon"
            source.seconds += 24 * HOUR
            assert (await listening.read()).raise_id == "late"
        listening.cancel()
        server.battles.drop_idle()
        request = service_pb2.ListBattlesRequest()
        assert [one.battle_id for one in (await client.battles.ListBattles(request)).battles] == [battle]
        assert (await client.raised(battle)).count("thunder") == 2
