"""Where the rules could be read in two ways: what was decided, and holds (R2.9, R2.10, R3.9, R4.11, R5.12, R6.7)."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import Concede, PlayCard
from runtime.battle.state import GONE
from tests.runtime.arena import Arena

GUID = "5bdcc20f-fe9a-410a-7403-0a97920148de"


def counter(event: str) -> str:
    """A status that counts an internal event in the variable `told`."""
    return f"on: on_internal_event event={event}; up: change_variable name=told value=1; on > up"


PLAIN: dict[str, Any] = {"target": "none", "graph": "on: on_card_played; a: gain_armor amount=1; on > a"}


def test_r6_7_a_played_card_that_goes_to_discard_is_not_told_as_discarded() -> None:
    for event, told in (("gcs.card_discarded", 0), ("gcs.card_resolved", 1)):
        arena = Arena(statuses={"ear": counter(event)}, cards={"plain": PLAIN}, player={"statuses": {"ear": 1}})
        arena.do(PlayCard(arena.card("plain")))
        assert (arena.discard, arena.variable("told")) == (["plain"], told)


@pytest.mark.parametrize("pile", ["discard", "exhaust"])
def test_r6_7_one_that_its_own_effect_moves_is_told(pile: str) -> None:
    mover = {**PLAIN, "graph": f"on: on_card_played; m: move_card to={pile}; on.card m.card; on > m"}
    event = "gcs.card_discarded" if pile == "discard" else "gcs.card_exhausted"
    arena = Arena(statuses={"ear": counter(event)}, cards={"mover": mover}, player={"statuses": {"ear": 1}})
    arena.do(PlayCard(arena.card("mover")))
    assert arena.variable("told") == 1


_UPGRADES = """
    on: {entry}; all: cards_in_pile pile={pile} id=second; one: pick_card how=first; all.cards one.cards
    up: upgrade_card; one.card up.card; on > one > up
