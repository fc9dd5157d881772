"""A battle that is loaded, however often and wherever it stood, goes on as one that was never away (R8.2)."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge.battles.battles import Battles
from bridge.battles.counters import IDLE, Counters
from bridge.battles.packs import PackLibrary
from bridge.battles.session import Session
from bridge.errors import CallError
from bridge.ges import Ges, ManualClock
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2
from bridge.settings import ServerLimits, ServerSettings
from bridge.store import SqliteStore
from bridge.store.records import BattleStarted, OverviewChanged, StartRecord, encode, start_of
from tests.bridge.packs import GUIDS, PAYLOADS, wire_pack
from tests.bridge.players import options

SETTINGS = ServerSettings(allow_set_state=True)
PACK_OF_ONE = "key = (SELECT pack FROM battles WHERE battle = 'one')"
DAMAGED = "the store is damaged: the text of its pack"


def pack() -> str:
    """The pack of the wire, with flows that go on by themselves."""
    flows = [
        {"from": "int_event", "to": "none_event", "delay_ms": 70},
        {"from": "none_event", "to": "none_event", "delay_ms": 400},
    ]
    return json.dumps({**wire_pack(), "flows": [{"id": "flow", "triggers": flows}]})


class Kept:
    """A server's battles on a store, to be lost and opened again, at a time that the test sets."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.time = 0
        self.open()

    def open(self) -> None:
        self.clock = ManualClock()
        self.clock.jump(self.time)
        self.store = SqliteStore(self._path) if self._path is not None else None
        self.ges = Ges(clock=self.clock)
        self.battles = Battles(SETTINGS, PackLibrary(), self.ges, store=self.store)

    async def restart(self) -> None:
        """Opens the store anew; the memory is gone."""
        await self.battles.close_store()
        self.open()

    @property
    def session(self) -> Session:
        return self.battles.get("one")

    def start(self, **fields: Any) -> None:
        request = service_pb2.StartBattleRequest(battle_id="one", encounter="fight", pack_json=pack(), **fields)
        request.player.CopyFrom(service_pb2.PlayerOverride(hp=500))
        self.battles.start(request)

    def seen(self) -> events_pb2.Update:
        return events_pb2.Update.FromString(self.session.snapshot(after=0))


def act(battles: Kept, choice: int, number: int) -> object:
    found = options(battles.seen().snapshot)
    action = found[choice % len(found)]
    action.action_id = f"a{number}"
    done = battles.session.act(action)
    return done if isinstance(done, bytes) else done.message


def later(battles: Kept, kind: str, number: int, delay: int, interval: int = 0, count: int = 1) -> object:
    arg = PAYLOADS[kind]
    request = ges_pb2.RaiseRequest(guid=GUIDS[kind], arg=arg, raise_id=f"l{number}")
    return battles.session.raises.schedule(request, "caller/me", delay, interval, count)


def do(battles: Kept, step: tuple[Any, ...], number: int) -> object:
    name, *values = step
    raises = battles.session.raises
    if name == "act":
        return act(battles, values[0], number)
    if name == "raise":
        request = ges_pb2.RaiseRequest(guid=GUIDS[values[0]], arg=PAYLOADS[values[0]], raise_id=f"r{number % 7}")
        return raises.raise_event(request, "caller/me")
    if name == "later":
        return later(battles, values[0], number, values[1])
    if name == "often":
        return later(battles, "int", number, values[0], values[0], values[1])
    if name == "cancel":
        return raises.cancel(f"l{values[0]}")
    if name == "switch":
        return battles.battles.set_database_active("wire", not battles.ges.is_active("wire"))
    battles.time += values[0]
    if name == "advance":
        battles.clock.advance(values[0])
    else:
        battles.clock.jump(values[0])
    return None


MS = st.integers(0, 900)
KINDS = st.sampled_from(sorted(GUIDS))
STEPS = st.one_of(
    st.tuples(st.just("act"), st.integers(0, 30)),
    st.tuples(st.just("act"), st.integers(0, 30)),
    st.tuples(st.just("raise"), KINDS),
    st.tuples(st.just("later"), KINDS, MS),
    st.tuples(st.just("often"), st.integers(60, 300), st.sampled_from([-1, 1, 2, 5])),
    st.tuples(st.just("cancel"), st.integers(0, 20)),
    st.tuples(st.just("switch")),
    st.tuples(st.just("advance"), MS),
    st.tuples(st.just("jump"), st.integers(0, 5_000)),
    st.just(("restart",)),
)


