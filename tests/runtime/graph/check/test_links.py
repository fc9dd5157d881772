"""The graph checker on links: ends, types, how many, cycles (content.md, "Graphs")."""

from __future__ import annotations

import pytest

from tests.runtime.graph.check.graphs import node, one, told

PLAYED = node("played", "on_card_played")
SHIELD = node("shield", "gain_armor", amount=1)
HIT = node("hit", "deal_damage", amount=1)
INFO = node("info", "card_info")


# fmt: off
WRONG_LINKS = [
    ("playd.out shield.in", "[0]", 'unknown node "playd"', '"played"'),
    ("played.out shild.in", "[1]", 'unknown node "shild"', '"shield"'),
    ("played.ot shield.in", "[0]", 'has no output "ot"', '"out"'),
    ("played.out shield.inn", "[1]", 'has no input "inn"', '"in"'),
    ("played shield.in", "[0]", "malformed end of a link", ""),
    ("shield.in shield.in", "[0]", 'has no output "in"', '"in" is an input; a link goes from an output to an input'),
    ("hit.out shield.gained", "[1]", 'has no input "gained"', '"gained" is an output'),
    ("hit.out played.in", "[1]", 'has no input "in"', ""),
    ("played.card shield.amount", "", "played.card does not fit shield.amount", ""),
    ("hit.killed shield.amount", "", "hit.killed does not fit shield.amount", ""),
    ("hit.out shield.amount", "", "hit.out does not fit shield.amount", ""),
    ("played.card hit.target", "", "played.card does not fit hit.target", ""),
]
# fmt: on


@pytest.mark.parametrize(("link", "where", "message", "hint"), WRONG_LINKS)
def test_ends_and_types(link: str, where: str, message: str, hint: str) -> None:
    links = [link, "played.out shield.in", "shield.out hit.in", "played.card info.card"]
    problem = one("card", [PLAYED, SHIELD, HIT, INFO], links)
    assert problem.path == f"$.cards[0].graph.links[0]{where}"
    assert message in problem.message
    assert hint in problem.hint


def test_a_unit_feeds_a_list_of_units_but_not_the_other_way() -> None:
    nodes = [node("struck", "on_damage_taken"), node("hit", "deal_damage", amount=1)]
    assert told("status", nodes, ["struck.out hit.in", "struck.source hit.target"]) == []


def test_one_link_for_a_flow_output_and_for_a_data_input() -> None:
    twice = one("card", [PLAYED, SHIELD, HIT], ["played.out shield.in", "shield.out hit.in", "played.out hit.in"])
    assert twice.path == "$.cards[0].graph.links[2]"
    assert twice.hint == "also at $.cards[0].graph.links[0]"
    nodes = [PLAYED, node("shield", "gain_armor"), INFO]
    links = ["played.out shield.in", "played.card info.card", "info.cost shield.amount", "info.cost shield.amount"]
    assert one("card", nodes, links).path == "$.cards[0].graph.links[3]"


def test_a_flow_input_and_a_data_output_take_any_number() -> None:
    nodes = [PLAYED, node("drawn", "on_card_drawn"), SHIELD, node("more", "gain_armor"), node("most", "gain_armor")]
    links = [
        "played.out shield.in",
        "drawn.out shield.in",
        "shield.out more.in",
        "more.out most.in",
        "shield.gained more.amount",
        "shield.gained most.amount",
    ]
    assert told("card", nodes, links) == []


def test_steps_are_as_many_as_the_param_says() -> None:
    nodes = [PLAYED, node("steps", "sequence", count=2), SHIELD]
    links = ["played.out steps.in", "steps.step_0 shield.in", "steps.step_1 hit.in"]
    assert told("card", [*nodes, HIT], links) == []
    links = ["played.out steps.in", "steps.step_1 shield.in", "shield.out hit.in", "steps.step_2 hit.in"]
    problem = one("card", [*nodes, HIT], links)
    assert problem.path == "$.cards[0].graph.links[3][0]"
    assert problem.expected == 'an output of it: "step_0" or "step_1"'


def test_a_wrong_param_has_no_consequences_for_the_ports_it_makes() -> None:
    tell = node("tell", "raise_internal_event", event="e", args={"a": "itn"}, a=1)
    nodes = [PLAYED, node("steps", "sequence", count="2"), SHIELD, tell, node("arg", "event_arg", name="x", type=[])]
    links = ["played.out steps.in", "steps.step_1 shield.in", "shield.out tell.in", "arg.value tell.a"]
    found = [path for severity, path in told("card", nodes, links) if severity == "error"]
    assert found == ["nodes[1].params.count", "nodes[3].params.args.a", "nodes[4].params.type"]


def test_the_type_of_an_output_may_be_that_of_a_param() -> None:
    nodes = [node("heard", "on_internal_event", event="e"), node("shield", "gain_armor")]
    arg = node("arg", "event_arg", name="x", type="int")
    links = ["heard.out shield.in", "arg.value shield.amount"]
    assert told("card", [*nodes, arg], links) == []
    arg["params"]["type"] = "text"
    assert one("card", [*nodes, arg], links).found == "Int"


def test_flow_cycles_are_reported_where_they_close() -> None:
    nodes = [PLAYED, SHIELD, HIT, node("turn", "on_turn_end")]
    problem = one("card", nodes[:3], ["played.out shield.in", "shield.out hit.in", "hit.out shield.in"])
    assert problem.path == "$.cards[0].graph.links[2]"
    assert "shield → hit → shield" in problem.message
    itself = one("card", nodes[:2], ["played.out shield.in", "shield.out shield.in"])
    assert "shield → shield" in itself.message


def test_every_cycle_is_reported() -> None:
    nodes = [node(name, "gain_armor", amount=1) for name in "abcd"]
    links = ["a.out b.in", "b.out a.in", "c.out d.in", "d.out c.in"]
    found = [path for severity, path in told("card", nodes, links) if severity == "error"]
    assert found == ["links[1]", "links[3]"]


VALUES = [node("a", "int_math", op="add", b=1), node("b", "int_math", op="add", b=1)]


def test_values_that_read_each_other() -> None:
    nodes = [PLAYED, node("shield", "gain_armor"), *VALUES]
    links = ["played.out shield.in", "a.result shield.amount", "a.result b.a", "b.result a.a"]
    problem = one("card", nodes, links)
    assert "a cycle of values" in problem.message
    assert problem.path in ("$.cards[0].graph.links[2]", "$.cards[0].graph.links[3]")


def test_a_wire_through_a_flow_node_closes_no_cycle() -> None:
    nodes = [PLAYED, node("shield", "gain_armor"), node("more", "int_math", op="add", b=1)]
    links = ["played.out shield.in", "shield.gained more.a", "more.result shield.amount"]
    assert told("card", nodes, links) == []
    assert told("card", nodes[:2], ["played.out shield.in", "shield.gained shield.amount"]) == []
