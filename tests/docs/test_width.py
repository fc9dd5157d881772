"""The pages have lines of one width, so that a change shows what was changed; `make format` breaks them there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.pages import ROOT, all_pages, name_of

WIDTH = 120
PAGES = [*all_pages(), ROOT / "examples" / "more_nodes" / "README.md"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_lines_are_up_to_120_characters_but_for_code_and_tables(page: Path) -> None:
    long, in_code = [], False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        in_code ^= line.lstrip().startswith("```")
        if len(line) > WIDTH and not in_code and not line.startswith("|"):
            long.append(f"{name_of(page)}:{number}")
    assert long == []
