"""Metrics for Prometheus (issue 4, point 7)."""

from __future__ import annotations

import asyncio
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bridge.battles.counters import BUCKETS, Durations
from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, service_pb2
from bridge.server.metrics import metrics_of
from bridge.server.metrics_endpoint import is_known
from bridge.server.server import ListenError, Server
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client, reason_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.packs import GUIDS, PAYLOADS, wire_pack
from tests.bridge.streams import PlayStream, join

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "operation.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server with few actions in a second."""
    limits = ServerLimits(actions_per_second=30)
    with ServerProcess(ServerSettings(address=FREE_PORT, metrics=FREE_PORT, limits=limits)) as process:
        yield process


def url_of(server: ServerProcess) -> str:
    found = re.search(r"metrics=(\S+)", server.output)
    assert found is not None, server.output
    return found[1]


def metrics(server: ServerProcess) -> dict[str, float]:
    """All samples, as `name{label="value",...}` with the labels in order."""
    with urllib.request.urlopen(url_of(server), timeout=20) as response:
        text = response.read().decode()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_what_has_happened_is_counted() -> None:
    settings = ServerSettings(address=FREE_PORT, metrics=FREE_PORT)
    with ServerProcess(settings) as server, Client(server.address) as client:
        before = metrics(server)
        assert before["gcs_battles{state=running}"] == before["gcs_action_seconds_count"] == 0
        battle = client.start(wire_pack(), "fight", deck=["shield", "loop", "vote"], shuffle=False)
        battle.play("shield")
        battle.play("loop")
        with pytest.raises(Exception, match="UNKNOWN_CARD"):
            battle.play("c99")
        action = battle_pb2.Action(action_id="once", end_turn=battle_pb2.EndTurn())
        request = service_pb2.ActRequest(battle_id=battle.battle_id, action=action)
        for _ in range(3):
            client.battles.Act(request)
        with pytest.raises(grpc.RpcError):
            client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id="nowhere"))
        client.ges.Raise(ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=GUIDS["int"], arg=PAYLOADS["int"]))
        with PlayStream(client, join(battle.battle_id)) as stream:
            stream.next()
            seen = metrics(server)
        second = client.start()
        second.concede()
        client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battle.battle_id))
        after = metrics(server)
    assert seen["gcs_actions_total{kind=play_card,result=DONE}"] == 2
    assert seen["gcs_actions_total{kind=play_card,result=UNKNOWN_CARD}"] == 1
    assert seen["gcs_actions_total{kind=end_turn,result=DONE}"] == 1
    assert seen["gcs_repeated_actions_total"] == 2
    assert seen["gcs_action_seconds_count"] == seen["gcs_action_seconds_bucket{le=+Inf}"] == 4
    assert 0 < seen["gcs_action_seconds_sum"] < 60
    assert seen["gcs_action_seconds_bucket{le=1.0}"] <= 4
    assert seen["gcs_faults_total{kind=depth}"] == 1
    assert seen["gcs_failed_calls_total{method=GetBattle,reason=UNKNOWN_BATTLE}"] == 1
    assert seen["gcs_open_streams{method=Play}"] == 1
    assert (seen["gcs_battles{state=running}"], seen["gcs_battles{state=over}"]) == (1, 0)
    event = f"{{event=int_event,guid={GUIDS['int']},pack=wire}}"
    assert seen[f"gcs_ges_raises_total{event}"] == seen[f"gcs_ges_raise_seconds_count{event}"] == 1
    assert seen[f"gcs_ges_raise_seconds_sum{event}"] == seen[f"gcs_ges_raise_seconds_max{event}"] > 0
    assert after["gcs_battles_started_total"] == 2
    assert (after["gcs_battles{state=running}"], after["gcs_battles{state=over}"]) == (0, 1)
    assert (after["gcs_battles_over_total{outcome=lost}"], after["gcs_battles_over_total{outcome=aborted}"]) == (1, 1)
    assert after["gcs_battles_dropped_total{reason=ended}"] == 1


