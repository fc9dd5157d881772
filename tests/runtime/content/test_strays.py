"""Folders and files that look like content and are not read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runtime.packs import check_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    (tmp_path / "pack.json").write_text('{"id": "p", "name": "P", "version": "1"}')
    (tmp_path / "cards").mkdir()
    return tmp_path


def warnings(pack: Path) -> list[tuple[str, str, str]]:
    found = check_pack(pack).problems
    assert all(problem.severity == "warning" for problem in found)
    return [(problem.file, problem.message, problem.hint) for problem in found]


def asset(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"id": path.stem}))


def test_folders_that_hold_assets_of_no_kind(pack: Path) -> None:
    asset(pack / "relics" / "amber.json")
    assert warnings(pack) == [("relics", "this folder is not read", "")]


@pytest.mark.parametrize("name", ["card", "Cards", "statusses"])
def test_folders_with_nearly_the_right_name(pack: Path, name: str) -> None:
    (pack / name).mkdir()
    ((file, message, hint),) = warnings(pack)
    assert (file, message) == (name, "this folder is not read")
    assert hint.startswith("did you mean")


@pytest.mark.parametrize("name", ["slap.JSON", "slap.json5", "slap.yaml", "slap.json.txt"])
def test_files_with_nearly_the_right_ending(pack: Path, name: str) -> None:
    (pack / "cards" / name).write_text("{}")
    assert warnings(pack) == [(f"cards/{name}", "this file is not read", "")]


def test_assets_beside_and_below_their_folder(pack: Path) -> None:
    asset(pack / "slap.json")
    asset(pack / "cards" / "rare" / "stun.json")
    assert [file for file, _, _ in warnings(pack)] == ["cards/rare", "slap.json"]


def test_what_looks_like_no_asset_is_left_alone(pack: Path) -> None:
    for name in ("README.md", "LICENSE", "package.json", "art.png", ".hidden.json"):
        (pack / name).write_text("{}")
    for name in ("art", "docs", ".git"):
        (pack / name).mkdir()
    (pack / "docs" / "notes.json").write_text('{"notes": []}')
    (pack / "cards" / "slap.png").write_bytes(b"\x89PNG")
    assert warnings(pack) == []
