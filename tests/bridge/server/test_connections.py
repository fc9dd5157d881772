"""Issue 10.1: what one connection may hold, with a token or without."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError
from bridge.pb.gcs.v1 import service_pb2
from bridge.server.untaken import UntakenAnswers
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.http2_client import GOAWAY, Connection
from tools.attacks.attack import Door
from tools.attacks.raw_http2 import RawConnection, raw_connection

APART = [("grpc.use_local_subchannel_pool", 1)]
SERVING = health_pb2.HealthCheckResponse.SERVING


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    limits = ServerLimits(untaken_bytes=65_536, connection_idle_seconds=1.0, metadata_bytes=2_000)
    with ServerProcess(ServerSettings(address=FREE_PORT, limits=limits)) as running:
        yield running


def watches(client: Client, number: int) -> list[str]:
    """Begins watches, which all stay open until the end; gives of each why it did not begin."""
    stub = health_pb2_grpc.HealthStub(client.channel)
    calls = []
    found = []
    for _ in range(number):
        calls.append(stub.Watch(health_pb2.HealthCheckRequest()))
        try:
            found.append("" if next(calls[-1]).status == SERVING else "not serving")
        except grpc.RpcError as error:
            found.append(f"{error.code().name} {reason_of(error)}")
    return found


def test_four_watches_of_the_health_for_a_connection(server: ServerProcess) -> None:
    with Client(server.address, options=APART) as client:
        assert watches(client, 5) == ["", "", "", "", "RESOURCE_EXHAUSTED TOO_MANY_STREAMS"]


def test_few_watches_of_the_health_for_all_connections() -> None:
    settings = ServerSettings(address=FREE_PORT, limits=ServerLimits(health_streams=5))
    with ExitStack() as stack:
        server = stack.enter_context(ServerProcess(settings))
        clients = [stack.enter_context(Client(server.address, options=APART)) for _ in range(3)]
        streams = [watch for client in clients for watch in _open(client)]
        ends = [_refused(stream) for stream in streams]
    # They come at the same time: which of them are early is open.
    assert sorted(ends) == [False] * 5 + [True] * 4


def _open(client: Client) -> list[Any]:
    stub = health_pb2_grpc.HealthStub(client.channel)
    calls = [stub.Watch(health_pb2.HealthCheckRequest()) for _ in range(3)]
    for call in calls:
        call.initial_metadata()
    return calls


def _refused(call: Any) -> bool:
    try:
        next(call)
    except grpc.RpcError as error:
        return reason_of(error) == "TOO_MANY_STREAMS"
    return False


def test_a_connection_without_a_call_is_told_goodbye(server: ServerProcess) -> None:
    with Connection(server.address) as connection:
        assert GOAWAY in connection.rest()


def test_large_metadata_is_refused_and_the_connection_stands(server: ServerProcess) -> None:
    with Client(server.address) as client:
        with pytest.raises(grpc.RpcError) as refused:
            client.battles.GetServerInfo(service_pb2.GetServerInfoRequest(), metadata=[("x-large", "x" * 3_000)])
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        client.battles.GetServerInfo(service_pb2.GetServerInfoRequest(), metadata=[("x-small", "x" * 500)])


CATALOG = "/gcs.v1.ContentService/GetCatalog"


async def test_large_answers_that_nobody_takes_are_few_and_harm_no_other_connection(server: ServerProcess) -> None:
    door = Door(server.address, relay="", token="", trusted="")
    async with asyncio.timeout(20), raw_connection(door, Counter(), window=0) as greedy:
        greedy.call(CATALOG, b"")
        await seen(greedy, "answered")
        greedy.call(CATALOG, b"")
        await seen(greedy, "status 8")
        async with raw_connection(door, Counter()) as other:
            other.call(CATALOG, b"")
            await seen(other, "status 0")
            # What was taken waits no longer.
            other.call(CATALOG, b"")
            await seen(other, "status 0", 2)


async def seen(connection: RawConnection, what: str, times: int = 1) -> None:
    while connection.counts[what] < times:
        assert await connection.flush()
        await asyncio.sleep(0.001)


def test_one_answer_may_be_larger_and_small_ones_do_not_count() -> None:
    untaken = UntakenAnswers(100_000)
    call = Call("ipv4:127.0.0.1:1")
    for _ in range(10):
        untaken.hold(call, 16_000)
    untaken.hold(call, 200_000)
    with pytest.raises(CallError) as refused:
        untaken.hold(call, 70_000)
    assert refused.value.reason is ErrorReason.ANSWERS_NOT_TAKEN
    untaken.hold(Call("ipv4:127.0.0.1:2"), 70_000)
    (taken,) = call.callbacks
    taken(None)
    untaken.hold(call, 70_000)


class Call:
    """What `UntakenAnswers` asks of a call."""

    def __init__(self, peer: str) -> None:
        self._peer = peer
        self.callbacks: list[Any] = []

    def peer(self) -> str:
        return self._peer

    def add_done_callback(self, callback: Any) -> None:
        self.callbacks.append(callback)
