"""The short ways through the runtime lead where the long ones lead: same states, same events, same legal actions.

Traced battles take the long way (`ExecNode.run_alone` needs an untraced one), which makes them the model here.
"""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from runtime.battle import (
    Action,
    Answer,
    Battle,
    Choice,
    EndTurn,
    PlayCard,
    act,
    check,
    copy_battle,
    legal_actions,
    read_events,
    start_battle,
    state_hash,
)
from runtime.battle.choices import OPTION_CHOICE
from runtime.battle.legality import END_TURN
from runtime.battle.random_streams import INCREMENT, MASK, MULTIPLIER, RandomStream
from runtime.graph.definitions import Content
from runtime.loading import encounter_of, load_content
from runtime.nodes.patterns import PatternRandom

ROOT = Path(__file__).resolve().parents[3]
MOST_ACTIONS = 120


@pytest.fixture(scope="module", params=["reference", "starter"])
def content(request: pytest.FixtureRequest) -> Content:
    return load_content(ROOT / "packs" / request.param)


def answer(choice: Choice, draw: random.Random) -> Answer:
    if choice.kind == OPTION_CHOICE:
        return Answer([draw.randrange(len(choice.options))], OPTION_CHOICE)
    return Answer(draw.sample(choice.cards, draw.randint(choice.min, min(choice.max, len(choice.cards)))))


def next_action(battle: Battle, draw: random.Random) -> Action:
    if battle.choice is not None:
        return answer(battle.choice, draw)
    return draw.choice(legal_actions(battle))


def starts(content: Content, seed: int, **options: bool) -> Battle:
    """A battle with a deck of any cards of the pack every other time."""
    encounters = sorted(content.pack.encounters)
    draw = random.Random(seed)
    deck = [draw.choice(sorted(content.cards)) for _ in range(15)] if seed % 2 else None
    encounter = encounter_of(content, encounters[seed % len(encounters)], deck=deck)
    return start_battle(content, encounter, seed=seed, **options)


def test_traced_logged_and_silent_battles_go_the_same_way(content: Content) -> None:
    for seed in range(24):
        silent = starts(content, seed, logging=False)
        logged = starts(content, seed, logging=True)
        traced = starts(content, seed, tracing=True)
        draw = random.Random(seed)
        for _ in range(MOST_ACTIONS):
            if silent.outcome:
                break
            action = next_action(silent, draw)
            for battle in (silent, logged, traced):
                assert act(battle, action) is None
            assert state_hash(silent) == state_hash(logged) == state_hash(traced), (seed, action)
        assert silent.log == []
        told = [(event.kind, event.number) for event in read_events(logged)]
        assert told == [(event.kind, event.number) for event in read_events(traced) if event.kind != "node_run"]


def test_legal_actions_are_those_that_the_checks_accept(content: Content) -> None:
    """What is kept from one call to the next is what a battle that has kept nothing lists (T3)."""
    for seed in range(24):
        battle = starts(content, seed, logging=False)
        draw = random.Random(seed)
        for _ in range(MOST_ACTIONS):
            if battle.outcome:
                break
            if battle.choice is None:
                legal = legal_actions(battle)
                fresh = copy_battle(battle)
                fresh.plays = {}
                assert legal == legal_actions(fresh), seed
                every: list[Action] = [
                    PlayCard(card, unit)
                    for card in range(len(battle.cards))
                    for unit in range(len(battle.units))
                    if check(battle, PlayCard(card, unit)) is None
                ]
                # A card without a target is accepted with any; it is listed once, with none.
                assert {action.card for action in legal if isinstance(action, PlayCard)} == {
                    action.card for action in every if isinstance(action, PlayCard)
                }
                assert all(check(battle, action) is None for action in legal)
            assert act(battle, next_action(battle, draw)) is None


