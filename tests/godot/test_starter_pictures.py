"""Every picture that the sample pack names is drawn: none falls back to the plain disc."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACK = ROOT / "packs" / "starter"
ART = ROOT / "godot_project" / "demo" / "art"


def named() -> list[tuple[str, str, str]]:
    """Where a picture is named, the folder it belongs in, and its name."""
    found = []
    for kind, field, folder in (
        ("cards", "art", "glyphs"),
        ("statuses", "art", "glyphs"),
        ("enemies", "art", "figures"),
        ("encounters", "scene", "scenes"),
    ):
        for path in sorted((PACK / kind).glob("*.json")):
            asset = json.loads(path.read_text(encoding="utf-8"))
            found.append((f"{kind}/{path.stem}", folder, asset.get("extra", {}).get(field, "")))
            found += [(f"{kind}/{path.stem}", "glyphs", icon) for icon in icons(asset)]
    return found


def icons(value: Any) -> list[str]:
    """All values of `icon` in a JSON value: what intents are drawn with."""
    if isinstance(value, dict):
        own = [value["icon"]] if isinstance(value.get("icon"), str) else []
        return own + [icon for inner in value.values() for icon in icons(inner)]
    if isinstance(value, list):
        return [icon for inner in value for icon in icons(inner)]
    return []


@pytest.mark.parametrize("folder", ["glyphs", "figures", "scenes"])
def test_every_picture_is_there(folder: str) -> None:
    wanted = [(place, name) for place, each, name in named() if each == folder]
    assert wanted
    missing = [f"{place}: {name!r}" for place, name in wanted if not (ART / folder / f"{name}.svg").is_file()]
    assert not missing, "\n".join(missing)
