"""The fights of the starter pack are neither lost nor won beforehand: a greedy bot wins 40 to 90 % of each."""

from __future__ import annotations

import pytest

from runtime.battle import OUTCOMES, Battle, start_battle
from runtime.bots import make_bot, play_out
from runtime.loading import encounter_of
from runtime.packs import load_pack
from tests.packs.table import starter

SEEDS = range(60)
BOSS_FIGHT = "light_eater"
ENCOUNTERS = [encounter for encounter in load_pack("starter").encounters if encounter != BOSS_FIGHT]


def fight(encounter_id: str, seed: int) -> Battle:
    content = starter()
    battle = start_battle(content, encounter_of(content, encounter_id), seed=seed, logging=False)
    assert play_out(battle, make_bot("greedy", seed))
    return battle


def share_won(encounter_id: str) -> float:
    outcomes = [OUTCOMES[fight(encounter_id, seed).outcome] for seed in SEEDS]
    return outcomes.count("won") / len(outcomes)


@pytest.mark.parametrize("encounter_id", ENCOUNTERS)
def test_a_greedy_bot_wins_most_fights_but_not_all(encounter_id: str) -> None:
    assert 0.4 <= share_won(encounter_id) <= 0.9


def test_the_boss_is_harder_than_what_comes_before_it_but_can_be_beaten() -> None:
    assert 0.1 <= share_won(BOSS_FIGHT) <= 0.6
