"""Issue 10.6: who makes no call that the server lets in is cut off; who comes from one address has not all places."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import hpack
import pytest

from bridge.pb.gcs.v1 import service_pb2
from bridge.relay.capacity import counted_address
from bridge.relay.first_call import FirstCall
from bridge.relay.relay import TOO_MANY_FROM_ADDRESS
from bridge.settings import RelaySettings, ServerSettings
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.identity import TOKEN, Identity
from tests.bridge.relay.raw import LIMIT, PREFACE, connected, relayed, rest
from tools.attacks.attack import Door
from tools.attacks.raw_http2 import RawConnection, frame, raw_connection

INFO = "/gcs.v1.BattleService/GetServerInfo"
CHECK = "/grpc.health.v1.Health/Check"
WATCH = "/grpc.health.v1.Health/Watch"
START = "/gcs.v1.BattleService/StartBattle"
HEADERS, END_STREAM, END_HEADERS = 1, 1, 4


@pytest.fixture(scope="module")
def door(identity: Identity) -> Iterator[Door]:
    relay = RelaySettings(FREE_PORT, first_call_seconds=1.0)
    settings = ServerSettings(address=FREE_PORT, tokens=(TOKEN,), tls=identity.files, relay=relay)
    with ServerProcess(settings) as server:
        yield Door(server.address, server.relay_urls[0].removeprefix("grpcs://"), TOKEN, identity.trusted.decode())


@asynccontextmanager
async def stranger(door: Door, token: str = "") -> AsyncIterator[RawConnection]:
    async with asyncio.timeout(LIMIT), raw_connection(door, Counter(), relayed=True, token=token) as connection:
        yield connection


async def answered(connection: RawConnection, what: str) -> None:
    while not connection.counts[what]:
        assert await connection.flush()
        await asyncio.sleep(0.01)


async def test_who_makes_no_call_is_cut_off_and_who_has_made_one_is_not(door: Door) -> None:
    async with stranger(door, TOKEN) as known:
        known.call(INFO, b"")
        await answered(known, "status 0")
        async with stranger(door) as silent:
            await silent.ended.wait()
        known.call(INFO, b"")
        known.counts.clear()
        await answered(known, "status 0")


async def test_a_call_that_fails_for_another_reason_than_the_token_counts(door: Door) -> None:
    async with stranger(door, TOKEN) as known:
        known.call(START, service_pb2.StartBattleRequest(pack="nowhere").SerializeToString())
        await answered(known, "status 5")
        async with stranger(door) as silent:
            await silent.ended.wait()
        assert await known.flush()


@pytest.mark.parametrize(
    ("method", "token", "answer"),
    [
        (INFO, "", "status 16"),
        (INFO, "another-token-0123456789", "status 16"),
        (CHECK, "", "status 0"),
        (WATCH, "", "answered"),
    ],
)
async def test_calls_that_need_no_token_or_show_a_wrong_one_count_for_nothing(
    door: Door, method: str, token: str, answer: str
) -> None:
    async with stranger(door, token) as connection:
        connection.call(method, b"")
        await answered(connection, answer)
        await connection.ended.wait()


async def test_a_watch_beyond_the_limit_and_an_unknown_service_count_for_nothing(door: Door) -> None:
    async with stranger(door) as connection:
        for _ in range(5):
            connection.call(WATCH, b"")
        connection.call(CHECK, b"\x0a\x04none")
        await answered(connection, "status 8")
        await answered(connection, "status 5")
        await connection.ended.wait()


def block(*fields: tuple[str, str]) -> bytes:
    return hpack.Encoder().encode(fields)


ANSWER = block((":status", "200"), ("content-type", "application/grpc"))
REFUSED = block((":status", "200"), ("grpc-status", "16"), ("grpc-status-details-bin", "AA"))
NOT_FOUND = block((":status", "200"), ("grpc-status", "5"), ("grpc-status-details-bin", "AA"))
OF_GRPC = block((":status", "200"), ("grpc-status", "8"))
HEALTH = block((":status", "200"), ("gcs-takes-no-token", "1"))


@pytest.mark.parametrize(
    ("sent", "let_in"),
    [
        (frame(4, 0, 0) + frame(HEADERS, END_HEADERS, 1, ANSWER), True),
        (frame(HEADERS, 0, 1, ANSWER[:3]) + frame(9, END_HEADERS, 1, ANSWER[3:]), True),
        (frame(HEADERS, END_HEADERS | 0x28, 1, bytes((3, 0, 0, 0, 0, 0)) + ANSWER + bytes(3)), True),
        (frame(HEADERS, END_HEADERS | END_STREAM, 1, NOT_FOUND), True),
        (frame(HEADERS, END_HEADERS | END_STREAM, 1, REFUSED), False),
        (frame(HEADERS, END_HEADERS | END_STREAM, 1, OF_GRPC), False),
        (frame(HEADERS, END_HEADERS, 1, HEALTH), False),
        (frame(0, 0, 1, bytes(70_000)[:16_000]) + frame(6, 0, 0, bytes(8)), False),
        (frame(HEADERS, END_HEADERS, 1, b"\xff" * 20), False),
        (frame(HEADERS, 0, 1, bytes(60_000)) + frame(9, 0, 1, bytes(60_000)), False),
        (bytes(100), False),
    ],
)
def test_what_a_server_sends_is_read_in_any_pieces(sent: bytes, let_in: bool) -> None:
    for size in (1, 7, len(sent)):
        told: list[bool] = []
        first = FirstCall(lambda told=told: told.append(True))  # type: ignore[misc]
        for at in range(0, len(sent), size):
            first.read(sent[at : at + size])
        assert (first.let_in, told) == (let_in, [True] * let_in)


@pytest.mark.parametrize("failure", [frame(HEADERS, END_HEADERS | END_STREAM, 1, REFUSED), frame(3, 0, 1, bytes(4))])
def test_many_refused_or_reset_calls_are_hopeless(failure: bytes) -> None:
    told: list[str] = []
    first = FirstCall(lambda: told.append("let in"))
    first.on_hopeless = lambda: told.append("hopeless")
    first.read(failure * 31)
    assert told == []
    first.read(failure * 9)
    assert told == ["hopeless"]


async def test_nothing_more_is_read_of_who_floods_with_calls_that_are_refused(door: Door) -> None:
    async with stranger(door) as connection:
        sent = 0
        while await connection.flush():
            for _ in range(100):
                connection.call(INFO, b"")
            sent += 100
            await asyncio.sleep(0.001)
        # Until its time is over, after which it is cut off.
        assert connection.counts["status 16"] + connection.counts["reset 7"] < sent // 2


async def test_one_address_has_not_more_connections_than_allowed() -> None:
    async with relayed(connections_per_address=1, handshakes=9) as relay, connected(relay) as (first, first_writer):
        first_writer.write(PREFACE)
        await first.readexactly(len(PREFACE))
        # It is still a stranger, of which an address has no more either.
        async with connected(relay) as (second, _):
            assert await rest(second) == b""


async def test_an_address_with_all_its_connections_is_told_so() -> None:
    async def lets_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(PREFACE))
        writer.write(frame(HEADERS, END_HEADERS, 1, ANSWER))
        await reader.read()
        writer.close()

    async with relayed(lets_in, connections_per_address=1) as relay, connected(relay) as (first, first_writer):
        first_writer.write(PREFACE)
        await first.readexactly(9 + len(ANSWER))
        async with connected(relay) as (second, second_writer):
            second_writer.write(PREFACE)
            assert (await rest(second)).startswith(f"HTTP/1.1 503 {TOO_MANY_FROM_ADDRESS}\r\n".encode())


async def test_without_a_limit_for_an_address_the_others_stand() -> None:
    async with (
        relayed(connections_per_address=0, handshakes=2) as relay,
        connected(relay),
        connected(relay),
        connected(relay) as (third, _),
    ):
        assert await rest(third) == b""


async def test_who_takes_nothing_is_cut_off() -> None:
    async def talks(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                writer.write(bytes(65_536))
                await writer.drain()
        except ConnectionError:
            cut.set()
        finally:
            writer.transport.abort()

    cut = asyncio.Event()
    async with relayed(talks, stalled_seconds=0.3) as relay, connected(relay) as (_, writer):
        writer.write(PREFACE)
        await cut.wait()


async def test_who_stays_after_the_servers_goodbye_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def goes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(len(PREFACE))
        writer.close()

    monkeypatch.setattr("bridge.relay.channel.LINGER_SECONDS", 0.2)
    async with relayed(goes) as relay, connected(relay) as (reader, writer):
        writer.write(PREFACE)
        assert await rest(reader) == b""
        await asyncio.gather(*relay._connections)


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:10.0.0.9", "10.0.0.9"),
    ],
)
def test_what_connections_are_counted_under(host: str, counted: str) -> None:
    assert counted_address(host) == counted
