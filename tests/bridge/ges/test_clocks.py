"""Clocks, and what happens to a battle when they jump."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.battles.timetable import ENDLESS, MOST_LATE, ScheduledRaise, Timetable
from bridge.ges import ManualClock, MonotonicClock
from runtime.battle import Advance, Raise, act
from tests.runtime.arena import Arena
from tests.runtime.ges_packs import arena, events, raised, trigger


class Source:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@given(st.lists(st.floats(-1e6, 1e6), max_size=30))
def test_the_real_clock_never_goes_back(jumps: list[float]) -> None:
    source = Source()
    clock = MonotonicClock(source)
    last = clock.now()
    for jump in jumps:
        source.seconds += jump
        now = clock.now()
        assert now >= last
        # A millisecond for what the reading before cut off, and one for what seconds as floats leave out.
        assert now - last <= max(0.0, jump) * 1000 + 2
        last = now


def test_after_a_jump_back_the_real_clock_goes_on() -> None:
    source = Source()
    clock = MonotonicClock(source)
    source.seconds += 2
    assert clock.now() == 2_000
    source.seconds -= 3_600
    assert clock.now() == 2_000
    source.seconds += 1
    assert clock.now() == 3_000


async def test_the_real_clock_calls_when_its_time_has_come() -> None:
    clock = MonotonicClock()
    called = asyncio.Event()
    cancelled = clock.call_at(0, lambda: pytest.fail("it was cancelled"))
    cancelled.cancel()
    due = clock.now() + 20
    clock.call_at(due, called.set)
    async with asyncio.timeout(10):
        await called.wait()
    assert clock.now() >= due


async def test_a_timer_that_rings_too_early_is_set_again() -> None:
    """The machine's clock may stand still while the loop's goes on."""
    source = Source()
    clock = MonotonicClock(source)
    called = asyncio.Event()
    clock.call_at(1, called.set)
    rang = asyncio.Event()
    asyncio.get_running_loop().call_later(0.05, rang.set)
    await rang.wait()
    assert not called.is_set()
    source.seconds += 1
    async with asyncio.timeout(10):
        await called.wait()


def test_a_manual_clock_calls_in_order_at_the_very_time() -> None:
    clock = ManualClock()
    seen: list[tuple[str, int]] = []

    def call(name: str) -> None:
        seen.append((name, clock.now()))
        if name == "first":
            clock.call_at(15, lambda: call("of first"))

    clock.call_at(20, lambda: call("third"))
    clock.call_at(10, lambda: call("first"))
    clock.call_at(10, lambda: call("second"))
    gone = clock.call_at(12, lambda: call("cancelled"))
    gone.cancel()
    gone.cancel()
    clock.advance(9)
    assert seen == []
    clock.advance(50)
    assert seen == [("first", 10), ("second", 10), ("of first", 15), ("third", 20)]
    assert clock.now() == 59


class Timed:
    """A battle with a timetable on a manual clock."""

    def __init__(self, battle: Arena) -> None:
        self.battle = battle.battle
        self.clock = ManualClock()
        self.times: list[int] = []
        self.handed = 0
        self.timetable = Timetable(self.battle, self.clock, 0, self._let_pass, self._raise, self._ring)

    def _let_pass(self, ms: int) -> None:
        self.handed += ms
        act(self.battle, Advance(ms))

    def _raise(self, due: ScheduledRaise) -> None:
        self.times.append(self.clock.now())
        act(self.battle, Raise(due.event, due.arguments, due.answered))

    def _ring(self) -> None:
        self.timetable.catch_up()
        self.timetable.arm()

    def schedule(self, name: str, delay: int, interval: int = 0, left: int = 1) -> None:
        event = self.battle.content.events[name]
        self.timetable.add(ScheduledRaise(name, "", event, {}, (), b"", interval, left), delay)
        self.timetable.arm()

    def raise_now(self, name: str) -> None:
        self.timetable.catch_up()
        act(self.battle, Raise(self.battle.content.events[name], {}))
        self.timetable.arm()


def test_beats_that_a_jump_has_missed_are_left_out() -> None:
    """The beat stays where it was, and the count is that of the raises."""
    timed = Timed(arena(events(tick="none")))
    timed.schedule("tick", 100, interval=100, left=5)
    timed.clock.advance(250)
    timed.clock.jump(3_600_000)
    assert timed.times == [100, 200, 3_600_250]
    timed.clock.advance(1_000)
    assert timed.times == [100, 200, 3_600_250, 3_600_300, 3_600_400]
    assert len(timed.timetable) == 0


def test_a_delayed_raise_that_a_jump_has_missed_lands_once() -> None:
    timed = Timed(arena(events(tick="none")))
    timed.schedule("tick", 100)
    timed.clock.jump(10_000_000)
    timed.clock.advance(10_000)
    assert timed.times == [10_000_000]


def test_flows_do_not_rush_to_make_up_for_a_jump() -> None:
    """A loop of 100 ms, an hour asleep: ten rounds at most, not 36,000."""
    timed = Timed(arena(events(tick="none"), trigger("tick", "tick", delay_ms=100), echo_limit=1_000))
    timed.raise_now("tick")
    timed.clock.jump(3_600_000)
    rounds = len(raised(timed.battle)) - 1
    assert 1 <= rounds <= MOST_LATE // 100 + 1
    timed.clock.advance(100)
    assert len(raised(timed.battle)) - 1 == rounds + 1


def test_waiting_long_for_something_is_no_jump() -> None:
    timed = Timed(arena(events(go="none", late="none"), trigger("go", "late", delay_ms=5_000_000)))
    timed.clock.advance(123)
    timed.raise_now("go")
    timed.clock.advance(4_999_999)
    assert raised(timed.battle) == ["go"]
    timed.clock.advance(1)
    assert raised(timed.battle) == ["go", "late"]


def test_the_battle_is_handed_time_only_while_something_is_scheduled_in_it() -> None:
    """So a replay of a battle without delays holds no time at all."""
    timed = Timed(arena(events(tick="none", go="none", late="none"), trigger("go", "late", delay_ms=10)))
    timed.schedule("tick", 100, interval=100, left=ENDLESS)
    timed.clock.advance(10_000)
    assert (len(timed.times), timed.handed) == (100, 0)
    timed.raise_now("go")
    timed.clock.advance(10_000)
    assert timed.handed == 10
