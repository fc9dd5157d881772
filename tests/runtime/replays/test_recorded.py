"""R8.1, R8.2: recorded battles play on as they were recorded, in any process and on any build."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime.battle import ReplayError, play_replay, state_hash
from runtime.loading import encounter_of, load_content
from tests.runtime.replays.record import BATTLES, FOLDER, file_of, play

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("battle", BATTLES, ids=lambda battle: "-".join(map(str, battle)))
def test_r8_2_a_recorded_battle_plays_as_it_did(battle: tuple[str, str, str, int]) -> None:
    replay = json.loads(file_of(*battle).read_text(encoding="utf-8"))
    content = load_content("starter")
    played = play_replay(content, encounter_of(content, replay["encounter"]), replay)
    assert state_hash(played) == replay["actions"][-1]["state"]


def test_every_recorded_battle_is_played() -> None:
    assert sorted(FOLDER.glob("*.json")) == sorted(file_of(*battle) for battle in BATTLES)


@pytest.mark.parametrize("battle", BATTLES[:3], ids=lambda battle: battle[0])
def test_r8_1_the_bots_find_the_same_battle_again(battle: tuple[str, str, str, int]) -> None:
    replay = json.loads(file_of(*battle).read_text(encoding="utf-8"))
    assert state_hash(play(*battle)) == replay["actions"][-1]["state"]


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_r8_1_another_process_with_another_hash_seed_has_the_same_states(hash_seed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bridge.cli", "replay", "verify", *map(str, sorted(FOLDER.glob("*.json")))],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_r8_2_a_replay_of_other_content_is_refused_with_both_hashes() -> None:
    replay = json.loads(file_of(*BATTLES[0]).read_text(encoding="utf-8"))
    content = load_content("reference")
    with pytest.raises(ReplayError) as refused:
        play_replay(content, encounter_of(content, "reference"), replay)
    assert replay["content"] in str(refused.value)
    assert content.hash in str(refused.value)


def test_r8_2_the_first_action_that_goes_another_way_is_named() -> None:
    replay = json.loads(file_of(*BATTLES[0]).read_text(encoding="utf-8"))
    replay["actions"][4]["state"] = "0" * 32
    content = load_content("starter")
    with pytest.raises(ReplayError) as failed:
        play_replay(content, encounter_of(content, replay["encounter"]), replay)
    assert failed.value.step == 5
