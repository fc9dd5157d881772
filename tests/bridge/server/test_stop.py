"""The graceful stop (issue 4, point 7): actions are finished, clients told, the process ends by itself."""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, service_pb2
from bridge.server.server import STOPPING
from bridge.settings import ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.http2_client import GOAWAY, Connection
from tests.bridge.local_server import local_server
from tests.bridge.packs import wire_pack
from tests.bridge.streams import PlayStream, join

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM to answer")
LIST = service_pb2.ListBattlesRequest()
TOLD = (grpc.StatusCode.UNAVAILABLE, "SERVER_STOPPING")


def _end_of(call: Any) -> tuple[grpc.StatusCode, str]:
    """How a stream ends."""
    try:
        for _ in call:
            pass
    except grpc.RpcError as error:
        return error.code(), reason_of(error)
    return grpc.StatusCode.OK, ""


def _hold(client: Client) -> None:
    """Opens a stream that goes on until the client has sent its last message, which it does not."""
    requests: queue.Queue[reflection_pb2.ServerReflectionRequest] = queue.Queue()
    requests.put(reflection_pb2.ServerReflectionRequest(list_services=""))
    stub = reflection_pb2_grpc.ServerReflectionStub(client.channel)
    next(stub.ServerReflectionInfo(iter(requests.get, None)))


def test_everybody_on_a_stream_is_told_why_it_ends() -> None:
    """Play, Watch, Listen, and Simulate in the middle of its battles; and whoever watches the health."""
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server, Client(server.address) as client:
        battle = client.start()
        listening = client.ges.Listen(ges_pb2.ListenRequest())
        listening.initial_metadata()
        start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight")
        simulate = service_pb2.SimulateRequest(start=start, bot="random", battle_count=100_000)
        simulating = client.battles.Simulate(simulate)
        next(simulating)
        watching = client.battles.Watch(service_pb2.WatchRequest(battle_id=battle.battle_id))
        next(watching)
        health = health_pb2_grpc.HealthStub(client.channel).Watch(health_pb2.HealthCheckRequest())
        assert next(health).status == health_pb2.HealthCheckResponse.SERVING
        with PlayStream(client, join(battle.battle_id)) as stream:
            stream.next()
            os.kill(server.pid, signal.SIGTERM)
            assert next(health).status == health_pb2.HealthCheckResponse.NOT_SERVING
            ends = [_end_of(call) for call in (stream.call, watching, listening, simulating, health)]
        assert ends == [TOLD] * 5
        assert server.wait() == 0


def test_those_who_watch_the_health_hold_nobody_up() -> None:
    """They are told, and their streams end: the server need not wait for its grace time."""
    settings = ServerSettings(address=FREE_PORT, grace_seconds=3_600)
    with ServerProcess(settings) as server, Client(server.address) as client:
        stub = health_pb2_grpc.HealthStub(client.channel)
        names = ("", "gcs.v1.GesService", "nobody.knows.It")
        calls = [stub.Watch(health_pb2.HealthCheckRequest(service=name)) for name in names]
        serving, unknown = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.SERVICE_UNKNOWN
        assert [next(call).status for call in calls] == [serving, serving, unknown]
        os.kill(server.pid, signal.SIGTERM)
        assert [next(call).status for call in calls[:2]] == [health_pb2.HealthCheckResponse.NOT_SERVING] * 2
        assert [_end_of(call) for call in calls] == [TOLD] * 3
        assert server.wait() == 0


def test_a_connection_is_said_goodbye_to() -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server, Connection(server.address) as connection:
        os.kill(server.pid, signal.SIGTERM)
        assert GOAWAY in connection.rest()
        assert server.wait() == 0


def test_actions_that_have_reached_the_server_are_finished() -> None:
    """Every action is either answered, or the client is told that the server stops; none is lost in between."""
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server, Client(server.address) as client:
        battle = client.start(wire_pack(), "fight", deck=["shield"] * 6, player={"hp": 2_000_000_000})
        acting = threading.Event()
        ends: list[tuple[grpc.StatusCode, str]] = []
        turns: list[int] = []

        def act() -> None:
            action = battle_pb2.Action(end_turn=battle_pb2.EndTurn())
            request = service_pb2.ActRequest(battle_id=battle.battle_id, action=action)
            try:
                while True:
                    turns.append(client.battles.Act(request).update.state_version)
                    acting.set()
            except grpc.RpcError as error:
                ends.append((error.code(), reason_of(error)))

        thread = threading.Thread(target=act)
        thread.start()
        assert acting.wait(20)
        os.kill(server.pid, signal.SIGTERM)
        thread.join(20)
        # An answered action is one that was carried out; the call after it was refused, as such or by the connection.
        # gRPC itself cancels one that it has read and not yet handed over.
        assert turns == list(range(2, len(turns) + 2))
        assert ends[0][0] in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
        assert server.wait() == 0
        assert "Traceback" not in server.output


async def test_calls_that_come_after_the_stop_has_begun_are_refused() -> None:
    """While the grace runs out, nothing new begins: neither a call nor a stream."""
    async with local_server() as (server, client):
        battle = await client.start(json.dumps(wire_pack()), "there")
        server.calls.closed = STOPPING
        with pytest.raises(grpc.RpcError) as refused:
            await client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle))
        assert (refused.value.code(), reason_of(refused.value)) == TOLD
        stream = client.battles.Watch(service_pb2.WatchRequest(battle_id=battle))
        with pytest.raises(grpc.RpcError) as refused:
            await stream.read()
        assert (refused.value.code(), reason_of(refused.value)) == TOLD


def test_the_grace_bounds_the_stop() -> None:
    """A client that keeps its stream open, whatever it is told, does not keep the server."""
    settings = ServerSettings(address=FREE_PORT, grace_seconds=0.2)
    with ServerProcess(settings) as server, Client(server.address) as client:
        _hold(client)
        os.kill(server.pid, signal.SIGTERM)
        assert server.wait() == 0


@pytest.mark.parametrize("second", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal_ends_it_at_once(second: signal.Signals) -> None:
    settings = ServerSettings(address=FREE_PORT, grace_seconds=3_600)
    with ServerProcess(settings) as server, Client(server.address) as client:
        _hold(client)
        health = health_pb2_grpc.HealthStub(client.channel).Watch(health_pb2.HealthCheckRequest())
        next(health)
        os.kill(server.pid, signal.SIGTERM)
        assert next(health).status == health_pb2.HealthCheckResponse.NOT_SERVING
        os.kill(server.pid, second)
        assert server.wait() == -second


def test_whoever_calls_all_the_time_is_told_as_well() -> None:
    """Without a pause most of them would be cancelled without a reason: gRPC does that while it says goodbye."""
    ends: list[tuple[grpc.StatusCode, str]] = []

    def act_on(address: str) -> None:
        with Client(address) as client:
            battle = client.start(player={"hp": 1_000_000, "max_hp": 1_000_000})
            try:
                while True:
                    battle.end_turn()
            except grpc.RpcError as error:
                ends.append((error.code(), reason_of(error)))

    with ServerProcess(ServerSettings(address=FREE_PORT)) as server:
        acting = [threading.Thread(target=act_on, args=(server.address,)) for _ in range(4)]
        for thread in acting:
            thread.start()
        with Client(server.address) as client:
            while sum(one.turn > 1 for one in client.battles.ListBattles(LIST, timeout=20).battles) < len(acting):
                pass
        os.kill(server.pid, signal.SIGTERM)
        for thread in acting:
            thread.join(timeout=20)
        assert server.wait() == 0
    assert ends == [TOLD] * 4
