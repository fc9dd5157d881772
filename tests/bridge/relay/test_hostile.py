"""Issue 4.7 and 4.11: what a client sends harms no other client, and nobody waits for one that says nothing."""

from __future__ import annotations

import asyncio
import gc
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bridge.relay import Relay
from bridge.relay.relay import NO_SERVER, TOO_MANY
from bridge.relay.websocket import NOT_PASSED_ON
from bridge.settings import RelaySettings
from tests.bridge.identity import Identity
from tests.bridge.relay.raw import LIMIT, ONE_BYTE, PREFACE, UPGRADE, connected, relayed, rest


async def check_serves(relay: Relay, identity: Identity | None = None) -> None:
    """The relay still passes bytes on."""
    async with connected(relay, identity) as (reader, writer):
        writer.write(PREFACE + b"still here")
        assert await reader.readexactly(len(PREFACE) + 10) == PREFACE + b"still here"


async def thrown_at(garbage: bytes) -> bytes:
    async with relayed(handshake_seconds=0.3) as relay, connected(relay) as (reader, writer):
        writer.write(garbage)
        answer = await rest(reader)
        await check_serves(relay)
        return answer


@settings(max_examples=25, deadline=None)
@given(garbage=st.binary(min_size=1, max_size=200).filter(lambda data: not (PREFACE + data).startswith(data)))
def test_garbage_is_closed_without_an_answer(garbage: bytes) -> None:
    assert asyncio.run(thrown_at(garbage)) == b""


@settings(max_examples=25, deadline=None)
@given(rest_of_request=st.binary(max_size=400))
def test_a_request_that_is_no_upgrade_ends(rest_of_request: bytes) -> None:
    answer = asyncio.run(thrown_at(b"GET " + rest_of_request + b"\r\n\r\n"))
    assert not answer or answer.startswith((b"HTTP/1.1 4", b"HTTP/1.1 505")), answer


@settings(max_examples=25, deadline=None)
@given(frames=st.binary(max_size=300))
def test_frames_of_garbage_harm_nobody(frames: bytes) -> None:
    async def scenario() -> None:
        async with relayed() as relay, connected(relay) as (reader, writer):
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            writer.write(frames)
            writer.write_eof()
            await rest(reader)
            await check_serves(relay)

    asyncio.run(scenario())


async def test_garbage_in_place_of_a_tls_handshake(identity: Identity) -> None:
    async with relayed(identity=identity) as relay:
        async with connected(relay) as (reader, writer):
            writer.write(PREFACE)
            # An alert, by which a client without TLS is told that the port speaks it.
            assert (await rest(reader))[:2] == b"\x15\x03"
        await check_serves(relay, identity)


@pytest.mark.parametrize("said", [b"", PREFACE[:10], b"GET / HTTP/1.1\r\nHost: x\r\n"])
async def test_who_does_not_say_what_it_speaks_is_cut_off(said: bytes) -> None:
    async with relayed(handshake_seconds=0.2) as relay, connected(relay) as (reader, writer):
        writer.write(said)
        assert await rest(reader) == b""


async def test_a_tls_handshake_without_an_end_is_cut_off_and_others_pass(identity: Identity) -> None:
    async with relayed(identity=identity, handshake_seconds=1.0) as relay, connected(relay) as (reader, _):
        await check_serves(relay, identity)
        assert await rest(reader) == b""


async def test_a_hang_up_during_the_handshake_is_logged_as_one(
    identity: Identity, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "bridge.relay")
    hello = ssl.MemoryBIO()
    with pytest.raises(ssl.SSLWantReadError):
        identity.client_context().wrap_bio(ssl.MemoryBIO(), hello, server_hostname="localhost").do_handshake()
    async with relayed(identity=identity) as relay, connected(relay) as (reader, writer):
        writer.write(hello.read())
        writer.write_eof()
        await rest(reader)
    assert "was not let in: it hung up during the TLS handshake" in caplog.text
    assert "took too long" not in caplog.text


