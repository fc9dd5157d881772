"""A pack of GES events as clients send it, and a server in the test's own process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from grpc import aio

from bridge.ges import Clock
from bridge.pb.gcs.v1 import ges_pb2, ges_pb2_grpc, service_pb2, service_pb2_grpc
from bridge.server.server import Server
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.process import FREE_PORT
from tests.runtime.arena import graph
from tests.runtime.ges_packs import events, flows, guid_of, hears, trigger


def weather(**fields: Any) -> dict[str, Any]:
    """Thunder brings rain at once and lightning later; a card thunders, another asks."""
    return {
        "id": "weather",
        "events": events(thunder="int+", rain="int", flash="none", strike="unit", ping="none", pong="none"),
        "flows": flows(
            trigger("thunder", "rain", when={"arg": "ge", "value": 3}),
            chains=[
                {"from": "thunder", "steps": [{"to": "flash", "delay_ms": 100, "duration_ms": 50}, {"to": "flash"}]}
            ],
        ),
        "cards": [
            {
                "id": "call",
                "cost": 0,
                "target": "none",
                "graph": graph(
                    f"on: on_card_played; say: raise_ges_event event={guid_of('thunder')} arg=2; "
                    "keep: set_variable name=told; on > say > keep; say.receivers keep.value"
                ),
            },
            {
                "id": "ask",
                "cost": 0,
                "target": "none",
                "graph": graph('on: on_card_played; ask: choose_option options=["a","b"]; on > ask'),
            },
        ],
        "statuses": [
            {"id": "ears", "graph": graph(hears("thunder", "rain", "flash", "ping", "pong", keep="thunder"))},
            {
                "id": "rod",
                "graph": graph(
                    f"on: on_ges_event ges_event={guid_of('strike')}; who: event_arg name=arg type=unit; "
                    "hurt: lose_hp amount=7; on > hurt; who.value hurt.target"
                ),
            },
        ],
        "enemies": [{"id": "dummy", "hp": 100}],
        "decks": [{"id": "deck", "cards": ["call", "ask", "call"]}],
        "encounters": [
            {
                "id": "fight",
                "enemies": ["dummy"],
                "deck": "deck",
                "player": {"hp": 50, "statuses": {"ears": 1, "rod": 1}},
            }
        ],
        **fields,
    }


def payload(value: int) -> ges_pb2.Payload:
    """An int that an event carries."""
    return ges_pb2.Payload(int_value=value)


class LocalClient:
    """Stubs of a server in this process."""

    def __init__(self, channel: aio.Channel) -> None:
        self.battles: Any = service_pb2_grpc.BattleServiceStub(channel)  # type: ignore[no-untyped-call]
        self.ges: Any = ges_pb2_grpc.GesServiceStub(channel)  # type: ignore[no-untyped-call]

    async def start(self, pack_json: str, battle_id: str = "", **fields: Any) -> str:
        """Starts a battle and returns its id."""
        request = service_pb2.StartBattleRequest(
            pack_json=pack_json, encounter="fight", battle_id=battle_id, open_draw_pile=True, shuffle=False, **fields
        )
        response = await self.battles.StartBattle(request)
        return str(response.update.battle_id)

    async def variables(self, battle_id: str) -> dict[str, int]:
        """The battle's variables."""
        response = await self.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle_id))
        return dict(response.update.snapshot.variables)

    async def raised(self, battle_id: str) -> list[str]:
        """The events raised in a battle from its start, by id."""
        request = service_pb2.GetBattleRequest(battle_id=battle_id, last_sequence=0)
        update = (await self.battles.GetBattle(request)).update
        return [event.ges_event_raised.event for event in update.events if event.HasField("ges_event_raised")]


@asynccontextmanager
async def local_server(clock: Clock | None = None, **limits: Any) -> AsyncIterator[tuple[Server, LocalClient]]:
    """A real server on a free port, in this process, and a client of it."""
    server = Server(ServerSettings(address=FREE_PORT, limits=ServerLimits(**limits)), clock)
    await server.start()
    try:
        async with aio.insecure_channel(server.address) as channel:
            yield server, LocalClient(channel)
    finally:
        await server.stop()
