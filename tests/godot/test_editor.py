"""The addon in a real editor: enabled, used through the dock, and disabled without leaving anything behind."""

from __future__ import annotations

import json
import os
import select
import shutil
import socket
import subprocess
import sysconfig
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.godot.gdscript import engine_errors, import_project

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120.0
MARK = "@probe "
GCS = Path(sysconfig.get_path("scripts")) / "gcs"
EVENT = {"id": "thunder", "guid": "5e4f8a10-33b7-4a52-8d1c-7f0e6b9a2c34", "argument": "int"}
CARD = {"id": "tap", "name": "Tap", "cost": 0, "target": "enemy", "graph": {"nodes": [], "links": []}}


PRESET = """[preset.0]

name="Linux"
platform="Linux"
runnable=true
export_filter="all_resources"
export_path="game.x86_64"

[preset.0.options]

binary_format/architecture="x86_64"
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def project(godot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the addon, the probe and a pack of its own that has one warning."""
    folder = tmp_path_factory.mktemp("editor")
    shutil.copytree(ROOT / "godot_project" / "addons" / "gcs", folder / "addons" / "gcs")
    shutil.copytree(ROOT / "tests" / "godot" / "editor_probe", folder / "addons" / "probe")
    files: dict[str, dict[str, Any]] = {"pack.json": {"id": "tiny", "name": "Tiny", "version": "1.0.0"}}
    files |= {"events/thunder.json": EVENT, "cards/tap.json": CARD}
    for name, asset in files.items():
        path = folder / "tiny" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asset), encoding="utf-8")
    (folder / "project.godot").write_text(
        "config_version=5\n\n"
        '[application]\n\nconfig/name="Editor"\n\n'
        '[autoload]\n\nGcs="*res://addons/gcs/gcs.gd"\n\n'
        f'[gcs]\n\nconnection/address="grpc://127.0.0.1:{free_port()}"\n'
        f'editor/server_command="{GCS.as_posix()}"\neditor/pack_folder="res://tiny"\n\n'
        '[editor_plugins]\n\nenabled=PackedStringArray("res://addons/gcs/plugin.cfg", "res://addons/probe/plugin.cfg")\n',
        encoding="utf-8",
    )
    import_project(godot, folder)
    return folder


def test_dock_in_a_real_editor(godot: Path, project: Path) -> None:
    done = subprocess.run(
        [str(godot), "--headless", "--editor", "--path", str(project)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        timeout=LIMIT,
        check=False,
    )
    steps = [json.loads(line.removeprefix(MARK)) for line in done.stdout.splitlines() if line.startswith(MARK)]
    wrong = [step for step in steps if not step["ok"]]
    assert not wrong, f"{wrong}\n{done.stdout}"
    assert steps, done.stdout
    assert steps[-1]["what"] == "done", done.stdout
    assert done.returncode == 0, done.stdout
    assert engine_errors(done.stdout.splitlines(), []) == []
    pid = int(next(step["detail"] for step in steps if step["what"] == "pid"))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_server_of_the_dock_ends_with_an_editor_that_is_killed(godot: Path, project: Path) -> None:
    editor = subprocess.Popen(
        [str(godot), "--headless", "--editor", "--path", str(project), "--", "--leave-server"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    )
    # One that never says anything is killed all the same.
    watch = threading.Timer(LIMIT, editor.kill)
    watch.start()
    with editor:
        assert editor.stdout is not None
        lines = (line for line in editor.stdout if line.startswith(MARK))
        steps = (json.loads(line.removeprefix(MARK)) for line in lines)
        step = next((step for step in steps if step["what"] in ("pid", "done")), {"what": "nothing"})
        # Opened while it runs: afterwards its number may be another's.
        server = os.pidfd_open(int(step["detail"])) if step["what"] == "pid" else -1
        watch.cancel()
        editor.kill()
    assert server >= 0, step
    # Its end is seen as soon as it comes.
    ended, _, _ = select.select([server], [], [], LIMIT)
    os.close(server)
    assert ended == [server], "the server outlives its editor"


def test_events_are_imported_without_the_editor(godot: Path, project: Path) -> None:
    script = "addons/gcs/editor/import_ges_events.gd"
    command = [str(godot), "--headless", "--path", str(project), "--script", script, "--"]

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
        assert engine_errors(done.stdout.splitlines(), []) == []
        return done.returncode, done.stdout

    pack = str(ROOT / "packs" / "starter")
    code, output = run("--pack", pack, "--out", "res://events")
    assert code == 0, output
    assert "6 events of starter: 6 new, 0 changed, 0 as before" in output
    before = {path.name: path.read_bytes() for path in (project / "events").iterdir()}
    assert sorted(before) == [f"{name}.tres" for name in ("card_cue", "death_toll", "flash", "rain", "roar", "thunder")]
    assert all(b' uid="uid://' in text for text in before.values())
    code, output = run("--pack", pack, "--out", "res://events")
    assert (code, "6 events of starter: 0 new, 0 changed, 6 as before" in output) == (0, True), output
    assert {path.name: path.read_bytes() for path in (project / "events").iterdir()} == before
    code, output = run("--pakc", pack)
    assert (code, "unknown argument or no value: --pakc" in output) == (2, True), output


def test_exported_games_hold_nothing_of_the_editor_side(godot: Path, project: Path) -> None:
    (project / "export_presets.cfg").write_text(PRESET, encoding="utf-8")
    done = subprocess.run(
        [str(godot), "--headless", "--path", str(project), "--export-pack", "Linux", "game.zip"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    with zipfile.ZipFile(project / "game.zip") as game:
        held = [name for name in game.namelist() if name.startswith("addons/gcs/")]
    assert "addons/gcs/ges/ges_listener.gd.remap" in held
    assert [name for name in held if "/editor/" in name or "/plugin." in name] == []
