"""The process around the services."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bridge.pb.gcs.v1 import battle_pb2, content_pb2, service_pb2
from bridge.server.server import Server
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess, ServerProcessError
from tests.bridge.packs import GUIDS, PAYLOADS, wire_pack
from tests.bridge.streams import PlayStream, join

SERVICES = ("gcs.v1.BattleService", "gcs.v1.GesService", "gcs.v1.ContentService")


def test_health(gcs_client: Client) -> None:
    stub = health_pb2_grpc.HealthStub(gcs_client.channel)
    for service in ("", *SERVICES):
        status = stub.Check(health_pb2.HealthCheckRequest(service=service)).status
        assert status == health_pb2.HealthCheckResponse.SERVING
    with pytest.raises(grpc.RpcError) as unknown:
        stub.Check(health_pb2.HealthCheckRequest(service="nobody.knows.It"))
    assert unknown.value.code() == grpc.StatusCode.NOT_FOUND


def test_reflection_lists_the_services(gcs_client: Client) -> None:
    stub = reflection_pb2_grpc.ServerReflectionStub(gcs_client.channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    (response,) = stub.ServerReflectionInfo(iter([request]))
    names = {service.name for service in response.list_services_response.service}
    assert {*SERVICES, "grpc.health.v1.Health"} <= names


def test_a_unix_socket(tmp_path: Path) -> None:
    path = tmp_path / "gcs.sock"
    with ServerProcess(ServerSettings(address=f"unix:{path}")) as server, Client(server.address) as client:
        assert client.start(seed=1).state.turn == 1
        # For its owner alone.
        assert path.stat().st_mode & 0o077 == 0


def test_of_servers_that_start_on_one_socket_at_once_one_listens(tmp_path: Path) -> None:
    path = f"unix:{tmp_path}/gcs.sock"
    servers = [ServerProcess(ServerSettings(address=path)) for _ in range(4)]
    try:
        with ThreadPoolExecutor(len(servers)) as pool:
            failures = [start.exception() for start in [pool.submit(server.start) for server in servers]]
        assert failures.count(None) == 1
        for failure in failures:
            assert failure is None or "Address already in use" in str(failure)
        with Client(path) as client:
            assert client.start("starter", "first_fight").state.turn == 1
    finally:
        for server in servers:
            server.kill()


async def test_a_server_has_a_socket_to_itself_from_the_look_at_it_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def look(address: str) -> None:
        folder = os.open(tmp_path, os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(folder)
        looked.append(address)

    monkeypatch.setattr("bridge.server.server.check_free", look)
    server = Server(ServerSettings(address=f"unix:{tmp_path}/gcs.sock"))
    try:
        await server.start()
    finally:
        await server.stop()
    assert looked == [f"unix:{tmp_path}/gcs.sock"]


def test_relative_paths_start_from_the_callers_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pack.json").write_text('{"id": "mine", "name": "Mine"}', encoding="utf-8")
    # Nothing there takes the place of a module.
    (tmp_path / "msgspec.py").write_text("raise ImportError('not this one')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    settings = ServerSettings(address="unix:gcs.sock", packs=(Path("mine"),), store=Path("kept.db"))
    with ServerProcess(settings) as server, Client(server.address) as client:
        assert "mine" in {pack.id for pack in client.content.ListPacks(content_pb2.ListPacksRequest()).packs}
    assert (tmp_path / "kept.db").is_file()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_tells_the_clients_and_ends_with_code_0(number: signal.Signals) -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server, Client(server.address) as client:
        battle = client.start()
        with PlayStream(client, join(battle.battle_id)) as stream:
            stream.next()
            os.kill(server.pid, number)
            with pytest.raises(grpc.RpcError) as stopped:
                stream.next()
            assert (stopped.value.code(), reason_of(stopped.value)) == (grpc.StatusCode.UNAVAILABLE, "SERVER_STOPPING")
        assert server.wait() == 0


def test_a_second_server_on_the_same_port_is_refused(gcs_client: Client) -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT)) as first:
        second = ServerProcess(ServerSettings(address=first.address))
        with pytest.raises(ServerProcessError, match="cannot listen on"):
            second.start()


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.0.2.1:5", "example.org:80", "here", "host:port"])
def test_only_this_machine_is_listened_to(address: str) -> None:
    with pytest.raises(ServerProcessError, match=r"can be reached from other machines|is no address"):
        ServerProcess(ServerSettings(address=address)).start()


def test_a_folder_that_is_no_pack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ServerProcessError, match="is no pack"):
        ServerProcess(ServerSettings(address=FREE_PORT, packs=(tmp_path,))).start()


def test_limits_are_typed_errors() -> None:
    limits = ServerLimits(battles=2, actions_per_second=5, message_bytes=20_000, node_budget=100)
    with ServerProcess(ServerSettings(address=FREE_PORT, limits=limits)) as server, Client(server.address) as client:
        client.start(battle_id="one")
        client.start(battle_id="two")
        with pytest.raises(grpc.RpcError) as refused:
            client.start()
        assert (refused.value.code(), reason_of(refused.value)) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "TOO_MANY_BATTLES",
        )
        client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id="two"))
        with pytest.raises(grpc.RpcError) as refused:
            client.start(limits=service_pb2.Limits(nodes=101))
        assert reason_of(refused.value) == "INVALID_FIELD"
        with pytest.raises(grpc.RpcError) as refused:
            client.start(wire_pack(), "x" * 20_000)
        assert refused.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        action = battle_pb2.Action(play_card=battle_pb2.PlayCard(card="c999"))
        request = service_pb2.ActRequest(battle_id="one", action=action)
        with pytest.raises(grpc.RpcError) as refused:
            _ = [client.battles.Act(request) for _ in range(500)]
        assert reason_of(refused.value) == "TOO_MANY_ACTIONS"


def test_set_state_where_it_is_not_allowed(tight_client: Client) -> None:
    battle = tight_client.start(battle_id="no-set-state")
    with pytest.raises(Exception, match="NOT_ALLOWED"):
        battle.set_state({"player.armor": 5})


def test_many_streams_open_and_close(gcs_client: Client) -> None:
    """A battle holds no stream that is gone."""
    battle = gcs_client.start(wire_pack(), "fight")
    for _ in range(100):
        with PlayStream(gcs_client, join(battle.battle_id)) as stream:
            stream.next()
    battle.raise_event(GUIDS["int"], PAYLOADS["int"])
    request = service_pb2.ListBattlesRequest(page_size=1000)
    listed = {one.battle_id: one for one in gcs_client.battles.ListBattles(request).battles}
    assert listed[battle.battle_id].streams < 32


def test_godots_keepalive_is_accepted(gcs_server: ServerProcess) -> None:
    """A ping after each second of silence is no reason to end a connection."""
    host, _, port = gcs_server.address.rpartition(":")
    ping = b"\x00\x00\x08\x06\x00\x00\x00\x00\x00" + b"12345678"
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00")
        received = b""
        for acknowledged in range(12):
            connection.sendall(ping)
            while received.count(b"12345678") <= acknowledged:
                data = connection.recv(4096)
                assert data, "the server ended the connection"
                received += data
        assert b"too_many_pings" not in received


def test_the_process_imports_no_test_tools() -> None:
    assert "pytest" in sys.modules
    code = "import sys, bridge.server.server; sys.exit('pytest' in sys.modules or 'bridge.testing' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
