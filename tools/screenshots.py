"""Take the pictures of the demo that the docs show: `python tools/screenshots.py`.

Starts a server and the demo's scene `screenshots.tscn`, which plays into fixed states, on a screen of its own. The
pictures go to `docs/images/`; `--all` takes every state, `--out` and `--size` look at it elsewhere or larger.
`--record` takes those anew that tests compare with.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __package__ in (None, ""):
    sys.path.insert(0, str(ROOT))

from tools.display import DisplayError, virtual_display  # noqa: E402 - the repository is on the path from here on
from tools.godot import GodotMissingError, find  # noqa: E402
from tools.play import PlayError, import_project, server  # noqa: E402

PROJECT = ROOT / "godot_project"
SCENE = "res://demo/screenshots.tscn"
IMAGES = ROOT / "docs" / "images"
SHOWN = ("battle", "choice", "trace", "weather")
"""The states whose pictures the docs use."""
RECORDED = ROOT / "tests" / "godot" / "screenshots"
RECORDED_SIZE = "640x360"
RECORDED_STATES = ("menu", "aim", "details", "trace", "choice", "piles", "enemies", "settings", "victory", "lost")
"""The states whose pictures tests compare with recorded ones."""
LIMIT = 600.0
FRAMES_A_SECOND = "12"
"""Of the engine's clock. Few, for each is drawn on the CPU."""


def take(
    gcs: Path, folder: Path, size: str = "1280x720", only: str = "", interface: str = "Normal", lively: bool = False
) -> None:
    """Take a picture of every state of the demo.

    The engine's clock goes by frames, not by the time of day: on a slow machine the same moments are in the pictures.

    Args:
        gcs: The installed `gcs` command.
        folder: Where the pictures go, one PNG a state.
        size: The window, as `WIDTHxHEIGHT`.
        only: Some states instead of all, separated by commas.
        interface: The size of the interface, as the demo's settings name it: Small, Normal or Large.
        lively: Whether figures breathe and water glints; still pictures compare better.

    Raises:
        PlayError: The server or the demo failed.
    """
    godot = find().path
    import_project(godot, PROJECT)
    with server(gcs) as address:
        options = [f"--address={address}", f"--out={folder}", f"--size={interface}"]
        options += [f"--only={only}"] if only else []
        options += ["--lively"] if lively else []
        run_on_screen(godot, PROJECT, SCENE, size, options, engine=("--fixed-fps", FRAMES_A_SECOND, "--disable-vsync"))


def run_on_screen(
    godot: Path, project: Path, scene: str, size: str, options: Sequence[str], engine: Sequence[str] = ()
) -> None:
    """Run a scene to its end on a screen of its own.

    Args:
        godot: The engine.
        project: The folder of the project, imported.
        scene: The scene, `res://...`.
        size: The window, as `WIDTHxHEIGHT`.
        options: What the scene is told.
        engine: What the engine is told beside that.

    Raises:
        PlayError: It failed or took too long.
        DisplayError: There is no screen.
    """
    command = [str(godot), "--path", str(project), "--rendering-driver", "opengl3", "--audio-driver", "Dummy"]
    with virtual_display() as environment:
        try:
            done = subprocess.run(
                [*command, *engine, "--resolution", size, scene, "--", *options],
                env={**os.environ, **environment},
                timeout=LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise PlayError(f"{scene} did not finish within {error.timeout:.0f} s") from error
    if done.returncode != 0:
        raise PlayError(f"{scene} ended with exit code {done.returncode}")


def record(gcs: Path) -> None:
    """Take the pictures anew that tests compare with.

    Args:
        gcs: The installed `gcs` command.

    Raises:
        PlayError: The server or the demo failed.
    """
    from PIL import Image  # only here, for `make play` does without

    with tempfile.TemporaryDirectory() as scratch:
        take(gcs, Path(scratch), RECORDED_SIZE, ",".join(RECORDED_STATES))
        RECORDED.mkdir(parents=True, exist_ok=True)
        for state in RECORDED_STATES:
            with Image.open(Path(scratch) / f"{state}.png") as picture:
                picture.convert("RGB").save(RECORDED / f"{state}.png", optimize=True)
            print(f"wrote {RECORDED / state}.png")


def main() -> int:
    """Take the pictures and return the exit code."""
    parser = argparse.ArgumentParser(description="Take the pictures of the demo that the docs show.")
    parser.add_argument("--gcs", type=Path, default=Path(sys.executable).parent / "gcs", help="the gcs command")
    parser.add_argument("--out", type=Path, default=IMAGES, help="the folder for the pictures (docs/images)")
    parser.add_argument("--size", default="1280x720", help="the window, WIDTHxHEIGHT (1280x720)")
    parser.add_argument("--only", default="", help="some states instead of all, as NAME,NAME")
    parser.add_argument("--interface", default="Normal", help="the size of the interface: Small, Normal or Large")
    parser.add_argument("--all", action="store_true", help="take the states that the docs do not show, too")
    parser.add_argument("--record", action="store_true", help="take those anew that tests compare with")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            if options.record:
                record(options.gcs)
                return 0
            only = options.only or ("" if options.all else ",".join(SHOWN))
            take(options.gcs, Path(scratch), options.size, only, options.interface, lively=True)
        except (PlayError, DisplayError, GodotMissingError) as error:
            print(f"screenshots: {error}", file=sys.stderr)
            return 1
        options.out.mkdir(parents=True, exist_ok=True)
        for picture in sorted(Path(scratch).glob("*.png")):
            shutil.copyfile(picture, options.out / picture.name)
            print(f"wrote {options.out / picture.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
