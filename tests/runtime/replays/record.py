"""Recorded battles: ``python -m tests.runtime.replays.record`` plays and writes them anew.

They are recorded when content or a rule is meant to change; otherwise they have to stay green.
"""

from __future__ import annotations

import json
from pathlib import Path

from runtime.battle import Battle, replay_of, start_battle
from runtime.bots import make_bot, play_out
from runtime.loading import encounter_of, load_content

FOLDER = Path(__file__).with_name("recorded")
# Encounter, rule set, bot, and seed of both.
BATTLES = (
    ("first_fight", "documented", "greedy", 11),
    ("tide_pool", "documented", "random", 12),
    ("rusted_gate", "extended", "greedy", 13),
    ("split_tide", "documented", "greedy", 14),
    ("drowned_crew", "documented", "random", 15),
    ("gull_cliffs", "extended", "random", 16),
    ("fog_bank", "documented", "greedy", 17),
    ("wreck", "documented", "random", 18),
    ("chapel", "documented", "greedy", 19),
    ("light_eater", "documented", "greedy", 20),
)


def play(encounter: str, rules: str, bot: str, seed: int) -> Battle:
    """Plays one battle of the starter pack to its end."""
    content = load_content("starter")
    battle = start_battle(content, encounter_of(content, encounter), seed=seed, rules=rules, max_turns=60)
    assert play_out(battle, make_bot(bot, seed))
    return battle


def file_of(encounter: str, rules: str, bot: str, seed: int) -> Path:
    """Where a battle's replay is kept."""
    return FOLDER / f"{encounter}_{rules}_{bot}_{seed}.json"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for battle in BATTLES:
        replay = replay_of(play(*battle), {"encounter": battle[0]})
        file_of(*battle).write_text(json.dumps(replay, indent=1) + "\n", encoding="utf-8")
