"""The monitor: counts, rates, times, last arguments, and warnings."""

from __future__ import annotations

import json

import pytest

from bridge.ges import EventStats, ManualClock, Monitor
from bridge.pb.gcs.v1 import ges_pb2
from bridge.testing.client import Client
from bridge.testing.process import ServerProcess
from runtime.battle import Answer
from runtime.battle.ges_listeners import BASIC, BattleListeners, Heard, Listeners
from tests.bridge.processes import run_gcs
from tests.runtime.ges_packs import arena, events, guid_of, trigger


class Watched:
    """A monitored battle, whose time and whose stopwatch the test sets."""

    def __init__(self, **fields: object) -> None:
        self.clock = ManualClock()
        self.ns = 0
        self.monitor = Monitor(self.clock.now, lambda: self.ns)
        self.listeners = Listeners(self.monitor.failed)
        self.listeners.began = self.monitor.began
        self.listeners.ended = self.monitor.ended
        assets = events(ping="none", pong="int", who="unit", what="card", why="status", where="vector2", all="struct")
        self.arena = arena(
            assets,
            trigger("pong", "ping", when={"arg": "ge", "value": 5}),
            listeners=BattleListeners("b", self.listeners),
            **fields,  # type: ignore[arg-type]
        )

    def stats(self, name: str) -> EventStats:
        found = self.monitor.get(self.arena.battle.content.id, guid_of(name))
        assert found is not None
        return found


def test_counts_and_times() -> None:
    watched = Watched()
    assert watched.monitor.get("inline", guid_of("ping")) is None
    took = iter([3_000_000, 1_000_000])

    def work(heard: Heard) -> None:
        watched.ns += next(took)

    watched.listeners.add(BASIC, work, guid_of("ping"))
    for _ in range(2):
        watched.arena.raise_event("ping")
    stats = watched.stats("ping")
    assert (stats.count, stats.mean_ns, stats.max_ns) == (2, 2_000_000, 3_000_000)


def test_a_raise_takes_as_long_as_what_follows_from_it() -> None:
    watched = Watched()

    def work(heard: Heard) -> None:
        watched.ns += 1_000_000

    watched.listeners.add(BASIC, work)
    watched.arena.raise_event("pong", arg=5)
    assert (watched.stats("pong").max_ns, watched.stats("ping").max_ns) == (2_000_000, 1_000_000)


def test_the_time_that_a_player_takes_to_answer_is_not_measured() -> None:
    watched = Watched(
        statuses={"asks": f'on: on_ges_event ges_event={guid_of("ping")}; q: choose_option options=["a","b"]; on > q'},
        player={"statuses": {"asks": 1}},
    )
    watched.arena.raise_event("ping")
    assert watched.arena.battle.choice is not None
    watched.monitor.parked("b")
    watched.ns += 10**12
    watched.arena.do(Answer([0], "option"))
    stats = watched.stats("ping")
    assert (stats.count, stats.timed, stats.max_ns) == (1, 0, 0)


@pytest.mark.parametrize(
    ("event", "arguments", "told"),
    [
        ("pong", {"arg": 3}, (("arg", "int", 3),)),
        ("ping", {}, ()),
        ("where", {"x": 1.0, "y": 2.0}, (("x", "float", 1.0), ("y", "float", 2.0))),
        ("all", {"n": 1, "ok": True, "t": "x"}, (("n", "int", 1), ("ok", "bool", True), ("t", "text", "x"))),
        ("what", {"arg": 0}, (("arg", "card", "wait"),)),
        ("what", {"arg": -1}, (("arg", "card", ""),)),
    ],
)
def test_the_last_arguments(event: str, arguments: dict[str, object], told: tuple[object, ...]) -> None:
    watched = Watched()
    watched.arena.raise_event(event, **arguments)
    assert watched.stats(event).last_arguments == told


def test_the_last_arguments_name_units_and_statuses_and_no_card_of_the_draw_pile() -> None:
    watched = Watched(statuses={"mark": {}}, deck=["wait", "wait"], player={"draw": 1})
    watched.arena.raise_event("who", arg=watched.arena.enemy())
    watched.arena.raise_event("why", arg=watched.arena.battle.content.statuses["mark"])
    watched.arena.raise_event("what", arg=watched.arena.battle.piles[1][0])
    assert watched.stats("who").last_arguments == (("arg", "unit", "enemy0"),)
    assert watched.stats("why").last_arguments == (("arg", "status", "mark"),)
    assert watched.stats("what").last_arguments == (("arg", "card", ""),)


