"""Listeners outside of the battle: the order of one raise, and that they cannot disturb it."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable
from itertools import product

import pytest

from runtime.battle import copy_battle, state_hash
from runtime.battle.action_types import Raise
from runtime.battle.actions import act
from runtime.battle.ges_listeners import (
    BASIC,
    CONDITIONAL,
    PERSISTENT,
    PRIORITY,
    BattleListeners,
    GesListener,
    Heard,
    Listeners,
)
from tests.runtime.arena import Arena
from tests.runtime.ges_packs import arena, events, guid_of, hears, trigger


class Recorder:
    """Listeners that write down what they hear, and the errors of those that throw."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.errors: list[tuple[int, str]] = []
        self.listeners = Listeners(self._failed)

    def _failed(self, listener: GesListener, heard: Heard, error: BaseException) -> None:
        self.errors.append((listener.number, str(error)))

    def writes(self, name: str) -> Callable[[Heard], None]:
        def write(heard: Heard) -> None:
            count = heard.battle.variables.get("storm", 0)
            self.heard.append(f"{name} {heard.event.id} {count}")

        return write


def storm(recorder: Recorder) -> Arena:
    return arena(
        events(storm="int", rain="int"),
        trigger("storm", "rain"),
        statuses={"ears": hears("storm")},
        player={"statuses": {"ears": 1}},
        listeners=BattleListeners("here", recorder.listeners),
    )


def test_the_order_of_one_raise() -> None:
    """Registered in the opposite order; the graphs are one persistent listener of priority 0, and were there first."""
    recorder = Recorder()
    add, writes, guid = recorder.listeners.add, recorder.writes, guid_of("storm")
    add(PERSISTENT, writes("persistent -1"), guid, priority=-1)
    add(PERSISTENT, writes("persistent 0"), guid)
    add(PERSISTENT, writes("persistent 1"), guid, priority=1)
    add(CONDITIONAL, writes("conditional"), guid, condition=lambda heard: heard.arguments["arg"] == 3)
    add(CONDITIONAL, writes("unmet"), guid, condition=lambda heard: heard.arguments["arg"] == 4)
    add(PRIORITY, writes("priority 1"), guid, priority=1)
    add(PRIORITY, writes("priority 9"), guid, priority=9)
    add(BASIC, writes("basic"), guid)
    add(BASIC, writes("second basic"), guid)
    add(BASIC, writes("of all"))
    battle = storm(recorder)
    battle.raise_event("storm", arg=3)
    assert recorder.heard == [
        "basic storm 0",
        "second basic storm 0",
        "of all storm 0",
        "priority 9 storm 0",
        "priority 1 storm 0",
        "conditional storm 0",
        "persistent 1 storm 0",
        "persistent 0 storm 1",
        "persistent -1 storm 1",
        "of all rain 1",
    ]


def test_a_listener_that_throws_is_isolated() -> None:
    recorder = Recorder()

    def fail(heard: Heard) -> None:
        raise RuntimeError("out of order")

    def ask(heard: Heard) -> bool:
        raise RuntimeError("cannot say")

    recorder.listeners.add(BASIC, fail)
    recorder.listeners.add(CONDITIONAL, recorder.writes("never"), condition=ask)
    recorder.listeners.add(PERSISTENT, recorder.writes("last"))
    battle = storm(recorder)
    battle.raise_event("storm", arg=3)
    assert battle.variable("storm") == 1
    assert recorder.heard == ["last storm 1", "last rain 1"]
    assert recorder.errors == [(0, "out of order"), (1, "cannot say")] * 2


def test_a_battle_plays_the_same_whoever_listens() -> None:
    recorder = Recorder()
    recorder.listeners.add(BASIC, recorder.writes("basic"))
    heard, alone = storm(recorder), storm(Recorder())
    for battle in (heard, alone):
        battle.raise_event("storm", arg=3)
    assert state_hash(heard.battle) == state_hash(alone.battle)
    assert len(heard.battle.log) == len(alone.battle.log)


def test_listeners_come_and_go_in_the_middle_of_a_raise() -> None:
    recorder = Recorder()
    late: list[GesListener] = []

    def change(heard: Heard) -> None:
        if heard.event.id == "storm":
            recorder.listeners.remove(second)
            late.append(recorder.listeners.add(BASIC, recorder.writes("new"), guid_of("storm")))

    recorder.listeners.add(BASIC, change)
    second = recorder.listeners.add(BASIC, recorder.writes("removed"), guid_of("storm"))
    battle = storm(recorder)
    battle.raise_event("storm", arg=1)
    assert recorder.heard == []
    battle.raise_event("storm", arg=1)
    assert recorder.heard == ["new storm 1"]
    assert not recorder.listeners.remove(second)


