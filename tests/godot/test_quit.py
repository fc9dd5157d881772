"""The demo may be closed while a battle is being shown: the engine has nothing to complain about."""

from __future__ import annotations

from pathlib import Path

from tests.godot.peers import running
from tools.godot import run_headless

LIMIT = 60.0
FRAMES = 90
"""Frames after which the engine quits: by then the first turn of the battle is being announced."""


def test_quit_in_mid_animation_prints_no_engine_error(godot: Path, godot_project: Path) -> None:
    with running("gcs_server") as peer:
        scene = ("--quit-after", str(FRAMES), "res://demo/battle.tscn")
        battle = (f"--address={peer.split('=')[1]}", "--encounter=first_fight", "--seed=7")
        done = run_headless(godot, godot_project, *scene, "--", *battle, limit=LIMIT)
    assert done.returncode == 0, done.stdout
    assert "ERROR" not in done.stdout, done.stdout
    assert "leaked" not in done.stdout, done.stdout
