"""Timers take at most a quarter of the event loop's time."""

from __future__ import annotations

import asyncio

import pytest

from bridge.ges.turns import TimerTurns


class Loop:
    """Seconds that pass while calls are made, and what was to be called later."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        self.later: list[tuple[float, object]] = []
        monkeypatch.setattr(asyncio, "get_running_loop", lambda: self)
        self.turns = TimerTurns(lambda: self.now)
        self.made: list[int] = []

    def call_later(self, delay: float, call: object) -> None:
        self.later.append((delay, call))

    def add(self, number: int, seconds: float) -> None:
        def call() -> None:
            self.made.append(number)
            self.now += seconds

        self.turns.add(call)

    def run_next(self) -> float:
        delay, call = self.later.pop(0)
        self.now += delay
        assert callable(call)
        call()
        return delay


def test_a_single_call_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)
    loop.add(1, 0.001)
    assert (loop.made, loop.later) == ([1], [])


def test_after_a_turn_they_rest_three_times_as_long_as_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)
    for number in range(1, 5):
        loop.add(number, 0.0006)
    assert loop.made == [1]
    assert loop.run_next() == pytest.approx(0.0018)
    # Two calls fill a turn; the fourth waits for the next.
    assert loop.made == [1, 2, 3]
    assert loop.run_next() == pytest.approx(0.0036)
    assert (loop.made, loop.later) == ([1, 2, 3, 4], [])


def test_once_rested_a_call_is_made_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)
    loop.add(1, 0.003)
    loop.now += 0.009
    loop.add(2, 0.001)
    assert loop.made == [1, 2]


def test_what_a_call_adds_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)

    def again() -> None:
        loop.now += 0.005
        loop.add(2, 0.001)

    loop.turns.add(again)
    assert loop.made == []
    loop.run_next()
    assert loop.made == [2]


def test_a_call_that_fails_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = Loop(monkeypatch)

    def fail() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        loop.turns.add(fail)
    loop.add(2, 0.001)
    assert loop.made == [2]
