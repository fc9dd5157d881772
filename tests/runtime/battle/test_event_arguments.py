"""What an event passes is read as what it is, and as nothing else (R6.8), by whatever way it comes."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from runtime.battle import Raise, copy_battle, play_replay, replay_of
from runtime.battle.event_arguments import StructArguments, own_units
from runtime.loading import encounter_of
from tests.runtime.arena import Arena

GUID = "5bdcc20f-fe9a-410a-7403-0a97920148de"
TYPES = ("int", "bool", "text", "unit", "card", "status")
# A literal or a wire that gives each type something else than its default.
SOURCES = {
    "int": "say.q=1",
    "bool": "say.q=true",
    "text": "say.q=hello",
    "unit": "say.q=player",
    "card": "me: current_card; me.card say.q",
    "status": "say.q=ear",
}
# What shows in the variable `read` that something else than the default has been read.
READERS = {
    "int": "set: set_variable name=read; arg.value set.value; on > set",
    "bool": "if: branch; arg.value if.condition; set: set_variable name=read value=1; on > if; if.true set.in",
    "text": "same: text_equals b=hello; arg.value same.a; if: branch; same.result if.condition; on > if",
    "unit": "info: unit_info; arg.value info.unit; set: set_variable name=read; info.hp set.value; on > set",
    "card": "has: has_card; arg.value has.card; if: branch; has.result if.condition; on > if",
    "status": "own: own_status; same: same_status; arg.value same.a; own.status same.b; if: branch; on > if",
}
MARK = "set: set_variable name=read value=1; if.true set.in"


def reader(kind: str, entry: str, name: str) -> str:
    text = f"on: {entry}; arg: event_arg name={name} type={kind}; {READERS[kind]}"
    if kind in ("text", "card"):
        text += f"; {MARK}"
    if kind == "status":
        text += f"; same.result if.condition; {MARK}"
    return text


def passing(kind: str) -> str:
    source = SOURCES[kind]
    value = f"q={source.partition('=')[2]}" if source.startswith("say.q=") else ""
    more = "" if value else f"; {source}"
    return f'on: on_card_played; say: raise_internal_event event=x args={{"q":"{kind}"}} {value}; on > say{more}'


def arena_that_reads(kind: str, passed: str, entry: str, name: str, argument: str) -> Arena:
    return Arena(
        cards={"say": {"target": "none", "graph": passing(passed)}},
        statuses={"ear": reader(kind, entry, name)},
        player={"statuses": {"ear": 1}},
        more={"events": [{"id": "bell", "guid": GUID, "argument": argument}]},
    )


@pytest.mark.parametrize(("passed", "read"), list(product(TYPES, repeat=2)))
def test_r6_8_r6_2_an_internal_argument_is_read_as_its_type_alone(passed: str, read: str) -> None:
    arena = arena_that_reads(read, passed, "on_internal_event event=x", "q", "none")
    arena.play("say")
    assert bool(arena.variable("read")) is (passed == read)


def outside(arena: Arena, kind: str) -> Any:
    values: dict[str, Any] = {"int": 1, "bool": True, "text": "hello", "unit": arena.player, "card": 0}
    return arena.battle.content.statuses["ear"] if kind == "status" else values[kind]


@pytest.mark.parametrize(("passed", "read"), list(product(TYPES, repeat=2)))
def test_r6_8_r6_4_a_ges_argument_is_read_as_its_type_alone(passed: str, read: str) -> None:
    arena = arena_that_reads(read, "int", f"on_ges_event ges_event={GUID}", "arg", passed)
    arena.raise_event("bell", arg=outside(arena, passed))
    assert bool(arena.variable("read")) is (passed == read)


def struct_of(arena: Arena, kind: str) -> StructArguments:
    struct = StructArguments()
    struct["q"] = outside(arena, kind)
    struct["who"] = arena.player
    struct.cards = frozenset({"q"} if kind == "card" else ())
    return struct


@pytest.mark.parametrize(("passed", "read"), list(product(TYPES, repeat=2)))
def test_r6_8_r6_4_r8_2_a_field_of_a_struct_is_read_as_its_type_alone(passed: str, read: str) -> None:
    """In a replay and in a copy as well: both still know which fields are cards."""
    arena = arena_that_reads(read, "int", f"on_ges_event ges_event={GUID}", "q", "struct")
    bell = arena.battle.content.events["bell"]
    twin = copy_battle(arena.battle)
    arena.do(Raise(bell, struct_of(arena, passed)))
    assert bool(arena.variable("read")) is (passed == read)
    assert own_units(twin, struct_of(arena, passed))["who"] is twin.player
    content = arena.battle.content
    fight = {"enemies": ["dummy"], "deck": "deck", "player": {"hp": 50, "draw": 1, "statuses": {"ear": 1}}}
    played = play_replay(content, encounter_of(content, fight), replay_of(arena.battle, {"encounter": fight}))
    assert played.variables == arena.battle.variables
