"""Export the demo as a Linux game: `python -m tools.export FOLDER`; with `--bundle` its own server comes along.

Needs an export template of the editor's version. Templates that the editor has installed are taken; on Debian the
package of the suite that Godot was fetched from is unpacked into the cache folder. A game made of Debian's template
needs that suite's libraries: `command` starts it with those of the cache folder. Players get games made of the
official templates, which run on any Linux.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from runtime.packs import installed_packs
from tools import bundle, debian
from tools.godot import Godot, GodotMissingError, cache_folder, find, read_version
from tools.play import PlayError, import_project

PROJECT = Path(__file__).resolve().parents[1] / "godot_project"
GAME = "gcs_demo.x86_64"
PRESETS = ("Linux", "Linux, ten battles")
TEMPLATE = "linux_release.x86_64"
TEMPLATE_PACKAGE = "godot-template-release"
EXPORT_LIMIT = 300.0
_RELEASE = re.compile(r"\d+\.\d+(?:\.\d+)?\.[a-z]+\d*")


class ExportError(Exception):
    """The game could not be exported; the message says why."""


def export(godot: Godot, folder: Path, preset: str = PRESETS[0], project: Path = PROJECT) -> Path:
    """Exports the demo, which has to be imported already.

    Args:
        godot: The editor.
        folder: Where to put the game; made when it is not there.
        preset: The name of a preset of `export_presets.cfg`.
        project: The demo's folder.

    Returns:
        The game's executable; start it with `command`.

    Raises:
        ExportError: There is no template of the editor's version, or Godot failed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    game = folder.resolve() / GAME
    with data_folder(godot) as environment:
        arguments = ["--headless", "--path", str(project), "--export-release", preset, str(game)]
        try:
            done = subprocess.run(
                [str(godot.path), *arguments],
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
                timeout=EXPORT_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise ExportError(f"Godot did not export the game within {error.timeout:.0f} s") from error
    # Godot ends with 0 after some of the errors that it prints.
    if done.returncode != 0 or not game.exists() or "ERROR: " in done.stdout:
        raise ExportError(f"Godot could not export the game (exit code {done.returncode}):\n{done.stdout}")
    return game


def command(game: Path) -> list[str]:
    """What to execute to start an exported game on this machine.

    A game made of Debian's template starts through that suite's loader. A game looks for its files beside what is
    executed, so the loader is copied there, under the name that they go by.
    """
    root = template_root()
    if not _is_debians(game, root):
        return [str(game)]
    starter = game.with_suffix("")
    shutil.copy2(debian.loader(root).resolve(), starter)
    libraries = debian.library_folder(root)
    return [str(starter), "--library-path", f"{libraries}:{libraries}/pulseaudio", str(game)]


def template_root() -> Path:
    """The cache folder's copy of Debian's template, with the libraries that it needs."""
    return cache_folder() / "godot-template"


@contextmanager
def data_folder(godot: Godot) -> Iterator[dict[str, str]]:
    """The environment variables with which the editor finds a template."""
    release = _RELEASE.match(godot.version)
    if release is None:
        raise ExportError(f"{godot.version!r} names no release of Godot")
    place = Path("godot", "export_templates", release.group(), TEMPLATE)
    installed = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / place
    if installed.exists():
        yield {}
        return
    template = _fetch_template(godot)
    with tempfile.TemporaryDirectory(prefix="gcs-export-") as scratch:
        link = Path(scratch) / place
        link.parent.mkdir(parents=True)
        link.symlink_to(template)
        yield {"XDG_DATA_HOME": scratch}


def _fetch_template(godot: Godot) -> Path:
    root = template_root()
    try:
        debian.ensure_root(root, (TEMPLATE_PACKAGE,), _write_launcher)
    except debian.DebianError as error:
        raise ExportError(
            f"no export template of Godot {godot.version} ({error}): install one in the editor, Editor → Manage Export "
            "Templates"
        ) from error
    version = read_version(root / "template")
    if version != godot.version:
        raise ExportError(
            f"the export template in {root} is {version}, the editor is {godot.version}: install the editor's in the "
            "editor, or remove both folders from the cache to fetch them anew"
        )
    return root / "usr" / "bin" / TEMPLATE_PACKAGE


def _write_launcher(root: Path) -> None:
    """Writes `root/template`, which starts the template to ask for its version."""
    place = debian.library_folder(root).relative_to(root)
    script = root / "template"
    script.write_text(
        "#!/bin/sh\n"
        'here=$(dirname "$(readlink -f "$0")")\n'
        f'exec "$here/{debian.loader(root).relative_to(root)}" --library-path "$here/{place}:$here/{place}/pulseaudio" '
        f'"$here/usr/bin/{TEMPLATE_PACKAGE}" "$@"\n',
        encoding="utf-8",
    )
    script.chmod(0o755)


def _is_debians(game: Path, root: Path) -> bool:
    template = root / "usr" / "bin" / TEMPLATE_PACKAGE
    return template.exists() and template.stat().st_size == game.stat().st_size


def main(arguments: list[str] | None = None) -> int:
    """Export the demo and print how to start it; exit code 1 when that fails."""
    parser = argparse.ArgumentParser(prog="python -m tools.export", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="where to put the game")
    parser.add_argument("--preset", choices=PRESETS, default=PRESETS[0])
    parser.add_argument("--bundle", action="store_true", help="build the server into the game's folder, too")
    options = parser.parse_args(arguments)
    try:
        godot = find()
        import_project(godot.path, PROJECT)
        game = export(godot, options.folder, options.preset)
        if options.bundle:
            bundle.build(options.folder, [installed_packs()[bundle.DEFAULT_PACK]])
    except (GodotMissingError, PlayError, ExportError, bundle.BundleError) as error:
        print(f"export: {error}", file=sys.stderr)
        return 1
    print(" ".join(command(game)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