@settings(max_examples=20, deadline=None)
@given(steps=st.lists(STEPS, max_size=25), seed=st.integers(0, 2**64 - 1))
def test_r8_2_it_goes_on_as_if_nothing_had_happened(steps: list[tuple[Any, ...]], seed: int) -> None:
    async def play() -> None:
        with tempfile.TemporaryDirectory() as folder:
            kept, twin = Kept(Path(folder) / "battles.db"), Kept(None)
            for battles in (kept, twin):
                battles.start(seed=seed)
            for number, step in enumerate([*steps, ("restart",), ("advance", 700)]):
                if step == ("restart",):
                    await kept.restart()
                    # What is due by now comes when a battle is loaded, as before each action.
                    twin.session.raises.begin()
                    twin.session.raises.end()
                else:
                    assert do(kept, step, number) == do(twin, step, number), step
                assert kept.seen() == twin.seen(), step
            assert kept.session.replay() == twin.session.replay()
            await kept.restart()

    asyncio.run(play())


async def test_a_manual_clock_stands_where_it_stood(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "battles.db")
    kept.start(seed=1, manual_clock=True)
    later(kept, "int", 1, 500)
    later(kept, "none", 2, 200, 200, 3)
    kept.session.raises.advance_clock(450)
    heard = kept.seen()
    await kept.restart()
    assert kept.seen() == heard
    told = ges_pb2.AdvanceClockResponse.FromString(kept.session.raises.advance_clock(149))
    assert told.now_ms == 599
    raised = [event.ges_event_raised.guid for update in told.updates for event in update.events]
    assert [guid for guid in raised if guid in (GUIDS["int"], GUIDS["none"])][:1] == [GUIDS["int"]]
    await kept.restart()
    assert kept.session.raises.cancel("l2")
    await kept.restart()
    assert not kept.session.raises.cancel("l2")
    await kept.restart()


async def test_on_a_manual_clock_what_has_no_delay_waits_for_the_clock(tmp_path: Path) -> None:
    """Other steps do not make it land, neither then nor when they are done again."""
    kept = Kept(tmp_path / "battles.db")
    kept.start(seed=1, manual_clock=True)
    later(kept, "none", 1, 0)
    later(kept, "int", 2, 0)
    assert kept.session.raises.cancel("l1")
    await kept.restart()
    raised = [event.ges_event_raised.guid for event in kept.seen().events if event.HasField("ges_event_raised")]
    assert GUIDS["int"] in raised
    assert kept.session.version == 2
    await kept.restart()


class SteppingClock(ManualClock):
    """A clock on which time passes with every reading."""

    def now(self) -> int:
        self.jump(1)
        return super().now()


async def test_the_time_of_a_battle_begins_when_its_start_was_recorded(tmp_path: Path) -> None:
    """Else what its set-up has scheduled would come at another time after a restart."""
    kept = Kept(tmp_path / "battles.db")
    kept.ges.clock = SteppingClock()
    kept.start(seed=1)
    await kept.battles.stored()
    assert kept.store is not None
    found = kept.store.load("one")
    assert found is not None
    assert kept.session.raises.now == start_of(found.start).at > 0
    await kept.restart()


