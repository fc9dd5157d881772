"""docs/first-battle.md, step by step in a real Godot: its files make a project whose buttons play a battle."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge.testing.process import ServerProcess
from tests.docs.pages import ROOT, blocks_of
from tools.first_battle import PAGE, make_project
from tools.godot import run_headless

LIMIT = 120.0
SHOWN = ("first_battle_start.png", "first_battle_played.png", "first_battle_over.png")
_TROUBLE = re.compile(r"^(USER |SCRIPT )*(ERROR|WARNING): ", re.MULTILINE)
_STRICT = re.compile(r"^gdscript/warnings/.*\n", re.MULTILINE)


@pytest.fixture(scope="module")
def script() -> str:
    return next(block.text for block in blocks_of(PAGE) if block.file == "first_battle.gd")


def test_the_script_is_the_minimal_sample_and_short(script: str) -> None:
    assert script == (ROOT / "godot_project" / "demo" / "minimal.gd").read_text(encoding="utf-8")
    assert len(script.splitlines()) < 60


def test_the_buttons_of_the_page_play_a_battle(godot: Path, tmp_path: Path) -> None:
    settings = (ROOT / "godot_project" / "project.godot").read_text(encoding="utf-8")
    strict = "\n[debug]\n\n" + "".join(_STRICT.findall(settings))
    with ServerProcess() as server:
        make_project(godot, tmp_path, server.address, strict)
        done = run_headless(godot, tmp_path, "res://press_buttons.tscn", limit=LIMIT)
    assert done.returncode == 0, done.stdout
    assert not _TROUBLE.search(done.stdout), done.stdout
    assert re.search(r"^Turn 1, energy 3$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^enemy0: \d+/\d+ HP, 0 armor - intends attack \d+$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^The battle is over: (won|lost)$", done.stdout, re.MULTILINE), done.stdout


def test_the_page_shows_the_pictures_of_its_script() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert tuple(re.findall(r"!\[[^\]]+\]\(images/([^)]+)\)", text)) == SHOWN
