"""Where Entries may stand and what they give (R1.1 to R1.3), and plans that are no plans (R5.6)."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.nodes.entries import NODES
from runtime.packs import check_pack
from tests.runtime.arena import graph

# The table of rules.md §1: kinds and data outputs of each Entry, in order.
TABLE = """
on_battle_start status
on_battle_end status
on_turn_start card,status
on_turn_end card,status
on_draw_phase status
on_discard_phase status
on_draw_pile_shuffled card
on_card_drawn card,status card
on_card_played card card
on_card_discarded card card
on_card_exhausted card card
on_card_retained card card
on_card_added_to_hand card card
on_card_added_to_deck card card
on_damage_dealt status amount,source,target
on_damage_taken status amount,source,target
on_attack_taken status amount,source,target
on_hp_gained status amount,source,target
on_hp_lost status amount,source,target
on_armor_gained status amount,source,target
on_armor_lost status amount,source,target
on_energy_gained status amount
on_energy_spent status amount
on_status_inflicted status status,stacks,source,target
on_status_received status status,stacks,source,target
on_status_expired status status,target
on_status_removed status status,stacks,target
on_status_stacks_changed status status,stacks,target
on_unit_spawned status unit
on_unit_died status was_kill,source,target
on_enemy_behavior_start enemy
on_internal_event card,status,enemy
on_ges_event card,status,enemy
"""
ROWS = [line.split() for line in TABLE.split("\n") if line]
TYPES = {
    "card": "CardRef",
    "amount": "Int",
    "stacks": "Int",
    "source": "UnitRef",
    "target": "UnitRef",
    "unit": "UnitRef",
    "status": "StatusRef",
    "was_kill": "Bool",
}
PLAN = "start: on_enemy_behavior_start; leaf: leaf_intent kind=none; start > leaf; "


def pack_with(kind: str, text: str) -> dict[str, Any]:
    """A pack in which one asset of a kind has this graph."""
    graphs = {"card": "", "status": "", "enemy": PLAN}
    graphs[kind] = text
    return {
        "cards": [{"id": "the_card", "cost": 0, "target": "none", "graph": graph(graphs["card"])}],
        "statuses": [{"id": "the_status", "graph": graph(graphs["status"])}],
        "enemies": [{"id": "the_enemy", "hp": 9, "graph": graph(graphs["enemy"])}],
    }


def errors(pack: dict[str, Any]) -> list[str]:
    return [str(problem) for problem in check_pack(pack).problems if problem.severity == "error"]


def test_r1_1_the_table_of_entries() -> None:
    assert [node.timing for node in NODES] == list(range(1, 34))
    for node, row in zip(NODES, ROWS, strict=True):
        assert node.type == row[0]
        assert sorted(node.kinds) == sorted(row[1].split(","))
        assert node.inputs == ()
        ports = row[2].split(",") if len(row) > 2 else []
        assert [(port.name, port.type) for port in node.outputs] == [
            ("out", "Flow"),
            *((name, TYPES[name]) for name in ports),
        ]
    parameters = {node.type: [(param.name, param.default) for param in node.params] for node in NODES if node.params}
    assert parameters == {"on_internal_event": [("event", "")], "on_ges_event": [("ges_event", None)]}


@pytest.mark.parametrize(("entry", "kinds"), [(row[0], row[1]) for row in ROWS])
@pytest.mark.parametrize("kind", ["card", "status", "enemy"])
def test_r1_1_an_entry_in_the_wrong_kind_of_graph_is_a_load_error(entry: str, kinds: str, kind: str) -> None:
    text = f"here: {entry}; x: set_variable name=x value=1; here > x"
    if entry == "on_enemy_behavior_start":
        text = "here: on_enemy_behavior_start; x: leaf_intent kind=none; here > x"
    found = errors(pack_with(kind, PLAN + text if kind == "enemy" and entry != "on_enemy_behavior_start" else text))
    wrong = [error for error in found if "here" in error or entry in error]
    if kind in kinds.split(","):
        assert found == []
    else:
        assert any(f"the_{kind}" in error or "[0]" in error for error in wrong), found
        assert any(all(word in error.lower() for word in ("here", kind)) for error in wrong), found


def test_r1_1_a_plan_may_stand_in_an_enemy_only_once() -> None:
    assert errors(
        pack_with("enemy", PLAN + "second: on_enemy_behavior_start; leaf2: leaf_intent kind=none; second > leaf2")
    )


def test_r1_2_several_entries_of_one_kind_are_no_error() -> None:
    assert (
        errors(pack_with("status", "a: on_turn_end; b: on_turn_end; x: set_variable name=x value=1; a > x; b > x"))
        == []
    )


def test_r1_3_an_unlinked_entry_is_a_warning() -> None:
    problems = check_pack(pack_with("status", "a: on_turn_end")).problems
    told = [problem for problem in problems if problem.path.startswith("$.statuses[0]")]
    assert {problem.severity for problem in told} == {"warning"}
    assert any('"a"' in problem.message for problem in told)


def test_r1_3_a_port_of_an_entry_of_another_branch_is_a_load_error() -> None:
    text = """
        a: on_damage_taken; x: set_variable name=x; a > x; b: on_turn_end; y: set_variable name=y; b > y
        a.amount x.value; a.amount y.value
    """
    assert len(errors(pack_with("status", text))) == 1
    fine = """
        a: on_damage_taken; x: set_variable name=x; a > x; a.amount x.value; b: on_turn_end
        y: set_variable name=y value=1; b > y
    """
    assert errors(pack_with("status", fine)) == []


def test_r1_3_a_node_that_two_entries_lead_to_reads_a_port_of_one_of_them() -> None:
    text = "a: on_damage_taken; b: on_turn_end; x: set_variable name=x; a > x; b > x; a.amount x.value"
    assert len(errors(pack_with("status", text))) == 1


@pytest.mark.parametrize(
    "plan",
    [
        "start: on_enemy_behavior_start; hit: deal_damage amount=1; leaf: leaf_intent kind=none; start > hit > leaf",
        "start: on_enemy_behavior_start; one: leaf_intent kind=none; two: leaf_intent kind=none; start > one > two",
        """
            start: on_enemy_behavior_start; way: branch condition=true; leaf: leaf_intent kind=none; start > way
            way.true leaf.in
        """,
        """
            start: on_enemy_behavior_start; one: leaf_intent kind=none; hit: lose_hp amount=1
            two: leaf_intent kind=none; start > one > hit > two
        """,
        """
            start: on_enemy_behavior_start; leaf: leaf_intent kind=none; start > leaf; x: on_internal_event event=x
            way: pattern_branch condition=true; x > way
        """,
    ],
)
def test_r5_6_anything_but_patterns_before_a_leaf_is_a_load_error(plan: str) -> None:
    assert errors(pack_with("enemy", plan))


def test_r6_3_a_graph_that_raises_a_notice_is_a_load_error() -> None:
    say = "on: on_card_played; say: raise_internal_event event=gcs.{}; on > say"
    assert errors(pack_with("card", say.format("card_played")))
    assert errors(pack_with("card", say.format("anything")))
