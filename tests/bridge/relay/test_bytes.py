"""Issue 4.7: the relay passes bytes on exactly, however they are cut, and holds neither side up."""

from __future__ import annotations

import asyncio
import ssl
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.bridge.identity import Identity
from tests.bridge.relay.raw import ONE_BYTE, PREFACE, UPGRADE, connected, echo, relayed, rest

# Large pieces by their seed: Hypothesis need not draw each byte.
PIECE = st.builds(lambda seed, size: Random(seed).randbytes(size), st.integers(0, 255), st.integers(1, 90_000))
PIECES = st.lists(st.binary(min_size=1, max_size=100) | PIECE, max_size=6)


async def through_stream(pieces: list[bytes], cut: int, identity: Identity | None) -> bytes:
    sent = PREFACE + b"".join(pieces)
    async with relayed(identity=identity) as relay, connected(relay, identity) as (reader, writer):
        # The first bytes, which tell the protocol, come in two parts.
        for piece in (PREFACE[:cut], PREFACE[cut:], *pieces):
            writer.write(piece)
            await writer.drain()
        return await reader.readexactly(len(sent))


async def through_websocket(pieces: list[bytes], identity: Identity | None) -> bytes:
    size = sum(map(len, pieces))
    context = identity.client_context() if identity else None
    async with relayed(identity=identity) as relay, connect(relay.urls[1], ssl=context) as socket:
        received = b""
        for number, piece in enumerate(pieces):
            # Every other message in fragments.
            await socket.send([piece[:7], piece[7:]] if number % 2 else piece)
        while len(received) < size:
            message = await socket.recv()
            assert isinstance(message, bytes)
            received += message
        return received


@pytest.mark.parametrize("tls", [False, True])
@settings(max_examples=15, deadline=None)
@given(pieces=PIECES, cut=st.integers(1, len(PREFACE) - 1))
def test_http2_bytes_arrive_exactly(tls: bool, identity: Identity, pieces: list[bytes], cut: int) -> None:
    assert asyncio.run(through_stream(pieces, cut, identity if tls else None)) == PREFACE + b"".join(pieces)


@pytest.mark.parametrize("tls", [False, True])
@settings(max_examples=15, deadline=None)
@given(pieces=PIECES)
def test_websocket_bytes_arrive_exactly(tls: bool, identity: Identity, pieces: list[bytes]) -> None:
    assert asyncio.run(through_websocket(pieces, identity if tls else None)) == b"".join(pieces)


async def test_the_server_hears_that_a_client_sends_no_more_and_still_answers() -> None:
    async def answer_at_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"heard %d" % len(await reader.read()))
        writer.close()

    async with relayed(answer_at_the_end) as relay, connected(relay) as (reader, writer):
        writer.write(PREFACE)
        writer.write_eof()
        assert await rest(reader) == b"heard %d" % len(PREFACE)


@pytest.mark.parametrize("tls", [False, True])
async def test_a_client_gets_the_last_bytes_of_a_server_that_closes(tls: bool, identity: Identity) -> None:
    last = b"x" * 3_000_000

    async def answer_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(PREFACE))
        writer.write(last)
        writer.close()

    chosen = identity if tls else None
    async with relayed(answer_and_close, chosen) as relay, connected(relay, chosen) as (reader, writer):
        writer.write(PREFACE)
        assert await rest(reader) == last


async def test_a_websocket_client_is_told_that_the_server_closed() -> None:
    async def say_and_close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(2)
        writer.write(b"bye")
        writer.close()

    async with relayed(say_and_close) as relay, connect(relay.urls[1]) as socket:
        await socket.send(b"hi")
        assert await socket.recv() == b"bye"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1001, "the server has closed the connection")


@pytest.mark.parametrize("websocket", [False, True])
async def test_the_server_hears_of_a_client_that_is_gone(websocket: bool) -> None:
    ended = asyncio.Event()

    async def until_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await echo(reader, writer)
        ended.set()

    async with relayed(until_the_end) as relay:
        if websocket:
            async with connect(relay.urls[1]) as socket:
                await socket.send(b"x")
                await socket.recv()
        else:
            async with connected(relay) as (reader, writer):
                writer.write(PREFACE)
                await reader.readexactly(len(PREFACE))
        await ended.wait()


@pytest.mark.parametrize("websocket", [False, True])
async def test_a_client_that_does_not_read_stops_the_server_from_sending(websocket: bool) -> None:
    """Back-pressure: what waits in the relay is bounded by its buffers and those of the sockets."""
    taken, too_much = 0, 64 * 1024 * 1024
    stuck = asyncio.Event()

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        await reader.read(1)
        try:
            while taken < too_much:
                writer.write(bytes(65_536))
                try:
                    async with asyncio.timeout(0.5):
                        await writer.drain()
                except TimeoutError:
                    break
                taken += 65_536
        except ConnectionError:
            pass
        stuck.set()
        writer.transport.abort()

    async with relayed(flood) as relay, connected(relay) as (reader, writer):
        if websocket:
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
        writer.write(ONE_BYTE if websocket else PREFACE)
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        await stuck.wait()
    assert taken < too_much


async def test_tls_is_at_least_1_2_and_alpn_is_offered(identity: Identity, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "bridge.relay")
    async with relayed(identity=identity) as relay:
        host, port = relay.address.split(":")
        context = identity.client_context()
        context.set_alpn_protocols(["h2"])
        _, writer = await asyncio.open_connection(host, int(port), ssl=context)
        assert writer.get_extra_info("ssl_object").selected_alpn_protocol() == "h2"
        writer.transport.abort()
        old = identity.client_context()
        old.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
        with pytest.warns(DeprecationWarning, match="TLSv1_1"):
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        old.set_ciphers("ALL:@SECLEVEL=0")
        with pytest.raises((ssl.SSLError, ConnectionError)):
            await asyncio.open_connection(host, int(port), ssl=old)
    assert "unsupported protocol" in caplog.text.lower().replace("_", " ")
