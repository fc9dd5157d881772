"""Pattern nodes and leaves (nodes.md, "Patterns and leaves"; R5.6)."""

from __future__ import annotations

import pytest

from runtime.battle import shown_intent
from tests.runtime.arena import Arena
from tests.runtime.nodes.probe import note, notes, shows

_KINDS = ("attack", "attack_defend", "defend", "buff", "debuff", "summon", "special", "none")


def _leaves(count: int, behind: str = "p.step_") -> str:
    return "".join(f"l{n}: leaf_intent kind=special amount={n}; {behind}{n} > l{n};" for n in range(count))


def _amounts(text: str, turns: int, seed: int = 1, hp: int = 100) -> list[int]:
    """The amounts of the intents planned in set-up and after each enemy phase: which leaf was reached."""
    arena = Arena(
        enemies={
            "foe": {
                "graph": f"""
        s: on_enemy_behavior_start; {text}
    """,
                "hp": hp,
            }
        },
        fight=("foe",),
        seed=seed,
    )
    found = [arena.intent()]
    for _ in range(turns):
        arena.end_turn()
        found.append(arena.intent())
    return found


@shows("pattern_sequence: count loop")
@pytest.mark.parametrize(
    ("params", "amounts"), [("", [0, 1, 2, 0, 1]), ("loop=true", [0, 1, 2, 0, 1]), ("loop=false", [0, 1, 2, 2, 2])]
)
def test_pattern_sequence(params: str, amounts: list[int]) -> None:
    assert _amounts(f"p: pattern_sequence count=3 {params}; s > p; {_leaves(3)}", 4) == amounts


@shows("pattern_sequence: count")
def test_each_enemy_has_its_own_place() -> None:
    foe = f"""
        s: on_enemy_behavior_start; p: pattern_sequence count=3; s > p; {_leaves(3)} again: replan_intent
        l0 > again
    """
    arena = Arena(enemies={"foe": foe}, fight=("foe", "foe"))
    arena.set(enemies__1__hp=1)
    arena.end_turn()
    assert [arena.intent(0), arena.intent(1)] == [2, 2]
    arena = Arena(
        enemies={"foe": foe.replace("again: replan_intent; l0 > again", "")},
        fight=("foe", "foe"),
        cards={"plan": "on: on_card_played; x: replan_intent unit=chosen; on > x"},
    )
    arena.play("plan", 1)
    assert [arena.intent(0), arena.intent(1)] == [0, 1]


@shows("pattern_random: weights max_in_a_row")
def test_pattern_random_by_weight_without_a_limit() -> None:
    amounts = _amounts(f"p: pattern_random weights=[1,3]; s > p; {_leaves(2)}", 300)
    assert 45 < amounts.count(0) < 110
    assert any(amounts[at : at + 6] == [1] * 6 for at in range(300))


@shows("pattern_random: weights max_in_a_row")
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_pattern_random_leaves_a_step_at_its_limit_out(limit: int) -> None:
    amounts = _amounts(f"p: pattern_random weights=[1,9] max_in_a_row={limit}; s > p; {_leaves(2)}", 200)
    rows = "".join(map(str, amounts))
    assert "0" * (limit + 1) not in rows
    assert "1" * (limit + 1) not in rows
    assert "1" * limit in rows
    # A single step has nothing to give way to.
    assert _amounts(f"p: pattern_random weights=[4] max_in_a_row={limit}; s > p; {_leaves(1)}", 6) == [0] * 7


@shows("pattern_branch: condition true false")
def test_pattern_branch() -> None:
    text = """
        p: pattern_branch; i: battle_info; c: compare op=ge b=2; i.turn c.a; c.result p.condition; s > p
        a: leaf_intent kind=buff amount=7; b: leaf_intent kind=buff amount=8; p.true > a; p.false > b
    """
    assert _amounts(text, 3) == [8, 8, 7, 7]


@shows("pattern_opening: first then")
def test_pattern_opening_once_per_enemy() -> None:
    text = """
        p: pattern_opening; s > p; a: leaf_intent kind=buff amount=7; b: leaf_intent kind=buff amount=8
        p.first > a; p.then > b
    """
    assert _amounts(text, 3) == [7, 8, 8, 8]


