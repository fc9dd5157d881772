"""Take the picture of the editor's dock that the docs show: `python tools/dock_picture.py`.

Starts a server, and the editor on a screen of its own with a project that holds the addon and a plugin which plays a
card and takes the picture.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __package__ in (None, ""):
    sys.path.insert(0, str(ROOT))

from tools.display import DisplayError, virtual_display  # noqa: E402 - the repository is on the path from here on
from tools.godot import GodotMissingError, find  # noqa: E402
from tools.play import PlayError, import_project, server  # noqa: E402

PICTURE = ROOT / "docs" / "images" / "dock.png"
LIMIT = 180.0
PROJECT = """config_version=5

[application]

config/name="Dock"

[autoload]

Gcs="*res://addons/gcs/gcs.gd"

[gcs]

connection/address="grpc://{address}"

[editor_plugins]

enabled=PackedStringArray({plugins})

[rendering]

renderer/rendering_method="gl_compatibility"
"""


def take(gcs: Path, out: Path) -> None:
    """Take the picture.

    Args:
        gcs: The installed `gcs` command.
        out: The file that it is written to.

    Raises:
        PlayError: The server or the editor failed.
    """
    godot = find().path
    with tempfile.TemporaryDirectory() as scratch, server(gcs) as address, virtual_display() as environment:
        project = Path(scratch)
        shutil.copytree(ROOT / "godot_project" / "addons" / "gcs", project / "addons" / "gcs")
        shutil.copytree(ROOT / "tools" / "dock_picture", project / "addons" / "dock_picture")
        write_settings(project, address, ["gcs"])
        import_project(godot, project)
        write_settings(project, address, ["gcs", "dock_picture"])
        command = [str(godot), "--editor", "--path", str(project), "--rendering-driver", "opengl3"]
        command += ["--audio-driver", "Dummy", "--resolution", "1280x720"]
        try:
            done = subprocess.run(command, env={**os.environ, **environment}, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired as error:
            raise PlayError(f"the editor did not finish within {error.timeout:.0f} s") from error
        if done.returncode != 0 or not (project / "dock.png").exists():
            raise PlayError(f"the editor ended with exit code {done.returncode} and took no picture")
        shutil.copyfile(project / "dock.png", out)


def write_settings(project: Path, address: str, plugins: list[str]) -> None:
    """Write the project's settings with the plugins that the editor starts."""
    listed = ", ".join(f'"res://addons/{plugin}/plugin.cfg"' for plugin in plugins)
    text = PROJECT.format(address=address, plugins=listed)
    (project / "project.godot").write_text(text, encoding="utf-8")


def main() -> int:
    """Take the picture and return the exit code."""
    parser = argparse.ArgumentParser(description="Take the picture of the editor's dock that the docs show.")
    parser.add_argument("--gcs", type=Path, default=Path(sys.executable).parent / "gcs", help="the gcs command")
    parser.add_argument("--out", type=Path, default=PICTURE, help="the picture (docs/images/dock.png)")
    options = parser.parse_args()
    try:
        take(options.gcs, options.out)
    except (PlayError, DisplayError, GodotMissingError) as error:
        print(f"dock_picture: {error}", file=sys.stderr)
        return 1
    print(f"wrote {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
