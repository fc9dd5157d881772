"""GDScript that people write keeps to the line length of `.editorconfig`, as ruff holds it for Python."""

from __future__ import annotations

import re
from pathlib import Path

from tests.tools.test_layout import ROOT, project_files

GENERATED = "pb"
"""Folders of messages, whose lines are as long as the names in the `.proto` files make them."""


def test_lines_are_as_short_as_editorconfig_says() -> None:
    found = re.search(r"^max_line_length = (\d+)$", (ROOT / ".editorconfig").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    limit = int(found.group(1))
    scripts = [path for path in project_files() if path.suffix == ".gd" and is_held(path.relative_to(ROOT))]
    assert len(scripts) > 100
    too_long = [
        f"{path.relative_to(ROOT).as_posix()}:{number}: {len(line)}"
        for path in scripts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > limit
    ]
    assert too_long == []


def is_held(path: Path) -> bool:
    return GENERATED not in path.parts