@shows("pattern_phase: above below hp_percent")
@pytest.mark.parametrize(("hp", "amount"), [(100, 7), (51, 7), (50, 7), (49, 8), (1, 8)])
def test_pattern_phase_by_hp(hp: int, amount: int) -> None:
    text = """
        s: on_enemy_behavior_start; p: pattern_phase hp_percent=50; s > p; a: leaf_intent kind=buff amount=7
        b: leaf_intent kind=buff amount=8; p.above > a; p.below > b
    """
    arena = Arena(enemies={"foe": text}, fight=("foe",))
    arena.set(enemies__0__hp=hp)
    arena.end_turn()
    assert arena.intent() == amount


@shows("pattern_phase: hp_percent")
def test_pattern_phase_does_not_round() -> None:
    # 1 of 3 HP is a third: below 34 %, not below 33 %.
    for percent, amount in ((33, 7), (34, 8)):
        text = f"""
            s: on_enemy_behavior_start; p: pattern_phase hp_percent={percent}; s > p
            a: leaf_intent kind=buff amount=7; b: leaf_intent kind=buff amount=8; p.above > a; p.below > b
        """
        arena = Arena(enemies={"foe": {"graph": text, "hp": 3}}, fight=("foe",))
        arena.set(enemies__0__hp=1)
        arena.end_turn()
        assert arena.intent() == amount


@shows("leaf_intent: amount hits kind text icon", "on_enemy_behavior_start")
@pytest.mark.parametrize("kind", _KINDS)
def test_leaf_intent_shows_what_it_says(kind: str) -> None:
    text = f"s: on_enemy_behavior_start; l: leaf_intent kind={kind} amount=4 hits=2 text=Growl icon=claw; s > l"
    arena = Arena(enemies={"foe": text}, fight=("foe",))
    assert shown_intent(arena.battle, arena.enemy()).values() == (kind, 4, 2, "Growl", "claw")
    plain = Arena(enemies={"foe": f"s: on_enemy_behavior_start; l: leaf_intent kind={kind}; s > l"}, fight=("foe",))
    assert shown_intent(plain.battle, plain.enemy()).values() == (kind, 0, 1, "", "")
    # Planning is no dispatch: it gives an intent event, never a line of the Entry trace.
    assert not plain.end_turn()
    assert len(plain.events("intent_changed")) == 1


@shows("leaf_intent: amount hits")
def test_the_action_behind_a_leaf_reads_what_it_shows() -> None:
    text = f"""
        s: on_enemy_behavior_start; l: leaf_intent kind=attack; i: battle_info; h: int_math op=add b=1
        s > l > hit > note
        i.turn l.amount; i.turn h.a; h.result l.hits; hit: deal_damage; l.amount hit.amount; l.hits hit.hits
        {note("l.amount:int", "l.hits:int")}
    """
    arena = Arena(enemies={"foe": text}, fight=("foe",))
    for turn in (1, 2):
        intent = shown_intent(arena.battle, arena.enemy())
        # The numbers are live: recomputed when they are read.
        assert (intent.amount, intent.hits) == (turn, turn + 1)
        arena.end_turn()
    assert notes(arena) == [{"l_amount": 1, "l_hits": 2}, {"l_amount": 2, "l_hits": 3}]
    assert arena.player.hp == 50 - 1 * 2 - 2 * 3


@shows("on_enemy_behavior_start")
def test_r5_6_without_a_leaf_the_enemy_does_nothing() -> None:
    text = """
        s: on_enemy_behavior_start; p: pattern_sequence count=2; s > p; l: leaf_intent kind=attack; p.step_1 > l
        hit: deal_damage amount=3; l > hit
    """
    arena = Arena(enemies={"foe": text}, fight=("foe",))
    assert shown_intent(arena.battle, arena.enemy()).kind == "none"
    assert "no_intent" in [event.fields["kind"] for event in arena.events("warning")]
    arena.end_turn()
    assert arena.player.hp == 50
    arena.end_turn()
    assert arena.player.hp == 47
