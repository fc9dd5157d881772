"""Issue 10.12: a server may ask for certificates of its clients, at its own port and at its relay."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
import trustme

from bridge.net.channel import AddressError, open_channel
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import RelaySettings, ServerSettings, TlsFiles
from bridge.testing.client import Client
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.identity import TOKEN, Identity, issued_by
from tests.bridge.processes import run_gcs


class Doors:
    """A server that asks for certificates, by its own port and by a relay, with identities of clients."""

    def __init__(self, server: Identity, folder: Path) -> None:
        clients = trustme.CA()
        authority = folder / "clients.crt"
        clients.cert_pem.write_to_path(authority)
        files = TlsFiles(server.files.cert, server.files.key, authority)
        self.trusted = server.trusted
        self.known = identity_of(clients, folder / "known")
        self.unknown = identity_of(trustme.CA(), folder / "unknown")
        relay = RelaySettings(FREE_PORT)
        self.settings = [
            ServerSettings(address=FREE_PORT, tokens=(TOKEN,), tls=files, relay=chosen) for chosen in (None, relay)
        ]


def identity_of(authority: trustme.CA, folder: Path) -> TlsFiles:
    folder.mkdir()
    return issued_by(authority, folder).files


@pytest.fixture(scope="module")
def doors(identity: Identity, tmp_path_factory: pytest.TempPathFactory) -> Doors:
    return Doors(identity, tmp_path_factory.mktemp("clients"))


@pytest.fixture(scope="module", params=[0, 1], ids=["address", "relay"])
def url(doors: Doors, request: pytest.FixtureRequest) -> Iterator[str]:
    with ServerProcess(doors.settings[request.param]) as server:
        yield server.relay_urls[0] if server.relay_urls else f"grpcs://{server.address}"


def ask(client: Client) -> None:
    client.battles.GetServerInfo(service_pb2.GetServerInfoRequest(), timeout=client.seconds)


def test_who_shows_a_certificate_of_the_authority_is_let_in(doors: Doors, url: str) -> None:
    with Client(url, token=TOKEN, trusted=doors.trusted, identity=doors.known) as client:
        ask(client)


@pytest.mark.parametrize("shows", ["nothing", "another"])
def test_who_shows_none_or_another_is_not(doors: Doors, url: str, shows: str) -> None:
    shown = doors.unknown if shows == "another" else None
    with Client(url, token=TOKEN, trusted=doors.trusted, identity=shown) as client:
        with pytest.raises(grpc.RpcError) as refused:
            ask(client)
        assert refused.value.code() is grpc.StatusCode.UNAVAILABLE


def test_the_environment_names_a_certificate(doors: Doors, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GCS_TLS_CLIENT_CERT", str(doors.known.cert))
    monkeypatch.setenv("GCS_TLS_CLIENT_KEY", str(doors.known.key))
    with Client(url, token=TOKEN, trusted=doors.trusted) as client:
        ask(client)


def test_a_certificate_that_is_not_there_is_told_of(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GCS_TLS_CLIENT_CERT", str(tmp_path / "nowhere.crt"))
    with pytest.raises(AddressError, match="GCS_TLS_CLIENT_CERT names no file"):
        open_channel("grpcs://localhost:1")
    # Without TLS there is nothing to show.
    open_channel("localhost:1").close()


def test_authorities_alone_are_no_tls(identity: Identity) -> None:
    refused = run_gcs("serve", "--address", FREE_PORT, "--tls-client-ca", str(identity.files.cert))
    assert refused.returncode == 2
    assert "--tls-client-ca is for a server that speaks TLS" in " ".join(refused.stderr.split())


def test_authorities_that_are_none(identity: Identity, tmp_path: Path) -> None:
    none = tmp_path / "none.crt"
    none.write_text("no certificate", encoding="ascii")
    refused = run_gcs("serve", "--address", FREE_PORT, *identity.options, "--tls-client-ca", str(none))
    assert refused.returncode == 2
    assert "no TLS with" in refused.stderr
    assert str(none) in "".join(refused.stderr.split())
    assert ssl.SSLError.__name__ not in refused.stderr
