"""Links between pages and to files lead somewhere, and every page can be reached from the README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, all_pages, anchors_of, name_of, prose_of

_LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")


def links_of(page: Path) -> list[str]:
    """The targets of a page's links that lead to files or headings."""
    prose = re.sub(r"`[^`\n]*`", "", prose_of(page))
    return [target for target in _LINK.findall(prose) if not re.match(r"[a-z]+:", target)]


def file_of(page: Path, target: str) -> Path:
    """The file that a link leads to."""
    name = target.partition("#")[0]
    return (page.parent / name).resolve() if name else page


@pytest.mark.parametrize("page", all_pages(), ids=name_of)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for target in links_of(page):
        path = file_of(page, target)
        assert path.exists(), f"{name_of(page)}: nothing is at {target}"
        assert path.is_relative_to(ROOT), f"{name_of(page)}: {target} leads out of the repository"
        anchor = target.partition("#")[2]
        if anchor:
            assert anchor in anchors_of(path), f"{name_of(page)}: no heading {target}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        waiting += [path for path in (file_of(page, target) for target in links_of(page)) if path.suffix == ".md"]
    assert sorted(name_of(page) for page in set(all_pages()) - reached) == []
