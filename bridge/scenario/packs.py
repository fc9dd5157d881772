"""Packs as scenarios name them, and as they are sent to a server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from runtime.content.assets import EventAsset, Pack
from runtime.content.draft import KINDS
from runtime.content.guids import normalize_guid
from runtime.packs import installed_packs, load_pack


class Packs:
    """The packs that scenario files name, each read and checked once."""

    def __init__(self) -> None:
        """No pack has been read."""
        self._read: dict[Path, Pack] = {}

    def find(self, source: str | Mapping[str, Any], folder: Path) -> Pack:
        """The pack that a scenario names.

        Args:
            source: The id of an installed pack, a path, or the pack as an object.
            folder: The scenario file's folder: a path is looked for from there first, then from the working
                directory.

        Raises:
            PackError: With everything that is wrong.
        """
        if not isinstance(source, str):
            return load_pack(source)
        beside = folder / source
        path = installed_packs().get(source) or (beside if beside.is_dir() else Path(source))
        pack = self._read.get(path.resolve())
        if pack is None:
            pack = load_pack(path)
            self._read[path.resolve()] = pack
        return pack


def event_named(pack: Pack, name: str) -> EventAsset | None:
    """The GES event of an id or a GUID, which may be written with or without hyphens; None: there is none."""
    if name in pack.events:
        return pack.events[name]
    guid = normalize_guid(name)
    return next((event for event in pack.events.values() if event.guid == guid), None)


def pack_object(pack: Pack) -> dict[str, Any]:
    """A pack as one object of asset lists, as it is sent to a server."""
    value: dict[str, Any] = msgspec.to_builtins(pack.info)
    for kind in KINDS:
        value[kind] = [msgspec.to_builtins(asset) for asset in getattr(pack, kind).values()]
    return value
