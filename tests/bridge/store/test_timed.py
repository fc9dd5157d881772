"""What callers have scheduled outlives the server, on a clock that stands still while there is none."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from bridge.testing.client import Client
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.store.servers import KeptServer

DAY = 86_400_000


def request_of(raise_id: str) -> ges_pb2.RaiseRequest:
    return ges_pb2.RaiseRequest(battle_id="one", guid=GUIDS["none"], raise_id=raise_id)


def repeat(client: Client, raise_id: str, ms: int, count: int) -> None:
    request = ges_pb2.RaiseRepeatingRequest(request=request_of(raise_id), interval_ms=ms, count=count)
    assert client.ges.RaiseRepeating(request).result == ges_pb2.RAISE_RESULT_SCHEDULED


def last_sequence(client: Client) -> int:
    """The number of the battle's last event; asking for it in this way brings no battle back."""
    (battle,) = client.battles.ListBattles(service_pb2.ListBattlesRequest()).battles
    return battle.last_sequence


def raises(client: Client) -> list[Any]:
    request = service_pb2.GetBattleRequest(battle_id="one", last_sequence=0)
    events = client.battles.GetBattle(request).update.events
    return [event for event in events if event.WhichOneof("kind") == "ges_event_raised"]


def until(condition: Callable[[], bool]) -> None:
    """Asks again and again, each time with a call to the server, for as long as a call may take."""
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "it does not come"


def test_a_repeating_raise_comes_as_often_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    with KeptServer(path) as server:
        start = server.client.start(wire_pack(), "fight", battle_id="one", manual_clock=False).mirror.last_sequence
        repeat(server.client, "r", 100, 4)
        until(lambda: last_sequence(server.client) > start)
        server.kill()
    with KeptServer(path) as server:
        until(lambda: len(raises(server.client)) == 4)
        # Its count is the total: nothing is left to be cancelled.
        assert server.client.ges.Cancel(ges_pb2.CancelRequest(battle_id="one", raise_id="r")).battle_count == 0
        server.kill()
    with KeptServer(path) as server:
        assert len(raises(server.client)) == 4


def test_what_is_due_comes_without_being_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    with KeptServer(path) as server:
        start = server.client.start(wire_pack(), "fight", battle_id="one", manual_clock=False).mirror.last_sequence
        delayed = ges_pb2.RaiseDelayedRequest(request=request_of("r"), delay_ms=500)
        assert server.client.ges.RaiseDelayed(delayed).result == ges_pb2.RAISE_RESULT_SCHEDULED
        server.kill()
    with KeptServer(path) as server:
        until(lambda: last_sequence(server.client) > start)


def test_what_was_scheduled_can_be_cancelled_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    with KeptServer(path) as server:
        server.client.start(wire_pack(), "fight", battle_id="one", manual_clock=False)
        for raise_id in ("r", "s"):
            delayed = ges_pb2.RaiseDelayedRequest(request=request_of(raise_id), delay_ms=DAY)
            assert server.client.ges.RaiseDelayed(delayed).result == ges_pb2.RAISE_RESULT_SCHEDULED
        assert server.client.ges.Cancel(ges_pb2.CancelRequest(battle_id="one", raise_id="s")).battle_count == 1
        server.kill()
    with KeptServer(path) as server:
        assert server.client.ges.Cancel(ges_pb2.CancelRequest(battle_id="one", raise_id="s")).battle_count == 0
        assert server.client.ges.Cancel(ges_pb2.CancelRequest(battle_id="one", raise_id="r")).battle_count == 1
        assert not raises(server.client)
        server.kill()
    with KeptServer(path) as server:
        assert server.client.ges.Cancel(ges_pb2.CancelRequest(battle_id="one", raise_id="r")).battle_count == 0
