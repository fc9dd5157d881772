"""Folders and files, the odd ones included: everything is reported, nothing raised (content.md, "Strictness")."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from runtime import packs
from runtime.packs import check_pack, installed_packs
from tests.runtime.content.sample import check, only, problems, sample, write


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(sample(), tmp_path / "sample")


def test_only_json_files_in_asset_folders_are_assets(folder: Path) -> None:
    (folder / "README.md").write_text("about")
    (folder / "notes.json").write_text("not JSON")
    (folder / "art").mkdir()
    (folder / "art" / "a.json").write_text("not JSON")
    (folder / "cards" / "strike.png").write_bytes(b"\x89PNG")
    (folder / "cards" / "old").mkdir()
    (folder / "cards" / "old" / "strike.json").write_text("not JSON")
    assert check(folder).problems == []


def test_a_pack_is_a_text_or_a_path(folder: Path) -> None:
    assert check(str(folder)).problems == []


def test_asset_folders_may_be_missing(tmp_path: Path) -> None:
    (tmp_path / "pack.json").write_text('{"id": "empty"}')
    assert check(tmp_path).problems == []


def test_links_are_followed(folder: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.json"
    (folder / "cards" / "curse.json").rename(moved)
    (folder / "cards" / "curse.json").symlink_to(moved)
    (folder / "decks").rename(tmp_path / "decks")
    (folder / "decks").symlink_to(tmp_path / "decks")
    assert check(folder).problems == []


def test_an_id_is_the_name_of_its_file(folder: Path) -> None:
    (folder / "cards" / "curse.json").rename(folder / "cards" / "hex.json")
    problem = only(folder)
    assert (problem.file, problem.path) == ("cards/hex.json", "$.id")
    assert (problem.expected, problem.found) == ('"hex"', '"curse"')


def test_a_file_name_that_is_no_id(folder: Path) -> None:
    (folder / "cards" / "curse.json").rename(folder / "cards" / "Curse.json")
    assert only(folder).file == "cards/Curse.json"


def test_an_encounter_file_needs_an_id(folder: Path) -> None:
    path = folder / "encounters" / "first_fight.json"
    content = json.loads(path.read_text())
    del content["id"]
    path.write_text(json.dumps(content))
    problem = only(folder)
    assert (problem.file, problem.path, problem.message) == (
        "encounters/first_fight.json",
        "$.id",
        'missing field "id"',
    )


def test_unreadable_text_is_one_problem(folder: Path) -> None:
    # strike is used by a deck and shares its graph: what is broken is still known by its file's name.
    (folder / "cards" / "strike.json").write_bytes(b"\xff")
    problem = only(folder)
    assert (problem.file, problem.path, problem.message) == ("cards/strike.json", "$", "invalid UTF-8 at byte 0")


@pytest.mark.parametrize("text", ["[]", "null", '"strike"', "1"])
def test_an_asset_is_an_object(folder: Path, text: str) -> None:
    (folder / "cards" / "curse.json").write_text(text)
    problem = only(folder)
    assert (problem.file, problem.path, problem.expected) == ("cards/curse.json", "$", "an object")


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    (folder / "cards" / "odd.json").mkdir()
    problem = only(folder)
    assert (problem.file, problem.found) == ("cards/odd.json", "a folder")


def test_links_that_lead_nowhere_or_in_a_circle(folder: Path) -> None:
    (folder / "cards" / "broken.json").symlink_to("nothing.json")
    (folder / "cards" / "circle.json").symlink_to("circle.json")
    (folder / "statuses" / "up.json").symlink_to("..")
    found = [(problem.file, problem.message) for problem in problems(folder)]
    assert found == [
        ("cards/broken.json", "cannot be read"),
        ("cards/circle.json", "cannot be read"),
        ("statuses/up.json", "no file"),
    ]


def test_pipes_and_devices_are_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "cards" / "pipe.json")
    (folder / "cards" / "zero.json").symlink_to("/dev/zero")
    assert [(problem.file, problem.found) for problem in problems(folder)] == [
        ("cards/pipe.json", "a device or pipe"),
        ("cards/zero.json", "a device or pipe"),
    ]


def test_a_file_name_that_is_no_text(folder: Path) -> None:
    with open(os.fsencode(folder) + b"/cards/\xff\xfe.json", "wb") as file:
        file.write(b'{"id": "a", "cost": 0, "target": "none", "keywords": ["unplayable"]}')
    problem = only(folder)
    assert problem.file == "cards/\ufffd\ufffd.json"
    assert problem.path == "$.id"


def test_a_file_in_place_of_an_asset_folder(folder: Path) -> None:
    (folder / "flows" / "storm.json").unlink()
    (folder / "flows").rmdir()
    (folder / "flows").write_text("{}")
    problem = only(folder)
    assert (problem.file, problem.message, problem.expected) == ("flows", "no folder", "a folder of flows")


def test_pack_json_is_needed(folder: Path) -> None:
    (folder / "pack.json").unlink()
    problem = only(folder)
    assert (problem.file, problem.message) == ("pack.json", "missing file")


def test_pack_json_needs_an_id_and_no_other_fields(folder: Path) -> None:
    (folder / "pack.json").write_text('{"nam": "x", "cards": []}')
    found = [(problem.file, problem.path, problem.hint) for problem in problems(folder)]
    assert found == [
        ("pack.json", "$.nam", 'did you mean "name"?'),
        ("pack.json", "$.cards", ""),
        ("pack.json", "$.id", ""),
    ]


@pytest.mark.parametrize("name", ["nothing", "a\0b", "x" * 5000, "pack.json", "\udcff"])
def test_no_folder_at_all(folder: Path, name: str) -> None:
    problem = only(folder / name)
    assert (problem.message, problem.expected) == ("no pack folder", "a folder")


def test_json_text_of_a_pack_object() -> None:
    assert check(json.dumps(sample()).encode()).problems == []
    assert (
        only(
            b'{"cards": [{"id": "a", "id": "a"}]}'.replace(
                b'"id": "a"}', b'"id": "a", "cost": 0, "target": "none", "keywords": ["unplayable"]}'
            )
        ).path
        == "$.cards[0].id"
    )
    assert only(b'{"version": "1", "version": "2"}').path == "$.version"
    assert only(b"[]").expected == "an object"


def test_packs_of_this_installation_are_found_by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "packs"
    root.mkdir()
    write(sample(), root / "sample")
    (root / "not_a_pack").mkdir()
    monkeypatch.setattr(packs, "_pack_roots", lambda: (tmp_path / "elsewhere", root))
    assert installed_packs() == {"sample": root / "sample"}
    checked = check_pack("sample")
    assert checked.pack is not None
    assert only("smaple").message == "no pack folder"


def test_a_folder_here_is_a_pack_where_none_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(sample(), tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    assert check("mine").problems == []
