"""The demo may be closed while a battle is being shown: the engine has nothing to complain about."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.godot.peers import running

LIMIT = 60.0
FRAMES = 90
"""Frames after which the engine quits: by then the first turn of the battle is being announced."""


def test_quit_in_mid_animation_prints_no_engine_error(godot: Path, godot_project: Path) -> None:
    with running("gcs_server") as peer:
        engine = [str(godot), "--headless", "--path", str(godot_project), "--quit-after", str(FRAMES)]
        scene = [
            "res://demo/battle.tscn",
            "--",
            f"--address={peer.split('=')[1]}",
            "--encounter=first_fight",
            "--seed=7",
        ]
        done = subprocess.run(
            [*engine, *scene],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
    assert done.returncode == 0, done.stdout
    assert "ERROR" not in done.stdout, done.stdout
    assert "leaked" not in done.stdout, done.stdout
