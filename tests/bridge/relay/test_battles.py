"""Issue 4.7: real servers and relays, played on with the usual gRPC clients."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
import trustme
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import RelaySettings, ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.identity import TOKEN, Identity, issued_by
from tests.bridge.streams import PlayStream, join

GCS = str(Path(sysconfig.get_path("scripts")) / "gcs")
LIMIT = 30.0


@pytest.fixture(scope="module")
def server(identity: Identity) -> Iterator[ServerProcess]:
    """A server with a token, and with a relay that speaks TLS."""
    settings = ServerSettings(
        address=FREE_PORT, tokens=("an-older-token-0123", TOKEN), tls=identity.files, relay=RelaySettings(FREE_PORT)
    )
    with ServerProcess(settings) as running:
        yield running


@contextmanager
def relay_process(*options: str, listen: str = FREE_PORT) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`gcs relay` in a process of its own: its gRPC URL and the process."""
    command = [GCS, "relay", "--listen", listen, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            said = re.fullmatch(r"gcs: relay on (grpcs?://[^,]+), wss?://\S+\n", line)
            assert said, line
            yield said.group(1), process
        finally:
            process.kill()
            process.communicate()


def refusal(client: Client) -> tuple[grpc.StatusCode, str]:
    with pytest.raises(grpc.RpcError) as refused:
        client.start()
    return refused.value.code(), reason_of(refused.value)


def test_a_battle_over_tls_and_the_relay(server: ServerProcess, identity: Identity) -> None:
    assert re.fullmatch(r"grpcs://127\.0\.0\.1:\d+", server.relay_urls[0])
    assert re.fullmatch(r"wss://127\.0\.0\.1:\d+", server.relay_urls[1])
    with Client(server.relay_urls[0], token=TOKEN, trusted=identity.trusted) as client:
        battle = client.start("starter", "first_fight", seed=7)
        with PlayStream(client, join(battle.battle_id)) as stream:
            assert stream.update().HasField("snapshot")
            battle.end_turn()
            assert stream.update().HasField("change")


def test_a_certificate_that_nobody_trusts(server: ServerProcess) -> None:
    other = trustme.CA().cert_pem.bytes()
    with Client(server.relay_urls[0], token=TOKEN, trusted=other) as client:
        assert refusal(client)[0] == grpc.StatusCode.UNAVAILABLE


@pytest.mark.parametrize("through_relay", [False, True])
@pytest.mark.parametrize(
    ("token", "reason"),
    [("", "TOKEN_REQUIRED"), (TOKEN + "x", "TOKEN_REFUSED"), (TOKEN[:-1], "TOKEN_REFUSED"), ("é", "TOKEN_REFUSED")],
)
def test_calls_without_the_token_are_refused(
    server: ServerProcess, identity: Identity, token: str, reason: str, through_relay: bool
) -> None:
    address = server.relay_urls[0] if through_relay else server.address
    with Client(address, token="", trusted=identity.trusted) as client:
        shown = (("authorization", f"Bearer {token}".encode("latin-1")),) if token else ()
        with pytest.raises(grpc.RpcError) as refused:
            client.battles.GetServerInfo(service_pb2.GetServerInfoRequest(), metadata=shown)
        if token == "é":
            # gRPC itself refuses what is no ASCII.
            assert refused.value.code() in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAUTHENTICATED)
        else:
            assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.UNAUTHENTICATED, reason)


def test_another_scheme_than_bearer_is_refused(server: ServerProcess) -> None:
    with Client(server.address, token="") as client:
        with pytest.raises(grpc.RpcError) as refused:
            client.battles.GetServerInfo(
                service_pb2.GetServerInfoRequest(), metadata=(("authorization", f"Basic {TOKEN}"),)
            )
        assert reason_of(refused.value) == "TOKEN_REFUSED"


@pytest.mark.parametrize("token", [TOKEN, "an-older-token-0123"])
def test_each_token_of_the_server_is_good(server: ServerProcess, token: str) -> None:
    with Client(server.address, token=token) as client:
        assert client.battles.GetServerInfo(service_pb2.GetServerInfoRequest()).protocol_major == 1


def test_streams_need_the_token_too(server: ServerProcess) -> None:
    with Client(server.address, token=TOKEN) as client, Client(server.address, token="") as stranger:
        battle = client.start()
        with PlayStream(stranger, join(battle.battle_id)) as stream, pytest.raises(grpc.RpcError) as refused:
            stream.next()
        assert reason_of(refused.value) == "TOKEN_REQUIRED"


def test_health_alone_needs_no_token(server: ServerProcess) -> None:
    with Client(server.address, token="") as client:
        health = health_pb2_grpc.HealthStub(client.channel)
        assert health.Check(health_pb2.HealthCheckRequest()).status == health_pb2.HealthCheckResponse.SERVING
        reflection = reflection_pb2_grpc.ServerReflectionStub(client.channel)
        request = reflection_pb2.ServerReflectionRequest(list_services="")
        with pytest.raises(grpc.RpcError) as refused:
            list(reflection.ServerReflectionInfo(iter([request])))
        assert refused.value.code() == grpc.StatusCode.UNAUTHENTICATED
        with pytest.raises(grpc.RpcError) as refused:
            client.channel.unary_unary("/no.Such/Method")(b"")
        assert refused.value.code() == grpc.StatusCode.UNAUTHENTICATED


