"""Phases, spending and what a hook branch may hold, in every hook (R4.9)."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.battle import read_events
from runtime.packs import check_pack
from tests.runtime.arena import Arena, graph
from tests.runtime.nodes.probe import changing, shows

_ALL_HOOKS = (
    "damage_dealt_hook",
    "damage_taken_hook",
    "hp_loss_hook",
    "hp_gain_hook",
    "armor_gain_hook",
    "armor_loss_hook",
    "card_cost_hook",
    "status_stacks_hook",
    "draw_count_hook",
    "energy_refill_hook",
    "armor_reset_hook",
    "play_count_hook",
)


def _measure(hook: str, statuses: dict[str, Any]) -> tuple[int, Arena]:
    """The result of one real use of a hook on an amount of 8, of a battle where the statuses are on both sides."""
    carried = dict.fromkeys(statuses, 3)
    actions = {
        "damage_dealt_hook": "deal_damage amount=8 target=chosen",
        "damage_taken_hook": "deal_damage amount=8 target=chosen",
        "hp_loss_hook": "deal_damage amount=8 target=chosen",
        "hp_gain_hook": "gain_hp amount=8 target=chosen",
        "armor_gain_hook": "gain_armor amount=8 target=chosen",
        "armor_loss_hook": "lose_armor amount=8 target=chosen",
        "status_stacks_hook": "apply_status status=mark stacks=8 target=chosen",
    }
    action = actions.get(hook, "change_variable name=runs value=1")
    mine = (
        carried
        if hook
        not in (
            "damage_taken_hook",
            "hp_loss_hook",
            "hp_gain_hook",
            "armor_gain_hook",
            "armor_loss_hook",
            "status_stacks_hook",
        )
        else {}
    )
    arena = Arena(
        cards={
            "act": {
                "cost": 8 if hook == "card_cost_hook" else 0,
                "graph": f"""
            on: on_card_played; a: {action}; on > a
        """,
            }
        },
        statuses={**statuses, "mark": {}},
        deck=["act", *["wait"] * 60],
        fight=[("dummy", {"hp": 900, "statuses": {} if mine else carried})],
        player={
            "energy": 8 if hook == "energy_refill_hook" else 90,
            "armor": 8,
            "draw": 8,
            "hand_limit": 90,
            "statuses": mine,
        },
    )
    enemy = arena.enemy()
    arena.set(enemies__0__hp=800, enemies__0__armor=100 if hook == "armor_loss_hook" else 0)
    if hook == "draw_count_hook":
        return len(arena.hand), arena
    if hook == "energy_refill_hook":
        return arena.battle.energy, arena
    if hook == "armor_reset_hook":
        arena.end_turn()
        return 8 - arena.player.armor, arena
    energy = arena.battle.energy
    arena.play("act")
    results = {
        "card_cost_hook": energy - arena.battle.energy,
        "play_count_hook": arena.variable("runs"),
        "status_stacks_hook": arena.stacks("mark", enemy),
        "armor_gain_hook": enemy.armor,
        "armor_loss_hook": 100 - enemy.armor,
        "hp_gain_hook": enemy.hp - 800,
    }
    return results.get(hook, 800 - enemy.hp), arena


@shows(
    "damage_dealt_hook: phase",
    "damage_taken_hook: phase",
    "hp_loss_hook: phase",
    "hp_gain_hook: phase",
    "armor_gain_hook: phase",
    "armor_loss_hook: phase",
    "card_cost_hook: phase",
    "status_stacks_hook: phase",
    "draw_count_hook: phase",
    "energy_refill_hook: phase",
    "armor_reset_hook: phase",
    "play_count_hook: phase",
)
@pytest.mark.parametrize("hook", _ALL_HOOKS)
def test_r4_9_low_phases_first_then_status_order(hook: str) -> None:
    # 8, or 1 for the play count: halved (phase -1, applied last), then times 3 and minus 1 in status order. The armor
    # reset takes at most what is there.
    statuses = {
        "thrice": changing(hook, "multiply", 3),
        "less": changing(hook, "subtract", 1),
        "half": changing(hook, "divide", 2, phase=-1),
    }
    result, _ = _measure(hook, statuses)
    assert result == {"play_count_hook": 0, "armor_reset_hook": 8}.get(hook, (8 // 2) * 3 - 1)
    statuses = {"less": changing(hook, "subtract", 1, phase=5), "thrice": changing(hook, "multiply", 3, phase=4)}
    result, _ = _measure(hook, statuses)
    assert result == {"play_count_hook": 2, "armor_reset_hook": 8}.get(hook, 8 * 3 - 1)


@shows("set_hook_amount: amount spend")
@pytest.mark.parametrize("hook", _ALL_HOOKS)
def test_r4_9_spend_in_every_hook(hook: str) -> None:
    told = "less: on_status_stacks_changed; n: change_variable name=told value=1; less > n"
    for number, spent in ((1, 2), (0, 0)):
        text = (
            changing(hook, "subtract", number).replace("s: set_hook_amount", "s: set_hook_amount spend=2")
            + f"""
            {told}
        """
        )
        _, arena = _measure(hook, {"spender": text})
        holder = arena.player if "spender" in arena.player.statuses else arena.enemy()
        # Draw and refill are asked once in set-up; all others once in this one use.
        assert holder.statuses["spender"].stacks == 3 - spent
        changed = [
            event
            for event in read_events(arena.battle)
            if event.kind == "stacks_changed" and event.fields["status"] == "spender"
        ]
        assert [event.fields["reason"] for event in changed] == (["spent"] if spent else [])
        # Applying the mark tells every status of its holder, too (E28).
        assert arena.variable("told") == (1 if spent else 0) + (1 if hook == "status_stacks_hook" else 0)


@shows("set_hook_amount: amount spend")
def test_r4_9_state_changes_in_a_hook_branch_are_a_load_error() -> None:
    text = "hook: damage_taken_hook; x: gain_armor amount=1; s: set_hook_amount amount=1; hook > x > s"
    pack = {"statuses": [{"id": "bad", "graph": graph(text)}], "cards": [], "enemies": [], "decks": []}
    problems = [problem for problem in check_pack(pack).problems if problem.severity == "error"]
    assert ["stands in a hook branch" in problem.message for problem in problems] == [True]


@shows("set_hook_amount: amount")
def test_r4_9_a_hook_gives_an_int_and_a_hook_branch_may_flow() -> None:
    # Repeat, sequence and branch stand in hooks; the last amount that was set counts.
    text = """
        hook: damage_taken_hook; r: repeat count=3; p: int_math op=multiply; hook.amount p.a
        i: int_math op=add b=1; r.index i.a; i.result p.b
        s: set_hook_amount; p.result s.amount; hook > r; r.body > s
    """
    arena = Arena(
        cards={
            "hit": """
        on: on_card_played; h: deal_damage amount=5; on > h
    """
        },
        statuses={"thrice": text},
        fight=[("dummy", {"statuses": {"thrice": 1}})],
    )
    arena.play("hit")
    assert arena.enemy().hp == 85
