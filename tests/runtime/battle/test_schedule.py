"""What comes later: the schedule itself, and delayed triggers and chain steps in a battle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from runtime.battle import (
    Advance,
    Answer,
    Concede,
    EndTurn,
    PlayCard,
    Raise,
    act,
    actions_of,
    advance,
    canonical_state,
    copy_battle,
    play_replay,
    read_events,
    replay_of,
    start_battle,
    state_hash,
)
from runtime.battle.ges_raising import MOST_SCHEDULED
from runtime.battle.schedule import Schedule
from runtime.loading import encounter_of, load_content
from tests.runtime.arena import Arena
from tests.runtime.ges_packs import arena, events, faults, flows, guid_of, hears, last_arguments, raised, trigger


class ScheduleAgainstAList(RuleBasedStateMachine):
    """The schedule does what a plain list that is searched each time does."""

    def __init__(self) -> None:
        super().__init__()
        self.schedule = Schedule()
        self.now = 0
        self.waiting: list[tuple[int, int]] = []
        self.made: list[int] = []

    @rule(delay=st.integers(0, 50))
    def add(self, delay: int) -> None:
        handle = self.schedule.add(delay, f"at {self.now + delay}")
        assert handle not in self.made
        self.made.append(handle)
        self.waiting.append((self.now + delay, handle))

    @rule(data=st.data())
    def cancel(self, data: st.DataObject) -> None:
        handle = data.draw(st.sampled_from(self.made)) if self.made else 1
        there = [entry for entry in self.waiting if entry[1] == handle]
        assert self.schedule.cancel(handle) == bool(there)
        self.waiting = [entry for entry in self.waiting if entry[1] != handle]

    @rule(ms=st.integers(-20, 60))
    def take_what_is_due(self, ms: int) -> None:
        until = self.now + ms
        due = sorted(entry for entry in self.waiting if entry[0] <= until)
        found = []
        while (entry := self.schedule.take(until)) is not None:
            assert self.schedule.now >= entry.due
            assert entry.what == f"at {entry.due}"
            found.append((entry.due, entry.handle))
        assert found == due
        self.waiting = [entry for entry in self.waiting if entry not in due]
        self.schedule.advance_to(until)
        self.now = max(self.now, until)

    @rule()
    def go_on_with_a_copy(self) -> None:
        twin = self.schedule.copy()
        self.schedule.add(1, "not in the copy")
        self.schedule = twin

    @invariant()
    def the_same_is_waiting(self) -> None:
        expected = sorted(self.waiting)
        assert [(entry.due, entry.handle) for entry in self.schedule.items()] == expected
        assert self.schedule.next_due() == (expected[0][0] if expected else -1)
        assert len(self.schedule) == len(expected)
        assert self.schedule.now == self.now


TestScheduleAgainstAList = ScheduleAgainstAList.TestCase


def test_a_delay_is_not_negative() -> None:
    with pytest.raises(ValueError, match="delay"):
        Schedule().add(-1, None)
    with pytest.raises(ValueError, match="ms"):
        Advance(-1)


def delayed(**fields: Any) -> Arena:
    return arena(
        events(storm="int", rain="int"),
        trigger("storm", "rain", delay_ms=100),
        statuses={"ears": hears("rain", keep="rain")},
        player={"statuses": {"ears": 1}},
        **fields,
    )


def test_r6_5_a_delayed_trigger_lands_when_its_time_has_come() -> None:
    battle = delayed()
    battle.raise_event("storm", arg=3)
    assert advance(battle.battle, 99) is None
    assert battle.variable("rain") == 0
    advance(battle.battle, 1)
    assert (battle.variable("rain"), battle.variable("rain_arg")) == (1, 3)
    advance(battle.battle, 10_000)
    assert battle.variable("rain") == 1
    started = [event.fields["kind"] for event in read_events(battle.battle) if event.kind == "action_started"]
    assert started == ["setup", "raise", "scheduled"]


def test_time_counts_from_the_raise() -> None:
    battle = delayed()
    advance(battle.battle, 5_000)
    battle.raise_event("storm", arg=1)
    advance(battle.battle, 50)
    battle.raise_event("storm", arg=2)
    advance(battle.battle, 50)
    assert (battle.variable("rain"), battle.variable("rain_arg")) == (1, 1)
    advance(battle.battle, 50)
    assert (battle.variable("rain"), battle.variable("rain_arg")) == (2, 2)


def test_actions_let_no_time_pass() -> None:
    battle = delayed()
    battle.raise_event("storm", arg=3)
    for _ in range(5):
        battle.end_turn()
    assert battle.variable("rain") == 0


def test_the_steps_of_a_chain_wait_for_delay_and_duration() -> None:
    steps = [
        {"to": "a", "delay_ms": 100, "duration_ms": 400},
        {"to": "b"},
        {"to": "c", "delay_ms": 50},
        {"to": "d", "duration_ms": 1_000},
    ]
    battle = arena(events(go="none", a="none", b="none", c="none", d="none"), chains=[{"from": "go", "steps": steps}])
    battle.raise_event("go")
    seen = []
    for _ in range(60):
        before = len(battle.battle.log)
        advance(battle.battle, 10)
        seen.append(raised(battle.battle, before))
    at = {(place + 1) * 10: found for place, found in enumerate(seen) if found}
    assert at == {100: ["a"], 500: ["b"], 550: ["c", "d"]}
    assert not battle.battle.schedule


def test_in_one_leap_all_that_is_due_lands_in_order() -> None:
    """What a landing schedules counts from its own time, not from the end of the leap."""
    battle = arena(
        events(go="none", a="none", b="none", c="none"),
        trigger("go", "c", delay_ms=150),
        trigger("go", "a", delay_ms=100),
        trigger("a", "b", delay_ms=20),
    )
    battle.raise_event("go")
    advance(battle.battle, 1_000)
    assert raised(battle.battle) == ["go", "a", "b", "c"]


def test_a_condition_is_asked_when_the_trigger_is_scheduled() -> None:
    battle = arena(
        events(storm="int", rain="int"), trigger("storm", "rain", delay_ms=10, when={"arg": "ge", "value": 3})
    )
    battle.raise_event("storm", arg=2)
    assert battle.battle.schedule is None
    battle.raise_event("storm", arg=3)
    advance(battle.battle, 10)
    assert raised(battle.battle) == ["storm", "storm", "rain"]


def test_r6_5_what_is_due_waits_behind_an_open_choice_in_order_of_arrival() -> None:
    battle = delayed(
        cards={
            "ask": {
                "target": "none",
                "graph": 'on: on_card_played; ask: choose_option options=["a","b"]; on > ask',
            }
        },
    )
    battle.raise_event("storm", arg=1)
    battle.do(PlayCard(battle.card("ask")))
    assert battle.battle.choice is not None
    battle.do(Raise(battle.battle.content.events["storm"], {"arg": 2}))
    advance(battle.battle, 100)
    battle.do(Raise(battle.battle.content.events["storm"], {"arg": 3}))
    assert raised(battle.battle) == ["storm"]
    battle.do(Answer([0], "option"))
    # The second one arrived before the time had passed: what follows from it is due as well.
    assert raised(battle.battle) == ["storm", "storm", "rain", "rain", "storm"]
    assert battle.battle.schedule is not None
    assert [entry.what.arguments for entry in battle.battle.schedule.items()] == [{"arg": 3}]


@pytest.mark.parametrize("already", [0, 1])
def test_what_an_answer_brings_about_counts_from_the_answer(already: int) -> None:
    """However long the choice stayed open, and whether or not something was scheduled before."""
    battle = delayed(
        cards={
            "ask": {
                "target": "none",
                "graph": 'on: on_card_played; ask: choose_option options=["a","b"]; '
                f"say: raise_ges_event event={guid_of('storm')} arg=7; on > ask > say",
            }
        },
    )
    for _ in range(already):
        battle.raise_event("storm", arg=1)
    battle.do(PlayCard(battle.card("ask")))
    advance(battle.battle, 30)
    advance(battle.battle, 30)
    battle.do(Answer([0], "option"))
    advance(battle.battle, 99)
    assert (battle.variable("rain"), battle.variable("rain_arg")) == (already, already)
    advance(battle.battle, 1)
    assert (battle.variable("rain"), battle.variable("rain_arg")) == (already + 1, 7)


def test_a_landing_may_ask_the_player_and_the_rest_waits() -> None:
    battle = arena(
        events(storm="none", ask="none", rain="none"),
        trigger("storm", "ask", delay_ms=10),
        trigger("storm", "rain", delay_ms=20),
        statuses={
            "asks": f'on: on_ges_event ges_event={guid_of("ask")}; q: choose_option options=["a","b"]; on > q',
        },
        player={"statuses": {"asks": 1}},
    )
    battle.raise_event("storm")
    advance(battle.battle, 100)
    assert battle.battle.choice is not None
    twin = copy_battle(battle.battle)
    for each in (battle.battle, twin):
        assert raised(each) == ["storm", "ask"]
        assert act(each, Answer([1], "option")) is None
        assert raised(each) == ["storm", "ask", "rain"]
    assert state_hash(battle.battle) == state_hash(twin)


def test_a_choice_that_is_given_up_leaves_nothing_behind() -> None:
    battle = arena(
        events(ask="none"),
        trigger("ask", "ask", delay_ms=1),
        statuses={"asks": f'on: on_ges_event ges_event={guid_of("ask")}; q: choose_option options=["a","b"]; on > q'},
        player={"statuses": {"asks": 1}},
    )
    battle.raise_event("ask")
    assert battle.battle.choice is not None
    battle.do(Concede())
    assert (battle.outcome, battle.battle.running.raising) == ("lost", [])


def test_r6_6_nothing_lands_in_a_battle_that_is_over() -> None:
    battle = delayed()
    battle.raise_event("storm", arg=3)
    battle.do(Concede())
    refused = advance(battle.battle, 1_000)
    assert refused is not None
    assert refused.reason == "BATTLE_OVER"
    assert raised(battle.battle) == ["storm"]


def test_a_landing_that_ends_the_battle_is_the_last() -> None:
    battle = arena(
        events(storm="none", blow="none", rain="none"),
        trigger("storm", "blow", delay_ms=10),
        trigger("storm", "rain", delay_ms=20),
        statuses={
            "bomb": f"on: on_ges_event ges_event={guid_of('blow')}; "
            "hit: lose_hp amount=999 target=all_enemies; on > hit"
        },
        player={"statuses": {"bomb": 1}},
    )
    battle.raise_event("storm")
    advance(battle.battle, 100)
    assert battle.outcome == "won"
    assert "rain" not in raised(battle.battle)


def test_an_end_turn_node_works_in_a_landing() -> None:
    battle = arena(
        events(storm="none", stop="none"),
        trigger("storm", "stop", delay_ms=10),
        statuses={"halt": f"on: on_ges_event ges_event={guid_of('stop')}; end: end_turn; on > end"},
        player={"statuses": {"halt": 1}},
    )
    battle.raise_event("storm")
    advance(battle.battle, 10)
    assert battle.battle.turn == 2


def test_triggers_do_not_fill_the_memory() -> None:
    many = [trigger("storm", "rain", delay_ms=10 + place) for place in range(60)]
    battle = arena(events(storm="none", rain="none"), *many)
    for _ in range(MOST_SCHEDULED // 60 + 1):
        battle.raise_event("storm")
    assert battle.battle.schedule is not None
    assert len(battle.battle.schedule) == MOST_SCHEDULED
    assert set(faults(battle.battle)) == {"schedule"}


def test_r8_2_a_copy_holds_what_is_scheduled_with_its_own_units() -> None:
    battle = arena(
        events(storm="unit", strike="unit"),
        trigger("storm", "strike", delay_ms=50),
        statuses={
            "bolt": f"on: on_ges_event ges_event={guid_of('strike')}; who: event_arg name=arg type=unit; "
            "hurt: lose_hp amount=7; on > hurt; who.value hurt.target"
        },
        player={"statuses": {"bolt": 1}},
    )
    battle.raise_event("storm", arg=battle.enemy())
    twin = copy_battle(battle.battle)
    assert canonical_state(twin) == canonical_state(battle.battle)
    advance(twin, 50)
    assert (twin.units[1].hp, battle.enemy().hp) == (93, 100)
    advance(battle.battle, 50)
    assert state_hash(twin) == state_hash(battle.battle)
    assert last_arguments(twin, "strike")["arg"] is twin.units[1]


def test_r8_1_the_state_tells_what_is_scheduled_and_when() -> None:
    one, other = delayed(), delayed()
    plain = state_hash(one.battle)
    one.raise_event("storm", arg=3)
    advance(one.battle, 40)
    other.raise_event("storm", arg=3)
    assert state_hash(one.battle) != state_hash(other.battle)
    advance(other.battle, 40)
    assert state_hash(one.battle) == state_hash(other.battle)
    assert state_hash(one.battle) != plain


REPLAYED = {
    "events": events(storm="int", rain="int", flash="none"),
    "flows": flows(
        trigger("storm", "rain", delay_ms=100),
        chains=[{"from": "storm", "steps": [{"to": "flash", "delay_ms": 30, "duration_ms": 30}, {"to": "flash"}]}],
    ),
    "cards": [{"id": "wait", "cost": 0, "target": "none"}],
    "enemies": [{"id": "dummy", "hp": 30}],
    "decks": [{"id": "deck", "cards": ["wait"]}],
    "encounters": [{"id": "fight", "enemies": ["dummy"], "deck": "deck", "player": {"hp": 30}}],
}


@given(st.lists(st.one_of(st.integers(0, 150), st.sampled_from(["raise", "end"])), max_size=12))
def test_r8_2_a_replay_needs_no_clock(steps: list[int | str]) -> None:
    """However the time was cut into pieces, the replay goes the same way, and its states agree after each."""
    content = load_content(REPLAYED)
    encounter = encounter_of(content, "fight")
    battle = start_battle(content, encounter, seed=3)
    for step in steps:
        if step == "raise":
            act(battle, Raise(content.events["storm"], {"arg": 5}))
        elif step == "end":
            act(battle, EndTurn())
        else:
            advance(battle, int(step))
    replay = replay_of(battle, {"encounter": "fight"})
    again = play_replay(content, encounter, replay)
    assert state_hash(again) == state_hash(battle)
    assert raised(again) == raised(battle)
    assert actions_of(again) == actions_of(battle)
    # One leap of the same length raises as much as the many small steps that no action came between.
    if not {"raise", "end"} & set(steps[1:]) and steps[:1] == ["raise"]:
        leap = start_battle(content, encounter, seed=3)
        act(leap, Raise(content.events["storm"], {"arg": 5}))
        advance(leap, sum(int(step) for step in steps[1:]))
        assert raised(leap) == raised(battle)
