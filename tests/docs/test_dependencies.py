"""Every dependency has its line in the page on dependencies, and no line is about one that is not used."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.docs.pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = {
    "At run time": PROJECT["dependencies"],
    "For testers": PROJECT["optional-dependencies"]["test"],
    "For development": PROJECT["optional-dependencies"]["dev"] + PROJECT["optional-dependencies"]["mutate"],
}
# Stubs and the compiler belong to the row of the checkers.
SUMMED_UP = re.compile(r"types-.*")


def _names(requirements: list[str]) -> set[str]:
    """The packages of some requirements; the extras of the project itself are none."""
    return {re.split(r"[^\w-]", requirement)[0] for requirement in requirements} - {PROJECT["name"]}


@pytest.mark.parametrize("section", NEEDED)
def test_the_page_lists_what_is_needed(section: str) -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \|", page.split(f"## {section}\n")[1].split("\n## ")[0], re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"[a-z][\w-]+", row)}
    needed = _names(NEEDED[section])
    missing = {name for name in needed if not SUMMED_UP.fullmatch(name)} - listed
    assert not missing, f"no line about {', '.join(sorted(missing))}"
    packages = {name for row in rows[2:] for name in row.split(", ") if re.fullmatch(r"[a-z][\w-]+", name)}
    assert packages <= needed, f"not in pyproject.toml: {', '.join(sorted(packages - needed))}"


def test_the_extra_for_testers_is_all_that_bridge_testing_needs() -> None:
    installed = _names(NEEDED["At run time"] + NEEDED["For testers"])
    distributions = packages_distributions()
    imported: set[str] = set()
    for path in (ROOT / "bridge" / "testing").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported.update(alias.name.split(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                imported.add(str(node.module).split(".")[0])
    others = imported - sys.stdlib_module_names - {"bridge", "runtime"}
    assert {"grpc", "pytest"} <= others
    missing = {name for name in others if not installed & set(distributions[name])}
    assert not missing, f"not in the dependencies or the extra test: {', '.join(sorted(missing))}"


def test_developers_have_what_testers_have() -> None:
    assert f"{PROJECT['name']}[test]" in PROJECT["optional-dependencies"]["dev"]
