"""Log, metrics, sweeps and stop of a server with a store (issue "The process", 5 and 7)."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from grpc import aio

from bridge.battles.battles import Battles
from bridge.battles.counters import ENDED, Counters
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.errors import CallError
from bridge.ges import Ges, ManualClock
from bridge.net.addresses import ListenError
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2, service_pb2_grpc
from bridge.server.metrics import metrics_of
from bridge.server.server import Server, serve
from bridge.settings import RelaySettings, ServerLimits, ServerSettings
from bridge.store import SqliteStore
from bridge.testing.process import FREE_PORT
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.store.test_failing_store import UnreliableStore, served

CONCEDE = battle_pb2.Concede()


class ServersClock:
    """A clock moved by the test that is the server's: battles do not take it for a manual one of their own."""

    def __init__(self) -> None:
        self._manual = ManualClock()
        self.now = self._manual.now
        self.call_at = self._manual.call_at
        self.advance = self._manual.advance


class Operated:
    """The battles of a server on a store, with what its operator sees of them."""

    def __init__(self, path: Path) -> None:
        self.store = UnreliableStore(path)
        self.counters = Counters()
        self.ges = Ges(clock=ServersClock())
        self.battles = Battles(ServerSettings(), PackLibrary(), self.ges, self.counters, self.store)

    async def start(self, battle_id: str) -> None:
        pack = json.dumps(wire_pack())
        request = service_pb2.StartBattleRequest(battle_id=battle_id, encounter="fight", pack_json=pack, shuffle=False)
        request.deck.cards.extend(["loop", "shield"])
        session = await self.battles.load_or_start(request)
        await session.stored()

    async def act(self, battle_id: str, action_id: str, **kind: Any) -> None:
        session = self.battles.get(battle_id)
        assert isinstance(session.act(battle_pb2.Action(action_id=action_id, **kind)), bytes)
        await session.stored()

    def samples(self, name: str) -> dict[str, float]:
        """The values of a metric by its last label."""
        metrics = metrics_of(self.counters, self.battles, self.ges.monitor)
        (family,) = [family for family in metrics if family.name == name]
        return {[*sample.labels.values()][-1]: sample.value for sample in family.samples}