def test_hasty_clients_are_refused_and_counted(server: ServerProcess) -> None:
    with Client(server.address) as client:
        battle = client.start()
        action = battle_pb2.Action(play_card=battle_pb2.PlayCard(card="c999"))
        request = service_pb2.ActRequest(battle_id=battle.battle_id, action=action)
        refused = 0
        for _ in range(200):
            try:
                client.battles.Act(request)
            except grpc.RpcError:
                refused += 1
        with PlayStream(client, join(battle.battle_id)) as stream:
            stream.next()
            for _ in range(200):
                stream.send(action=action)
            with pytest.raises(grpc.RpcError) as ended:
                stream.rest()
            assert (ended.value.code(), reason_of(ended.value)) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_ACTIONS",
            )
    assert refused
    assert metrics(server)["gcs_failed_calls_total{method=Play,reason=TOO_MANY_ACTIONS}"] == 1
    assert metrics(server)["gcs_failed_calls_total{method=Act,reason=TOO_MANY_ACTIONS}"] == refused


def test_a_scrape_sees_the_process_and_refuses_to_write(server: ServerProcess) -> None:
    assert metrics(server)["process_cpu_seconds_total"] > 0
    with pytest.raises(urllib.error.HTTPError, match="405"):
        urllib.request.urlopen(urllib.request.Request(url_of(server), data=b"x"), timeout=20)


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "here", "unix:metrics.sock"])
async def test_metrics_are_for_this_machine_unless_asked_for(address: str) -> None:
    with pytest.raises(ListenError, match=r"--public-metrics|is no address|over TCP"):
        await Server(ServerSettings(address=FREE_PORT, metrics=address)).start()


async def test_public_metrics() -> None:
    server = Server(ServerSettings(address=FREE_PORT, metrics="0.0.0.0:0", public_metrics=True))
    await server.start()
    try:
        port = server.metrics.removeprefix("http://0.0.0.0:")
        assert await asyncio.to_thread(_status, f"http://127.0.0.1:{port}") == 200
    finally:
        await server.stop()
    with pytest.raises(urllib.error.URLError):
        await asyncio.to_thread(_status, f"http://127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:9464", True),
        ("[::1]:9464", True),
        ("localhost", True),
        ("LOCALHOST.:1", True),
        ("gcs.internal:9464", True),
        ("evil.example:9464", False),
        ("127.0.0.1.evil.example", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_who_asks_by_another_name_is_not_known(host: str, known: bool) -> None:
    assert is_known(host, {"localhost", "gcs.internal"}) == known


def test_a_page_of_another_name_reads_no_metrics(server: ServerProcess) -> None:
    """Issue 10.12: its name may lead to this machine."""
    request = urllib.request.Request(url_of(server), headers={"Host": "evil.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=20)
    assert refused.value.code == 421
    assert b"gcs_" not in refused.value.read()
    refused.value.close()


async def test_a_name_that_the_settings_tell_is_known() -> None:
    server = Server(ServerSettings(address=FREE_PORT, metrics=FREE_PORT, metrics_hosts=("gcs.internal",)))
    await server.start()
    try:
        request = urllib.request.Request(server.metrics, headers={"Host": "gcs.internal"})
        assert await asyncio.to_thread(_status, request) == 200
    finally:
        await server.stop()


def _status(url: str | urllib.request.Request) -> int:
    with urllib.request.urlopen(url, timeout=20) as response:
        return int(response.status)


async def test_a_port_for_metrics_that_is_taken(server: ServerProcess) -> None:
    taken = url_of(server).removeprefix("http://").removesuffix("/metrics")
    with pytest.raises(ListenError, match=f"cannot listen on {taken} for metrics"):
        await Server(ServerSettings(address=FREE_PORT, metrics=taken)).start()


def test_durations_fall_into_the_bucket_that_ends_with_them() -> None:
    durations = Durations()
    for nanoseconds in (0, 100_000, 100_001, 1_000_000_000, 1_000_000_001):
        durations.add(nanoseconds)
    assert [durations.counts[0], durations.counts[1]] == [2, 1]
    assert durations.counts[len(BUCKETS) - 1 :] == [1, 1]
    assert durations.total_ns == 2_000_200_002


async def test_the_page_tells_of_every_metric_and_its_labels() -> None:
    """`docs/operation.md`, whose table names each as Prometheus does."""
    rows = re.findall(r"^\| `(gcs_\w+)` \| (.*?) \|", PAGE, re.MULTILINE)
    told = {name.removesuffix("_total"): set(re.findall(r"`(\w+)`", labels)) for name, labels in rows}
    server = Server(ServerSettings(address=FREE_PORT))
    families = metrics_of(server.calls.counters, server.battles, server.ges.monitor)
    assert told == {family.name: set(getattr(family, "_labelnames", ())) for family in families}