def test_a_listener_of_one_battle_hears_that_one_alone() -> None:
    recorder = Recorder()
    recorder.listeners.add(BASIC, recorder.writes("here"), battle_id="here")
    recorder.listeners.add(BASIC, recorder.writes("there"), battle_id="there")
    battle = storm(recorder)
    battle.raise_event("storm", arg=1)
    assert recorder.heard == ["here storm 0", "here rain 1"]
    recorder.listeners.forget_battle("here")
    battle.raise_event("storm", arg=1)
    assert len(recorder.heard) == 2


def test_a_copy_is_heard_by_nobody() -> None:
    recorder = Recorder()
    recorder.listeners.add(BASIC, recorder.writes("basic"))
    battle = storm(recorder)
    twin = copy_battle(battle.battle)
    assert act(twin, Raise(twin.content.events["storm"], {"arg": 1})) is None
    assert twin.variables["storm"] == 1
    assert recorder.heard == []


def test_what_a_listener_is_told() -> None:
    recorder = Recorder()
    told: list[Heard] = []
    recorder.listeners.add(BASIC, told.append)
    battle = storm(recorder)
    battle.raise_event("storm", arg=5)
    storm_told, rain_told = told
    assert (storm_told.battle_id, storm_told.origin, storm_told.arguments) == ("here", "outside", {"arg": 5})
    assert (rain_told.origin, [event.id for event in rain_told.lineage]) == ("trigger", ["storm"])
    assert [event.sequence for event in battle.events("ges_event_raised")] == [told[0].sequence, told[1].sequence]


def test_listeners_hear_set_up() -> None:
    recorder = Recorder()
    recorder.listeners.add(BASIC, recorder.writes("basic"))
    arena(
        events(begin="none"),
        more={"notify": {"battle_started": guid_of("begin")}},
        listeners=BattleListeners("here", recorder.listeners),
    )
    assert recorder.heard == ["basic begin 0"]


_ADDED = [(BASIC, 0), (PRIORITY, 5), (CONDITIONAL, 0), (PERSISTENT, 5), (PERSISTENT, 0), (PERSISTENT, -5)]


@pytest.mark.parametrize(("first", "later"), list(product(_ADDED, repeat=2)))
def test_r6_5_a_listener_added_within_a_raise_hears_the_next_one(
    first: tuple[int, int], later: tuple[int, int]
) -> None:
    recorder = Recorder()
    told: list[str] = []
    added: list[GesListener] = []

    def add_another(heard: Heard) -> None:
        if not added:
            added.append(
                recorder.listeners.add(later[0], lambda heard: told.append("new"), guid_of("storm"), priority=later[1])
            )

    battle = storm(recorder)
    recorder.listeners.add(first[0], add_another, guid_of("storm"), priority=first[1])
    battle.raise_event("storm", arg=1)
    assert (len(added), told) == (1, [])
    battle.raise_event("storm", arg=1)
    assert told == ["new"]


@pytest.mark.parametrize("error", [CancelledError("x"), GeneratorExit("x"), SystemExit("x"), MemoryError("x")])
@pytest.mark.parametrize("in_condition", [False, True])
def test_r2_6_whatever_a_listener_throws_is_its_own_fault(error: BaseException, in_condition: bool) -> None:
    """Also while a card is played: it goes to its pile."""
    recorder = Recorder()

    def throw(heard: Heard) -> bool:
        raise error

    guid = guid_of("storm")
    if in_condition:
        recorder.listeners.add(CONDITIONAL, recorder.writes("never"), guid, condition=throw)
    else:
        recorder.listeners.add(BASIC, throw, guid)
    recorder.listeners.add(PERSISTENT, recorder.writes("last"), guid)
    graph = f"on: on_card_played; say: raise_ges_event event={guid} arg=1; on > say"
    battle = arena(
        events(storm="int"),
        cards={"say": {"target": "none", "graph": graph}},
        listeners=BattleListeners("here", recorder.listeners),
    )
    battle.play("say")
    assert (recorder.errors, len(recorder.heard), battle.discard) == ([(0, "x")], 1, ["say"])
    assert battle.battle.running.raising == []


def test_r2_6_an_interrupt_is_not_the_listeners() -> None:
    recorder = Recorder()

    def interrupted(heard: Heard) -> None:
        raise KeyboardInterrupt

    recorder.listeners.add(BASIC, interrupted, guid_of("storm"))
    with pytest.raises(KeyboardInterrupt):
        storm(recorder).raise_event("storm", arg=1)
