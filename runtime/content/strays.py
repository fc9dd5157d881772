"""Warnings of folders and files that look like content and are not read."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Final

from runtime.content.draft import KINDS
from runtime.content.problems import Place, Report, shown

_SUFFIX: Final = ".json"
# Endings of what people write JSON in, too; a pack is JSON alone.
_LIKE_JSON: Final = (".json", ".json5", ".jsonc", ".yaml", ".yml", ".json.txt")
# How many files of an unknown folder are looked at, and how much of each: enough to tell what it holds.
_MOST_LOOKED_AT: Final = 8
_MOST_BYTES: Final = 2**20
# A folder is meant to be one of ours if its name is so much alike: "card", "Cards", "statusses", and not "docs".
_ALIKE: Final = 0.8
_MOST_LETTERS: Final = 40


def warn_of_strays(folder: Path, names: Collection[str], report: Report) -> None:
    """Warns of what lies beside the folders of a pack and looks like one of them, or like an asset.

    Args:
        folder: The pack's folder.
        names: What lies in it.
        report: Collects the warnings.
    """
    for name in sorted(names):
        if name in KINDS or name.startswith("."):
            continue
        path = folder / name
        if path.is_dir():
            meant = difflib.get_close_matches(name.lower()[:_MOST_LETTERS], KINDS, n=1, cutoff=_ALIKE)
            if meant or _holds_assets(path):
                hint = f"did you mean {shown(meant[0])}?" if meant else ""
                message = "this folder is not read"
                report.warning(Place(name), message, expected=f"one of {', '.join(KINDS)}", hint=hint)
        elif name != "pack.json" and name.lower().endswith(_LIKE_JSON) and _is_asset(path):
            report.warning(Place(name), "this file is not read", expected="assets in the folder of their kind")


def warn_of_stray_files(folder: Path, kind: str, names: Collection[str], report: Report) -> None:
    """Warns of files and folders in a folder of assets that look like assets and are not read.

    Args:
        folder: The folder.
        kind: Its name.
        names: What lies in it.
        report: Collects the warnings.
    """
    for name in sorted(names):
        if name.startswith(".") or name.endswith(_SUFFIX):
            continue
        place = Place(f"{kind}/{os.fsencode(name).decode('utf-8', 'replace')}")
        if (folder / name).is_dir():
            if _holds_assets(folder / name):
                report.warning(place, "this folder is not read", expected=f"files of {kind}, without folders")
        elif name.lower().endswith(_LIKE_JSON):
            report.warning(place, "this file is not read", expected=f"a file that ends in {_SUFFIX}")


def _holds_assets(folder: Path) -> bool:
    try:
        names = sorted(name for name in os.listdir(folder) if name.lower().endswith(_LIKE_JSON))
    except OSError:
        return False
    return any(_is_asset(folder / name) for name in names[:_MOST_LOOKED_AT])


def _is_asset(path: Path) -> bool:
    """Whether a file looks like an asset: an object whose id is the file's name."""
    if not path.name.lower().endswith(_SUFFIX):
        return path.stem.partition(".")[0] != "" and path.is_file()
    try:
        if path.stat().st_size > _MOST_BYTES or not path.is_file():
            return False
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("id") == path.stem
