"""The graph checker on branches: whose ports, planning, hooks, what never runs (R1.3, R4.9, R5.6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.content.sample import asset, problems, sample
from tests.runtime.graph.check.graphs import node, one, told

STRUCK = node("struck", "on_damage_taken")
HEALED = node("healed", "on_hp_gained")
START = node("start", "on_enemy_behavior_start")
HOOK = node("hook", "damage_taken_hook")
LEAF = node("leaf", "leaf_intent", kind="attack", amount=3)
PLUS = node("plus", "int_math", op="add", b=1)
PLUS_2 = node("plus_2", "int_math", op="add", b=1)


def shield(name: str = "shield", **params: Any) -> dict[str, Any]:
    return node(name, "gain_armor", **params)


# R1.3


def test_r1_3_the_port_of_another_entry() -> None:
    nodes = [STRUCK, HEALED, shield(), shield("other", amount=1)]
    problem = one("status", nodes, ["struck.out shield.in", "healed.out other.in", "healed.amount shield.amount"])
    assert problem.path == "$.statuses[0].graph.links[2]"
    assert '"healed"' in problem.message
    assert '"struck"' in problem.message
    assert problem.found == "healed.amount"


def test_r1_3_through_pure_nodes() -> None:
    nodes = [STRUCK, HEALED, shield(), shield("other", amount=1), PLUS, PLUS_2]
    links = ["healed.amount plus.a", "plus.result plus_2.a", "plus_2.result shield.amount"]
    problem = one("status", nodes, [*links, "struck.out shield.in", "healed.out other.in"])
    assert problem.path == "$.statuses[0].graph.links[2]"


def test_r1_3_a_node_in_two_branches_reads_neither_port() -> None:
    nodes = [STRUCK, HEALED, shield()]
    links = ["struck.out shield.in", "healed.out shield.in", "struck.amount shield.amount"]
    assert '"healed"' in one("status", nodes, links).message
    # Also where the branches join before.
    middle = shield("middle", amount=1)
    links = ["struck.out middle.in", "healed.out middle.in", "middle.out shield.in", "healed.amount shield.amount"]
    assert '"struck"' in one("status", [*nodes, middle], links).message


def test_r1_3_a_value_that_mixes_two_entries() -> None:
    nodes = [STRUCK, HEALED, shield(), shield("other"), node("sum", "int_math", op="add")]
    links = [
        "struck.out shield.in",
        "healed.out other.in",
        "struck.amount sum.a",
        "healed.amount sum.b",
        "sum.result shield.amount",
        "sum.result other.amount",
    ]
    found = told("status", nodes, links)
    assert found == [("error", "links[4]"), ("error", "links[5]")]


def test_r1_3_hooks_are_branches_too() -> None:
    nodes = [HOOK, STRUCK, node("set", "set_hook_amount"), shield()]
    links = ["hook.out set.in", "struck.out shield.in", "struck.amount set.amount", "hook.amount shield.amount"]
    assert told("status", nodes, links) == [("error", "links[2]"), ("error", "links[3]")]


def test_r1_3_one_value_may_serve_two_branches_and_flow_nodes_of_another_may_be_read() -> None:
    nodes = [STRUCK, HEALED, shield(), shield("other"), node("own", "own_stacks"), PLUS]
    links = [
        "struck.out shield.in",
        "healed.out other.in",
        "own.result plus.a",
        "plus.result shield.amount",
        "shield.gained other.amount",
    ]
    assert told("status", nodes, links) == []


# R5.6


def test_r5_6_patterns_then_a_leaf_then_actions() -> None:
    nodes = [
        START,
        node("first", "pattern_opening"),
        node("low", "pattern_phase", hp_percent=50),
        node("pick", "pattern_random", weights=[1, 2]),
        LEAF,
        node("guard", "leaf_intent", kind="defend"),
        node("hit", "deal_damage"),
        shield(amount=2),
    ]
    links = [
        "start.out first.in",
        "first.first leaf.in",
        "first.then low.in",
        "low.above leaf.in",
        "low.below pick.in",
        "pick.step_0 leaf.in",
        "pick.step_1 guard.in",
        "leaf.out hit.in",
        "leaf.amount hit.amount",
        "hit.out shield.in",
        "guard.out shield.in",
    ]
    assert told("enemy", nodes, links) == []


def test_r5_6_a_leaf_alone_is_enough() -> None:
    assert told("enemy", [START, LEAF], ["start.out leaf.in"]) == []


@pytest.mark.parametrize(
    "between", [shield("odd", amount=1), node("odd", "repeat", count=1), node("odd", "random_branch", weights=[1])]
)
def test_r5_6_anything_else_before_a_leaf(between: dict[str, Any]) -> None:
    out = {"gain_armor": "out", "repeat": "body", "random_branch": "branch_0"}[between["type"]]
    found = told("enemy", [START, between, LEAF], ["start.out odd.in", f"odd.{out} leaf.in"])
    assert found[0] == ("error", "nodes[1]")
    assert [severity for severity, _ in found] == ["error"]


def test_r5_6_an_action_in_one_arm_of_a_pattern() -> None:
    nodes = [START, node("moves", "pattern_sequence", count=2), LEAF, shield(amount=1)]
    links = ["start.out moves.in", "moves.step_0 leaf.in", "moves.step_1 shield.in"]
    assert one("enemy", nodes, links).path == "$.enemies[0].graph.nodes[3]"
    # The same action behind the leaf as well changes nothing.
    assert one("enemy", nodes, [*links, "leaf.out shield.in"]).path == "$.enemies[0].graph.nodes[3]"


@pytest.mark.parametrize("behind", [node("b", "leaf_intent", kind="defend"), node("b", "pattern_sequence", count=1)])
def test_r5_6_a_leaf_or_pattern_behind_a_leaf(behind: dict[str, Any]) -> None:
    problem = one("enemy", [START, LEAF, behind], ["start.out leaf.in", "leaf.out b.in"])
    assert problem.path == "$.enemies[0].graph.nodes[2]"
    assert "behind a leaf" in problem.message


def test_r5_6_a_leaf_reached_from_another_entry() -> None:
    nodes = [START, LEAF, node("heard", "on_internal_event", event="e")]
    assert one("enemy", nodes, ["start.out leaf.in", "heard.out leaf.in"]).path == "$.enemies[0].graph.nodes[1]"
    moves = node("moves", "pattern_sequence", count=1)
    links = ["heard.out moves.in", "moves.step_0 leaf.in", "start.out leaf.in"]
    assert told("enemy", [*nodes, moves], links) == [("error", "nodes[3]"), ("error", "nodes[1]")]


# R4.9


@pytest.mark.parametrize(
    "odd",
    [
        shield("odd", amount=1),
        node("odd", "roll_random", max=6),
        node("odd", "pick_unit", how="first"),
        node("odd", "choose_option", options=["a"]),
        node("odd", "once_per"),
        node("odd", "random_branch", weights=[1]),
        node("odd", "set_variable", name="x", value=1),
        node("odd", "end_turn"),
    ],
    ids=lambda odd: str(odd["type"]),
)
def test_r4_9_a_hook_branch_only_computes(odd: dict[str, Any]) -> None:
    nodes = [HOOK, odd]
    links = ["hook.out odd.in"]
    if odd["type"] == "pick_unit":
        nodes.append(node("units", "all_units"))
        links.append("units.units odd.units")
    problem = one("status", nodes, links)
    assert problem.path == "$.statuses[0].graph.nodes[1]"
    assert "hook branch" in problem.message


def test_r4_9_flow_and_values_in_a_hook_branch() -> None:
    nodes = [
        HOOK,
        node("if", "branch"),
        node("twice", "repeat", count=2),
        node("set", "set_hook_amount", spend=1),
        node("big", "compare", op="gt", b=5),
        PLUS,
    ]
    links = [
        "hook.out if.in",
        "hook.amount big.a",
        "big.result if.condition",
        "if.true twice.in",
        "twice.body set.in",
        "hook.amount plus.a",
        "plus.result set.amount",
    ]
    assert told("status", nodes, links) == []


def test_r4_9_the_result_of_a_hook_outside_of_one() -> None:
    nodes = [STRUCK, node("set", "set_hook_amount", amount=1)]
    problem = one("status", nodes, ["struck.out set.in"])
    assert (problem.path, problem.expected) == ("$.statuses[0].graph.nodes[1]", "a place behind a hook alone")
    assert one("status", [*nodes, HOOK], ["struck.out set.in", "hook.out set.in"]).path.endswith("nodes[1]")


def test_card_cost_hooks_in_card_graphs() -> None:
    nodes = [node("cost", "card_cost_hook"), node("set", "set_hook_amount", amount=0)]
    assert told("card", nodes, ["cost.out set.in"]) == []


# Warnings


def test_an_unlinked_entry_is_a_warning() -> None:
    problem = one("status", [STRUCK, HEALED, shield(amount=1)], ["struck.out shield.in"])
    assert (problem.severity, problem.path) == ("warning", "$.statuses[0].graph.nodes[1]")
    assert "not linked" in problem.message
    assert told("status", [STRUCK, HOOK, shield(amount=1)], ["struck.out shield.in"]) == [("warning", "nodes[1]")]


def test_unreachable_nodes_are_warnings() -> None:
    values = [node("plus", "int_math", op="add", a=1, b=1), PLUS_2]
    nodes = [STRUCK, shield(amount=1), shield("lost", amount=1), shield("behind", amount=1), *values]
    links = ["struck.out shield.in", "lost.out behind.in", "plus.result plus_2.a"]
    found = told("status", nodes, links)
    assert found == [("warning", f"nodes[{index}]") for index in (2, 3, 4, 5)]


def test_a_wire_to_a_reachable_node_reaches_but_does_not_run() -> None:
    nodes = [STRUCK, shield(), shield("read", amount=1), shield("behind", amount=1), node("own", "own_stacks")]
    links = ["struck.out shield.in", "read.gained shield.amount", "read.out behind.in"]
    assert told("status", nodes, links) == [("warning", "nodes[3]"), ("warning", "nodes[4]")]


def test_no_entry_at_all() -> None:
    problem = one("status", [shield(amount=1)], [])
    assert (problem.severity, problem.path) == ("warning", "$.statuses[0].graph")
    assert told("status", [], []) == []
    assert told("card", [], []) == [("warning", "graph")]
    assert told("card", [], [], keywords=["unplayable"]) == []
    assert told("enemy", [], []) == [("warning", "graph")]


def test_mistakes_in_links_are_not_followed_by_warnings_of_what_is_unreachable() -> None:
    assert one("status", [STRUCK, shield(amount=1)], ["struck.uot shield.in"]).severity == "error"


# fmt: off
CHOSEN = [
    ("on_card_played", "enemy", {}, None),
    ("on_card_played", "self", {}, None),
    ("on_card_played", "none", {}, "has no target"),
    ("on_card_played", "none", {"target": "chosen"}, "has no target"),
    ("on_card_played", "none", {"target": "all_enemies"}, None),
    ("on_card_drawn", "enemy", {}, "nobody has chosen"),
    ("on_card_drawn", "enemy", {"target": "chosen"}, "nobody has chosen"),
    ("on_card_drawn", "enemy", {"target": "player"}, None),
]
# fmt: on


@pytest.mark.parametrize(("entry", "target", "params", "reason"), CHOSEN)
def test_a_target_left_at_chosen(entry: str, target: str, params: dict[str, Any], reason: str | None) -> None:
    nodes = [node("entry", entry), node("hit", "deal_damage", amount=1, **params)]
    if reason is None:
        assert told("card", nodes, ["entry.out hit.in"], target=target) == []
        return
    problem = one("card", nodes, ["entry.out hit.in"], target=target)
    assert (problem.severity, problem.path) == ("warning", "$.cards[0].graph.nodes[1].params.target")
    assert reason in problem.message


def test_a_wired_target_is_not_left_at_chosen() -> None:
    nodes = [node("drawn", "on_card_drawn"), node("hit", "deal_damage", amount=1), node("all", "all_enemies")]
    assert told("card", nodes, ["drawn.out hit.in", "all.units hit.target"]) == []


def test_other_graphs_have_other_subjects() -> None:
    assert told("status", [STRUCK, node("hit", "deal_damage", amount=1)], ["struck.out hit.in"]) == []
    nodes = [STRUCK, node("hit", "deal_damage", amount=1, target="chosen")]
    assert told("status", nodes, ["struck.out hit.in"]) == [("warning", "nodes[1].params.target")]


def test_a_card_without_target_may_share_the_graph_of_one_with() -> None:
    pack = sample()
    asset(pack, "cards", "strike_plus")["target"] = "none"
    found = problems(pack, "warning")
    # The poison behind the kill is aimed at the chosen target as well.
    assert [problem.path for problem in found] == [
        "$.cards[0].graph.nodes[2].params.target",
        "$.cards[0].graph.nodes[3].params.target",
    ]
    assert all('"strike_plus" has no target' in problem.message for problem in found)