def test_the_rate_is_that_of_the_last_second() -> None:
    watched = Watched()
    for _ in range(20):
        watched.arena.raise_event("ping")
        watched.clock.advance(100)
    stats = watched.stats("ping")
    assert 9 <= watched.monitor.per_second(stats) <= 10
    watched.clock.advance(10_000)
    assert watched.monitor.per_second(stats) == 0


def test_more_than_sixty_in_a_second_get_a_warning() -> None:
    watched = Watched()
    for _ in range(60):
        watched.arena.raise_event("ping")
        watched.clock.advance(10)
    assert watched.stats("ping").warnings == {}
    watched.arena.raise_event("ping")
    count, message = watched.stats("ping").warnings["rate"]
    assert (count, "60" in message) == (1, True)


def test_sixty_in_each_second_get_none() -> None:
    watched = Watched()
    for _ in range(300):
        watched.arena.raise_event("ping")
        watched.clock.advance(17)
    assert watched.stats("ping").warnings == {}


def test_a_loop_gets_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    watched = Watched(more={"flows": [{"id": "loop", "triggers": [{"from": "ping", "to": "ping"}]}]})
    watched.arena.raise_event("ping")
    count, message = watched.stats("ping").warnings["loop"]
    assert count == 15
    assert "ping → ping" in message
    # The log has it once.
    assert [record.message for record in caplog.records].count(caplog.records[0].message) == 1


def test_a_listener_that_throws_gets_a_warning() -> None:
    watched = Watched()

    def fail(heard: Heard) -> None:
        raise RuntimeError("out of order")

    watched.listeners.add(BASIC, fail)
    watched.arena.raise_event("ping")
    assert watched.stats("ping").warnings["listener"] == (1, "a basic listener threw RuntimeError: out of order")


def test_it_does_not_grow_without_bound() -> None:
    watched = Watched()
    watched.arena.raise_event("ping")
    heard = []
    watched.listeners.add(BASIC, heard.append)
    watched.arena.raise_event("pong", arg=1)
    event = heard[0].event
    before = event.guid
    for number in range(3_000):
        event.guid = f"{number}"
        watched.monitor.began(heard[0])
    event.guid = before
    assert watched.monitor.get(watched.arena.battle.content.id, guid_of("ping")) is None
    assert len(watched.monitor._events) == 2_000


def thunder_in_starter(client: Client) -> str:
    response = client.ges.ListEvents(ges_pb2.ListEventsRequest(pack="starter"))
    return str(next(event.guid for event in response.events if event.id == "thunder"))


def test_list_events_tells_what_was_seen() -> None:
    with ServerProcess() as server, Client(server.address) as client:
        guid = thunder_in_starter(client)
        battle = client.start("starter", "first_fight")
        for strength in (1, 2):
            battle.raise_event(guid, ges_pb2.Payload(int_value=strength))
        listed = client.ges.ListEvents(ges_pb2.ListEventsRequest(pack="starter")).events
        thunder = next(event for event in listed if event.id == "thunder")
        assert thunder.stats.count == 2
        assert 0 < thunder.stats.mean_ms <= thunder.stats.max_ms
        assert [(port.name, port.value.int_value) for port in thunder.stats.last_arguments] == [("arg", 2)]
        assert not next(event for event in listed if event.id == "roar").HasField("stats")


def test_gcs_events_prints_it() -> None:
    with ServerProcess() as server, Client(server.address) as client:
        guid = thunder_in_starter(client)
        battle = client.start("starter", "first_fight", player={"hp": 5_000})
        for _ in range(80):
            battle.raise_event(guid, ges_pb2.Payload(int_value=1))
        printed = run_gcs("events", "starter", "--address", server.address)
        assert printed.returncode == 0, printed.stderr
        row = next(line.split() for line in printed.stdout.splitlines() if line.split()[:1] == ["thunder"])
        assert (row[1:4], row[-1]) == ([guid, "int", "80"], "arg=1")
        told = json.loads(run_gcs("events", "--json", "--address", server.address).stdout)
        thunder = next(event for event in told["events"] if event["id"] == "thunder")
        assert (told["pack"], thunder["stats"]["count"]) == ("starter", 80)
        assert thunder["stats"]["last_arguments"] == {"arg": 1}
        refused = run_gcs("events", "nowhere", "--address", server.address)
        assert (refused.returncode, "nowhere" in refused.stderr) == (1, True)


def test_gcs_events_without_a_server() -> None:
    ended = run_gcs("events", "--address", "127.0.0.1:1")
    assert (ended.returncode, "no server answers" in ended.stderr) == (2, True)
