"""Values on the battle: figures, variables, event arguments (nodes.md, "Values"; R5.8, R6.2, R6.4)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.runtime.arena import Arena
from tests.runtime.nodes.probe import note, notes, played, read, shows

_FIGURES = (
    "turn",
    "energy",
    "max_energy",
    "hand",
    "draw",
    "discard",
    "exhaust",
    "cards_played_this_turn",
    "enemies_alive",
)
_WIRES = (*(f"i.{port}:int" for port in _FIGURES), "i.is_player_turn:bool")


@shows(
    "battle_info: turn energy max_energy hand draw discard exhaust cards_played_this_turn enemies_alive is_player_turn"
)
def test_battle_info() -> None:
    text = f"on: on_card_played; i: battle_info; on > note; {note(*_WIRES)}"
    arena = Arena(
        cards={"probe": {"graph": text, "cost": 2}, "burn": {"keywords": ["exhaust"]}, "tool": {}},
        deck=["probe", "burn", "tool", "wait", "wait", "wait"],
        fight=("dummy", "dummy"),
        player={"draw": 4, "energy": 5},
    )
    arena.play("burn")
    arena.play("tool")
    arena.play("probe")
    # The card in play lies in no pile, and counts as played.
    assert [list(told.values()) for told in notes(arena)] == [[1, 3, 5, 1, 2, 1, 1, 3, 2, True]]


@shows("battle_info: turn cards_played_this_turn is_player_turn enemies_alive")
def test_battle_info_in_the_enemy_phase() -> None:
    text = f"""
        on: on_turn_start; i: battle_info; on > note
        {note("i.turn:int", "i.is_player_turn:bool", "i.cards_played_this_turn:int")}
    """
    arena = Arena(
        statuses={"mark": text}, fight=[("dummy", {"statuses": {"mark": 1}})], player={"statuses": {"mark": 1}}
    )
    arena.play("wait")
    arena.end_turn()
    assert [list(told.values()) for told in notes(arena)] == [[1, True, 0], [1, False, 1], [2, True, 0]]


@shows(
    "set_variable: value unit card name scope",
    "change_variable: value unit card name scope",
    "get_variable: unit card result name scope",
)
def test_variables_by_scope() -> None:
    scopes = {
        "b": "scope=battle",
        "own": "scope=unit",
        "foe": "scope=unit unit=chosen",
        "p": "scope=unit unit=player",
        "c": "scope=card",
        "default": "",
    }
    sets = "; ".join(f"s_{key}: set_variable name=v_{key} {params} value=4" for key, params in scopes.items())
    adds = "; ".join(f"a_{key}: change_variable name=v_{key} {params} value=-6" for key, params in scopes.items())
    gets = "; ".join(f"{key}: get_variable name=v_{key} {params}" for key, params in scopes.items())
    chain = " > ".join([*(f"s_{key}" for key in scopes), *(f"a_{key}" for key in scopes)])
    arena = played(f"{sets}; {adds}; {gets}; on > {chain} > note", *(f"{key}.result:int" for key in scopes))
    assert [list(told.values()) for told in notes(arena)] == [[-2] * len(scopes)]
    assert arena.battle.variables == {"v_b": -2, "v_default": -2}
    assert arena.player.variables == {"v_own": -2, "v_p": -2}
    assert arena.enemy().variables == {"v_foe": -2}
    assert arena.battle.cards[0].variables == {"v_c": -2}


@shows("set_variable: value unit card", "get_variable: unit card result name scope", "change_variable: value card")
def test_variables_of_a_wired_card_and_of_nobody() -> None:
    text = """
        p: cards_in_pile pile=hand; x: pick_card how=last; p.cards x.cards; on > x > set > nobody > note
        set: set_variable name=n scope=card value=3; x.card set.card
        nobody: set_variable name=n scope=unit unit=none value=9
        other: get_variable name=n scope=card; x.card other.card; own: get_variable name=n scope=card
        none: get_variable name=n scope=unit unit=none; never: get_variable name=never
    """
    wires = ("other.result:int", "own.result:int", "none.result:int", "never.result:int")
    assert read(text, *wires, deck=["probe", "wait"]) == [3, 0, 0, 0]


@shows("change_variable: value", "set_variable: value")
def test_variables_saturate() -> None:
    text = """
        s: set_variable name=n value=2147483647; a: change_variable name=n value=5; g: get_variable name=n
        on > s > a > note
    """
    assert read(text, "g.result:int") == [2**31 - 1]


_HEARD = {
    "int": "n",
    "bool": "b",
    "text": "t",
    "unit": "u",
    "card": "c",
    "status": "s",
}


@shows("event_arg: name type", "raise_internal_event: receivers event args", "on_internal_event: event")
def test_event_arg_of_every_type_of_an_internal_event() -> None:
    gets = "; ".join(f"{name}: event_arg name={name} type={type_}" for type_, name in _HEARD.items())
    wires = [f"{name}.value:{type_}" for type_, name in _HEARD.items()]
    absent = "; ".join(f"{name}0: event_arg name=absent type={type_}" for type_, name in _HEARD.items())
    wires += [f"{name}0.value:{type_}" for type_, name in _HEARD.items()]
    hears = f"heard: on_internal_event event=shout; {gets}; {absent}; heard > note; {note(*wires)}"
    args = json.dumps({name: type_ for type_, name in _HEARD.items()}, separators=(",", ":"))
    raises = f"""
        on: on_card_played; raise: raise_internal_event event=shout args={args} n=7 b=true t=hi u=chosen s=mark
        on.card raise.c; on > raise > count; count: set_variable name=receivers; raise.receivers count.value
    """
    arena = Arena(cards={"raise": raises}, statuses={"mark": hears}, player={"statuses": {"mark": 1}})
    arena.play("raise")
    # An absent argument gives the type's default (R6.2).
    assert [list(told.values()) for told in notes(arena)] == [
        [7, True, "hi", "enemy0", 0, "mark", 0, False, "", "none", -1, "none"]
    ]
    assert arena.variable("receivers") == 1


@shows("event_arg: name type", "on_internal_event: event")
def test_event_arg_of_another_type_gives_the_default() -> None:
    gets = "; ".join(f"{name}: event_arg name=n type={type_}" for type_, name in _HEARD.items())
    wires = [f"{name}.value:{type_}" for type_, name in _HEARD.items()]
    hears = f"heard: on_internal_event event=shout; {gets}; heard > note; {note(*wires)}"
    raises = 'on: on_card_played; raise: raise_internal_event event=shout args={"n":"bool"} n=true; on > raise'
    arena = Arena(cards={"raise": raises}, statuses={"mark": hears}, player={"statuses": {"mark": 1}})
    arena.play("raise")
    assert [list(told.values()) for told in notes(arena)] == [[0, True, "", "none", -1, "none"]]


GUID = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"


@shows("event_arg: name type scale", "on_ges_event: ges_event")
@pytest.mark.parametrize(
    ("argument", "given", "wires", "values"),
    [
        ("int", {"arg": 7}, ["a.value:int"], [7]),
        # A float is multiplied by `scale` and truncated; scale is 1 by default (R6.4).
        ("float", {"arg": 2.789}, ["a.value:int", "scaled.value:int"], [2, 278]),
        ("float", {"arg": -2.789}, ["a.value:int", "scaled.value:int"], [-2, -278]),
        ("float", {"arg": 1e30}, ["a.value:int"], [2**31 - 1]),
        ("float", {"arg": float("nan")}, ["a.value:int"], [0]),
        ("float", {"arg": float("-inf")}, ["a.value:int"], [-(2**31)]),
        ("vector2", {"x": 1.5, "y": -2.5}, ["x.value:int", "y.value:int"], [1, -2]),
        ("int", {"arg": 7}, ["who.value:unit"], ["none"]),
    ],
)
def test_event_arg_of_a_ges_event(argument: str, given: dict[str, Any], wires: list[str], values: list[Any]) -> None:
    gets = """
        a: event_arg name=arg type=int; scaled: event_arg name=arg type=int scale=100; x: event_arg name=x type=int
        y: event_arg name=y type=int; who: event_arg name=sender type=unit
    """
    hears = f"heard: on_ges_event ges_event={GUID}; {gets}; heard > note; {note(*wires)}"
    arena = Arena(
        statuses={"mark": hears},
        player={"statuses": {"mark": 1}},
        more={"events": [{"id": "thunder", "guid": GUID, "argument": argument}]},
    )
    arena.raise_event("thunder", **given)
    assert [list(told.values()) for told in notes(arena)] == [values]


@shows("raise_ges_event: receivers event", "on_ges_event: ges_event", "event_arg: name type")
def test_raise_ges_event_carries_its_argument_and_sender() -> None:
    hears = f"""
        heard: on_ges_event ges_event={GUID}; a: event_arg name=arg type=int; s: event_arg name=sender type=unit
        heard > note; {note("a.value:int", "s.value:unit")}
    """
    raises = f"""
        on: on_card_played; raise: raise_ges_event event={GUID} arg=5 sender=chosen
        n: set_variable name=receivers; on > raise > n; raise.receivers n.value
    """
    arena = Arena(
        cards={"raise": raises},
        statuses={"mark": hears},
        player={"statuses": {"mark": 1}},
        more={"events": [{"id": "thunder", "guid": GUID, "argument": "int", "sender": True}]},
    )
    arena.play("raise")
    assert notes(arena) == [{"a_value": 5, "s_value": "enemy0"}]
    assert arena.variable("receivers") == 1
    assert [event.fields["from_battle"] for event in arena.events("ges_event_raised")] == [True]
