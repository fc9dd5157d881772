"""The demo may be closed at any time: the engine has nothing to complain about, its own server ends with it."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

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


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_program_that_ignores_the_end_of_its_input_ends_with_the_game(
    godot: Path, godot_project: Path, tmp_path: Path
) -> None:
    number, program = tmp_path / "pid", tmp_path / "gcs"
    program.write_text(f"#!/bin/sh\necho $$ > {number}\ntrap '' TERM\nexec sleep 1000\n", encoding="utf-8")
    program.chmod(0o755)
    scene = ("--quit-after", str(FRAMES), "res://demo/ten_battles.tscn")
    done = run_headless(godot, godot_project, *scene, "--", f"--local-server={program}", limit=LIMIT)
    pid = int(number.read_text(encoding="utf-8"))
    try:
        assert done.returncode == 0, done.stdout
        assert "ERROR" not in done.stdout, done.stdout
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
