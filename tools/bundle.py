"""Build `gcs` as one folder that needs no Python, to be shipped beside a game: `python -m tools.bundle`.

The folder holds the executable, what it runs on, the packs, and every installed package that brings nodes or GES
plugins. It is built by PyInstaller for the system it is built on; there is no cross-building.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import entry_points
from pathlib import Path

from bridge.ges import plugins
from runtime import nodes
from runtime.content.reading import PACK_FILE
from runtime.packs import installed_packs

ROOT = Path(__file__).resolve().parents[1]
NAME = "gcs"
DEFAULT_PACK = "starter"
BUILD_LIMIT = 600.0
# Where `runtime.packs` looks for the packs of an installation.
PACKS_PLACE = "bridge/packs"
PLUGIN_GROUPS = (nodes.ENTRY_POINT_GROUP, plugins.ENTRY_POINT_GROUP)
# Importable through others, and of no use to a server.
LEFT_OUT = ("tkinter", "IPython", "pytest", "setuptools", "pip", "grpc_tools")


class BundleError(Exception):
    """The bundle could not be built; the message says why."""


def build(target: Path, packs: Iterable[Path]) -> Path:
    """Builds the folder `target/gcs`, in place of one that is there.

    Args:
        target: Where to make the folder.
        packs: Folders of the packs that the server has; each is found by its folder's name.

    Returns:
        The executable.

    Raises:
        BundleError: A pack is none, or PyInstaller failed; the message holds its last lines.
    """
    data: list[str] = []
    for pack in packs:
        if not (pack / PACK_FILE).is_file():
            raise BundleError(f"{pack} is no pack: it has no {PACK_FILE}")
        data += ["--add-data", f"{pack.resolve()}{os.pathsep}{PACKS_PLACE}/{pack.resolve().name}"]
    with tempfile.TemporaryDirectory(prefix="gcs-bundle-") as scratch:
        command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--onedir", "--name", NAME]
        command += ["--log-level", "WARN", "--paths", str(ROOT), "--distpath", str(target.resolve())]
        command += ["--workpath", scratch, "--specpath", scratch, *data, *_plugin_options()]
        command += [part for module in LEFT_OUT for part in ("--exclude-module", module)]
        _run([*command, str(ROOT / "bridge" / "cli" / "__main__.py")])
    return target / NAME / (f"{NAME}.exe" if sys.platform == "win32" else NAME)


def _plugin_options() -> list[str]:
    """What makes PyInstaller take along the packages that are found by entry point, which no import names."""
    options: list[str] = []
    for group in PLUGIN_GROUPS:
        for point in entry_points(group=group):
            options += ["--hidden-import", point.module]
            if point.dist is not None:
                options += ["--copy-metadata", point.dist.name]
    return options


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=BUILD_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise BundleError(f"PyInstaller did not end within {error.timeout:.0f} s") from error
    if done.returncode != 0:
        raise BundleError(f"PyInstaller failed:\n{''.join(done.stdout.splitlines(keepends=True)[-20:])}")


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def main(arguments: list[str] | None = None) -> int:
    """Build the folder and print the path of its executable; exit code 1 when that fails."""
    parser = argparse.ArgumentParser(prog="python -m tools.bundle", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--target", type=Path, default=ROOT / "dist", help="where to make the folder gcs")
    parser.add_argument(
        "--pack",
        type=Path,
        action="append",
        metavar="DIR",
        help="a pack's folder to put in, may be repeated (default: the sample pack)",
    )
    options = parser.parse_args(arguments)
    try:
        executable = build(options.target, options.pack or [installed_packs()[DEFAULT_PACK]])
    except BundleError as error:
        print(f"bundle: {error}", file=sys.stderr)
        return 1
    print(f"bundle: {size_of(executable.parent) / 1e6:.0f} MB", file=sys.stderr)
    print(executable)
    return 0


if __name__ == "__main__":
    sys.exit(main())