"""
_COUNTS = "on: {entry}; c: change_variable name={name} value=1; on > c"


@pytest.mark.parametrize(
    ("entry", "pile"), [("on_turn_start", "hand"), ("on_turn_end", "hand"), ("on_draw_pile_shuffled", "draw")]
)
def test_r2_9_a_frozen_card_runs_what_it_is_at_its_turn(entry: str, pile: str) -> None:
    cards = {
        "first": {"graph": _UPGRADES.format(entry=entry, pile=pile), "keywords": ["retain"]},
        "second": {"graph": _COUNTS.format(entry=entry, name="old"), "upgrade": "better", "keywords": ["retain"]},
        "better": {"graph": _COUNTS.format(entry=entry, name="new"), "keywords": ["retain"]},
    }
    arena = Arena(cards=cards, deck=["first", "second"])
    if entry == "on_turn_end":
        arena.end_turn()
    assert (arena.variable("old"), arena.variable("new")) == (0, 1)


def test_r2_9_an_upgrade_between_two_entries_of_one_card_waits_for_the_next_timing() -> None:
    twice = """
        a: on_turn_end; b: on_turn_end; up: upgrade_card; me: current_card; me.card up.card; a > up
        c: change_variable name=old value=1; b > c
    """
    cards = {
        "twice": {"graph": twice, "upgrade": "better", "keywords": ["retain"]},
        "better": {"graph": _COUNTS.format(entry="on_turn_end", name="new"), "keywords": ["retain"]},
    }
    arena = Arena(cards=cards, deck=["twice"])
    arena.end_turn()
    assert (arena.variable("old"), arena.variable("new")) == (1, 0)
    arena.end_turn()
    assert (arena.variable("old"), arena.variable("new")) == (1, 1)


def test_r4_11_a_loss_that_hooks_bring_down_to_0_is_told_with_0() -> None:
    ward = "hook: hp_loss_hook; out: set_hook_amount amount=0; hook > out"
    ear = "on: on_hp_lost; c: change_variable name=told value=1; on > c"
    bleed = {"target": "none", "graph": "on: on_card_played; lose: lose_hp amount=4 target=player; on > lose"}
    arena = Arena(
        statuses={"ward": ward, "ear": ear}, cards={"bleed": bleed}, player={"statuses": {"ward": 1, "ear": 1}}
    )
    arena.do(PlayCard(arena.card("bleed")))
    assert (arena.player.hp, arena.variable("told")) == (50, 1)
    assert any("on_hp_lost status:ear@player amount=0" in line for line in arena.lines())


def test_r3_9_a_power_with_exhaust_leaves_the_game_without_e11() -> None:
    graph = f"{PLAIN['graph']}; gone: on_card_exhausted; c: change_variable name=told value=1; gone > c"
    arena = Arena(cards={"idol": {"keywords": ["power", "exhaust"], "target": "none", "graph": graph}})
    number = arena.card("idol")
    arena.do(PlayCard(number))
    assert (arena.battle.places[number], arena.exhaust, arena.variable("told")) == (GONE, [], 0)


def test_r5_13_e11_finds_what_lasts_until_played_ended() -> None:
    graph = """
        on: on_card_played; me: current_card; set: set_card_cost cost=0 until=played; me.card set.card; on > set
        gone: on_card_exhausted; info: card_info; gone.card info.card
        note: set_variable name=cost; info.cost note.value; gone > note
    """
    arena = Arena(
        cards={"tool": {"cost": 2, "keywords": ["exhaust"], "target": "none", "graph": graph}}, player={"energy": 3}
    )
    arena.do(PlayCard(arena.card("tool")))
    assert (arena.exhaust, arena.variable("cost")) == (["tool"], 2)


def test_r2_10_a_branch_goes_on_after_its_own_unit_has_left() -> None:
    leaves = """
        start: on_enemy_behavior_start; leaf: leaf_intent kind=special; start > leaf; go: remove_unit target=acting
        after: change_variable name=after value=1; leaf > go > after
    """
    arena = Arena(enemies={"gull": leaves}, fight=["gull", "dummy"])
    arena.end_turn()
    assert (arena.enemy().alive, arena.variable("after"), arena.outcome) == (False, 1, "running")


def test_r5_12_remove_unit_on_the_player_loses_the_battle() -> None:
    flees = {"target": "none", "graph": "on: on_card_played; go: remove_unit target=player; on > go"}
    last = "on: on_battle_end; up: change_variable name=told value=1; on > up"
    arena = Arena(cards={"flee": flees}, statuses={"last": last}, player={"statuses": {"last": 1}})
    arena.do(PlayCard(arena.card("flee")))
    assert (arena.player.alive, arena.outcome, arena.variable("told")) == (False, "lost", 0)


_OF_HAND = "all: cards_in_pile pile=hand id=plain; one: pick_card how=first; all.cards one.cards"
_IN_E2 = {
    "card_played": f"{_OF_HAND}; p: play_card; one.card p.card; on > one > p",
    "card_discarded": f"{_OF_HAND}; m: move_card to=discard; one.card m.card; on > one > m",
    "card_exhausted": f"{_OF_HAND}; m: move_card to=exhaust; one.card m.card; on > one > m",
    "card_created": "add: add_card_to_hand card=plain; on > add",
    "draw_pile_shuffled": "s: shuffle_draw_pile; on > s",
    "unit_spawned": "s: spawn_unit enemy=dummy; on > s",
    "unit_died": "all: all_enemies; k: kill_unit; all.units k.target; on > k",
    "unit_removed": "all: all_enemies; r: remove_unit; all.units r.target; on > r",
}


@pytest.mark.parametrize("notice", _IN_E2)
def test_r6_3_r2_7_no_notice_is_raised_within_e2(notice: str) -> None:
    arena = Arena(
        statuses={"last": f"on: on_battle_end; {_IN_E2[notice]}", "ear": counter(f"gcs.{notice}")},
        cards={"plain": PLAIN},
        player={"statuses": {"last": 1, "ear": 1}},
        more={"events": [{"id": "bell", "guid": GUID, "argument": "none"}], "notify": {notice: GUID}},
    )
    raised, told = len(arena.events("ges_event_raised")), arena.variable("told")
    arena.do(Concede())
    assert arena.outcome == "lost"
    assert "on_battle_end status:last@player" in arena.lines()
    assert (len(arena.events("ges_event_raised")), arena.variable("told")) == (raised, told)
    assert arena.events("fault") == []
