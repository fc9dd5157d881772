"""What is set on a card for a while covers what was set before, and gives it back (R5.13)."""

from __future__ import annotations

from itertools import product

import pytest

from runtime.battle import Battle, state_hash
from runtime.battle.card import UNTIL, UNTIL_BATTLE, UNTIL_PLAYED, UNTIL_TURN
from runtime.battle.card_changes import expire_changes, set_card_cost, set_card_keyword, upgrade_card
from runtime.graph.definitions import EXHAUST
from tests.runtime.arena import Arena

PAIRS = list(product(UNTIL.values(), repeat=2))
MOMENTS = (UNTIL_TURN, UNTIL_PLAYED)
CARDS = {
    "tool": {"cost": 3, "target": "none", "upgrade": "tool_plus", "keywords": ["retain"]},
    "tool_plus": {"cost": 2, "target": "none", "keywords": ["retain"]},
    "x_tool": {"cost": "x", "target": "none", "keywords": ["retain"]},
    "twin": {
        "target": "none",
        "graph": """
            on: on_card_played; all: cards_in_pile pile=hand id=tool; one: pick_card how=first; all.cards one.cards
            add: add_card_to_hand; one.card add.like; on > one > add
        """,
    },
}


def started() -> Battle:
    return Arena(cards=CARDS, deck=["tool", "x_tool", "twin"], player={"energy": 5}).battle


def cost(battle: Battle, card: int = 0) -> int:
    return battle.cards[card].cost


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("ends", MOMENTS)
@pytest.mark.parametrize(("card", "base"), [(0, 3), (1, -1)])
def test_r5_13_the_cost_that_is_covered_comes_back(first: int, second: int, ends: int, card: int, base: int) -> None:
    battle = started()
    set_card_cost(battle, card, 1, first)
    set_card_cost(battle, card, 0, second)
    assert cost(battle, card) == 0
    expire_changes(battle, card, ends)
    # What was covered by something that lasts as long, or to the battle's end, is gone for good.
    left = [1] if first not in (ends, second) and second != UNTIL_BATTLE else []
    left += [0] if second != ends else []
    assert cost(battle, card) == (left[-1] if left else base)


@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("ends", MOMENTS)
def test_r5_13_the_keyword_that_is_covered_comes_back(first: int, second: int, ends: int) -> None:
    battle = started()
    set_card_keyword(battle, 0, EXHAUST, True, first)
    set_card_keyword(battle, 0, EXHAUST, False, second)
    expire_changes(battle, 0, ends)
    left = [True] if first not in (ends, second) and second != UNTIL_BATTLE else []
    left += [False] if second != ends else []
    assert bool(battle.cards[0].keywords & EXHAUST) == (left[-1] if left else False)


@pytest.mark.parametrize("until", UNTIL.values())
def test_r5_13_an_upgrade_does_not_end_a_set_cost(until: int) -> None:
    battle = started()
    set_card_cost(battle, 0, 1, until)
    upgrade_card(battle, 0)
    assert cost(battle) == 1
    for ends in MOMENTS:
        expire_changes(battle, 0, ends)
    assert cost(battle) == (1 if until == UNTIL_BATTLE else 2)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_r5_13_a_copy_has_what_is_set_and_what_that_covers(first: int, second: int) -> None:
    arena = Arena(cards=CARDS, deck=["tool", "x_tool", "twin"], player={"energy": 5})
    battle = arena.battle
    set_card_cost(battle, 0, 1, first)
    set_card_cost(battle, 0, 0, second)
    arena.play("twin")
    copy = len(battle.cards) - 1
    assert battle.cards[copy].definition.id == "tool"
    for ends in MOMENTS:
        assert cost(battle, copy) == cost(battle)
        expire_changes(battle, 0, ends)
        expire_changes(battle, copy, ends)
    assert cost(battle, copy) == cost(battle)


def test_r5_13_r8_1_what_is_covered_counts_in_the_state() -> None:
    one, other = started(), started()
    for battle, covered in ((one, 1), (other, 2)):
        set_card_cost(battle, 0, covered, UNTIL_BATTLE)
        set_card_cost(battle, 0, 0, UNTIL_TURN)
    assert state_hash(one) != state_hash(other)


def test_r5_13_what_is_set_again_and_again_does_not_pile_up() -> None:
    battle = started()
    for number in range(50):
        set_card_cost(battle, 0, number, number % 3)
        set_card_keyword(battle, 0, EXHAUST, number % 2 == 0, number % 3)
    assert len(battle.cards[0].costs) <= len(UNTIL)
    assert len(battle.cards[0].changes) <= len(UNTIL)
