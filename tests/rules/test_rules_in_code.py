"""Every rule is found in the code that carries it out: its id stands there in a comment or a docstring.

What only declares (the node library's `rule=`, the table of timings) does not count, nor does a span such as
"R4.1 to R4.4", which a search for R4.2 would not find.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.rules.ids import RULES

RUNTIME = Path(__file__).resolve().parents[2] / "runtime"
_ID = re.compile(r"\b(?:[ET]\d+|R\d+\.\d+)\b")
# Where rules are declared or told, not carried out.
DECLARATIONS = ("graph/timings.py", "nodes/entries.py")


def words_about(path: Path) -> Iterator[str]:
    """The comments and docstrings of a module."""
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield ast.get_docstring(node) or ""


def files_by_rule() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in RUNTIME.rglob("*.py"):
        name = path.relative_to(RUNTIME).as_posix()
        if name not in DECLARATIONS:
            for words in words_about(path):
                for rule in _ID.findall(words):
                    found.setdefault(rule, set()).add(name)
    return found


# The file whose name says what the rule is about.
BY_NAME = {
    "T1": "battle/setup.py",
    "T2": "battle/turns.py",
    "T3": "battle/playing.py",
    "T4": "battle/turns.py",
    "T5": "battle/turns.py",
    "E10": "battle/hand.py",
    "E12": "battle/hand.py",
    "E15": "battle/damage.py",
    "E16": "battle/damage.py",
    "E17": "battle/damage.py",
    "E22": "battle/energy.py",
    "E23": "battle/energy.py",
    "R2.4": "battle/status_order.py",
    "R2.5": "battle/run_nodes.py",
    "R3.1": "battle/turns.py",
    "R3.2": "battle/hand.py",
    "R3.3": "battle/hand.py",
    "R4.7": "battle/energy.py",
    "R4.9": "battle/hooks.py",
    "R4.10": "battle/energy.py",
    "R5.6": "battle/intents.py",
    "R5.7": "battle/choices.py",
    "R5.8": "battle/variables.py",
    "R6.3": "battle/notices.py",
}


def test_every_rule_stands_in_the_code_that_carries_it_out() -> None:
    found = files_by_rule()
    missing = [rule for rule in RULES if rule not in found]
    assert not missing, f"no comment and no docstring of runtime names {', '.join(missing)}"


def test_rules_are_found_by_the_name_of_a_file() -> None:
    found = files_by_rule()
    astray = [f"{rule} in {name}" for rule, name in BY_NAME.items() if name not in found.get(rule, ())]
    assert astray == []


def test_no_code_names_a_rule_that_there_is_not() -> None:
    unknown = {rule: files for rule, files in files_by_rule().items() if rule not in RULES}
    assert unknown == {}
