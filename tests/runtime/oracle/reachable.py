"""An oracle of counts: how many different states can be reached by n actions from a fixed start.

Run ``python -m tests.runtime.oracle.reachable`` to write the counts down anew after a change that is meant to change
them; the test compares them.
"""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

from runtime.battle import Action, Answer, Battle, act, copy_battle, legal_actions, start_battle, state_hash
from runtime.loading import encounter_of, load_content

COUNTS = Path(__file__).with_name("counts.json")
# Encounter, seed and number of actions.
STARTS = (
    ("first_fight", 1, 4),
    ("first_fight", 2, 4),
    ("tide_pool", 3, 3),
    ("drowned_crew", 4, 3),
    ("chapel", 5, 3),
    ("light_eater", 6, 3),
)
MOST_ANSWERS = 12


def answers(battle: Battle) -> list[Action]:
    """Answers to the open choice, in order; no more than a few of very many."""
    choice = battle.choice
    assert choice is not None
    if choice.kind == "option":
        return [Answer([index], "option") for index in range(len(choice.options))]
    found: list[Action] = []
    for size in range(choice.min, choice.max + 1):
        for picks in combinations(choice.cards, size):
            if len(found) < MOST_ANSWERS:
                found.append(Answer(list(picks)))
    return found


def reachable(battle: Battle, actions: int) -> list[int]:
    """How many different states there are after 0, 1, … actions."""
    states = {state_hash(battle): battle}
    counts = [1]
    for _ in range(actions):
        following: dict[str, Battle] = {}
        for state in states.values():
            for action in answers(state) if state.choice is not None else legal_actions(state):
                twin = copy_battle(state)
                assert act(twin, action) is None
                following.setdefault(state_hash(twin), twin)
        states = following
        counts.append(len(states))
    return counts


def count_all() -> dict[str, list[int]]:
    """The counts of all starts."""
    content = load_content("starter")
    found = {}
    for encounter, seed, actions in STARTS:
        battle = start_battle(content, encounter_of(content, encounter), seed=seed, logging=False)
        found[f"{encounter} seed {seed}"] = reachable(battle, actions)
    return found


if __name__ == "__main__":
    COUNTS.write_text(json.dumps(count_all(), indent=2) + "\n", encoding="utf-8")
