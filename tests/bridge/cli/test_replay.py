"""Recorded battles: written, played again, and refused where they do not fit (R8.2)."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bridge.cli import app
from runtime.packs import load_pack
from tests.bridge.processes import run_gcs

DATA = Path(__file__).resolve().parents[1] / "data"
PACK = str(DATA / "pack")


def gcs(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin, env={"COLUMNS": "160", "TERM": "dumb"})


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A battle with choices, recorded."""
    path = tmp_path / "replay.json"
    arguments = ("--encounter", "rats", "--seed", "3", "--deck", "strike,recall,omen,mallet,defend", "--bot", "random")
    result = gcs("play", PACK, *arguments, "--record", str(path))
    assert result.exit_code == 0
    return path


def test_a_replay_names_all_that_the_battle_needs(recorded: Path) -> None:
    """R8.2: content hash, rule set and flags, limits, overrides, shuffle, seed and every action."""
    replay = json.loads(recorded.read_text())
    assert replay["content"] == load_pack(PACK).content_hash
    assert (replay["pack"], replay["rules"], replay["flags"]) == ("small", "documented", [])
    assert (replay["seed"], replay["shuffle"], replay["encounter"]) == (3, True, "rats")
    assert replay["deck"] == ["strike", "recall", "omen", "mallet", "defend"]
    assert replay["limits"] == {"depth": 128, "nodes": 10_000, "max_turns": 0, "echo": 16}
    assert any("choose" in action for action in replay["actions"])


def test_it_is_played_again(recorded: Path) -> None:
    result = gcs("replay", "verify", str(recorded), "--pack", PACK)
    assert result.exit_code == 0
    count = len(json.loads(recorded.read_text())["actions"])
    assert re.search(rf"replay\.json: {count} actions, (won|lost) on turn \d+ with \d+ HP", result.stdout)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_it_is_the_same_in_another_process(recorded: Path, hash_seed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """R8.1: the state hash does not depend on Python's hash seed."""
    monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
    done = run_gcs("replay", "verify", str(recorded), "--pack", PACK)
    assert done.returncode == 0, done.stdout + done.stderr


def test_other_content_is_refused_with_both_hashes(recorded: Path, tmp_path: Path) -> None:
    """R8.2."""
    folder = tmp_path / "pack"
    shutil.copytree(PACK, folder)
    strike = folder / "cards" / "strike.json"
    strike.write_text(strike.read_text().replace('"amount": 6', '"amount": 7'))
    for pack in (str(folder), "reference"):
        result = gcs("replay", "verify", str(recorded), "--pack", pack)
        assert result.exit_code == 1
        assert load_pack(PACK).content_hash in result.stdout
        assert load_pack(pack).content_hash in result.stdout


@pytest.fixture
def stronger(tmp_path: Path) -> str:
    """The pack with a strike that deals one more."""
    folder = tmp_path / "stronger"
    shutil.copytree(PACK, folder)
    strike = folder / "cards" / "strike.json"
    strike.write_text(strike.read_text().replace('"amount": 6', '"amount": 7'))
    return str(folder)


@pytest.fixture
def by_hand(tmp_path: Path) -> Path:
    """A turn's end, then a strike."""
    path = tmp_path / "by_hand.json"
    arguments = ("--encounter", "rat", "--seed", "1", "--deck", "strike", "--record", str(path))
    assert gcs("play", PACK, *arguments, stdin="e\n1\nc\n").exit_code == 0
    return path


def test_other_content_is_played_on_request_up_to_the_first_difference(by_hand: Path, stronger: str) -> None:
    result = gcs("replay", "verify", str(by_hand), "--pack", stronger)
    assert result.exit_code == 1
    assert "; --anyway plays it" in result.stdout
    result = gcs("replay", "verify", str(by_hand), "--pack", stronger, "--anyway")
    assert result.exit_code == 1
    first, *events = result.stdout.splitlines()
    assert re.fullmatch(r"failed .*by_hand.json: action 2: the state is \w+, the replay has \w+", first)
    assert events[0] == "  > play_card"
    assert any("player hits enemy0: 7 damage" in line for line in events)
    assert "  > concede" not in events


def test_a_replay_is_updated_to_other_content(by_hand: Path, stronger: str) -> None:
    before = json.loads(by_hand.read_text())
    result = gcs("replay", "verify", str(by_hand), "--pack", stronger, "--update")
    assert (result.exit_code, result.stdout[:7]) == (0, "new    ")
    after = json.loads(by_hand.read_text())
    assert after["content"] == load_pack(stronger).content_hash
    assert [{**action, "state": ""} for action in after["actions"]] == [
        {**action, "state": ""} for action in before["actions"]
    ]
    assert after["actions"][1]["state"] != before["actions"][1]["state"]
    written = by_hand.read_bytes()
    assert gcs("replay", "verify", str(by_hand), "--pack", stronger, "--update").stdout.startswith("ok     ")
    assert by_hand.read_bytes() == written
    assert gcs("replay", "verify", str(by_hand), "--pack", stronger).exit_code == 0


def test_a_replay_with_an_illegal_action_is_not_updated(by_hand: Path, stronger: str) -> None:
    change(by_hand, lambda replay: replay["actions"].insert(0, {"choose": [1], "state": ""}))
    written = by_hand.read_bytes()
    result = gcs("replay", "verify", str(by_hand), "--pack", stronger, "--update")
    assert result.exit_code == 1
    assert "action 1: rejected: NO_CHOICE_PENDING" in result.stdout
    assert by_hand.read_bytes() == written


def change(path: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    replay = json.loads(path.read_text())
    edit(replay)
    path.write_text(json.dumps(replay))


def test_the_first_action_that_goes_another_way_is_told(recorded: Path) -> None:
    change(recorded, lambda replay: replay["actions"][1].update(state="0" * 32))
    result = gcs("replay", "verify", str(recorded), "--pack", PACK)
    assert result.exit_code == 1
    assert f"the replay has {'0' * 32}" in result.stdout
    assert "action 2: " in result.stdout


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda replay: replay.update(seed=4), "the state is"),
        (lambda replay: replay.update(flags=[9]), "rule flags [9]"),
        (lambda replay: replay.update(format=99), "format 99"),
        (lambda replay: replay["limits"].update(depth=0), "depth_limit"),
        (lambda replay: replay.update(deck=["stirke"]), "stirke"),
        (lambda replay: replay["actions"].insert(0, {"choose": [1], "state": ""}), "rejected: NO_CHOICE_PENDING"),
        (lambda replay: replay["actions"].insert(0, {"set": {"x": 1}, "state": ""}), "x: expected player"),
        (lambda replay: replay["actions"].insert(0, {"raise": "x", "arguments": {}, "state": ""}), "no event x"),
    ],
)
def test_what_cannot_be_played(recorded: Path, edit: Callable[[dict[str, Any]], object], told: str) -> None:
    change(recorded, edit)
    result = gcs("replay", "verify", str(recorded), "--pack", PACK)
    assert result.exit_code == 1
    assert told in result.stdout


