"""Flow nodes (nodes.md, "Flow")."""

from __future__ import annotations

import pytest

from tests.runtime.arena import Arena
from tests.runtime.nodes.probe import note, notes, played, read, shows


@shows("branch: condition true false")
@pytest.mark.parametrize("condition", [True, False])
def test_branch(condition: bool) -> None:
    text = f"""
        b: branch condition={str(condition).lower()}; t: set_variable name=t value=1
        f: set_variable name=f value=1; on > b; b.true > t > note; b.false > f > note
    """
    arena = played(text, "on.card:card")
    assert (arena.variable("t"), arena.variable("f"), len(notes(arena))) == (condition, not condition, 1)


@shows("sequence: count")
def test_sequence_runs_its_steps_in_order() -> None:
    steps = "".join(
        f"""
        v{n}: int_math op=add a={n} b=0; n{n}: raise_internal_event event=note args={{"n":"int"}} n={n}
        s.step_{n} > n{n};
    """
        for n in range(3)
    )
    arena = Arena(cards={"probe": f"on: on_card_played; s: sequence count=4; {steps} on > s"})
    arena.play("probe")
    # The fourth step is not linked: nothing to do.
    assert notes(arena) == [{"n": 0}, {"n": 1}, {"n": 2}]


@shows("repeat: count body index")
@pytest.mark.parametrize("count", [3, 1, 0, -2])
def test_repeat(count: int) -> None:
    text = f"""
        r: repeat count={count}; in_body: raise_internal_event event=note args={{"index":"int"}}; r.index in_body.index
        on > r > note; r.body > in_body
    """
    arena = played(text, "r.index:int")
    rounds = max(0, count)
    assert notes(arena) == [*({"index": n} for n in range(rounds)), {"r_index": max(0, rounds - 1)}]


@shows("for_each_unit: units body unit")
def test_for_each_unit_is_frozen_and_skips_the_dead() -> None:
    text = """
        each: for_each_unit units=all_enemies; say: raise_internal_event event=note args={"unit":"unit"}
        each.unit say.unit
        come: spawn_unit enemy=dummy; last: pick_unit units=all_enemies how=last; kill: kill_unit
        all: all_enemies; second: pick_unit how=lowest_hp; all.units second.units
        on > each > note; each.body > say > come > second > kill; second.unit kill.target
    """
    text = text.replace("last: pick_unit units=all_enemies how=last;", "")
    arena = played(text, "each.unit:unit", fight=[("dummy", {"hp": 30}), ("dummy", {"hp": 10}), ("dummy", {"hp": 20})])
    # Each round kills the one with the lowest HP: enemy1 is dead when its turn comes, and so is enemy2 after its own.
    assert [told.get("unit", told.get("each_unit")) for told in notes(arena)] == ["enemy0", "enemy2", "enemy2"]


@shows("for_each_card: cards body card")
def test_for_each_card_is_frozen() -> None:
    text = """
        p: cards_in_pile pile=hand; each: for_each_card; p.cards each.cards
        say: raise_internal_event event=note args={"card":"card"}
        each.card say.card; more: add_card_to_hand card=wait; on > each > note; each.body > say > more
    """
    arena = played(text, "each.card:card", deck=["probe", "wait", "wait"])
    assert notes(arena) == [{"card": 1}, {"card": 2}, {"each_card": 2}]
    assert arena.hand == ["wait"] * 4


@shows("once_per: blocked per")
@pytest.mark.parametrize(("params", "turns"), [("", 2), ("per=turn", 2), ("per=battle", 1)])
def test_r5_8_once_per_turn_or_battle(params: str, turns: int) -> None:
    text = f"""
        on: on_turn_end; again: sequence count=2; o: once_per {params}; a: change_variable name=out value=1
        b: change_variable name=blocked value=1; on > again; again.step_0 > o; again.step_1 > o; o > a
        o.blocked > b
    """
    arena = Arena(statuses={"mark": text}, player={"statuses": {"mark": 1}})
    arena.end_turn()
    assert (arena.variable("out"), arena.variable("blocked")) == (1, 1)
    arena.end_turn()
    assert (arena.variable("out"), arena.variable("blocked")) == (turns, 4 - turns)


@shows("once_per: blocked per")
def test_r5_8_once_per_owner_instance() -> None:
    once = "o: once_per per=battle; a: change_variable name=out value=1; o > a"
    # Two instances of a card remember each for itself; so do a card and its upgrade, as one.
    arena = Arena(
        cards={
            "tool": {
                "graph": f"""
        on: on_card_played; on > o; {once}
    """,
                "target": "none",
                "upgrade": "tool_plus",
                "keywords": ["retain"],
            },
            "tool_plus": {"graph_of": "tool", "target": "none"},
            "up": {
                "target": "none",
                "graph": """
                             on: on_card_played; p: cards_in_pile pile=discard id=tool; t: pick_card how=first
                             p.cards t.cards; u: upgrade_card; t.card u.card; m: move_card to=hand
                             t.card m.card; on > t > u > m
                         """,
            },
        },
        deck=["tool", "tool", "up"],
    )
    arena.play("tool")
    arena.play("tool")
    assert arena.variable("out") == 2
    arena.play("up")
    arena.play("tool_plus")
    assert arena.variable("out") == 2
    # A status applied anew starts afresh; one whose stacks grew does not.
    status = f"on: on_status_received; on > o; {once}"
    arena = Arena(
        cards={
            "give": """
            on: on_card_played; g: apply_status status=mark target=player; on > g
        """,
            "off": "on: on_card_played; r: remove_status status=mark; on > r",
        },
        statuses={"mark": status},
        deck=["give", "give", "off", "give"],
    )
    arena.play("give")
    arena.play("give")
    assert arena.variable("out") == 1
    arena.play("off")
    arena.play("give")
    assert arena.variable("out") == 2


@shows("random_branch: weights")
def test_random_branch_by_weight() -> None:
    text = """
        r: repeat count=400; x: random_branch weights=[1,3]; a: change_variable name=a value=1
        b: change_variable name=b value=1
        on > r > note; r.body > x; x.branch_0 > a; x.branch_1 > b
    """
    arena = played(text, "on.card:card")
    assert arena.variable("a") + arena.variable("b") == 400
    assert 60 < arena.variable("a") < 140


@shows("repeat: body index", "branch: condition")
def test_a_latched_output_has_its_default_before_the_node_has_run() -> None:
    text = "hit: deal_damage amount=5; on > note > hit"
    assert read(text, "hit.hp_loss:int", "hit.killed:bool", "hit.victim:unit") == [0, False, "none"]


@shows("for_each_unit: units", "for_each_card: cards")
def test_a_loop_over_nothing_goes_on() -> None:
    text = f"""
        u: for_each_unit units=none; p: cards_in_pile pile=exhaust; c: for_each_card; p.cards c.cards
        on > u > c > note; {note()}
    """
    assert len(notes(played(text.replace(f"; {note()}", ""), "u.unit:unit", "c.card:card"))) == 1
