"""Issue 4.7: whoever calls a server over a network is told why it does not answer, and what to do."""

from __future__ import annotations

import os
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from typer.testing import CliRunner

from bridge.cli import app
from bridge.net.call_failures import failure_of
from bridge.net.channel import AddressError, check_address, open_channel
from bridge.pb.gcs.v1 import service_pb2, service_pb2_grpc
from bridge.settings import RelaySettings, ServerSettings
from bridge.testing.client import Client
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.identity import TOKEN, Identity
from tests.bridge.processes import command

PASSING = Path(__file__).resolve().parents[1] / "data" / "pass" / "concede.json"
COMMANDS = [("events",), ("play", "--bot", "random"), ("scenario", "run", str(PASSING)), ("simulate", "--battles", "1")]


@pytest.fixture(scope="module")
def server(identity: Identity) -> Iterator[ServerProcess]:
    """A server with a token on a plain port, and a relay that speaks TLS."""
    settings = ServerSettings(address=FREE_PORT, tokens=(TOKEN,), tls=identity.files, relay=RelaySettings(FREE_PORT))
    with ServerProcess(settings) as running:
        yield running


def said(*arguments: str, token: str = "") -> str:
    """All that a command says that fails."""
    done = CliRunner().invoke(app, arguments, env={"GCS_TOKEN": token, "COLUMNS": "200"})
    assert done.exit_code in (1, 2)
    return done.output


def why(address: str, trusted: bytes | None = None, options: tuple[tuple[str, str], ...] = ()) -> str:
    """What is said of a call that fails."""
    with open_channel(address, trusted=trusted, options=options) as channel:
        stub = service_pb2_grpc.BattleServiceStub(channel)
        with pytest.raises(grpc.RpcError) as failed:
            stub.GetServerInfo(service_pb2.GetServerInfoRequest(), timeout=20)
        return failure_of(failed.value, address)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_without_a_token_is_told_where_it_takes_it_from(server: ServerProcess, words: tuple[str]) -> None:
    needed = f"the server at {server.address} takes calls with a token alone: set the environment variable GCS_TOKEN"
    assert needed in said(*words, "--address", server.address)
    refused = f"the server at {server.address} refuses the token of the environment variable GCS_TOKEN"
    assert refused in said(*words, "--address", server.address, token=TOKEN + "x")


@pytest.mark.parametrize("words", COMMANDS)
def test_the_help_names_the_variable(words: tuple[str]) -> None:
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200"})
    assert "GCS_TOKEN" in shown.output


def test_a_certificate_that_is_not_trusted_and_how_to_trust_it(
    server: ServerProcess, identity: Identity, tmp_path: Path
) -> None:
    """In a process: gRPC writes no lines of its own."""
    url = server.relay_urls[0]
    authority = tmp_path / "authority.pem"
    authority.write_bytes(identity.trusted)
    roots = "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"
    plain = {name: value for name, value in os.environ.items() if name not in (roots, "GCS_TOKEN", "GRPC_VERBOSITY")}
    told = []
    for environment in (plain, {**plain, roots: str(authority)}):
        done = subprocess.run(
            command("events", "--address", url),
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        told.append((done.returncode, done.stderr))
    code, message = told[0]
    assert code == 2
    assert message.startswith(f"gcs: the certificate of the server at {url} is not trusted (")
    assert message.endswith(f"name a PEM file with its authority in the environment variable {roots}\n")
    assert message.count("\n") == 1
    assert told[1][0] == 1
    assert "set the environment variable GCS_TOKEN" in told[1][1]


def test_a_certificate_for_another_name(server: ServerProcess, identity: Identity) -> None:
    url = server.relay_urls[0]
    told = why(url, identity.trusted, (("grpc.ssl_target_name_override", "elsewhere.example"),))
    assert told.startswith(f"the certificate of the server at {url} is for another name")


def test_a_port_that_speaks_tls_is_told_apart(server: ServerProcess, identity: Identity) -> None:
    bare = server.relay_urls[0].removeprefix("grpcs://")
    assert why(bare) == f"the server at {bare} speaks TLS: try grpcs://{bare}"
    assert why(f"grpc://{bare}").endswith(f"speaks TLS: try grpcs://{bare}")
    with ServerProcess(ServerSettings(address=FREE_PORT, tls=identity.files)) as own:
        assert why(own.address) == f"the server at {own.address} speaks TLS: try grpcs://{own.address}"


def test_a_port_that_speaks_no_tls(server: ServerProcess) -> None:
    url = f"grpcs://{server.address}"
    assert why(url) == f"the server at {url} speaks no TLS: try {server.address}"


def test_a_port_that_hangs_up_on_everybody() -> None:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), socketserver.BaseRequestHandler) as mute:
        threading.Thread(target=mute.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{mute.server_address[1]}"
        told = why(address)
        mute.shutdown()
    assert told == f"what listens at {address} does not answer gRPC: if it speaks TLS, try grpcs://{address}"


@pytest.mark.parametrize("address", ["127.0.0.1:1", "grpcs://127.0.0.1:1", "127.0.0.1:no", "unix:/nowhere/gcs.sock"])
def test_nobody_is_there(address: str) -> None:
    assert why(address) == f"no server answers at {address}"


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("wss://game.example:8443", "a relay takes grpcs:// at the same port"),
        ("ws://127.0.0.1:1", "a relay takes grpc:// at the same port"),
        ("https://game.example", "expected HOST:PORT, unix:PATH, or grpcs://HOST:PORT for TLS"),
        ("GRPCS://game.example:1", "expected HOST:PORT"),
        ("://", "expected HOST:PORT"),
    ],
)
def test_other_schemes_are_refused(address: str, hint: str) -> None:
    with pytest.raises(AddressError, match="is no address of a gRPC server") as refused:
        Client(address)
    assert hint in str(refused.value)
    for words in COMMANDS:
        assert f"gcs: {refused.value}\n" in said(*words, "--address", address)


@pytest.mark.parametrize(
    "address", ["game.example:1", "grpc://h:1", "grpcs://h:1", "unix:gcs.sock", "unix:///run/gcs.sock", "dns:///h:1"]
)
def test_addresses_that_grpc_takes(address: str) -> None:
    check_address(address)
