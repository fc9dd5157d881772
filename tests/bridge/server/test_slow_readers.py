"""Slow readers never hold up others (issue 4, points 2 and 11). Of one on `Play`: `test_play.py`."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client, ClientBattle, reason_of
from bridge.testing.mirror import Mirror
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.streams import PlayStream, join

# A client whose window never grows takes 64 KB ahead of what it reads.
SLOW = [
    ("grpc.http2.lookahead_bytes", 65_535),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.use_local_subchannel_pool", 1),
]
CUT = (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")


def _end_of(call: Any) -> tuple[grpc.StatusCode, str]:
    try:
        for _ in call:
            pass
    except grpc.RpcError as error:
        return error.code(), reason_of(error)
    return grpc.StatusCode.OK, ""


def _open(client: Client, method: str, battle: ClientBattle) -> Any:
    """A stream that has been opened and is not read."""
    if method == "Listen":
        call = client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id))
        call.initial_metadata()
        return call
    call = client.battles.Watch(service_pb2.WatchRequest(battle_id=battle.battle_id))
    next(call)
    return call


@pytest.mark.parametrize("method", ["Watch", "Listen"])
def test_ten_stuck_readers_are_cut_off_and_a_quick_one_misses_nothing(method: str) -> None:
    """The one who acts waits for nobody, and another battle on the same server neither."""
    settings = ServerSettings(address=FREE_PORT, limits=ServerLimits(queued_messages=8))
    with ServerProcess(settings) as server, Client(server.address) as quick, Client(server.address) as other:
        battle = quick.start(wire_pack(), "fight", deck=["shout"] * 6, player={"hp": 2_000_000_000})
        elsewhere = other.start(player={"hp": 2_000_000_000})
        stuck_clients = [Client(server.address, options=SLOW) for _ in range(10)]
        stuck = [_open(client, method, battle) for client in stuck_clients]
        mirror = Mirror()
        with PlayStream(quick, join(battle.battle_id)) as stream:
            mirror.take(stream.update())
            text = ges_pb2.Payload(text_value="x" * 4_000)
            for number in range(60):
                battle.raise_event(GUIDS["text"], text)
                mirror.take(stream.update())
                if number % 10 == 0:
                    elsewhere.end_turn()
        assert mirror.state == battle.state
        assert mirror.events == battle.mirror.events
        assert [_end_of(call) for call in stuck] == [CUT] * 10
        for client in stuck_clients:
            client.channel.close()
