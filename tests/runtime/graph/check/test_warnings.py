"""Warnings of names, filters, arguments and outputs that lead nowhere within a pack."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.content.sample import RAIN, THUNDER
from tests.runtime.graph.check.graphs import HAIL, node, one, told

PLAYED = node("played", "on_card_played")
SHIELD = node("shield", "gain_armor", amount=1)


def test_an_internal_event_that_nobody_raises() -> None:
    problem = one("card", [node("heard", "on_internal_event", event="ee"), SHIELD], ["heard.out shield.in"])
    assert problem.severity == "warning"
    assert problem.path == "$.cards[0].graph.nodes[0].params.event"
    assert problem.message == 'node "heard" (On Internal Event) never runs: nobody raises "ee"'
    assert problem.hint == 'did you mean "e"?'


def test_an_internal_event_that_nobody_hears() -> None:
    problem = one("card", [PLAYED, node("tell", "raise_internal_event", event="ee")], ["played.out tell.in"])
    assert problem.path == "$.cards[0].graph.nodes[1].params.event"
    assert "reaches nobody" in problem.message
    assert problem.hint == 'did you mean "e"?'


def test_a_variable_that_is_read_and_never_written() -> None:
    nodes = [PLAYED, SHIELD, node("rage", "get_variable", name="rage")]
    links = ["played.out shield.in", "rage.result shield.amount"]
    nodes[1] = node("shield", "gain_armor")
    problem = one("card", nodes, links)
    assert problem.path == "$.cards[0].graph.nodes[2].params.name"
    assert "always reads 0" in problem.message
    setter = node("set", "set_variable", name="rage", value=1)
    assert told("card", [*nodes, setter], [*links, "shield.out set.in"]) == []


@pytest.mark.parametrize(
    ("reading", "where"),
    [
        (node("n", "card_is", type="atack"), "type"),
        (node("n", "card_is", tag="attack"), "tag"),
        (node("n", "unit_is", unit="chosen", tag="boss"), "tag"),
    ],
)
def test_a_filter_that_fits_nothing(reading: dict[str, Any], where: str) -> None:
    nodes = [PLAYED, node("if", "branch"), SHIELD, reading]
    links = ["played.out if.in", "n.result if.condition", "if.true shield.in"]
    if reading["type"] == "card_is":
        links.append("played.card n.card")
    problem = one("card", nodes, links)
    assert problem.path == f"$.cards[0].graph.nodes[3].params.{where}"
    assert "never fits" in problem.message


@pytest.mark.parametrize(
    ("pool", "hint"),
    [({"type": "atack"}, 'did you mean "attack"?'), ({"rarity": "rare"}, ""), ({"type": "attack", "tag": "x"}, "")],
)
def test_a_pool_without_a_card(pool: dict[str, str], hint: str) -> None:
    problem = one("card", [PLAYED, node("add", "add_card_to_hand", pool=pool)], ["played.out add.in"])
    assert problem.path == "$.cards[0].graph.nodes[1].params.pool"
    assert "finds no card" in problem.message
    assert problem.hint == hint


@pytest.mark.parametrize(
    ("start", "name", "fits"),
    [
        (node("start", "on_ges_event", ges_event=THUNDER), "arg", True),
        (node("start", "on_ges_event", ges_event=THUNDER), "sender", False),
        (node("start", "on_ges_event", ges_event=RAIN), "sender", True),
        (node("start", "on_ges_event", ges_event=RAIN), "arg", False),
        (node("start", "on_ges_event", ges_event=HAIL), "size", True),
        (node("start", "on_ges_event", ges_event=HAIL), "sise", False),
        (node("start", "on_internal_event", event="e"), "x", True),
        (node("start", "on_internal_event", event="e"), "y", False),
        (node("start", "on_internal_event", event="gcs.unit_died"), "source", True),
        (node("start", "on_internal_event", event="gcs.unit_died"), "sauce", False),
        (node("start", "on_turn_start"), "arg", False),
    ],
    ids=lambda value: value["params"].get("event", value["type"]) if isinstance(value, dict) else str(value),
)
def test_r6_4_an_argument_that_the_event_does_not_have(start: dict[str, Any], name: str, fits: bool) -> None:
    nodes = [start, node("shield", "gain_armor"), node("math", "int_math", op="add", b=1)]
    nodes.append(node("read", "event_arg", name=name, type="int"))
    links = ["start.out shield.in", "math.result shield.amount", "read.value math.a"]
    found = told("status", nodes, links)
    assert found == ([] if fits else [("warning", "nodes[3].params.name")])


def test_a_sequence_whose_count_and_links_differ() -> None:
    nodes = [PLAYED, node("steps", "sequence", count=3), SHIELD]
    problem = one("card", nodes, ["played.out steps.in", "steps.step_1 shield.in"])
    assert problem.path == "$.cards[0].graph.nodes[1].params.count"
    assert "step_0, step_2" in problem.message


def test_reading_an_output_of_a_node_that_runs_later() -> None:
    nodes = [PLAYED, node("shield", "gain_armor"), node("hit", "deal_damage", amount=3)]
    links = ["played.out shield.in", "shield.out hit.in", "hit.hp_loss shield.amount"]
    problem = one("card", nodes, links)
    assert problem.path == "$.cards[0].graph.links[2]"
    assert '"hit.hp_loss" before node "hit"' in problem.message
    after = ["played.out hit.in", "hit.out shield.in", "hit.hp_loss shield.amount"]
    assert told("card", nodes, after) == []


def test_steps_of_a_sequence_run_in_order() -> None:
    nodes = [PLAYED, node("steps", "sequence", count=2), node("shield", "gain_armor"), node("hit", "deal_damage")]
    nodes[3] = node("hit", "deal_damage", amount=3)
    right = ["played.out steps.in", "steps.step_0 hit.in", "steps.step_1 shield.in", "hit.hp_loss shield.amount"]
    assert told("card", nodes, right) == []
    wrong = ["played.out steps.in", "steps.step_1 hit.in", "steps.step_0 shield.in", "hit.hp_loss shield.amount"]
    assert told("card", nodes, wrong) == [("warning", "links[3]")]


def test_a_round_of_a_loop_may_read_the_one_before() -> None:
    nodes = [PLAYED, node("loop", "repeat", count=2), node("shield", "gain_armor")]
    nodes.append(node("hit", "deal_damage", amount=3))
    links = ["played.out loop.in", "loop.body shield.in", "shield.out hit.in", "hit.hp_loss shield.amount"]
    assert told("card", nodes, links) == []


def test_one_of_two_ways_may_have_run_the_node() -> None:
    nodes = [PLAYED, node("if", "branch", condition=True), node("hit", "deal_damage", amount=3)]
    nodes.append(node("shield", "gain_armor"))
    links = ["played.out if.in", "if.true shield.in", "if.false hit.in", "hit.out shield.in"]
    assert told("card", nodes, [*links, "hit.hp_loss shield.amount"]) == []
