"""The headless sample plays ten battles against a real server and says how each went (issue: two more samples)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from tests.godot.gdscript import engine_errors
from tests.godot.peers import running
from tools.godot import run_headless

LIMIT = 120.0
LINE = re.compile(r"battle (\d+), seed (\d+): (won|lost) in turn \d+ with (\d+) HP")


def play(godot: Path, project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the sample to its end."""
    return run_headless(godot, project, "res://demo/ten_battles.tscn", "--", *arguments, limit=LIMIT)


def test_ten_battles_each_with_its_line_and_a_summary(godot: Path, godot_project: Path) -> None:
    with running("gcs_server") as peer:
        address = peer.split("=")[1]
        one_by_one = play(godot, godot_project, f"--address={address}")
        at_once = play(godot, godot_project, f"--address={address}", "--at-once=4")
    for done in (one_by_one, at_once):
        assert done.returncode == 0, done.stdout
        assert engine_errors(done.stdout.splitlines(), []) == []
    lines = [LINE.fullmatch(line) for line in one_by_one.stdout.splitlines() if line.startswith("battle ")]
    assert [line and line.group(1, 2) for line in lines] == [(str(n), str(n)) for n in range(1, 11)], one_by_one.stdout
    outcomes = [line.group(3) for line in lines if line]
    told = one_by_one.stdout.splitlines()[-1]
    for outcome in set(outcomes):
        assert f"{outcomes.count(outcome)} {outcome}" in told, told
    # R8.1: four at a time are the same battles.
    battles = sorted(line for line in one_by_one.stdout.splitlines() if line.startswith("battle "))
    assert sorted(line for line in at_once.stdout.splitlines() if line.startswith("battle ")) == battles


def nothing_left(output: str) -> bool:
    """Whether the engine has nothing to complain about at its end, such as objects that nobody freed."""
    return "leaked" not in output and "ERROR" not in output


def test_battle_that_cannot_be_played_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    with running("gcs_server") as peer:
        done = play(godot, godot_project, f"--address={peer.split('=')[1]}", "--encounter=no_such", "--at-once=4")
    assert done.returncode == 1, done.stdout
    told = [line for line in done.stdout.splitlines() if line.startswith("ten_battles:")]
    assert len(told) == 1, done.stdout
    assert told[0].startswith("ten_battles: a battle cannot be played: NOT_FOUND: no encounter 'no_such' in the pack ")
    assert nothing_left(done.stdout), done.stdout


def test_server_that_is_gone_in_the_middle_of_a_battle_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    with running("gcs_server") as peer:
        _, address, number = peer.split("=")
        scene = ("res://demo/ten_battles.tscn", "--", f"--address={address}", "--battles=1000000", "--at-once=2")
        process = subprocess.Popen(
            [str(godot), "--headless", "--path", str(godot_project), *scene],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        assert process.stdout is not None
        try:
            first = next((line for line in process.stdout if line.startswith("battle ")), "")
            os.kill(int(number), signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
            output, _ = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
            process.wait()
    assert first
    assert process.returncode == 1, output
    assert len([line for line in output.splitlines() if line.startswith("ten_battles:")]) == 1, output
    assert nothing_left(output), output


def test_no_server_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    done = play(godot, godot_project, "--address=127.0.0.1:1")
    assert done.returncode == 1
    told = [line for line in done.stdout.splitlines() if line.startswith("ten_battles:")]
    assert len(told) == 1, done.stdout
    assert "no server answers there" in told[0]
    assert nothing_left(done.stdout), done.stdout


def test_wrong_argument_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    done = play(godot, godot_project, "--battles=0")
    assert done.returncode == 1
    assert "ten_battles: --battles and --at-once: expected at least 1" in done.stdout
