"""The virtual screen: a real Godot renders on it, and it is gone afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tools.display import virtual_display

FIXTURE = Path(__file__).with_name("display_fixture")

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the real screen is used")


def accepts_clients(display: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(f"\0/tm{'p'}/.X11-unix/X{display.removeprefix(':')}")
        except ConnectionRefusedError:
            return False
    return True


def test_godot_renders_on_the_virtual_screen(godot: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(FIXTURE, project)
    with virtual_display() as environment:
        display = environment["DISPLAY"]
        assert accepts_clients(display)
        done = subprocess.run(
            [str(godot), "--path", str(project), "--rendering-driver", "opengl3", "--audio-driver", "Dummy"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "picture (320, 180) ff0000" in done.stdout
    assert not accepts_clients(display)
