"""Triggers and chains without delay: order, conditions, and what they pass on."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import Raise, read_events
from runtime.bots import make_bot, play_out
from tests.runtime.ges_packs import arena, events, guid_of, hears, last_arguments, raised, trigger


def test_r6_5_graphs_come_before_triggers_and_those_before_chains() -> None:
    battle = arena(
        events(storm="none", rain="none", flash="none"),
        trigger("storm", "rain"),
        chains=[{"from": "storm", "steps": [{"to": "flash"}]}],
        statuses={"ears": hears("storm", "rain", "flash")},
        player={"statuses": {"ears": 1}},
    )
    battle.raise_event("storm")
    kinds = [
        event.fields["event"].id if event.kind == "ges_event_raised" else event.fields["name"]
        for event in read_events(battle.battle)
        if event.kind in ("ges_event_raised", "variable_changed")
    ]
    assert kinds == ["storm", "storm", "rain", "rain", "flash", "flash"]


def test_triggers_come_by_priority_then_as_listed() -> None:
    battle = arena(
        events(start="none", a="none", b="none", c="none", d="none"),
        trigger("start", "a"),
        trigger("start", "b", priority=5),
        trigger("start", "c", priority=-1),
        trigger("start", "d", priority=5),
    )
    battle.raise_event("start")
    assert raised(battle.battle) == ["start", "b", "d", "a", "c"]


def test_r6_5_a_trigger_belongs_to_the_moment_of_the_graph_that_raised() -> None:
    """Also in the middle of an action: the card's next node sees what the flow has done."""
    battle = arena(
        events(storm="int", rain="int"),
        trigger("storm", "rain"),
        cards={
            "call": f"on: on_card_played; say: raise_ges_event event={guid_of('storm')} arg=4; "
            "see: get_variable name=rain; keep: set_variable name=seen; on > say > keep; see.result keep.value"
        },
        statuses={"ears": hears("rain", keep="rain")},
        player={"statuses": {"ears": 1}},
    )
    battle.play("call")
    assert (battle.variable("seen"), battle.variable("rain_arg")) == (1, 4)
    told = [event for event in read_events(battle.battle) if event.kind == "ges_event_raised"]
    assert [(event.fields["event"].id, event.fields["origin"]) for event in told] == [
        ("storm", "graph"),
        ("rain", "trigger"),
    ]
    assert told[1].cause == told[0].sequence
    assert told[1].fields["lineage"] == (guid_of("storm"),)


@pytest.mark.parametrize(
    ("kind", "arguments", "condition", "holds"),
    [
        ("int", {"arg": 3}, {"arg": "ge", "value": 3}, True),
        ("int", {"arg": 2}, {"arg": "ge", "value": 3}, False),
        ("int", {"arg": 2}, {"arg": "lt", "value": 2.5}, True),
        ("int", {"arg": 2}, {"arg": "le", "value": 2}, True),
        ("int", {"arg": 2}, {"arg": "gt", "value": 2}, False),
        ("int", {}, {"arg": "eq", "value": 0}, True),
        ("float", {"arg": 1.5}, {"arg": "ne", "value": 1.5}, False),
        ("bool", {"arg": True}, {"arg": "eq", "value": True}, True),
        ("text", {"arg": "b"}, {"arg": "gt", "value": "a"}, True),
        ("text", {}, {"arg": "eq", "value": ""}, True),
        ("vector2", {"x": 1.0, "y": 2.0}, {"arg": "eq", "value": [1, 2]}, True),
        ("color", {"r": 1.0, "g": 0.0, "b": 0.0, "a": 1.0}, {"arg": "ne", "value": [1, 0, 0, 1]}, False),
        ("struct", {"x": 1, "who": "me"}, {"arg": "eq", "value": {"x": 1, "who": "me"}}, True),
        ("struct", {"x": 1}, {"arg": "eq", "value": {"x": 2}}, False),
        ("card", {"arg": 0}, {"arg": "eq", "value": "wait"}, True),
        ("card", {}, {"arg": "eq", "value": "none"}, True),
        ("int", {"arg": 3}, {"all": []}, True),
        ("int", {"arg": 3}, {"any": []}, False),
        ("int", {"arg": 3}, {"all": [{"arg": "gt", "value": 1}, {"arg": "lt", "value": 3}]}, False),
        ("int", {"arg": 3}, {"any": [{"arg": "gt", "value": 9}, {"all": [{"arg": "eq", "value": 3}]}]}, True),
    ],
)
def test_conditions(kind: str, arguments: dict[str, Any], condition: dict[str, Any], holds: bool) -> None:
    battle = arena(events(source=kind, target="none"), trigger("source", "target", when=condition))
    battle.raise_event("source", **arguments)
    assert raised(battle.battle) == (["source", "target"] if holds else ["source"])


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"sender": "eq", "value": "enemy0"}, True),
        ({"sender": "ne", "value": "player"}, True),
        ({"sender": "lt", "value": "player"}, True),
        ({"sender": "eq", "value": 1}, False),
        ({"sender": "lt", "value": 1}, False),
        ({"sender": "ne", "value": 1}, True),
    ],
)
def test_conditions_on_the_sender(condition: dict[str, Any], holds: bool) -> None:
    battle = arena(events(source="int+", target="none"), trigger("source", "target", when=condition))
    battle.raise_event("source", arg=1, sender=battle.enemy())
    assert ("target" in raised(battle.battle)) == holds