async def test_who_took_too_long_is_logged_so(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bridge.relay")
    async with relayed(handshake_seconds=0.1) as relay, connected(relay) as (reader, _):
        await rest(reader)
    assert "was not let in: it took too long" in caplog.text


async def test_no_more_connections_than_allowed() -> None:
    async with relayed(connections=1) as relay, connected(relay) as (first, first_writer):
        first_writer.write(PREFACE)
        await first.readexactly(len(PREFACE))
        async with connected(relay) as (second, second_writer):
            second_writer.write(PREFACE)
            assert (await rest(second)).startswith(f"HTTP/1.1 503 {TOO_MANY}\r\n".encode())
        first_writer.write(b"x")
        assert await first.readexactly(1) == b"x"


async def test_no_more_silent_connections_than_allowed() -> None:
    async with relayed(handshakes=2) as relay, connected(relay) as (_, one), connected(relay) as (_, two):
        # The relay has seen both once it answers one of them.
        async with connected(relay) as (third, _):
            assert await rest(third) == b""
        one.write(PREFACE)
        two.transport.abort()


async def test_a_server_that_is_gone_is_told() -> None:
    """A bare close would look like a server without HTTP/2."""
    async with without_server() as relay:
        async with connected(relay) as (reader, writer):
            writer.write(PREFACE)
            assert (await rest(reader)).startswith(f"HTTP/1.1 503 {NO_SERVER}\r\n".encode())
        async with connect(relay.urls[1]) as socket:
            assert await closed_with(socket) == (NOT_PASSED_ON, NO_SERVER)


@asynccontextmanager
async def without_server() -> AsyncIterator[Relay]:
    closed = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = closed.sockets[0].getsockname()[1]
    closed.close()
    await closed.wait_closed()
    relay = Relay(RelaySettings("127.0.0.1:0"), f"127.0.0.1:{port}")
    await relay.start()
    try:
        async with asyncio.timeout(LIMIT):
            yield relay
    finally:
        await relay.stop()


async def closed_with(socket: ClientConnection) -> tuple[int, str]:
    with pytest.raises(ConnectionClosed) as closed:
        await socket.recv()
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


async def test_a_text_message_is_refused() -> None:
    async with relayed() as relay, connect(relay.urls[1]) as socket:
        await socket.send("PRI * HTTP/2.0")
        assert await closed_with(socket) == (1003, "expected binary messages")
        await check_serves(relay)


async def test_a_message_that_is_too_large_is_refused() -> None:
    async with relayed(message_bytes=1_000) as relay, connect(relay.urls[1]) as socket:
        await socket.send(bytes(1_000))
        assert await socket.recv() == bytes(1_000)
        await socket.send(bytes(1_001))
        assert (await closed_with(socket))[0] == 1009
        await check_serves(relay)


async def test_frames_before_the_answer_are_refused() -> None:
    async with relayed() as relay, connected(relay) as (reader, writer):
        writer.write(UPGRADE + ONE_BYTE)
        assert await rest(reader) == b""


@pytest.mark.parametrize(
    ("allowed", "origin", "let_in"),
    [
        ((), None, True),
        ((), "https://evil.example", False),
        (("https://game.example",), "https://game.example", True),
        (("https://game.example",), "https://evil.example", False),
        (("https://game.example",), None, True),
        (("*",), "https://evil.example", True),
    ],
)
async def test_a_web_page_connects_only_where_it_is_allowed(
    allowed: tuple[str, ...], origin: Any, let_in: bool
) -> None:
    """A page in a browser on the player's machine could otherwise play with a server on loopback."""
    async with relayed(origins=allowed) as relay:
        if let_in:
            async with connect(relay.urls[1], origin=origin) as socket:
                await socket.send(b"x")
                assert await socket.recv() == b"x"
        else:
            with pytest.raises(InvalidStatus, match="403"):
                await connect(relay.urls[1], origin=origin)


async def test_a_relay_that_stops_cuts_connections_and_leaves_nothing_open(identity: Identity) -> None:
    async with relayed(identity=identity) as relay, connected(relay, identity) as (reader, writer):
        writer.write(PREFACE)
        await reader.readexactly(len(PREFACE))
        await relay.stop()
        assert await rest(reader) == b""
        with pytest.raises((ConnectionError, ssl.SSLError)):
            async with connected(relay, identity):
                pass
    # Sockets that were left open would warn, which is an error in tests.
    gc.collect()
