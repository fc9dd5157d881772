"""Placeholders in texts (content.md, "Assets" and "Strictness")."""

from __future__ import annotations

import pytest

from tests.runtime.content.sample import asset, check, only, sample
from tests.runtime.graph.check.graphs import node, one, told

NODES = [node("played", "on_card_played"), node("hit", "deal_damage", amount=6)]
LINKS = ["played.out hit.in"]


@pytest.mark.parametrize("text", ["", "Deal {power}.", "{hit.amount}{hit.hits} { 1", "100 % } sure", "{hit.target}"])
def test_known_placeholders(text: str) -> None:
    assert told("card", NODES, LINKS, text=text) == []


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("{powr}", '"power"'),
        ("{hti.amount}", '"hit"'),
        ("{hit.amuont}", '"amount"'),
        ("{hit.in}", ""),
        ("{hit.hp_loss}", ""),
        ("{}", ""),
        ("{ power }", '"power"'),
        ("{power.}", ""),
    ],
)
def test_unknown_placeholders_are_warnings(text: str, hint: str) -> None:
    problem = one("card", NODES, LINKS, text=text)
    assert (problem.severity, problem.path) == ("warning", "$.cards[0].text")
    assert f"unknown placeholder {text}" == problem.message
    assert hint in problem.hint


def test_a_status_knows_its_stacks_and_no_vars() -> None:
    assert told("status", [], [], text="Lose {stacks} HP.") == []
    assert told("status", [], [], text="Lose {power} HP.") == [("warning", "text")]


def test_a_card_with_graph_of_has_the_nodes_of_that_graph() -> None:
    pack = sample()
    plus = asset(pack, "cards", "strike_plus")
    plus["text"] = "Deal {hit.amount}, {damage} before hooks."
    assert check(pack).problems == []
    plus["text"] = "Deal {hit.amont}."
    assert only(pack, "warning").path == "$.cards[1].text"
