"""JSON text: what parsers differ on is reported, never raised (content.md, "Strictness")."""

from __future__ import annotations

import pytest

from runtime.content.json_text import MAX_BYTES, MAX_DEPTH, MAX_VALUES, parse_json, plain_copy
from runtime.content.problems import Place, Problem, Report


def parsed(data: bytes) -> tuple[object, list[Problem]]:
    report = Report()
    value = parse_json(data, Place("cards/strike.json"), report)
    return value, report.problems()


def test_plain_json_is_taken_as_it_is() -> None:
    value, problems = parsed(b'{"a": [1, -2.5, true, null, "\xc3\xa9 \\ud83d\\ude00"]}')
    assert value == {"a": [1, -2.5, True, None, "é 😀"]}
    assert problems == []


def test_a_byte_order_mark_is_accepted() -> None:
    assert parsed(b"\xef\xbb\xbf[1]") == ([1], [])


@pytest.mark.parametrize(
    ("data", "path", "message"),
    [
        pytest.param(b'{"a": 1, "b": {"c": 1, "c": 2}}', "$.b.c", 'duplicate key "c"', id="duplicate_key"),
        pytest.param(b'{"a": "\xff"}', "$", "invalid UTF-8 at byte 7", id="invalid_utf8"),
        pytest.param(b"\xff\xfe{\x00}\x00", "$", "invalid UTF-8 at byte 0", id="utf16"),
        pytest.param(b'{"a": "\xed\xa0\x80"}', "$", "invalid UTF-8 at byte 7", id="utf8_surrogate"),
        pytest.param(b'{"a": ["\\ud800"]}', "$.a[0]", "a lone surrogate in a text", id="escaped_surrogate"),
        pytest.param(b'{"a": {"\\udc00": 1}}', "$.a", 'the key "\\udc00" has a lone surrogate', id="surrogate_key"),
        pytest.param(b'{"a": NaN}', "$.a", "not a finite number", id="nan"),
        pytest.param(b'{"a": -Infinity}', "$.a", "not a finite number", id="infinity"),
        pytest.param(b'{"a": 1e999}', "$.a", "not a finite number", id="overflow"),
        pytest.param(b'{"a": 18446744073709551616}', "$.a", "the number is too large", id="over_64_bits"),
        pytest.param(b'{"a": -9223372036854775809}', "$.a", "the number is too large", id="below_64_bits"),
        pytest.param(b'{"a": ' + b"9" * 100_000 + b"}", "$.a", "the number is too large", id="endless_digits"),
        pytest.param(b"", "$", "no JSON: Expecting value at line 1, column 1", id="empty"),
        pytest.param(
            b"{'a': 1}",
            "$",
            "no JSON: Expecting property name enclosed in double quotes at line 1, column 2",
            id="single_quotes",
        ),
        pytest.param(b"[1] [2]", "$", "no JSON: Extra data at line 1, column 5", id="two_values"),
        pytest.param(b"[" * 1_000_000, "$", "nested too deeply", id="deep_lists"),
        pytest.param(b'{"a":' * 500_000, "$", "nested too deeply", id="deep_objects"),
        pytest.param(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1), "$", "nested too deeply", id="one_too_deep"),
        pytest.param(b" " * (MAX_BYTES + 1), "$", "too large", id="too_large"),
        pytest.param(b"[" + b"0," * MAX_VALUES + b"0]", "$", "too many values", id="too_many_values"),
    ],
)
def test_what_is_wrong_is_reported(data: bytes, path: str, message: str) -> None:
    _, problems = parsed(data)
    found = [(problem.file, problem.path, problem.message) for problem in problems]
    assert found == [("cards/strike.json", path, message)]


def test_brackets_in_strings_do_not_nest() -> None:
    text = b'["' + b"[{" * 10_000 + b'", "\\"' + b"[" * 10_000 + b'"]'
    value, problems = parsed(text)
    assert problems == []
    assert isinstance(value, list)


def test_as_deep_as_allowed() -> None:
    assert parsed(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)[1] == []


def test_objects_from_a_caller_are_copied() -> None:
    inner = [1]
    given = {"a": (inner, {"b": "c"})}
    report = Report()
    copy = plain_copy(given, Place(), report)
    inner.append(2)
    assert copy == {"a": [[1], {"b": "c"}]}
    assert report.problems() == []


def test_objects_that_are_no_json_are_reported() -> None:
    circle: list[object] = []
    circle.append(circle)
    doubling: list[object] = []
    for _ in range(60):
        doubling = [doubling, doubling]
    for value, path, message in [
        ({1: "a"}, "$", "a key is no text"),
        ({"a": b"bytes"}, "$.a", "not a JSON value"),
        ({"a": {1, 2}}, "$.a", "not a JSON value"),
        (float("nan"), "$", "not a finite number"),
        (10**5000, "$", "the number is too large"),
        (circle, "$" + "[0]" * MAX_DEPTH, "nested too deeply"),
        (doubling, "$", "too many values"),
    ]:
        report = Report()
        plain_copy(value, Place(), report)
        assert [(problem.path, problem.message) for problem in report.problems()] == [(path, message)]