@pytest.mark.parametrize(
    "edit",
    [
        lambda replay: replay.pop("seed"),
        lambda replay: replay.update(colour="red"),
        lambda replay: replay["actions"].append({"play": 1, "state": ""}),
        lambda replay: replay["actions"].append({"play": "strike", "target": 0, "state": ""}),
        lambda replay: replay["actions"].append({"raise": "x", "arguments": {"arg": {"unit": "x"}}, "state": ""}),
        lambda replay: replay["actions"].append({"dance": True, "state": ""}),
    ],
)
def test_what_is_no_replay(recorded: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    change(recorded, edit)
    result = gcs("replay", "verify", str(recorded), "--pack", PACK)
    assert result.exit_code == 1
    assert "no replay: " in result.stderr


def test_no_such_file() -> None:
    assert gcs("replay", "verify", "nowhere.json").exit_code == 2


def test_a_pack_that_is_not_installed_has_to_be_named(recorded: Path) -> None:
    result = gcs("replay", "verify", str(recorded))
    assert result.exit_code == 2
    assert "no pack 'small'" in result.stderr


def test_recording_needs_a_battle_of_this_process(tmp_path: Path) -> None:
    result = gcs("play", PACK, "--address", "127.0.0.1:1", "--record", str(tmp_path / "x"))
    assert result.exit_code == 2


def test_a_battle_played_by_hand_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "replay.json"
    result = gcs("play", PACK, "--encounter", "rat", "--seed", "1", "--record", str(path), stdin="1\ne\nc\n")
    assert result.exit_code == 0
    assert gcs("replay", "verify", str(path), "--pack", PACK).exit_code == 0
    assert json.loads(path.read_text())["actions"][-1]["concede"] is True
