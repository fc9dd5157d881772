"""An exported game plays: against a server elsewhere, and with a bundled one and no Python (issue: export, shipping).

A machine on which no export template can be had fails these tests, as one without Godot does.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runtime.packs import installed_packs
from tests.godot.gdscript import import_project
from tests.godot.peers import running
from tools import bundle, export
from tools.godot import find

LIMIT = 120.0
# Neither Python nor anything else: what the game and its server need has to be in their folder.
NO_PATH = "/nowhere"
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the presets are for Linux")


@pytest.fixture(scope="module")
def project(godot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of its own: while it exports, the editor writes what other tests' games read."""
    copy = tmp_path_factory.mktemp("project") / "godot_project"
    shutil.copytree(export.PROJECT, copy, ignore=shutil.ignore_patterns(".godot"))
    import_project(godot, copy)
    return copy


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, project: Path) -> Path:
    """The demo, exported with the ten battles as its main scene."""
    return export.export(find(), tmp_path_factory.mktemp("game"), "Linux, ten battles", project)


@pytest.fixture(scope="module")
def bundled(game: Path) -> Path:
    """The game with the server in its folder."""
    bundle.build(game.parent, [installed_packs()["starter"]])
    return game


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {**kept, "PATH": NO_PATH}


def play(game: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*export.command(game), "--headless", "--", *arguments],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )


def test_exported_game_plays_against_a_running_server(game: Path) -> None:
    with running("gcs_server") as peer:
        done = play(game, f"--address={peer.split('=')[1]}", "--battles=2")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^2 battles: ", done.stdout, re.MULTILINE), done.stdout
    assert "ERROR" not in done.stdout, done.stdout


def test_exit_code_of_an_exported_game_tells_that_it_could_not_play(game: Path) -> None:
    done = play(game, "--address=127.0.0.1:1")
    assert done.returncode == 1
    assert "ten_battles: 127.0.0.1:1: no server answers there" in done.stdout, done.stdout


def test_export_leaves_out_tests_and_what_only_the_editor_needs(game: Path) -> None:
    pack = game.with_suffix(".pck").read_bytes()
    # A name in the pack's directory; the list of class names, another file in it, writes them with res://.
    stored = {name.decode() for name in re.findall(rb"(?<!res://)\b(?:addons|demo|tests)/[\w./]+", pack)}
    assert any(name.startswith("addons/gcs/gcs.gd") for name in stored)
    assert any(name.startswith("demo/battle.tscn") for name in stored)
    unwanted = ("tests/", "demo/screenshots", "addons/gcs/plugin.gd", "addons/gcs/editor/")
    assert not [name for name in stored if name.startswith(unwanted)]


def test_exported_game_without_its_server_says_what_is_missing(game: Path) -> None:
    if (game.parent / bundle.NAME).exists():
        pytest.fail("runs before the server is bundled")
    done = play(game, "--local-server")
    assert done.returncode == 1
    assert "ten_battles: no server is shipped with this game: expected " in done.stdout, done.stdout


def test_exported_game_plays_on_the_server_in_its_folder_without_python(bundled: Path) -> None:
    done = play(bundled, "--local-server", "--battles=2")
    assert done.returncode == 0, done.stdout
    assert re.search(r"^server: grpc://127\.0\.0\.1:\d+, process \d+$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^2 battles: ", done.stdout, re.MULTILINE), done.stdout
    assert "ERROR" not in done.stdout, done.stdout


def test_bundled_server_ends_with_a_game_that_is_killed(bundled: Path) -> None:
    process = subprocess.Popen(
        [*export.command(bundled), "--headless", "--", "--local-server", "--battles=1000000"],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        output = ""
        while not (found := re.search(r"^server: grpc://127\.0\.0\.1:(\d+),", output, re.MULTILINE)):
            line = process.stdout.readline()
            assert line, output
            output += line
        with socket.create_connection(("127.0.0.1", int(found.group(1))), timeout=LIMIT) as connection:
            # The server greets; that this connection ends tells that the server has.
            assert connection.recv(65536)
            process.kill()
            while connection.recv(65536):
                pass
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_exported_demo_starts_the_server_in_its_folder(bundled: Path, project: Path, tmp_path: Path) -> None:
    game = export.export(find(), tmp_path, project=project)
    (tmp_path / bundle.NAME).symlink_to(bundled.parent / bundle.NAME)
    server = os.fsencode(tmp_path / bundle.NAME / bundle.NAME)
    process = subprocess.Popen(
        [*export.command(game), "--headless"], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        assert _runs(server, True)
    finally:
        process.kill()
        process.wait()
    assert _runs(server, False)


def _runs(program: bytes, wanted: bool) -> bool:
    """Waits until a process of `program` is there, or none is any more; gives whether that came."""
    limit = time.monotonic() + LIMIT
    while time.monotonic() < limit:
        lines = (_command_line(folder) for folder in Path("/proc").glob("[0-9]*"))
        if wanted == any(line.startswith(program + b"\0") for line in lines):
            return True
        time.sleep(0.1)
    return False


def _command_line(folder: Path) -> bytes:
    try:
        return (folder / "cmdline").read_bytes()
    except OSError:  # It has just ended.
        return b""


def test_bundle_knows_its_packs_and_the_whole_command(bundled: Path, tmp_path: Path) -> None:
    executable = bundled.parent / bundle.NAME / bundle.NAME

    def gcs(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(executable), *arguments],
            env=environment(),
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )

    played = gcs("play", "starter", "--seed", "7", "--bot", "greedy")
    assert played.returncode == 0, played.stderr
    here = subprocess.run(
        [sys.executable, "-m", "bridge.cli", "play", "starter", "--seed", "7", "--bot", "greedy"],
        capture_output=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=True,
    )
    assert played.stdout == here.stdout
    checked = gcs("check", "starter", "--json")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_pack_that_is_none_is_not_bundled(tmp_path: Path) -> None:
    with pytest.raises(bundle.BundleError, match="is no pack"):
        bundle.build(tmp_path, [tmp_path])
