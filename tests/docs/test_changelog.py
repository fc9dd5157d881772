"""The changelog tells what it promises: what changed since the last release, and the versions that it speaks of."""

from __future__ import annotations

import re

from bridge.server.services.battle_service import PROTOCOL_MAJOR, PROTOCOL_MINOR
from tests.docs.pages import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def test_what_is_not_released_stands_first() -> None:
    assert next(iter(SECTIONS)) == "Unreleased"


def test_every_section_tells_the_versions_of_wire_and_content() -> None:
    for title, text in SECTIONS.items():
        assert re.match(r"\nWire \d+\.\d+, content format \d+\.\d+\.", text), title


def test_the_wire_is_that_of_the_server() -> None:
    assert SECTIONS["Unreleased"].startswith(f"\nWire {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}, ")


def test_lines_stand_under_the_kinds_of_keep_a_changelog() -> None:
    for title, text in SECTIONS.items():
        found = re.findall(r"^### (.+)$", text, re.MULTILINE)
        assert found, title
        assert found == sorted(found, key=KINDS.index), title