def test_a_condition_on_a_unit_and_on_a_status() -> None:
    battle = arena(
        events(hit="unit", curse="status", yes="none", no="none"),
        trigger("hit", "yes", when={"arg": "eq", "value": "enemy0"}),
        trigger("hit", "no", when={"arg": "eq", "value": "none"}),
        trigger("curse", "yes", when={"arg": "eq", "value": "mark"}),
        statuses={"mark": {}},
    )
    battle.raise_event("hit", arg=battle.enemy())
    battle.raise_event("curse", arg=battle.battle.content.statuses["mark"])
    assert raised(battle.battle) == ["hit", "yes", "curse", "yes"]


@pytest.mark.parametrize(
    ("source", "target", "given", "passing", "passed"),
    [
        ("int", "int", {"arg": 3}, True, {"arg": 3}),
        ("int", "none", {"arg": 3}, True, {}),
        ("int", "float", {"arg": 3}, True, {"arg": 3.0}),
        ("float", "int", {"arg": 2.9}, True, {"arg": 2}),
        ("float", "int", {"arg": -2.9}, True, {"arg": -2}),
        ("float", "int", {"arg": 1e30}, True, {"arg": 2**31 - 1}),
        ("float", "int", {}, True, {"arg": 0}),
        ("none", "int", {}, False, {"arg": 0}),
        ("int", "int", {"arg": 3}, False, {"arg": 0}),
        ("none", "float", {}, False, {"arg": 0.0}),
        ("none", "bool", {}, False, {"arg": False}),
        ("none", "text", {}, False, {"arg": ""}),
        ("none", "vector3", {}, False, {"x": 0.0, "y": 0.0, "z": 0.0}),
        ("none", "unit", {}, False, {}),
        ("text", "struct", {"arg": "x"}, False, {}),
        ("vector2", "vector2", {"x": 1.0, "y": 2.0}, True, {"x": 1.0, "y": 2.0}),
        ("struct", "struct", {"x": 1}, True, {"x": 1}),
    ],
)
def test_passing_on(source: str, target: str, given: dict[str, Any], passing: bool, passed: dict[str, Any]) -> None:
    battle = arena(events(source=source, target=target), trigger("source", "target", passing=passing))
    battle.raise_event("source", **given)
    found = last_arguments(battle.battle, "target")
    assert found == passed
    assert [type(value) for value in found.values()] == [type(value) for value in passed.values()]


