"""`make play`: server and battle end together, the exit code of the game comes through, no Godot means the terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import play

SERVE = """
import os, sys, time
print(os.getpid(), file=open(PIDFILE, "w"), flush=True)
print("starting", flush=True)
print("gcs: listening on 127.0.0.1:4711", flush=True)
time.sleep(600)
"""
GODOT = """
import json, sys
if "--version" in sys.argv:
    print("4.5.stable")
    sys.exit(0)
print(json.dumps(sys.argv[1:]), file=open(CALLS, "a"))
sys.exit(0 if "--import" in sys.argv else 7)
"""


def write_program(path: Path, body: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{body}", encoding="utf-8")
    path.chmod(0o755)
    return path


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def gcs(tmp_path: Path) -> Path:
    """A `gcs` that says that it listens and then waits."""
    return write_program(tmp_path / "gcs", SERVE.replace("PIDFILE", repr(str(tmp_path / "pid"))))


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a `$GODOT` that ends with 7 was called with, one line a call."""
    path = tmp_path / "calls"
    program = write_program(tmp_path / "engine", GODOT.replace("CALLS", repr(str(path))))
    monkeypatch.setenv("GODOT", str(program))
    return path


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these always have a display")
@pytest.mark.parametrize(("display", "scene"), [("", play.TRACE_SCENE), (":9", play.WINDOW_SCENE)])
def test_the_exit_code_of_the_game_comes_through_and_the_server_stops(
    display: str, scene: str, gcs: Path, calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert play.play(gcs, tmp_path / "project") == 7
    imported, played = calls.read_text(encoding="utf-8").splitlines()
    assert "--import" in imported
    assert scene in played
    assert "--address=127.0.0.1:4711" in played
    assert ("--headless" in played) == (scene == play.TRACE_SCENE)
    assert not is_running(int((tmp_path / "pid").read_text(encoding="utf-8")))


def test_the_server_stops_when_the_battle_breaks_off(gcs: Path, tmp_path: Path) -> None:
    def break_off() -> None:
        with play.server(gcs) as address:
            assert address == "127.0.0.1:4711"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()
    assert not is_running(int((tmp_path / "pid").read_text(encoding="utf-8")))


def test_a_server_that_ends_at_once_is_an_error(tmp_path: Path) -> None:
    broken = write_program(tmp_path / "gcs", "import sys\nsys.exit(3)\n")
    with pytest.raises(play.PlayError, match=r"instead of listening \(exit code 3\)"), play.server(broken):
        pytest.fail("the block must not run")


def test_without_godot_the_battle_is_played_in_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GODOT", str(tmp_path / "nothing"))
    terminal = write_program(tmp_path / "gcs", "import sys\nprint(sys.argv[1:])\nsys.exit(5)\n")
    assert play.play(terminal, tmp_path) == 5
    captured = capfd.readouterr()
    assert captured.out == "['play', '--bot', 'random']\n"
    assert len(captured.err.splitlines()) == 1
