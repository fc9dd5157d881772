"""R2.7, R2.5, R2.6: when the battle is decided, what is dropped then, and hits that faults cut short."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import Answer
from tests.runtime.arena import Answers, Arena, strike, witness

WATCH = {"watch": witness("on_unit_died", "on_battle_end")}


def _card(text: str) -> dict[str, Any]:
    return {"graph": f"on: on_card_played; {text}; on > a", "target": "enemy"}


def test_r2_7_hits_targets_and_nodes_still_open_are_dropped_after_the_decision() -> None:
    arena = Arena(
        cards={
            "volley": {
                "target": "none",
                "graph": """
                    on: on_card_played; hit: deal_damage amount=9 hits=5 target=all_units
                    after: set_variable name=after value=1
                    on > hit > after; k: change_variable name=kills value=1; hit.on_kill > k
                """,
            }
        },
        statuses=WATCH,
        fight=[("dummy", {"hp": 50})],
        player={"hp": 9, "statuses": {"watch": 1}},
    )
    # The player is the first of all units: dead with the first hit, so the enemy is never hit.
    assert arena.play("volley", 0)[-1] == "on_battle_end status:watch@player"
    assert (arena.outcome, arena.enemy().hp, arena.variable("after"), arena.variable("kills")) == ("lost", 50, 0, 0)


def test_r2_7_nothing_inside_e2_changes_the_result() -> None:
    arena = Arena(
        cards={"kill": strike(999)},
        statuses={
            "chaos": """
                end: on_battle_end; die: kill_unit target=player; come: spawn_unit enemy=dummy
                up: gain_armor amount=3 target=player
                last: set_variable name=last value=1; raise: raise_internal_event event=boom
                end > die > come > raise > last
            """,
            "watch": witness("on_battle_end", "on_unit_died", "on_hp_lost", "on_unit_spawned"),
            "boom": "heard: on_internal_event event=boom; v: set_variable name=heard value=1; heard > v",
        },
        player={"statuses": {"chaos": 1, "watch": 1, "boom": 1}},
    )
    lines = arena.play("kill")
    assert lines[1:] == [
        "on_unit_died status:watch@player was_kill=true source=player target=enemy0",
        "on_battle_end status:chaos@player",
        "on_battle_end status:watch@player",
    ]
    assert (arena.outcome, arena.variable("last"), arena.variable("heard")) == ("won", 1, 0)
    assert len(arena.events("battle_ended")) == 1


@pytest.mark.parametrize("tracing", [False, True])
def test_r2_7_r4_5_hooks_change_what_e2_does(tracing: bool) -> None:
    """A hook is no Entry. What it spends is gone, but its E27 does not start any more."""
    mend = "on: on_battle_end; heal: gain_hp amount=5; up: gain_armor amount=5; on > heal > up"
    more = """
        heal: hp_gain_hook; h: int_math op=add b=10; heal.amount h.a; hs: set_hook_amount; h.result hs.amount; heal > hs
    """
    twice = """
        up: armor_gain_hook; u: scale_percent percent=200; up.amount u.value; us: set_hook_amount spend=1
        u.result us.amount; up > us; gone: on_status_removed; v: set_variable name=gone value=1; gone > v
    """
    arena = Arena(
        cards={"strike": strike(100)},
        statuses={"mend": mend, "more": more, "twice": twice},
        player={"max_hp": 90, "statuses": {"mend": 1, "more": 1, "twice": 1}},
        tracing=tracing,
    )
    arena.play("strike")
    assert (arena.outcome, arena.player.hp, arena.player.armor) == ("won", 65, 10)
    assert (arena.stacks("twice"), arena.variable("gone")) == (0, 0)


def test_r2_7_e2_may_ask_and_its_answer_is_taken() -> None:
    asks = """
        end: on_battle_end; ask: choose_option options=["a","b"]; v: set_variable name=picked; end > ask > v
        ask.index v.value
    """
    arena = Arena(cards={"kill": strike(999)}, statuses={"asks": asks}, player={"statuses": {"asks": 1}})
    arena.play("kill")
    assert arena.battle.choice is not None
    assert not arena.events("battle_ended")
    arena.do(Answer([1], "option"))
    assert (arena.outcome, arena.variable("picked"), len(arena.events("battle_ended"))) == ("won", 1, 1)


def test_r2_7_a_choice_in_a_reaction_puts_the_decision_off() -> None:
    # A choice in the middle of a card's damage. E16 of the last enemy asks while it is at 0 HP.
    asks = """
        hit: on_damage_taken; ask: choose_option options=["die","live"]; b: compare op=eq b=1; branch: branch
        heal: gain_hp amount=4; hit > ask > branch; ask.index b.a; b.result branch.condition; branch.true > heal
    """
    for answer, outcome in ((0, "won"), (1, "running")):
        arena = Arena(
            cards={"kill": strike(999)}, statuses={"asks": asks}, fight=[("dummy", {"statuses": {"asks": 1}})]
        )
        arena.play("kill")
        assert arena.battle.choice is not None
        assert arena.outcome == "running"
        arena.do(Answer([answer], "option"))
        assert (arena.outcome, arena.battle.running.hit_depth) == (outcome, 0)
        bot = Arena(
            cards={"kill": strike(999)},
            statuses={"asks": asks},
            fight=[("dummy", {"statuses": {"asks": 1}})],
            agent=Answers([[answer]]),
        )
        bot.play("kill")
        assert bot.outcome == outcome


def test_r2_5_a_hit_that_is_abandoned_still_lets_its_target_die_once() -> None:
    # E16 of the victim raises itself without end; the root is abandoned between HP and death check.
    arena = Arena(
        cards={"kill": strike(999), "wait": {"target": "none"}},
        statuses={
            "endless": """
            hit: on_damage_taken; again: repeat count=2000000000; n: branch condition=true; hit > again
            again.body > n
        """,
            **WATCH,
        },
        fight=[("dummy", {"statuses": {"endless": 1, "watch": 1}}), "dummy"],
        node_limit=100,
    )
    lines = arena.play("kill")
    assert [event.fields["kind"] for event in arena.events("fault")] == ["nodes"]
    assert len([line for line in lines if line.startswith("on_unit_died")]) == 1
    assert (arena.enemy().alive, arena.battle.running.hit_depth, arena.discard) == (False, 0, ["kill"])
    assert arena.outcome == "running"


def test_r2_6_an_error_inside_a_hit_closes_that_hit() -> None:
    # The nested branch ends with an error (an agent that gives a wrong answer); the outer hit goes on to its decision.
    asks = 'hit: on_damage_taken; ask: choose_option options=["a","b"]; hit > ask'
    arena = Arena(
        cards={"kill": strike(999)},
        statuses={"asks": asks},
        fight=[("dummy", {"statuses": {"asks": 1}})],
        agent=Answers([[7]]),
    )
    arena.play("kill")
    assert [event.fields["kind"] for event in arena.events("fault")] == ["error"]
    assert (arena.outcome, arena.battle.running.hit_depth) == ("won", 0)


@pytest.mark.parametrize("nested", [False, True], ids=["alone", "in a hit"])
def test_r2_7_remove_unit_of_the_last_enemy_wins(nested: bool) -> None:
    # In a hit the win waits until the hit is closed: the attacker's other status still hears of it.
    flee = "on: on_damage_taken; go: remove_unit; on > go"
    card = strike(1) if nested else _card("a: remove_unit target=chosen")
    arena = Arena(
        cards={"card": card},
        statuses={
            "flee": flee,
            "watch": witness("on_hp_lost", "on_attack_taken", "on_unit_died", "on_battle_end", "on_status_removed"),
            "seen": witness("on_battle_end"),
        },
        fight=[("dummy", {"statuses": {"flee": 1, "watch": 1}})],
        player={"statuses": {"seen": 1}},
    )
    lines = [line for line in arena.play("card") if not line.startswith(("on_card_played", "on_damage_taken"))]
    assert lines == ["on_battle_end status:seen@player"]
    assert (arena.outcome, arena.enemy().statuses, arena.enemy().hp) == ("won", {}, 99 if nested else 100)