async def broken(path: Path, damage: str) -> Kept:
    """Two battles, of which the one called `one` is damaged on disk."""
    kept = Kept(path)
    kept.start(seed=1)
    kept.battles.start(service_pb2.StartBattleRequest(battle_id="two", pack="reference", encounter="reference"))
    kept.session.act(battle_pb2.Action(end_turn=battle_pb2.EndTurn()))
    await kept.battles.stored()
    assert kept.store is not None
    kept.store.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute(damage).rowcount == 1
    connection.close()
    kept.open()
    return kept


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE steps SET step = x'c1' WHERE battle = 'one'", "its step 1 is not as it was written"),
        ("UPDATE battles SET start = x'00' WHERE battle = 'one'", "its start is not as it was written"),
        ("UPDATE battles SET overview = x'00' WHERE battle = 'one'", "its overview is damaged"),
        ("DELETE FROM steps WHERE battle = 'one'", "plays it another way"),
        # One bit of a letter, one that no UTF-8 has, and another pack altogether.
        (f"UPDATE packs SET text = CAST(replace(text, 'flow', 'glow') AS BLOB) WHERE {PACK_OF_ONE}", DAMAGED),
        (f"UPDATE packs SET text = CAST(text || x'ff' AS BLOB) WHERE {PACK_OF_ONE}", DAMAGED),
        (f"UPDATE packs SET text = x'7b7d' WHERE {PACK_OF_ONE}", DAMAGED),
    ],
)
async def test_one_that_cannot_be_brought_back_is_told_of_and_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str, why: str
) -> None:
    path = tmp_path / "battles.db"
    with caplog.at_level(logging.ERROR):
        kept = await broken(path, damage)
        with pytest.raises(CallError, match=why) as refused:
            kept.battles.get("one")
    assert refused.value.reason.name == "BATTLE_NOT_RESTORED"
    (line,) = [record for record in caplog.records if record.name.startswith("bridge.")]
    assert vars(line)["battle_id"] == "one"
    assert "a battle cannot be loaded" in line.getMessage()
    # The other one is there; both are listed, and idle time does not take the broken one.
    assert kept.battles.get("two").running
    assert [summary.battle_id for summary in kept.battles.page("", 10)[0]] == ["one", "two"]
    later_on = Battles(ServerSettings(limits=ServerLimits(idle_seconds=5)), PackLibrary(), kept.ges, store=kept.store)
    with pytest.raises(CallError):
        later_on.get("one")
    kept.clock.advance(6_000)
    assert later_on.drop_idle() == 1
    assert [summary.battle_id for summary in later_on.page("", 10)[0]] == ["one"]
    await later_on.stored()
    await kept.restart()
    # Who ends it wants to be rid of it.
    kept.battles.end("one")
    await kept.restart()
    assert kept.battles.page("", 10) == ([], False)
    await kept.restart()


async def test_r8_2_other_rule_flags_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "battles.db"
    kept = Kept(path)
    kept.start(seed=1)
    await kept.battles.stored()
    assert kept.store is not None
    found = kept.store.load("one")
    assert found is not None
    start = start_of(found.start)
    fields = {name: getattr(start, name) for name in start.__struct_fields__}
    changed = encode(StartRecord(**{**fields, "flags": (99,)}))
    overview = kept.store.overview("one")
    assert overview is not None
    written = [BattleStarted("one", changed, found.pack_key, found.pack_text), OverviewChanged("one", overview)]
    kept.store.write(written)
    kept.store.close()
    kept.open()
    with pytest.raises(CallError, match=r"rule flags \[99\]"):
        kept.battles.get("one")
    await kept.restart()


async def test_idle_time_takes_a_battle_out_of_the_store(tmp_path: Path) -> None:
    """One in memory, and one that nobody has asked for since the start."""
    kept = Kept(tmp_path / "battles.db")
    kept.start(seed=1)
    kept.battles.start(service_pb2.StartBattleRequest(battle_id="two", pack="reference", encounter="reference"))
    await kept.restart()
    counters = Counters()
    settings = ServerSettings(limits=ServerLimits(idle_seconds=30))
    battles = Battles(settings, PackLibrary(), kept.ges, counters, kept.store)
    kept.clock.advance(29_000)
    assert battles.drop_idle() == 0
    assert battles.get("two").running
    kept.clock.advance(2_000)
    assert battles.drop_idle() == 1
    assert [session.battle_id for session in battles] == ["two"]
    kept.clock.advance(28_000)
    assert battles.drop_idle() == 1
    await battles.stored()
    assert counters.battles_dropped == {IDLE: 2}
    await battles.close_store()
    kept.open()
    assert kept.battles.page("", 10) == ([], False)
    await kept.restart()


async def test_battles_of_the_store_count_against_the_limit(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "battles.db")
    kept.start(seed=1)
    await kept.restart()
    few = ServerSettings(limits=ServerLimits(battles=1))
    battles = Battles(few, PackLibrary(), kept.ges, store=kept.store)
    with pytest.raises(CallError) as refused:
        battles.start(service_pb2.StartBattleRequest(battle_id="two", pack="reference", encounter="reference"))
    assert refused.value.reason.name == "TOO_MANY_BATTLES"
    await battles.close_store()


async def test_a_limit_of_cards_that_was_lowered_takes_no_battle_away(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "battles.db")
    kept.start(seed=1)
    await kept.restart()
    few = ServerSettings(limits=ServerLimits(deck_cards=1))
    battles = Battles(few, PackLibrary(), kept.ges, store=kept.store)
    assert battles.get("one").running
    with pytest.raises(CallError) as refused:
        battles.start(service_pb2.StartBattleRequest(battle_id="two", pack="reference", encounter="reference"))
    assert refused.value.reason.name == "TOO_MANY_CARDS"
    await battles.close_store()
