"""A raise that answers its own event is cut: in a graph, in flows, over time, and from outside."""

from __future__ import annotations

from itertools import pairwise

import pytest

from runtime.battle import Raise, advance, play_replay, read_events, replay_of, start_battle, state_hash
from runtime.battle.state import ECHO_LIMIT
from tests.runtime.arena import Arena
from tests.runtime.ges_packs import arena, events, faults, guid_of, hears, raised, trigger


def test_r2_11_a_trigger_that_answers_itself_is_cut() -> None:
    battle = arena(events(echo="none"), trigger("echo", "echo"), echo_limit=4)
    battle.raise_event("echo")
    assert raised(battle.battle) == ["echo"] * 4
    assert faults(battle.battle) == ["echo"]
    battle.raise_event("echo")
    assert raised(battle.battle) == ["echo"] * 8


def test_the_usual_depth() -> None:
    battle = arena(events(echo="none"), trigger("echo", "echo"))
    battle.raise_event("echo")
    assert raised(battle.battle) == ["echo"] * ECHO_LIMIT


def test_two_events_that_answer_each_other_are_cut() -> None:
    battle = arena(events(ping="none", pong="none"), trigger("ping", "pong"), trigger("pong", "ping"), echo_limit=3)
    battle.raise_event("ping")
    assert raised(battle.battle) == ["ping", "pong"] * 3
    fault = next(event for event in read_events(battle.battle) if event.kind == "fault")
    assert "ping → pong → ping" in fault.fields["message"]


def shouting(**fields: object) -> Arena:
    """A status that raises, when it hears an event, the same event; then it counts."""
    guid = guid_of("echo")
    return arena(
        events(echo="none"),
        statuses={
            "mouth": f"on: on_ges_event ges_event={guid}; say: raise_ges_event event={guid}; "
            "count: change_variable name=done value=1; on > say > count"
        },
        player={"statuses": {"mouth": 1}},
        **fields,  # type: ignore[arg-type]
    )


def test_r2_11_a_graph_that_answers_itself_is_cut_and_goes_on() -> None:
    """The raise is cut alone: all the branches that led to it go on with their next node."""
    battle = shouting(echo_limit=5)
    battle.raise_event("echo")
    assert raised(battle.battle) == ["echo"] * 5
    assert battle.variable("done") == 5
    fault = next(event for event in read_events(battle.battle) if event.kind == "fault")
    assert fault.fields["kind"] == "echo"
    assert fault.fields["chain"] == ("status:mouth@player on_ges_event/say",) * 5


def test_r2_5_the_ordinary_depth_holds_as_well() -> None:
    battle = shouting(echo_limit=1_000, depth_limit=20)
    battle.raise_event("echo")
    assert faults(battle.battle) == ["depth"]
    assert battle.battle.running.raising == []
    # And again: nothing of the abandoned root is left.
    before = len(battle.battle.log)
    battle.raise_event("echo")
    assert len(raised(battle.battle, before)) == 21


def test_r2_5_many_events_in_a_row_are_cut_by_the_ordinary_depth() -> None:
    names = [f"e{place}" for place in range(40)]
    chained = [trigger(one, two) for one, two in pairwise(names)]
    battle = arena(events(**dict.fromkeys(names, "none")), *chained, depth_limit=10)
    battle.raise_event("e0")
    assert raised(battle.battle) == names[:11]
    assert faults(battle.battle) == ["depth"]
    assert (battle.battle.running.raising, battle.battle.running.cause) == ([], 0)


def test_r2_5_triggers_that_multiply_are_cut_by_the_budget() -> None:
    battle = arena(
        events(a="none", b="none"),
        *(trigger("a", "b") for _ in range(3)),
        *(trigger("b", "a") for _ in range(3)),
        node_limit=500,
    )
    battle.raise_event("a")
    assert faults(battle.battle)[-1] == "nodes"
    assert len(raised(battle.battle)) == 500
    battle.raise_event("a")
    assert len(raised(battle.battle)) == 1_000


def test_an_event_may_be_raised_as_often_as_one_likes_one_after_the_other() -> None:
    battle = arena(
        events(echo="none"),
        cards={
            "many": f"on: on_card_played; loop: repeat count=100; say: raise_ges_event event={guid_of('echo')}; "
            "on > loop; loop.body say.in"
        },
        statuses={"ears": hears("echo")},
        player={"statuses": {"ears": 1}},
    )
    battle.play("many")
    assert (battle.variable("echo"), faults(battle.battle)) == (100, [])


def test_r2_11_an_echo_is_cut_over_time_too() -> None:
    battle = arena(events(echo="none"), trigger("echo", "echo", delay_ms=100), echo_limit=3)
    battle.raise_event("echo")
    for _ in range(10):
        advance(battle.battle, 100)
    assert raised(battle.battle) == ["echo"] * 3
    assert faults(battle.battle) == ["echo"]
    assert not battle.battle.schedule


def test_r2_11_an_answer_from_outside_counts() -> None:
    battle = arena(events(ping="none", pong="none"), echo_limit=2)
    ping, pong = (battle.battle.content.events[name] for name in ("ping", "pong"))
    lineage: tuple[object, ...] = ()
    for event in (ping, pong, ping, pong, ping):
        battle.do(Raise(event, {}, lineage))  # type: ignore[arg-type]
        lineage = (*lineage, event)
    assert raised(battle.battle) == ["ping", "pong", "ping", "pong"]
    assert faults(battle.battle) == ["echo"]
    battle.do(Raise(ping, {}))
    assert raised(battle.battle)[-1] == "ping"


def test_r8_2_a_replay_cuts_the_same_echoes() -> None:
    battle = arena(events(ping="none"), echo_limit=2, encounter={"id": "fight"})
    ping = battle.battle.content.events["ping"]
    for answered in ((), (ping,), (ping, ping)):
        battle.do(Raise(ping, {}, answered))
    replay = replay_of(battle.battle, {"encounter": "fight"})
    assert replay["limits"]["echo"] == 2
    again = play_replay(battle.battle.content, battle.battle.encounter, replay)
    assert (raised(again), faults(again)) == (["ping", "ping"], ["echo"])
    assert state_hash(again) == state_hash(battle.battle)


@pytest.mark.parametrize("limit", [0, 1_001])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    battle = arena(events(echo="none")).battle
    with pytest.raises(ValueError, match="echo_limit"):
        start_battle(battle.content, battle.encounter, echo_limit=limit)