def test_the_sender_goes_along_where_both_events_have_one() -> None:
    battle = arena(
        events(source="int+", same="int+", other="float+", bare="int", dropped="none"),
        *(trigger("source", target) for target in ("same", "other", "bare", "dropped")),
        trigger("source", "same", passing=False),
    )
    enemy = battle.enemy()
    battle.raise_event("source", arg=1, sender=enemy)
    found = [event.fields["arguments"] for event in read_events(battle.battle) if event.kind == "ges_event_raised"]
    assert found == [
        {"arg": 1, "sender": enemy},
        {"arg": 1, "sender": enemy},
        {"arg": 1.0, "sender": enemy},
        {"arg": 1},
        {},
        {"arg": 0},
    ]


def test_a_false_condition_stops_the_rest_of_a_chain() -> None:
    steps = [
        {"to": "a"},
        {"to": "b", "when": {"arg": "ge", "value": 3}},
        {"to": "a", "when": {"arg": "ge", "value": 5}},
        {"to": "b"},
    ]
    battle = arena(events(source="int", a="int", b="none"), chains=[{"from": "source", "steps": steps}])
    for value, expected in ((1, ["a"]), (3, ["a", "b"]), (5, ["a", "b", "a", "b"])):
        before = len(battle.battle.log)
        battle.raise_event("source", arg=value)
        assert raised(battle.battle, before) == ["source", *expected]
    assert last_arguments(battle.battle, "a") == {"arg": 5}


def test_r6_3_a_notice_has_consequences_like_any_raise() -> None:
    battle = arena(
        events(cue="card", hint="card"),
        trigger("cue", "hint"),
        cards={"move": "on: on_card_played; gain: gain_armor amount=1; on > gain"},
        more={"notify": {"card_played": guid_of("cue")}},
    )
    battle.play("move")
    told = [event.fields["origin"] for event in read_events(battle.battle) if event.kind == "ges_event_raised"]
    assert told == ["notice", "trigger"]
    assert last_arguments(battle.battle, "hint") == {"arg": 0}


def test_the_end_of_a_battle_has_consequences_for_the_engine() -> None:
    battle = arena(
        events(over="text", fanfare="none"),
        trigger("over", "fanfare", when={"arg": "eq", "value": "won"}),
        cards={"kill": "on: on_card_played; hit: deal_damage amount=999; on > hit"},
        more={"notify": {"battle_ended": guid_of("over")}},
    )
    battle.play("kill")
    assert battle.outcome == "won"
    assert raised(battle.battle) == ["over", "fanfare"]


def test_bots_see_what_follows_without_delay() -> None:
    """In-process battles have flows, too: here they are what kills the enemy."""
    battle = arena(
        events(tick="none", blow="none"),
        trigger("tick", "blow"),
        enemies={"target": {"hp": 3}},
        fight=["target"],
        statuses={
            "fuse": f"on: on_turn_end; say: raise_ges_event event={guid_of('tick')}; on > say",
            "bomb": f"on: on_ges_event ges_event={guid_of('blow')}; "
            "lose: lose_hp amount=1 target=all_enemies; on > lose",
        },
        player={"statuses": {"fuse": 1, "bomb": 1}},
        logging=False,
    )
    assert play_out(battle.battle, make_bot("random", 1))
    assert (battle.outcome, battle.battle.turn) == ("won", 3)


def test_how_many_graphs_received_an_event_does_not_count_what_follows() -> None:
    battle = arena(
        events(storm="none", rain="none"),
        trigger("storm", "rain"),
        cards={
            "call": f"on: on_card_played; say: raise_ges_event event={guid_of('storm')}; "
            "keep: set_variable name=told; on > say > keep; say.receivers keep.value"
        },
        statuses={"ears": hears("storm", "rain")},
        player={"statuses": {"ears": 1}},
    )
    battle.play("call")
    assert (battle.variable("told"), battle.variable("rain")) == (1, 1)


def test_actions_that_name_a_unit_are_equal_by_its_name() -> None:
    one, other = (arena(events(hit="unit")) for _ in range(2))
    actions = [Raise(each.battle.content.events["hit"], {"arg": each.enemy()}) for each in (one, other)]
    assert actions[0] == actions[1]
    assert "enemy0" in repr(actions[0])
