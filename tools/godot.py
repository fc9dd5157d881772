"""Find a Godot >= 4.4, or fetch Debian's packages of it into a per-user cache folder without touching the system.

Looked at in this order: `$GODOT`, PATH, the usual place of an app bundle, the cache folder, and on Debian and its
relatives the packages of a newer suite from the mirror that the machine's own apt sources name. Elsewhere
`GodotMissingError` says in one line what to install. `python tools/godot.py` prints the path; the version goes to
stderr.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import debian

MINIMUM = (4, 4)
NAMES = ("godot", "godot4", "Godot")
PACKAGES = ("godot", "libgl1-mesa-dri", "libegl-mesa0", "libglx-mesa0", "libgl1", "libgles2")
VERSION_TIMEOUT = 60.0
_VERSION = re.compile(r"^(\d+)\.(\d+)(?:\.(\d+))?\S*", re.MULTILINE)


class GodotMissingError(Exception):
    """No usable Godot; the message is one line that says what to install."""


@dataclass(frozen=True, slots=True)
class Godot:
    """A Godot that was started once to read its version.

    Attributes:
        path: What to execute.
        version: As the engine prints it, such as `4.6.3.stable.debian`.
        source: Where it was found: `$GODOT`, `PATH`, `application`, `cache` or the Debian suite it was fetched from.
    """

    path: Path
    version: str
    source: str


def cache_folder() -> Path:
    """The per-user folder that keeps what was fetched; `GCS_CACHE` overrides it."""
    override = os.environ.get("GCS_CACHE")
    if override:
        return Path(override)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local"))) / "gcs-battle"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "gcs-battle"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gcs-battle"


def read_version(path: Path) -> str | None:
    """The version that `path --version` prints, or None when it is no Godot that starts."""
    try:
        done = subprocess.run(
            [str(path), "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout)
    return found.group(0) if done.returncode == 0 and found else None


def is_supported(version: str) -> bool:
    """Whether a version as printed by the engine is at least `MINIMUM`."""
    found = _VERSION.match(version)
    return found is not None and (int(found.group(1)), int(found.group(2))) >= MINIMUM


def find(*, fetch: bool = True) -> Godot:
    """Find a Godot >= 4.4, fetching Debian's packages where that is possible.

    Args:
        fetch: False looks only at what is there already.

    Raises:
        GodotMissingError: There is none, or `$GODOT` names something else.
    """
    named = os.environ.get("GODOT")
    if named:
        version = read_version(Path(named))
        if version is None or not is_supported(version):
            raise GodotMissingError(f"GODOT={named} is not a Godot >= {_minimum()} (found: {version or 'nothing'})")
        return Godot(Path(named), version, "$GODOT")
    too_old: list[str] = []
    for path, source in _installed():
        version = read_version(path)
        if version is not None and is_supported(version):
            return Godot(path, version, source)
        if version is not None:
            too_old.append(f"{path} is {version}")
    root = debian_root()
    if not fetch and not (root / "godot").exists():
        raise GodotMissingError(_advice(too_old, "it was not fetched"))
    try:
        source = debian.ensure_root(root, PACKAGES, _write_launcher)
    except debian.DebianError as error:
        raise GodotMissingError(_advice(too_old, str(error))) from error
    version = read_version(root / "godot")
    if version is None or not is_supported(version):
        raise GodotMissingError(_advice(too_old, f"the one in {root} does not start or is too old ({version})"))
    return Godot(root / "godot", version, source)


def debian_root() -> Path:
    """The cache folder's copy of Debian's packages."""
    return cache_folder() / "godot"


def run_headless(godot: Path, project: Path, *arguments: str, limit: float) -> subprocess.CompletedProcess[str]:
    """Run the engine without a window, to its end.

    Args:
        godot: The engine.
        project: The folder of the project.
        arguments: What follows on the command line.
        limit: Seconds that it may take.

    Returns:
        Its exit code and, in `stdout`, all that it printed, errors included.

    Raises:
        TimeoutExpired: It took longer and was killed.
    """
    return subprocess.run(
        [str(godot), "--headless", "--path", str(project), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=limit,
        check=False,
    )


def software_rendering() -> dict[str, str]:
    """Environment variables that make Mesa render on the CPU, for screenshots on machines without a graphics card."""
    return {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}


def _installed() -> list[tuple[Path, str]]:
    found = [(Path(path), "PATH") for path in (shutil.which(name) for name in NAMES) if path]
    bundle = Path("/Applications/Godot.app/Contents/MacOS/Godot")
    if sys.platform == "darwin" and bundle.exists():
        found.append((bundle, "application"))
    return found


def _write_launcher(root: Path) -> None:
    """Write `root/godot`, which starts the unpacked engine with the loader and libraries it was built against.

    The drivers must come from the same suite as the libraries, so the launcher points Mesa and glvnd at the folder.
    """
    libraries = debian.library_folder(root)
    loader = debian.loader(root).relative_to(root)
    place = libraries.relative_to(root)
    script = root / "godot"
    script.write_text(
        "#!/bin/sh\n"
        'here=$(dirname "$(readlink -f "$0")")\n'
        f'export LIBGL_DRIVERS_PATH="$here/{place}/dri"\n'
        'export __EGL_VENDOR_LIBRARY_DIRS="$here/usr/share/glvnd/egl_vendor.d"\n'
        f'exec "$here/{loader}" --library-path "$here/{place}:$here/{place}/pulseaudio" "$here/usr/bin/godot" "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)


def _minimum() -> str:
    return ".".join(map(str, MINIMUM))


def _advice(too_old: list[str], why: str) -> str:
    where = {
        "darwin": "install Godot from its download page or with `brew install --cask godot`",
        "win32": "install Godot from its download page or with `winget install GodotEngine.GodotEngine`",
    }.get(sys.platform, "install Godot from its download page or your distribution")
    old = f"; {', '.join(too_old)}" if too_old else ""
    return f"no Godot >= {_minimum()} on {platform.system()} ({why}{old}): {where}, put it on PATH or set GODOT"


def main(arguments: list[str] | None = None) -> int:
    """Print the path of a usable Godot; exit code 1 when there is none."""
    parser = argparse.ArgumentParser(description="Find a Godot >= 4.4 or fetch Debian's, and print its path.")
    parser.add_argument("--no-fetch", action="store_true", help="only look at what is there already")
    options = parser.parse_args(arguments)
    try:
        godot = find(fetch=not options.no_fetch)
    except GodotMissingError as error:
        print(f"godot: {error}", file=sys.stderr)
        return 1
    print(f"godot: {godot.version} ({godot.source})", file=sys.stderr)
    print(godot.path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
