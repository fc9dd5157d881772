"""Flows: events by id, passing on, conditions (content.md, "Assets")."""

from __future__ import annotations

from typing import Any

import pytest

from tests.runtime.content.sample import asset, check, only, problems, sample

TYPES = ("none", "int", "float", "bool", "text", "vector2", "vector3", "color", "unit", "card", "status", "struct")


def pack_with(
    trigger: dict[str, Any], source: str = "int", target: str = "int", sender: bool = False
) -> dict[str, Any]:
    return {
        "events": [
            {"id": "a", "guid": "0" * 32, "argument": source, "sender": sender},
            {"id": "b", "guid": "1" * 32, "argument": target},
        ],
        "flows": [{"id": "flow", "triggers": [{"from": "a", "to": "b", **trigger}]}],
    }


@pytest.mark.parametrize("source", TYPES)
@pytest.mark.parametrize("target", TYPES)
def test_passing_on(source: str, target: str) -> None:
    fits = target in ("none", source) or {source, target} == {"int", "float"}
    found = problems(pack_with({}, source, target))
    assert [problem.path for problem in found] == ([] if fits else ["$.flows[0].triggers[0].pass"])
    if not fits:
        assert found[0].found == f"{source} to {target}"
        assert found[0].hint == '"pass": false gives the default'
    assert problems(pack_with({"pass": False}, source, target)) == []


def test_chains_pass_on_from_their_first_event() -> None:
    pack = sample()
    step = asset(pack, "flows", "storm")["chains"][0]["steps"][0]
    asset(pack, "events", "thunder")["argument"] = "text"
    step["pass"] = True
    assert "$.flows[0].chains[0].steps[0].pass" in [problem.path for problem in problems(pack)]


def test_unknown_events_are_reported_with_the_nearest() -> None:
    pack = sample()
    flow = asset(pack, "flows", "storm")
    flow["triggers"][0]["to"] = "rian"
    flow["chains"][0]["from"] = "thundr"
    flow["chains"][0]["steps"][0]["to"] = "thnder"
    found = [(problem.path, problem.hint) for problem in problems(pack)]
    assert found == [
        ("$.flows[0].triggers[0].to", 'did you mean "rain"?'),
        ("$.flows[0].chains[0].from", 'did you mean "thunder"?'),
        ("$.flows[0].chains[0].steps[0].to", 'did you mean "thunder"?'),
    ]


@pytest.mark.parametrize(
    ("source", "condition"),
    [
        ("int", {"arg": "ge", "value": 3}),
        ("int", {"arg": "lt", "value": 2.5}),
        ("float", {"arg": "eq", "value": 3}),
        ("bool", {"arg": "ne", "value": True}),
        ("text", {"arg": "lt", "value": "m"}),
        ("unit", {"arg": "eq", "value": "player"}),
        ("vector2", {"arg": "eq", "value": [1, 2.5]}),
        ("struct", {"arg": "ne", "value": {"x": 1}}),
        ("int", {"sender": "eq", "value": "weather"}),
        ("int", {"all": []}),
        ("int", {"any": [{"all": [{"arg": "eq", "value": 1}, {"sender": "ne", "value": 2}]}]}),
        ("int", None),
    ],
)
def test_conditions_that_hold_together(source: str, condition: object) -> None:
    assert check(pack_with({"when": condition}, source, "none", sender=True)).problems == []


@pytest.mark.parametrize(
    ("source", "condition", "path", "expected", "hint"),
    [
        ("int", [], "", "an object or null", ""),
        ("int", {}, "", '"arg", "sender", "all" or "any"', ""),
        ("int", {"arg": "eq", "value": 1, "any": []}, "", "one of", ""),
        ("int", {"arg": "gee", "value": 1}, ".arg", '"eq", "ne", "lt", "le", "gt" or "ge"', '"ge"'),
        ("int", {"arg": 1, "value": 1}, ".arg", '"eq"', ""),
        ("int", {"arg": "eq"}, ".value", "what to compare with", ""),
        ("int", {"arg": "eq", "value": "1"}, ".value", "a number", ""),
        ("int", {"arg": "eq", "value": True}, ".value", "a number", ""),
        ("bool", {"arg": "eq", "value": 1}, ".value", "true or false", ""),
        ("bool", {"arg": "lt", "value": True}, ".arg", '"eq" or "ne"', ""),
        ("vector3", {"arg": "eq", "value": [1, 2]}, ".value", "a list of 3 numbers", ""),
        ("color", {"arg": "gt", "value": [1, 2, 3, 4]}, ".arg", '"eq" or "ne"', ""),
        ("card", {"arg": "eq", "value": 3}, ".value", "a text", ""),
        ("struct", {"arg": "eq", "value": 3}, ".value", "an object", ""),
        ("none", {"arg": "eq", "value": 3}, ".arg", "", ""),
        ("int", {"sender": "eq", "value": 3}, ".sender", "", ""),
        ("int", {"all": {"arg": "eq", "value": 3}}, ".all", "a list of conditions", ""),
        ("int", {"all": [{"any": [3]}]}, ".all[0].any[0]", "a condition", ""),
        ("int", {"arg": "eq", "value": 3, "valu": 4}, ".valu", "", '"value"'),
    ],
)
def test_conditions_that_do_not(source: str, condition: object, path: str, expected: str, hint: str) -> None:
    problem = only(pack_with({"when": condition}, source, "none"))
    assert problem.path == f"$.flows[0].triggers[0].when{path}"
    assert expected in problem.expected
    assert hint in problem.hint


def test_a_malformed_event_has_no_consequences() -> None:
    pack = pack_with({"when": {"arg": "eq", "value": 3}}, "integer", "text")
    assert only(pack).path == "$.events[0].argument"


def test_an_empty_chain() -> None:
    pack = sample()
    asset(pack, "flows", "storm")["chains"][0]["steps"] = []
    assert only(pack).path == "$.flows[0].chains[0].steps"
