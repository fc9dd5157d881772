"""The benchmark compares like with like: the bare loop and the runtime play the same battle."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from benchmarks import bare_loop, reference
from runtime.battle import Battle, act, legal_actions, start_battle

ROOT = Path(__file__).resolve().parents[2]


def test_bare_loop_and_runtime_play_the_same_battles() -> None:
    content, encounter = reference.load_reference()
    for seed in range(150):
        by_hand = bare_loop.play(seed, random.Random(seed).random)
        by_graphs = reference.play(content, encounter, seed, random.Random(seed).random, logging=seed % 2 == 0)
        assert by_graphs == by_hand, seed


def test_idle_statuses_change_nothing_but_the_time() -> None:
    content, encounter = reference.load_with_idle_statuses()
    assert len(encounter.statuses) == reference.IDLE_STATUSES
    for seed in range(20):
        draw_number = random.Random(seed).random
        assert reference.play(content, encounter, seed, draw_number, logging=False) == bare_loop.play(
            seed, random.Random(seed).random
        )


def test_the_table_is_printed() -> None:
    command = [sys.executable, "-m", "benchmarks", "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for words in ("bare loop", "log off", "log on", "30 idle", "calibration loop"):
        assert words in done.stdout


def test_a_battle_without_a_log_logs_nothing() -> None:
    content, encounter = reference.load_reference()
    battle: Battle = start_battle(content, encounter, seed=1, logging=False)
    act(battle, legal_actions(battle)[0])
    assert battle.log == []
