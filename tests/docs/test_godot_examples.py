"""The GDScript in the pages, run in a project that has nothing but the addon and the example, as a newcomer's would."""

from __future__ import annotations

import os
import queue
import re
import shutil
import subprocess
import sysconfig
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.testing.process import ServerProcess
from tests.docs.pages import ROOT, Block, blocks_of, pages_with_examples
from tests.godot.gdscript import import_project
from tools.godot import run_headless

EXAMPLE_LIMIT = 60.0
EXAMPLES = {
    block.file: block for page in pages_with_examples() for block in blocks_of(page) if block.language == "gdscript"
}
# What each example prints sooner or later; a pattern for a whole line.
PRINTS = {
    "first_turn.gd": [r"on_card_played of \w+", r"(player|enemy0): \d+ -> \d+"],
    "connect_with_token.gd": [r"connecting to grpcs://localhost:8443"],
    "own_server.gd": [r"server at grpc://127\.0\.0\.1:\d+", r"battle of first_fight"],
    "thunder.gd": [r"weathercock comes to the hand"],
    "storm.gd": [
        r"\d graphs heard the thunder",
        r'thunder: expected an int of 32 bits, got String \("loud"\)',
        r"cancelled: true",
    ],
}
_TROUBLE = re.compile(r"^(USER |SCRIPT )*(ERROR|WARNING): ")


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess() as running:
        yield running


@pytest.fixture(scope="module")
def project(godot: Path, server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The addon, the strict warnings of this repository, and every example with a scene that starts it."""
    folder = tmp_path_factory.mktemp("newcomer")
    source = ROOT / "godot_project"
    shutil.copytree(source / "addons", folder / "addons")
    settings = (source / "project.godot").read_text(encoding="utf-8")
    # These two are about the demo.
    settings = re.sub(r"^(run/main_scene|theme/custom)=.*\n", "", settings, flags=re.MULTILINE)
    settings += f'\n[gcs]\n\nconnection/address="grpc://{server.address}"\n'
    (folder / "project.godot").write_text(settings, encoding="utf-8")
    for name, block in EXAMPLES.items():
        (folder / name).write_text(block.text, encoding="utf-8")
        scene = (
            "[gd_scene load_steps=2 format=3]\n\n"
            f'[ext_resource type="Script" path="res://{name}" id="1"]\n\n'
            '[node name="Example" type="Node"]\nscript = ExtResource("1")\n'
        )
        (folder / name).with_suffix(".tscn").write_text(scene, encoding="utf-8")
    import_project(godot, folder)
    # What docs/godot-editor.md tells to do before its example.
    script = ["--script", "addons/gcs/editor/import_ges_events.gd", "--", "--pack", str(ROOT / "packs" / "starter")]
    done = run_headless(godot, folder, *script, limit=EXAMPLE_LIMIT)
    assert done.returncode == 0, done.stdout
    return folder


def test_every_example_says_what_it_prints() -> None:
    assert sorted(EXAMPLES) == sorted(PRINTS)


@pytest.mark.parametrize("block", EXAMPLES.values(), ids=lambda block: block.file)
def test_the_example_does_what_the_page_says(block: Block, godot: Path, project: Path) -> None:
    missing = list(PRINTS[block.file])
    lines: list[str] = []
    for line in run_scene(godot, project, block.file.replace(".gd", ".tscn")):
        lines.append(line)
        missing = [pattern for pattern in missing if not re.fullmatch(pattern, line)]
        if not missing or _TROUBLE.match(line):
            break
    output = "\n".join(lines)
    assert not [line for line in lines if _TROUBLE.match(line)], f"{block.place}:\n{output}"
    assert not missing, f"{block.place} does not print {missing}:\n{output}"


def run_scene(godot: Path, project: Path, scene: str) -> Iterator[str]:
    """The lines that a scene prints, until it ends or its time is up; then it is stopped."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    process = subprocess.Popen(
        [str(godot), "--headless", "--path", str(project), f"res://{scene}"],
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    lines: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    deadline = time.monotonic() + EXAMPLE_LIMIT
    try:
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = lines.get(timeout=left)
            except queue.Empty:
                return
            if line is None:
                return
            yield line.rstrip("\n")
    finally:
        process.kill()
        process.wait()
        reader.join(timeout=10)
        if process.stdout is not None:
            process.stdout.close()


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    if process.stdout is not None:
        for line in process.stdout:
            lines.put(line)
    lines.put(None)
