"""A GUID that two packs of a server have is refused, and both places are named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from bridge.battles.packs import PackLibrary
from runtime.content.problems import PackError
from runtime.packs import installed_packs

THUNDER = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"


def write_pack(folder: Path, guid: str = THUNDER) -> Path:
    (folder / "events").mkdir(parents=True)
    (folder / "pack.json").write_text(json.dumps({"id": folder.name}), encoding="utf-8")
    event = {"id": "boom", "guid": guid}
    (folder / "events" / "boom.json").write_text(json.dumps(event), encoding="utf-8")
    return folder


@pytest.mark.parametrize("spelling", [THUNDER, THUNDER.upper(), THUNDER.replace("-", "")])
def test_both_places_are_named(tmp_path: Path, spelling: str) -> None:
    packs = PackLibrary([write_pack(tmp_path / "mine", spelling)])
    with pytest.raises(PackError) as rejected:
        packs.get("mine")
    for place in ("events/boom.json", "$.guid", THUNDER, "pack starter", "events/thunder.json"):
        assert place in str(rejected.value), place


def test_the_log_of_a_server_tells_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    PackLibrary([write_pack(tmp_path / "mine")])
    for place in ("events/boom.json", "pack starter, events/thunder.json"):
        assert place in caplog.text


def test_a_pack_that_replaces_an_installed_one_has_its_events(tmp_path: Path) -> None:
    folder = tmp_path / "starter"
    shutil.copytree(installed_packs()["starter"], folder)
    assert PackLibrary([folder]).require("starter").content.id == "starter"


def test_packs_that_clients_send_are_not_compared() -> None:
    """Their events are those of their battles alone: a test may send a copy of a pack that the server has."""
    packs = PackLibrary()
    packs.require("starter")
    sent = packs.inline(json.dumps({"id": "copy", "events": [{"id": "boom", "guid": THUNDER}]}))
    assert sent.content.id == "copy"


def test_a_reload_takes_no_doubled_guid_over(tmp_path: Path) -> None:
    own = "11111111-2222-4333-8444-555555555555"
    folder = write_pack(tmp_path / "mine", own)
    packs = PackLibrary([folder])
    packs.require("mine")
    shutil.rmtree(folder)
    write_pack(folder)
    packs.reload("mine")
    assert list(packs.require("mine").content.events_by_guid) == [own]
    assert [problem.message for problem in packs.check("mine")] == [f"duplicate GUID {THUNDER}"]


def test_two_folders(tmp_path: Path) -> None:
    own = "11111111-2222-4333-8444-555555555555"
    packs = PackLibrary([write_pack(tmp_path / "one", own), write_pack(tmp_path / "two", own)])
    assert packs.require("one").content.id == "one"
    with pytest.raises(PackError, match="also in pack one"):
        packs.get("two")
