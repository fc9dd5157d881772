"""Reads a pack, from a folder or from one object, into a `Draft`: whatever is wrong is reported, never raised."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from runtime.content.assets import EncounterAsset, PackInfo, PackObject
from runtime.content.draft import KINDS, Draft, Located
from runtime.content.json_text import MAX_BYTES, parse_json, plain_copy
from runtime.content.problems import Place, Report, shown
from runtime.content.shape import build
from runtime.content.strays import warn_of_stray_files, warn_of_strays

PACK_FILE: Final = "pack.json"
SUFFIX: Final = ".json"
# What editors write on top of a file of JSON: where its JSON Schema is.
SCHEMA: Final = "$schema"

Source = str | os.PathLike[str] | bytes | Mapping[str, Any]


def read_pack_id(folder: Path) -> str:
    """The id that a pack's ``pack.json`` gives it; empty where there is none to be read.

    Args:
        folder: The pack's folder.
    """
    value = _read_file(folder / PACK_FILE, Place(PACK_FILE), Report())
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def read_draft(source: Source, report: Report) -> Draft:
    """Reads a pack.

    Args:
        source: The path of a pack's folder; or a pack object, as JSON text (bytes) or as a mapping.
        report: Collects what is wrong.

    Returns:
        The assets; neutral where something was wrong.
    """
    if isinstance(source, bytes):
        return _read_object(_without_schema(parse_json(source, Place(), report), Place(), report), report)
    if isinstance(source, Mapping):
        return _read_object(_without_schema(plain_copy(source, Place(), report), Place(), report), report)
    return _read_folder(Path(source), report)


def _read_object(value: Any, report: Report) -> Draft:
    pack = build(PackObject, value, Place(), report)
    info = PackInfo(**{name: getattr(pack, name) for name in PackInfo.__struct_fields__})
    draft = Draft(Located(info, Place()))
    for kind in KINDS:
        assets: dict[str, Located[Struct]] = getattr(draft, kind)
        for index, asset in enumerate(getattr(pack, kind)):
            place = Place("", (kind, index))
            name = asset.id
            if name in assets:
                at = f"also at {assets[name].place.at('id').path}"
                report.error(place.at("id"), f"duplicate id {shown(name)}", expected="an id of its own", hint=at)
                # Under a name that no id can be, so that the rest of it is checked, too.
                name = f"{name}#{index}"
            assets[name] = Located(asset, place)
    return draft


def _read_folder(folder: Path, report: Report) -> Draft:
    info = Place(PACK_FILE)
    try:
        names = sorted(os.listdir(folder))
    except (OSError, ValueError) as error:
        nowhere = Place(_printable(str(folder)))
        report.malformed(nowhere, "no pack folder", expected="a folder", found=_reason(error))
        return Draft(Located(build(PackInfo, None, nowhere, report), nowhere))
    if PACK_FILE not in names:
        report.malformed(info, "missing file", expected="what the pack is: its id, name and version")
    value = _read_file(folder / PACK_FILE, info, report) if PACK_FILE in names else None
    warn_of_strays(folder, names, report)
    draft = Draft(Located(build(PackInfo, value, info, report), info))
    for kind, cls in KINDS.items():
        if kind in names:
            getattr(draft, kind).update(_read_assets(folder / kind, kind, cls, report))
    return draft


def _read_assets(folder: Path, kind: str, cls: type[Struct], report: Report) -> dict[str, Located[Struct]]:
    try:
        found_names = os.listdir(folder)
    except OSError as error:
        report.malformed(Place(kind), "no folder", expected=f"a folder of {kind}", found=_reason(error))
        return {}
    warn_of_stray_files(folder, kind, found_names, report)
    names = sorted(name for name in found_names if name.endswith(SUFFIX))
    assets: dict[str, Located[Struct]] = {}
    for name in names:
        place = Place(f"{kind}/{_printable(name)}")
        asset = build(cls, _read_file(folder / name, place, report), place, report)
        stem = _printable(name.removesuffix(SUFFIX))
        found: str = getattr(asset, "id", "")
        if found != stem and not (isinstance(asset, EncounterAsset) and not found):
            report.error(place.at("id"), "differs from the file's name", expected=shown(stem), found=shown(found))
        assets[stem] = Located(asset, place)
    return assets


def _read_file(path: Path, place: Place, report: Report) -> Any:
    """The plain JSON value in a file; None, and the place is malformed, when there is none to be had."""
    try:
        # A pipe or a device would block or never end.
        if not stat.S_ISREG(path.stat().st_mode):
            report.malformed(place, "no file", expected="a file of JSON", found=_kind_of(path))
            return None
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        report.malformed(place, "cannot be read", expected="a file of JSON", found=_reason(error))
        return None
    value = parse_json(data, place, report)
    return _without_schema(value, place, report)


def _without_schema(value: Any, place: Place, report: Report) -> Any:
    """A file without its ``$schema``: that is the editor's, and says nothing of the pack."""
    if isinstance(value, dict) and SCHEMA in value:
        named = value.pop(SCHEMA)
        if not isinstance(named, str):
            report.malformed(place.at(SCHEMA), "wrong type", expected="a text", found=shown(named))
    return value


def _kind_of(path: Path) -> str:
    return "a folder" if path.is_dir() else "a device or pipe"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error)


def _printable(name: str) -> str:
    """A file's name as text; bytes in it that are no UTF-8 are replaced."""
    return os.fsencode(name).decode("utf-8", "replace")
