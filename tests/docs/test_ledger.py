"""The ledger of orderings: every row names a rule, a place in the code and a test that are there."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.rules.ids import RULES

LEDGER = ROOT / "docs" / "ledger.md"
_ROW = re.compile(
    r"\| (?P<number>\d+) \| \[(?P<rule>[\w.]+)\]\([^)]*\) \| (?P<decided>.+?) \| "
    r"\[[^\]]*\]\((?P<file>[^)]*)\) `(?P<name>\w+)` \| (?P<why>.+?) \| \[(?P<test>\w+)\]\((?P<test_file>[^)]*)\) \|"
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the ledger."""

    number: int
    rule: str
    file: Path
    name: str
    test: str
    test_file: Path


def rows() -> list[Row]:
    """The rows of the ledger; every line of a table but its head must be one."""
    found = []
    for line in LEDGER.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|") or line.startswith(("| # |", "| -- |")):
            continue
        match = _ROW.fullmatch(line)
        assert match is not None, f"not a row: {line}"
        file, test_file = ((LEDGER.parent / match[group]).resolve() for group in ("file", "test_file"))
        found.append(Row(int(match["number"]), match["rule"], file, match["name"], match["test"], test_file))
    return found


def names_in(path: Path) -> set[str]:
    """The functions and classes that a Python file defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def test_rows_are_numbered() -> None:
    assert [row.number for row in rows()] == list(range(1, len(rows()) + 1))
    assert len(rows()) > 40


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{row.number}-{row.rule}")
def test_a_row_names_what_there_is(row: Row) -> None:
    assert row.rule in RULES
    assert row.file.is_relative_to(ROOT / "runtime")
    assert row.name in names_in(row.file)
    assert row.test_file.is_relative_to(ROOT / "tests")
    if row.test_file.suffix == ".py":
        assert row.test in names_in(row.test_file)
    else:
        assert row.test_file.stem == row.test
        assert row.test_file.is_file()
