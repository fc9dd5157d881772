"""Make the project of docs/first-battle.md as its reader would, play it, and take the pictures of the page.

`python tools/first_battle.py` writes the pictures to `docs/images/`. The files of the project come from the page.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __package__ in (None, ""):
    sys.path.insert(0, str(ROOT))

from tests.docs.pages import blocks_of  # noqa: E402 - the repository is on the path from here on
from tools.display import DisplayError  # noqa: E402
from tools.godot import GodotMissingError, find  # noqa: E402
from tools.play import PlayError, import_project, server  # noqa: E402
from tools.screenshots import run_on_screen  # noqa: E402

PAGE = ROOT / "docs" / "first-battle.md"
IMAGES = ROOT / "docs" / "images"
PLAYER = Path(__file__).with_name("press_buttons.gd")
SCENE = "res://press_buttons.tscn"
_PLAYER_SCENE = """[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://press_buttons.gd" id="1"]

[node name="PressButtons" type="Node"]
script = ExtResource("1")
"""


def make_project(godot: Path, folder: Path, address: str, warnings: str = "") -> None:
    """Make the project of the page in an empty folder, with a scene beside it that plays it.

    Args:
        godot: The engine, which imports the project.
        folder: The folder.
        address: Where the server listens, `HOST:PORT`.
        warnings: Further lines for `project.godot`, for tests.

    Raises:
        PlayError: Godot could not import the project.
    """
    shutil.copytree(ROOT / "godot_project" / "addons", folder / "addons")
    for block in blocks_of(PAGE):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
    with (folder / "project.godot").open("a", encoding="utf-8") as settings:
        settings.write(f'\n[gcs]\n\nconnection/address="grpc://{address}"\n{warnings}')
    shutil.copyfile(PLAYER, folder / PLAYER.name)
    (folder / "press_buttons.tscn").write_text(_PLAYER_SCENE, encoding="utf-8")
    import_project(godot, folder)


def take(gcs: Path, folder: Path) -> None:
    """Take the pictures of the page.

    Args:
        gcs: The installed `gcs` command.
        folder: Where the pictures go.

    Raises:
        PlayError: The server or the scene failed.
    """
    godot = find().path
    with server(gcs) as address, tempfile.TemporaryDirectory() as scratch:
        project = Path(scratch)
        make_project(godot, project, address)
        run_on_screen(godot, project, SCENE, "960x300", [f"--out={folder.resolve()}"])


def main() -> int:
    """Take the pictures and return the exit code."""
    parser = argparse.ArgumentParser(description="Take the pictures of docs/first-battle.md.")
    parser.add_argument("--gcs", type=Path, default=Path(sys.executable).parent / "gcs", help="the gcs command")
    parser.add_argument("--out", type=Path, default=IMAGES, help="the folder for the pictures (docs/images)")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        take(options.gcs, options.out)
    except (PlayError, DisplayError, GodotMissingError) as error:
        print(f"first_battle: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
