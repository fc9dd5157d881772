"""Problems: where, what, expected, found and hint, in text that can be read."""

from __future__ import annotations

import pytest

from runtime.content.problems import MAX_PROBLEMS, PackError, Place, Problem, Report, listed, or_nearest, shown


def test_a_path_tells_keys_and_indexes() -> None:
    place = Place("cards/a.json", ("graph", "nodes", 2, "params", "an odd key", "ü"))
    assert place.path == '$.graph.nodes[2].params["an odd key"]["ü"]'


def test_a_problem_as_a_line() -> None:
    problem = Problem("error", "cards/a.json", "$.cost", "wrong type", "an integer", "true", "did you mean 1?")
    assert str(problem) == "cards/a.json: $.cost: error: wrong type; expected an integer; found true (did you mean 1?)"
    assert str(Problem("warning", "", "$", "odd")) == "$: warning: odd"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": 1}, "an object"),
        ([], "an empty list"),
        ([1], "a list"),
        (True, "true"),
        (None, "null"),
        ("a\nb", '"a\\nb"'),
        ("\ud800", '"\\ud800"'),
        ("x" * 100, '"' + "x" * 60 + '…"'),
        pytest.param(10**5000, "an integer of more than 64 bits", id="huge"),
    ],
)
def test_values_are_shown_short_and_printable(value: object, text: str) -> None:
    assert shown(value) == text


def test_names_are_enumerated() -> None:
    assert listed([]) == ""
    assert listed(["a"]) == '"a"'
    assert listed(["a", "b", "c"]) == '"a", "b" or "c"'
    assert listed([str(number) for number in range(20)]).endswith('"11", …')


def test_what_is_malformed_is_told_once() -> None:
    report = Report()
    report.malformed(Place("f", ("a",)), "wrong type")
    report.error(Place("f", ("a", 0)), "silent")
    report.warning(Place("f", ("a",)), "silent, too")
    report.error(Place("g", ("a",)), "another file")
    report.error(Place("f", ("b",)), "twice")
    report.error(Place("f", ("b",)), "twice")
    assert [problem.message for problem in report.problems()] == ["wrong type", "twice", "another file"]
    assert report.failed


def test_warnings_do_not_fail() -> None:
    report = Report()
    report.warning(Place(), "odd")
    assert not report.failed


def test_problems_are_bounded() -> None:
    report = Report()
    report.warning(Place("f"), "odd")
    for number in range(MAX_PROBLEMS + 5):
        report.malformed(Place("f", (number,)), "wrong")
    report.warning(Place("f"), "odd, too")
    assert report.is_full
    problems = report.problems()
    assert len(problems) == MAX_PROBLEMS + 2
    assert problems[0].message == "odd"
    assert problems[-1].message == "5 more of this severity are left out"


def test_hints_name_the_nearest_and_end_when_they_cost_too_much() -> None:
    report = Report()
    assert report.nearest("strkie", ["strike", "defend"]) == 'did you mean "strike"?'
    assert report.nearest("zzz", ["strike", "defend"]) == ""
    assert report.nearest("strike" * 20, ["strike" * 20]) == ""
    many = [f"card_{number}" for number in range(80_000)]
    assert report.nearest("card_79999x", many) == 'did you mean "card_79999"?'
    assert report.nearest("card_79999x", many) == ""


def test_the_error_lists_errors_and_keeps_everything() -> None:
    problems = [Problem("error", "f", "$", "wrong"), Problem("warning", "f", "$", "odd")]
    error = PackError(problems)
    assert str(error) == "f: $: error: wrong"
    assert error.problems == problems


def test_what_is_said_of_an_unknown_name_is_bounded() -> None:
    assert or_nearest("strkie", ["strike", "defend"]) == 'did you mean "strike"?'
    assert or_nearest("x", ["strike", "defend"]) == 'there is "strike" or "defend"'
    assert or_nearest("x", []) == "there is none"
    said = or_nearest("x" * 100_000, [f"{number}{'y' * 100_000}" for number in range(1_000)])
    assert said.startswith('there is "0y')
    assert said.endswith(", …")
    assert len(said) < 1_000