def told(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    lines = [(record.getMessage().partition(":")[0], record) for record in caplog.records]
    return [(message, vars(record).get("battle_id", "")) for message, record in lines]


async def test_what_is_brought_back_is_neither_counted_nor_logged_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "battles.db"
    caplog.set_level(logging.INFO, "bridge")
    first = Operated(path)
    for battle_id in ("ended", "over", "runs"):
        await first.start(battle_id)
    state = events_pb2.Update.FromString(first.battles.get("over").snapshot()).snapshot
    loop = next(card.id for card in state.cards if card.card_id == "loop")
    await first.act("over", "a", play_card=battle_pb2.PlayCard(card=loop))
    await first.act("over", "b", concede=CONCEDE)
    first.battles.end("ended")
    await first.battles.stored()
    assert told(caplog) == [
        ("battle started", "ended"),
        ("battle started", "over"),
        ("battle started", "runs"),
        ("fault", "over"),
        ("battle over", "over"),
        ("battle over", "ended"),
        ("battle dropped", "ended"),
    ]
    assert (first.counters.battles_started, first.counters.battles_dropped) == (3, {ENDED: 1})
    assert first.samples("gcs_battles") == {"running": 1, "over": 1}
    await first.battles.close_store()

    caplog.clear()
    second = Operated(path)
    assert second.samples("gcs_battles") == {"running": 1, "over": 1}
    assert second.battles.get("over").version == 3
    assert told(caplog) == [("battle loaded", "over")]
    assert second.samples("gcs_battles") == {"running": 1, "over": 1}
    counters = second.counters
    assert (counters.actions, counters.faults, counters.battles_over) == ({}, {}, {})
    assert (counters.battles_started, sum(counters.action_durations.counts)) == (0, 0)
    # From now on all of it is new.
    await second.act("runs", "c", concede=CONCEDE)
    second.battles.get("runs").repeat("c", full=True)
    assert counters.actions == {("concede", "DONE"): 1}
    assert (counters.repeated_actions, sum(counters.action_durations.counts)) == (1, 1)
    assert second.samples("gcs_battles_over") == {"lost": 1}
    await second.battles.close_store()


async def test_what_the_store_has_lost_is_not_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bridge")
    operated = Operated(tmp_path / "battles.db")
    await operated.start("one")
    caplog.clear()
    operated.store.fails = True
    for failing in (operated.start("two"), operated.act("one", "a", concede=CONCEDE)):
        with pytest.raises(CallError, match="the store has failed"):
            await failing
    operated.battles.end("one")
    with pytest.raises(CallError, match="the store has failed"):
        await operated.battles.stored()
    assert [(line, name) for line, name in told(caplog) if not line.startswith("cannot write")] == [
        ("battle set back to what the store has", "two"),
        ("battle set back to what the store has", "one"),
        ("battle loaded", "one"),
        ("battle set back to what the store has", "one"),
    ]
    counters = operated.counters
    assert (counters.battles_started, counters.battles_over, counters.battles_dropped) == (1, {}, {})
    assert operated.samples("gcs_battles") == {"running": 1, "over": 0}
    operated.store.fails = False
    operated.battles.end("one")
    await operated.battles.stored()
    assert counters.battles_dropped == {ENDED: 1}
    await operated.battles.close_store()


async def test_refusals_of_the_store_are_counted_as_others(tmp_path: Path) -> None:
    async with served(tmp_path / "battles.db") as here:
        await here.start("one")
        watch = here.battles.Watch(service_pb2.WatchRequest(battle_id="one"))
        await watch.read()
        here.store.fails = True
        assert await here.refused(here.act("one", "a")) == "STORE_FAILED"
        assert await here.refused(watch.read()) == "STORE_FAILED"
        counted = here.server.calls.counters.failed_calls
        assert counted == {("Act", "STORE_FAILED"): 1, ("Watch", "STORE_FAILED"): 1}


async def test_a_pack_switched_off_stays_off(tmp_path: Path) -> None:
    """R6.6: also one that nobody plays yet, and that has to be compiled for it."""
    path = tmp_path / "battles.db"
    for was_active in (True, False):
        async with served(path) as here:
            request = ges_pb2.SetDatabaseActiveRequest(pack="starter", active=False)
            assert (await here.ges.SetDatabaseActive(request)).was_active is was_active


async def test_a_large_pack_read_beside_is_on_disk_before_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    pack = wire_pack()
    pack["cards"] += [{**pack["cards"][0], "id": f"more_{number}", "upgrade": None} for number in range(200)]
    request = service_pb2.StartBattleRequest(battle_id="one", encounter="fight", pack_json=json.dumps(pack))
    assert request.ByteSize() > 16_384
    async with served(path) as here:
        here.store.goes_on.clear()
        starts = [asyncio.ensure_future(here.battles.StartBattle(request)) for _ in range(2)]
        await asyncio.to_thread(here.store.writing.wait)
        while not len(here.server.battles):
            await here.battles.GetServerInfo(service_pb2.GetServerInfoRequest())
        assert not any(start.done() for start in starts)
        here.store.goes_on.set()
        updates = [(await start).update for start in starts]
        assert updates[0] == updates[1]
    async with served(path) as here:
        # Sent again, it is known without being read again.
        assert (await here.battles.StartBattle(request)).update == updates[0]
        assert here.server.calls.counters.battles_started == 0


async def test_sweeps_keep_the_time_drop_what_is_idle_and_wake_what_is_due(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    settings = ServerSettings(address=FREE_PORT, limits=ServerLimits(idle_seconds=40))
    first = Operated(path)
    await first.start("idle")
    await first.start("timed")
    raising = ges_pb2.RaiseRequest(battle_id="timed", guid=GUIDS["none"], raise_id="r")
    first.battles.get("timed").raises.schedule(raising, "caller/me", 25_000)
    await first.battles.close_store()

    clock = ServersClock()
    store = UnreliableStore(path)
    server = Server(settings, clock, store)
    await server.start()
    try:
        async with aio.insecure_channel(server.address) as channel:
            stub: Any = service_pb2_grpc.BattleServiceStub(channel)

            async def woken() -> Session:
                """The battle that the server has in memory by itself."""
                for _ in range(1_000):
                    await stub.GetServerInfo(service_pb2.GetServerInfoRequest())
                    if [*server.battles]:
                        break
                (session,) = server.battles
                return session

            timed = await woken()
            before = timed.last_sequence
            for _ in range(3):
                clock.advance(10_000)
                await server.battles.stored()
                assert store.server().clock == clock.now()
            assert (timed.battle_id, timed.last_sequence > before) == ("timed", True)
            await stub.GetBattle(service_pb2.GetBattleRequest(battle_id="timed"))
            clock.advance(10_000)
            await server.battles.stored()
            assert [summary.battle_id for summary in server.battles.page("", 10)[0]] == ["timed"]
            assert store.load("idle") is None
            timed.raises.schedule(ges_pb2.RaiseRequest(guid=GUIDS["none"], raise_id="s"), "caller/me", 80_000)
            await timed.stored()
            # Given up when the store failed, it comes back with the next sweep.
            store.fails = True
            timed.raises.cancel("s")
            with pytest.raises(CallError):
                await timed.stored()
            assert not [*server.battles]
            store.fails = False
            clock.advance(10_000)
            assert (await woken()).raises.cancel("s")
    finally:
        store.fails = False
        await server.stop()


@contextmanager
def taken_port() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.mark.parametrize("what", ["address", "relay", "metrics", "plugin"])
async def test_a_server_that_cannot_start_lets_go_of_its_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path = tmp_path / "battles.db"

    def install(ges: Ges) -> None:
        raise ListenError("a plugin that cannot listen")

    with taken_port() as taken:
        changes: dict[str, Any] = {"address": FREE_PORT}
        if what == "relay":
            changes["relay"] = RelaySettings(listen=taken)
        elif what == "plugin":
            monkeypatch.setattr("bridge.server.server.installed_plugins", lambda: [install])
        else:
            changes[what] = taken
        with pytest.raises(ListenError, match="listen"):
            await serve(ServerSettings(store=path, **changes), lambda line: None)
    SqliteStore(path).close()
