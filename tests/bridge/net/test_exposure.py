"""Issue 4.7: nothing listens where other machines reach it without TLS and a token."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from bridge.cli import app
from bridge.net.addresses import ListenError, is_local, join, split
from bridge.server.tokens import TokenError, read_tokens
from bridge.settings import ServerSettings
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.identity import TOKEN, Identity


def refused(*arguments: str, token: str = "") -> str:
    """What a command says that ends with exit code 2 instead of listening."""
    done = CliRunner().invoke(app, arguments, env={"GCS_TOKEN": token})
    assert done.exit_code == 2, done.output
    return done.stderr


def test_a_public_address_without_tls() -> None:
    said = refused("serve", "--address", "0.0.0.0:0", token=TOKEN)
    assert "--address 0.0.0.0:0 can be reached from other machines" in said
    assert "--tls-cert" in said
    assert "--token-file" not in said


def test_a_public_address_without_a_token(identity: Identity) -> None:
    said = refused("serve", "--address", "[::]:0", *identity.options)
    assert "--token-file or GCS_TOKEN" in said
    assert "--tls-cert" not in said


@pytest.mark.parametrize("option", ["--address", "--relay"])
def test_a_public_address_with_neither(option: str) -> None:
    said = refused("serve", "--address", FREE_PORT, option, "192.0.2.1:5")
    assert f"{option} 192.0.2.1:5 can be reached from other machines" in said


def test_a_public_relay_of_its_own_without_tls() -> None:
    assert "--tls-cert" in refused("relay", "--listen", "0.0.0.0:0")


def test_a_public_relay_in_front_of_a_server_that_asks_for_no_token(identity: Identity) -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server:
        said = refused("relay", "--listen", "0.0.0.0:0", "--to", server.address, *identity.options)
    assert f"the server at {server.address} takes calls without a token" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("serve", "--tls-cert", "x.pem"), "--tls-cert and --tls-key go together"),
        (("serve", "--tls-cert", "no.pem", "--tls-key", "no.key"), "no TLS with no.pem and no.key: No such file"),
        (("serve", "--token-file", "no.token"), "no token in no.token: No such file"),
        (("serve", "--relay", "nowhere"), "'nowhere' is no address"),
        (("relay", "--listen", "127.0.0.1:99999"), "is no address"),
        (("relay", "--listen", FREE_PORT, "--to", "nowhere"), "'nowhere' is no address"),
    ],
)
def test_options_that_cannot_be(arguments: tuple[str, ...], words: str) -> None:
    assert words in refused(*arguments)


def test_a_certificate_of_another_key(identity: Identity, tmp_path: Path) -> None:
    key = tmp_path / "other.key"
    key.write_text("no key")
    said = refused("relay", "--listen", FREE_PORT, "--tls-cert", str(identity.files.cert), "--tls-key", str(key))
    assert "no TLS with" in said


def test_a_unix_socket_speaks_no_tls(identity: Identity, tmp_path: Path) -> None:
    assert "speaks no TLS" in refused("serve", "--address", f"unix:{tmp_path}/gcs.sock", *identity.options)


def test_a_relay_address_that_is_taken() -> None:
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server:
        said = refused("serve", "--address", FREE_PORT, "--relay", server.address)
        assert f"cannot listen on {server.address}" in said


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1:1", True),
        ("127.8.8.8:1", True),
        ("localhost:1", True),
        ("[::1]:1", True),
        ("unix:/run/gcs.sock", True),
        ("0.0.0.0:1", False),
        ("[::]:1", False),
        ("example.org:1", False),
        ("localhost.example.org:1", False),
        ("192.168.0.1:1", False),
    ],
)
def test_who_can_reach_an_address(address: str, local: bool) -> None:
    assert is_local(address) == local


@pytest.mark.parametrize(
    "address", ["", ":", ":1", "host", "host:", "host:x", "host:-1", "host:65536", "::1:80", "unix"]
)
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ListenError, match="is no address"):
        is_local(address)


@pytest.mark.parametrize("address", ["127.0.0.1:0", "[::1]:65535", "game.example:443"])
def test_addresses_are_put_together_as_they_were(address: str) -> None:
    assert join(*split(address)) == address


def test_tokens_come_from_the_file_before_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"\n  {TOKEN}\r\nanother-token-0123456789==\n\n")
    assert read_tokens(file, "x" * 20) == (TOKEN, "another-token-0123456789==")
    assert read_tokens(None, "x" * 20) == ("x" * 20,)
    assert read_tokens(None) == ()


@pytest.mark.parametrize("text", ["", "\n\n", "short", "has a space in it, though long", "a" * 16 + "\nb", "ü" * 20])
def test_what_is_no_token(text: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TokenError, match="no token"):
        read_tokens(file)


def test_a_token_of_the_environment_that_is_none() -> None:
    assert "GCS_TOKEN: no token; expected 16 or more" in refused("serve", "--address", FREE_PORT, token="short")


def test_settings_do_not_show_the_token() -> None:
    assert TOKEN not in repr(ServerSettings(tokens=(TOKEN,)))
