"""Hook nodes: when each is asked, what it gives, what it changes (nodes.md, "Hooks"; R4.9)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.runtime.arena import Arena, attacker, witness
from tests.runtime.nodes.probe import changing, shows


def questions(hook: str, *asked: str, **params: Any) -> str:
    """A status that answers questions, each a Bool output, in the amount: the first is the last digit."""
    words = " ".join(f"{name}={json.dumps(value)}" for name, value in params.items())
    lines = [f"hook: {hook} {words}", "set: set_hook_amount", "hook > set"]
    total = "zero.result"
    lines.append("zero: int_math op=add a=0 b=0")
    for place, question in enumerate(asked):
        port = f"d{place}.condition"
        lines += [question.replace("->", port), f"d{place}: select_int if_true={10**place} if_false={2 * 10**place}"]
        lines += [f"s{place}: int_math op=add", f"{total} s{place}.a", f"d{place}.result s{place}.b"]
        total = f"s{place}.result"
    lines.append(f"{total} set.amount")
    return "\n".join(lines)


def _unit(port: str, unit: str, name: str) -> str:
    return f"{name}: same_unit b={unit}; hook.{port} {name}.a; {name}.result ->"


def _cause(kind: str) -> str:
    return f"c_{kind}: text_equals b={kind}; hook.cause c_{kind}.a; c_{kind}.result ->"


_HAS_CARD = "has: has_card; hook.card has.card; has.result ->"


_ATTACK = "hook.is_attack ->"


_SEVEN = "seven: compare op=eq b=7; hook.amount seven.a; seven.result ->"


def _digits(arena: Arena, kind: str, field: str) -> str:
    (event,) = arena.events(kind)
    return str(event.fields[field])


@shows("damage_dealt_hook: amount source target card cause", "set_hook_amount: amount")
def test_damage_dealt_hook_of_a_card_and_of_an_enemy() -> None:
    asked = (
        _SEVEN,
        _unit("source", "acting", "own"),
        _unit("target", "player", "foe"),
        _HAS_CARD,
        _cause("card"),
        _cause("enemy"),
    )
    dealt = questions("damage_dealt_hook", *asked)
    arena = Arena(
        cards={
            "hit": """
            on: on_card_played; h: deal_damage amount=7; on > h
        """,
            "venom": "on: on_card_played; h: deal_damage amount=7 kind=status; on > h",
        },
        statuses={"dealt": dealt},
        enemies={"foe": {**attacker(7), "statuses": {"dealt": 1}, "hp": 10**7}},
        fight=("foe",),
        player={"statuses": {"dealt": 1}, "hp": 10**7},
    )
    arena.play("hit")
    assert _digits(arena, "damage_resolved", "amount") == "211211"
    # Status damage asks no Damage Dealt Hook (R4.3).
    arena.play("venom")
    assert _digits(arena, "damage_resolved", "amount") == "7"
    arena.end_turn()
    assert _digits(arena, "damage_resolved", "amount") == "122111"


@shows("damage_taken_hook: amount source target card cause is_attack", "set_hook_amount: amount")
def test_damage_taken_hook_of_attacks_and_status_damage() -> None:
    asked = (
        _SEVEN,
        _unit("source", "player", "by"),
        _unit("target", "acting", "own"),
        _HAS_CARD,
        _ATTACK,
        _cause("card"),
        _cause("status"),
    )
    taken = questions("damage_taken_hook", *asked)
    burn = "on: on_turn_end; h: deal_damage amount=7; on > h"
    arena = Arena(
        cards={
            "hit": """
            on: on_card_played; h: deal_damage amount=7; on > h
        """,
            "venom": "on: on_card_played; h: deal_damage amount=7 kind=status; on > h",
        },
        statuses={"taken": taken, "burn": burn},
        fight=[("dummy", {"hp": 10**8, "statuses": {"taken": 1, "burn": 1}})],
    )
    arena.play("hit")
    assert _digits(arena, "damage_resolved", "amount") == "2111111"
    arena.play("venom")
    assert _digits(arena, "damage_resolved", "amount") == "2121121"
    arena.end_turn()
    assert _digits(arena, "damage_resolved", "amount") == "1222121"


@shows("hp_loss_hook: amount source target cause is_attack")
def test_hp_loss_hook_after_armor_and_in_lose_hp() -> None:
    asked = (_SEVEN, _unit("source", "player", "by"), _unit("target", "acting", "own"), _ATTACK, _cause("card"))
    arena = Arena(
        cards={
            "hit": """
            on: on_card_played; h: deal_damage amount=9; on > h
        """,
            "bleed": "on: on_card_played; h: lose_hp amount=7 target=chosen; on > h",
        },
        statuses={"loss": questions("hp_loss_hook", *asked)},
        fight=[("dummy", {"hp": 10**8, "armor": 2, "statuses": {"loss": 1}})],
    )
    arena.play("hit")
    assert _digits(arena, "damage_resolved", "hp_loss") == "11111"
    hp = arena.enemy().hp
    arena.play("bleed")
    assert hp - arena.enemy().hp == 12121


@shows(
    "hp_gain_hook: amount target card cause",
    "armor_gain_hook: amount target card cause",
    "armor_loss_hook: amount target card cause",
)
@pytest.mark.parametrize(
    ("hook", "action", "event"),
    [
        ("hp_gain_hook", "gain_hp", "hp_changed"),
        ("armor_gain_hook", "gain_armor", "armor_changed"),
        ("armor_loss_hook", "lose_armor", "armor_changed"),
    ],
)
def test_hooks_of_the_target(hook: str, action: str, event: str) -> None:
    asked = (_SEVEN, _unit("target", "acting", "own"), _HAS_CARD, _cause("card"), _cause("enemy"))
    enemy = f"s: on_enemy_behavior_start; l: leaf_intent kind=special; x: {action} amount=7 target=player; s > l > x"
    arena = Arena(
        cards={"act": f"on: on_card_played; x: {action} amount=7 target=player; on > x"},
        statuses={"asked": questions(hook, *asked)},
        enemies={"foe": enemy},
        fight=("foe",),
        player={"hp": 1, "max_hp": 10**6, "armor": 10**6, "statuses": {"asked": 1}},
    )
    for act, result in ((lambda: arena.play("act"), 21111), (arena.end_turn, 12211)):
        act()
        changes = [found.fields for found in arena.events(event) if found.fields["reason"] in ("gain", "loss")]
        assert [abs(change["after"] - change["before"]) for change in changes] == [result]


@shows("card_cost_hook: amount card")
def test_card_cost_hook_of_statuses_then_of_the_card() -> None:
    # Player statuses first, then the card (nodes.md): (3 - 1) x 2.
    own = """
        on: on_card_played; n: set_variable name=n value=1; on > n; hook: card_cost_hook
        m: int_math op=multiply b=2; s: set_hook_amount; hook > s; hook.amount m.a; m.result s.amount
    """
    cheaper = """
        hook: card_cost_hook; i: card_is id=dear; b: branch; hook.card i.card; i.result b.condition; hook > b
        m: int_math op=subtract b=1; s: set_hook_amount; b.true > s; hook.amount m.a; m.result s.amount
    """
    arena = Arena(
        cards={"dear": {"cost": 3, "graph": own}, "other": {"cost": 3}},
        statuses={"cheaper": cheaper},
        player={"energy": 9, "statuses": {"cheaper": 1}},
    )
    # A branch without Set Hook Amount leaves the amount.
    assert (arena.cost("dear"), arena.cost("other")) == (4, 3)
    arena.play("dear")
    assert arena.battle.energy == 5


@shows("card_cost_hook: phase")
def test_card_cost_hooks_of_card_and_statuses_share_phases() -> None:
    own = """
        hook: card_cost_hook phase=-1; m: int_math op=multiply b=2; s: set_hook_amount; hook > s
        hook.amount m.a; m.result s.amount
    """
    cheaper = """
        hook: card_cost_hook; m: int_math op=subtract b=1; s: set_hook_amount; hook > s; hook.amount m.a
        m.result s.amount
    """
    arena = Arena(
        cards={"dear": {"cost": 3, "graph": own}}, statuses={"cheaper": cheaper}, player={"statuses": {"cheaper": 1}}
    )
    assert arena.cost("dear") == 5


@shows("status_stacks_hook: amount status source target cause")
def test_status_stacks_hook() -> None:
    asked = (
        _SEVEN,
        """
            st: same_status b=mark; hook.status st.a; st.result ->
        """,
        _unit("source", "player", "by"),
        _unit("target", "acting", "own"),
        _cause("card"),
    )
    cards = {
        "give": "on: on_card_played; g: apply_status status=mark stacks=7; on > g",
        "other": "on: on_card_played; g: apply_status status=other stacks=7 source=none; on > g",
    }
    arena = Arena(
        cards=cards,
        statuses={
            "ask": questions("status_stacks_hook", *asked),
            "mark": {"max_stacks": 10**6},
            "other": {"max_stacks": 10**6},
        },
        fight=[("dummy", {"statuses": {"ask": 1}})],
    )
    arena.play("give")
    arena.play("other")
    assert (arena.stacks("mark", arena.enemy()), arena.stacks("other", arena.enemy())) == (11111, 11221)


@shows("draw_count_hook: amount")
@pytest.mark.parametrize(("number", "drawn"), [(2, 5), (-1, 2), (-9, 0)])
def test_draw_count_hook_of_the_opening_and_the_normal_draw(number: int, drawn: int) -> None:
    arena = Arena(
        deck=["wait"] * 20,
        player={"draw": 3, "statuses": {"more": 1}},
        statuses={"more": changing("draw_count_hook", "add", number)},
    )
    assert len(arena.hand) == drawn
    arena.end_turn()
    assert len(arena.hand) == drawn


@shows("draw_count_hook: amount")
def test_draw_count_hook_is_not_asked_by_draw_cards() -> None:
    arena = Arena(
        cards={
            "draw": {
                "target": "none",
                "graph": """
            on: on_card_played; d: draw_cards count=2; on > d
        """,
            }
        },
        deck=["draw", *["wait"] * 9],
        player={"draw": 0, "statuses": {"more": 1}},
        statuses={"more": changing("draw_count_hook", "add", 1)},
    )
    arena.play("draw")
    assert len(arena.hand) == 2


@shows("energy_refill_hook: amount")
def test_energy_refill_hook_of_the_first_energy_and_the_refill() -> None:
    arena = Arena(
        player={"energy": 3, "statuses": {"more": 1}}, statuses={"more": changing("energy_refill_hook", "add", 2)}
    )
    assert (arena.battle.energy, arena.battle.max_energy) == (5, 3)
    arena.end_turn()
    assert arena.battle.energy == 5
    arena = Arena(
        player={"energy": 3, "statuses": {"more": 1}}, statuses={"more": changing("energy_refill_hook", "subtract", 9)}
    )
    assert arena.battle.energy == 0


@shows("armor_reset_hook: amount target")
@pytest.mark.parametrize(
    ("set_to", "left"),
    [
        ("hook.amount s.amount", 0),
        ("s_is: int_math op=add a=0 b=0; s_is.result s.amount", 8),
        ("s_is: int_math op=add a=3 b=0; s_is.result s.amount", 5),
        ("s_is: int_math op=add a=99 b=0; s_is.result s.amount", 0),
        ("s_is: int_math op=add a=-4 b=0; s_is.result s.amount", 8),
    ],
)
def test_armor_reset_hook_says_how_much_goes(set_to: str, left: int) -> None:
    # Two sides: the player at its turn's start, an enemy at its own (T2, T5); no Entry.
    status = f"hook: armor_reset_hook; s: set_hook_amount; hook > s; {set_to}; {witness('on_armor_lost')}"
    arena = Arena(
        statuses={"keep": status, "plain": witness("on_armor_lost")},
        player={"armor": 8, "statuses": {"keep": 1}},
        fight=[("dummy", {"armor": 8, "statuses": {"keep": 1}}), ("dummy", {"armor": 8, "statuses": {"plain": 1}})],
    )
    assert arena.end_turn() == []
    assert (arena.player.armor, arena.enemy().armor, arena.enemy(1).armor) == (left, left, 0)


@shows("armor_reset_hook: amount target")
def test_armor_reset_hook_gives_the_armor_and_the_holder() -> None:
    asked = """
        hook: armor_reset_hook; t: same_unit b=player; hook.target t.a; e: compare op=eq b=8; hook.amount e.a
        b: logic op=and; t.result b.a; e.result b.b; x: branch; b.result x.condition
        s: set_hook_amount amount=0; hook > x; x.true > s
    """
    arena = Arena(
        statuses={"keep": asked},
        player={"armor": 8, "statuses": {"keep": 1}},
        fight=[("dummy", {"armor": 8, "statuses": {"keep": 1}})],
    )
    arena.end_turn()
    assert (arena.player.armor, arena.enemy().armor) == (8, 0)


@shows("play_count_hook: amount card")
def test_play_count_hook_says_how_often_e9_runs() -> None:
    run = {"target": "none", "graph": "on: on_card_played; n: change_variable name=runs value=1; on > n"}
    twice = """
        hook: play_count_hook; i: card_is id=double; hook.card i.card; b: branch; i.result b.condition; hook > b
        m: int_math op=add b=1; hook.amount m.a; s: set_hook_amount; m.result s.amount; b.true > s
    """
    arena = Arena(
        cards={"double": run, "single": run, "never": run},
        statuses={
            "twice": twice,
            "none": """
        hook: play_count_hook phase=1; i: card_is id=never; hook.card i.card; b: branch; i.result b.condition
        hook > b; s: set_hook_amount amount=-1; b.true > s
    """,
        },
        player={"statuses": {"twice": 1, "none": 1}},
    )
    for card, runs in (("double", 2), ("single", 3), ("never", 3)):
        arena.play(card)
        assert arena.variable("runs") == runs
    assert len(arena.discard) == 3
