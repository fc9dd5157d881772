"""Structural limits: a graph within them is accepted, one beyond is refused, and neither takes long."""

from __future__ import annotations

import sys
from typing import Any

from runtime.graph.check.limits import MAX_COMPILED, MAX_EVALUATIONS, MAX_LOOP_DEPTH, MAX_VALUE_DEPTH
from runtime.packs import check_pack
from tests.runtime.graph.check.graphs import node, one, pack_of, told

PLAYED = node("played", "on_card_played")


def chain_of_values(length: int, *, doubling: bool = False) -> tuple[list[dict[str, Any]], list[str]]:
    """A card graph that reads pure nodes one inside the other; doubling ones read the one before twice."""
    nodes = [PLAYED, node("shield", "gain_armor"), node("v0", "int_math", op="add", a=1, b=1)]
    links = ["played.out shield.in", f"v{length - 1}.result shield.amount"]
    for index in range(1, length):
        before = f"v{index - 1}.result"
        links.append(f"{before} v{index}.a")
        if doubling:
            nodes.append(node(f"v{index}", "int_math", op="add"))
            links.append(f"{before} v{index}.b")
        else:
            nodes.append(node(f"v{index}", "int_math", op="add", b=1))
    return nodes, links


def nested_loops(depth: int) -> tuple[list[dict[str, Any]], list[str]]:
    nodes = [PLAYED, *(node(f"l{index}", "repeat", count=1) for index in range(depth))]
    links = ["played.out l0.in", *(f"l{index}.body l{index + 1}.in" for index in range(depth - 1))]
    return [*nodes, node("shield", "gain_armor", amount=1)], [*links, f"l{depth - 1}.body shield.in"]


def test_values_one_inside_the_other() -> None:
    assert told("card", *chain_of_values(MAX_VALUE_DEPTH)) == []
    problem = one("card", *chain_of_values(MAX_VALUE_DEPTH + 50))
    assert problem.path == f"$.cards[0].graph.nodes[{MAX_VALUE_DEPTH + 2}]"
    assert problem.expected == "at most 200 pure nodes one inside the other"


def test_values_that_double() -> None:
    # 2^n - 1 evaluations for n nodes: 13 are within 10,000, 14 are not.
    assert told("card", *chain_of_values(13, doubling=True)) == []
    problem = one("card", *chain_of_values(14, doubling=True))
    assert problem.path == "$.cards[0].graph.nodes[15]"
    assert problem.expected == f"at most {MAX_EVALUATIONS}"
    # Where the limit is passed, not at everything behind it.
    assert one("card", *chain_of_values(100, doubling=True)).path == "$.cards[0].graph.nodes[15]"


def test_inputs_that_cost_too_much_together() -> None:
    nodes, links = chain_of_values(13, doubling=True)
    nodes[1] = node("shield", "deal_damage")
    links.append("v12.result shield.hits")
    assert one("card", nodes, links).path == "$.cards[0].graph.nodes[1]"


def test_loops_one_inside_the_other() -> None:
    assert told("card", *nested_loops(MAX_LOOP_DEPTH)) == []
    problem = one("card", *nested_loops(MAX_LOOP_DEPTH + 50))
    assert problem.path == f"$.cards[0].graph.nodes[{MAX_LOOP_DEPTH + 1}]"
    assert "nested too deeply" in problem.message


def test_loops_one_behind_the_other_do_not_nest() -> None:
    count = 3 * MAX_LOOP_DEPTH
    nodes = [PLAYED, *(node(f"l{index}", "repeat", count=1) for index in range(count))]
    links = ["played.out l0.in", *(f"l{index}.out l{index + 1}.in" for index in range(count - 1))]
    assert told("card", nodes, links) == []
    branches = [PLAYED, *(node(f"l{index}", "branch", condition=True) for index in range(count))]
    links = ["played.out l0.in", *(f"l{index}.true l{index + 1}.in" for index in range(count - 1))]
    assert told("card", branches, links) == []


def test_reactions_and_steps_nest_like_loops() -> None:
    count = MAX_LOOP_DEPTH + 2
    for type_, output, params in [("deal_damage", "on_kill", {"amount": 1}), ("sequence", "step_0", {"count": 1})]:
        nodes = [PLAYED, *(node(f"l{index}", type_, **params) for index in range(count))]
        links = ["played.out l0.in", *(f"l{index}.{output} l{index + 1}.in" for index in range(count - 1))]
        assert "nested too deeply" in one("card", nodes, links).message


def test_many_entries_of_one_long_branch() -> None:
    # Each Entry's branch is compiled for itself: 400 times 400 nodes would be too many.
    def graph(entries: int, length: int) -> tuple[list[dict[str, Any]], list[str]]:
        nodes = [node(f"e{index}", "on_card_played") for index in range(entries)]
        nodes += [node(f"s{index}", "gain_armor", amount=1) for index in range(length)]
        links = [f"e{index}.out s0.in" for index in range(entries)]
        return nodes, links + [f"s{index}.out s{index + 1}.in" for index in range(length - 1)]

    assert told("card", *graph(200, 400)) == []
    assert one("card", *graph(400, 400)).expected == f"at most {MAX_COMPILED} for all cards that use it"


def test_the_work_grows_with_the_size_of_a_graph() -> None:
    def calls(size: int) -> int:
        nodes = [PLAYED, *(node(f"s{index}", "gain_armor") for index in range(size))]
        nodes += [node(f"v{index}", "int_math", op="add", a=1, b=index) for index in range(size)]
        links = ["played.out s0.in", *(f"s{index}.out s{index + 1}.in" for index in range(size - 1))]
        links += [f"v{index}.result s{index}.amount" for index in range(size)]
        pack = pack_of("card", nodes, links)
        count = 0

        def tick(*_: object) -> None:
            nonlocal count
            count += 1

        sys.setprofile(tick)
        try:
            found = check_pack(pack).problems
        finally:
            sys.setprofile(None)
        assert found == []
        return count

    calls(10)
    # Ten times the nodes: ten times the work, or a hundred times if it were quadratic.
    assert calls(5_000) < 12 * calls(500)
