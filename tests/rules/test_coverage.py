"""Every rule is proven: some test or scenario names its id.

A test names a rule in the name of its function (`test_r3_5_a_status_decays`), a scenario in its file name
(`r3_5_decay.json`); several ids may stand at the front (`e7_e10_r3_2_overflow.json`). Docstrings and notes
do not count: what is only mentioned is not proven.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.rules.ids import RULES

TESTS = Path(__file__).resolve().parents[1]
_ID = re.compile(r"([et])(\d+)(?=_|$)|r(\d+)_(\d+)(?=_|$)")


def ids_at_the_front(name: str) -> Iterator[str]:
    """The rule ids that a name starts with, such as E7, E10 and R3.2 of `e7_e10_r3_2_overflow`."""
    while found := _ID.match(name):
        letter, number, section, rule = found.groups()
        yield f"{letter.upper()}{int(number)}" if letter else f"R{int(section)}.{int(rule)}"
        name = name[found.end() :].removeprefix("_")


def names_of_tests() -> Iterator[str]:
    """The names of all test functions below this folder, without `test_`."""
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_"):
                yield node.name.removeprefix("test_")


def names_of_scenarios() -> Iterator[str]:
    """The names of all scenario files."""
    for path in (TESTS / "scenarios").rglob("*.json"):
        yield path.stem


def test_every_rule_is_named_by_a_test_or_a_scenario() -> None:
    named = {
        rule for names in (names_of_tests(), names_of_scenarios()) for name in names for rule in ids_at_the_front(name)
    }
    missing = [rule for rule in RULES if rule not in named]
    assert not missing, f"no test and no scenario names {', '.join(missing)}"


def test_no_name_claims_a_rule_that_there_is_not() -> None:
    named = {rule for name in names_of_scenarios() for rule in ids_at_the_front(name)}
    assert named <= set(RULES), sorted(named - set(RULES))


def test_ids_are_read_from_names() -> None:
    assert list(ids_at_the_front("e7_e10_r3_2_overflow")) == ["E7", "E10", "R3.2"]
    assert list(ids_at_the_front("r4_10")) == ["R4.10"]
    assert list(ids_at_the_front("t5")) == ["T5"]
    assert list(ids_at_the_front("exhaust_e7")) == []