def test_a_play_that_has_become_illegal_is_refused_although_it_was_listed() -> None:
    content = load_content(ROOT / "packs" / "reference")
    battle = start_battle(content, encounter_of(content, "reference"), seed=3)
    plays = [action for action in legal_actions(battle) if isinstance(action, PlayCard)]
    for action in plays[:3]:
        act(battle, action)
    left = [action for action in plays[3:] if isinstance(action, PlayCard)]
    refused = [act(battle, action) for action in left]
    assert [rejection.reason for rejection in refused if rejection is not None] == ["NOT_ENOUGH_ENERGY"] * len(left)
    again = act(battle, plays[0])
    assert again is not None
    assert again.reason == "UNKNOWN_CARD"
    assert legal_actions(battle) == [END_TURN]
    assert act(battle, EndTurn()) is None


def test_a_weighted_draw_by_sums_is_one_by_subtraction() -> None:
    draw = random.Random(5)
    for _ in range(300):
        weights = [draw.choice([0, 0, 1, 3, 20]) for _ in range(draw.randint(1, 6))]
        stream = RandomStream(draw.getrandbits(64))
        state, total = stream.state, sum(weights)
        expected = -1 if total == 0 else 0
        if total > 0:
            if total > 1:
                state = (state * MULTIPLIER + INCREMENT) & MASK
            rest = ((state >> 32) * total) >> 32 if total > 1 else 0
            while rest >= weights[expected]:
                rest -= weights[expected]
                expected += 1
        assert stream.weighted(weights) == expected, weights
        assert stream.state == state


def test_a_pattern_at_its_limit_leaves_its_step_out() -> None:
    """R5.6; the only step there is stays in the draw."""
    content = load_content(ROOT / "packs" / "reference")
    plan = content.enemies["lugworm"].plan
    assert plan is not None
    pattern = plan.first
    assert isinstance(pattern, PatternRandom)
    battle = start_battle(content, encounter_of(content, "reference"), seed=11)
    unit = battle.units[1]
    steps = [pattern.choose(battle, unit) for _ in range(200)]
    assert all(before is not after for before, after in pairwise(steps))
    assert len(set(map(id, steps))) == 3


@pytest.mark.parametrize("node_limit", [1, 2, 3])
def test_a_node_limit_ends_a_root_at_the_same_node(node_limit: int) -> None:
    """R2.5: nodes that run without a frame count, too."""
    content = load_content(ROOT / "packs" / "reference")
    encounter = encounter_of(content, "reference")
    for seed in range(6):
        logged = start_battle(content, encounter, seed=seed, node_limit=node_limit, max_turns=8)
        traced = start_battle(content, encounter, seed=seed, node_limit=node_limit, max_turns=8, tracing=True)
        draw = random.Random(seed)
        while not logged.outcome:
            action = next_action(logged, draw)
            assert act(logged, action) is None
            assert act(traced, action) is None
            assert state_hash(logged) == state_hash(traced)
        faults = [event.fields for event in read_events(logged) if event.kind == "fault"]
        assert faults == [event.fields for event in read_events(traced) if event.kind == "fault"]
        assert faults or node_limit > 1


def test_the_numbers_of_a_leaf_are_read_before_the_enemy_does_anything() -> None:
    nodes: list[dict[str, Any]] = [
        {"id": "start", "type": "on_enemy_behavior_start"},
        {"id": "self", "type": "unit_info", "params": {"unit": "acting"}},
        {"id": "leaf", "type": "leaf_intent", "params": {"kind": "attack_defend"}},
        {"id": "guard", "type": "gain_armor", "params": {"amount": 5}},
        {"id": "hit", "type": "deal_damage"},
    ]
    links = [
        ["start.out", "leaf.in"],
        ["self.armor", "leaf.amount"],
        ["leaf.out", "guard.in"],
        ["guard.out", "hit.in"],
        ["leaf.amount", "hit.amount"],
    ]
    content = load_content(
        {
            "cards": [{"id": "idle", "cost": 0, "target": "none"}],
            "enemies": [{"id": "guard", "hp": 20, "graph": {"nodes": nodes, "links": links}}],
            "decks": [{"id": "deck", "cards": ["idle"]}],
            "encounters": [{"id": "fight", "enemies": ["guard"], "deck": "deck", "player": {"hp": 30}}],
        }
    )
    battle = start_battle(content, encounter_of(content, "fight"))
    for _ in range(3):
        assert act(battle, EndTurn()) is None
        assert battle.units[1].armor == 5
    assert battle.player.hp == 30