def test_the_commands_take_the_token_from_the_environment(server: ServerProcess) -> None:
    command = [GCS, "events", "--address", server.address]
    for token, code in (("", 1), (TOKEN, 0)):
        environment = {**os.environ, "GCS_TOKEN": token}
        done = subprocess.run(command, env=environment, timeout=LIMIT, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert ("takes calls with a token alone" in done.stderr) == (code == 1)


def test_a_relay_of_its_own_ends_while_the_server_goes_on(tmp_path: Path, identity: Identity) -> None:
    settings = ServerSettings(address=f"unix:{tmp_path}/gcs.sock", tokens=(TOKEN,))
    with ServerProcess(settings) as server:
        to = ("--to", server.address)
        with (
            relay_process(*to, *identity.options) as (url, process),
            Client(url, token=TOKEN, trusted=identity.trusted) as client,
        ):
            battle = client.start(battle_id="goes-on", seed=7)
            with PlayStream(client, join(battle.battle_id)) as stream:
                stream.next()
                process.kill()
                with pytest.raises(grpc.RpcError) as lost:
                    stream.next()
                assert lost.value.code() == grpc.StatusCode.UNAVAILABLE
        with relay_process(*to, *identity.options) as (url, process):
            with Client(url, token=TOKEN, trusted=identity.trusted) as client:
                request = service_pb2.GetBattleRequest(battle_id="goes-on")
                assert client.battles.GetBattle(request).update.battle_id == "goes-on"
            process.send_signal(signal.SIGTERM)
            assert process.wait(LIMIT) == 0


def test_a_public_relay_of_its_own(server: ServerProcess, identity: Identity) -> None:
    with relay_process("--to", server.address, *identity.options, listen="0.0.0.0:0") as (url, _):
        local = url.replace("0.0.0.0", "127.0.0.1")
        with Client(local, token=TOKEN, trusted=identity.trusted) as client:
            assert client.start(seed=1).state.turn == 1


def test_clients_are_told_when_the_server_behind_the_relay_is_gone(identity: Identity) -> None:
    with (
        ServerProcess(ServerSettings(address=FREE_PORT)) as server,
        relay_process("--to", server.address, *identity.options) as (url, _),
        Client(url, trusted=identity.trusted) as client,
    ):
        battle = client.start()
        with PlayStream(client, join(battle.battle_id)) as stream:
            stream.next()
            server.kill()
            with pytest.raises(grpc.RpcError) as lost:
                stream.next()
            assert lost.value.code() == grpc.StatusCode.UNAVAILABLE
        assert refusal(client)[0] == grpc.StatusCode.UNAVAILABLE


def test_a_stop_reaches_clients_through_the_relay(identity: Identity) -> None:
    settings = ServerSettings(address=FREE_PORT, tls=identity.files, relay=RelaySettings(FREE_PORT))
    with ServerProcess(settings) as server, Client(server.relay_urls[0], trusted=identity.trusted) as client:
        battle = client.start()
        with PlayStream(client, join(battle.battle_id)) as stream:
            stream.next()
            os.kill(server.pid, signal.SIGTERM)
            with pytest.raises(grpc.RpcError) as stopped:
                stream.next()
            assert reason_of(stopped.value) == "SERVER_STOPPING"
        assert server.wait() == 0


def test_grpc_speaks_tls_itself_on_its_address(identity: Identity) -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT, tls=identity.files)) as server:
        with Client(f"grpcs://{server.address}", trusted=identity.trusted) as client:
            assert client.start(seed=1).state.turn == 1
        with Client(server.address, seconds=5.0) as client:
            assert refusal(client)[0] == grpc.StatusCode.UNAVAILABLE


def test_a_public_address_with_tls_a_token_and_a_relay(identity: Identity) -> None:
    settings = ServerSettings(
        address="0.0.0.0:0", tokens=(TOKEN,), tls=identity.files, relay=RelaySettings("0.0.0.0:0")
    )
    with ServerProcess(settings) as server:
        for url in (f"grpcs://{server.address}", server.relay_urls[0]):
            local = url.replace("0.0.0.0", "127.0.0.1")
            with Client(local, token=TOKEN, trusted=identity.trusted) as client:
                assert client.start(seed=1).state.turn == 1


def test_a_public_relay_tells_that_it_waits_for_its_server(identity: Identity, tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/gcs.sock"
    command = [GCS, "relay", "--listen", "0.0.0.0:0", "--to", address, *identity.options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as relay:
        try:
            assert relay.stdout is not None
            assert relay.stderr is not None
            told = relay.stderr.readline()
            assert told.endswith(f"waiting up to 15 seconds for the server at {address}\n")
            with ServerProcess(ServerSettings(address=address, tokens=(TOKEN,))):
                assert relay.stdout.readline().startswith("gcs: relay on grpcs://0.0.0.0:")
        finally:
            relay.kill()


@pytest.mark.parametrize("by_relay", [False, True])
def test_a_renewed_certificate_is_shown_without_a_restart(
    tmp_path: Path, renewable: tuple[trustme.CA, Identity], by_relay: bool
) -> None:
    _, first = renewable
    settings = ServerSettings(address=FREE_PORT, tls=first.files, relay=RelaySettings(FREE_PORT) if by_relay else None)
    with ServerProcess(settings) as server:
        url = server.relay_urls[0] if by_relay else f"grpcs://{server.address}"
        with Client(url, trusted=first.trusted) as client:
            client.start()
        first.files.cert.write_text("half written")
        with Client(url, trusted=first.trusted) as client:
            client.start()
        second = issued_by(trustme.CA(), tmp_path)
        with Client(url, trusted=second.trusted) as client:
            client.start()
