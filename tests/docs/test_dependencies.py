"""Every dependency has its line in the page on dependencies, and no line is about one that is not used."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.docs.pages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = {
    "At run time": PROJECT["dependencies"],
    "For development": PROJECT["optional-dependencies"]["dev"],
}
# Stubs and the compiler belong to the row of the checkers.
SUMMED_UP = re.compile(r"types-.*")


@pytest.mark.parametrize("section", NEEDED)
def test_the_page_lists_what_is_needed(section: str) -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]+) \|", page.split(f"## {section}\n")[1].split("\n## ")[0], re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"[a-z][\w-]+", row)}
    needed = {re.split(r"[^\w-]", requirement)[0] for requirement in NEEDED[section]}
    missing = {name for name in needed if not SUMMED_UP.fullmatch(name)} - listed
    assert not missing, f"no line about {', '.join(sorted(missing))}"
    packages = {name for row in rows[2:] for name in row.split(", ") if re.fullmatch(r"[a-z][\w-]+", name)}
    assert packages <= needed, f"not in pyproject.toml: {', '.join(sorted(packages - needed))}"
