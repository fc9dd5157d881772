"""Bots: deterministic, legal, and the greedy one with judgement."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from runtime.battle import Answer, Battle, Choice, EndTurn, PlayCard, actions_of, copy_battle, read_events, start_battle
from runtime.battle import act as do
from runtime.battle.state import OUTCOMES, WON
from runtime.bots import BOTS, GreedyBot, answers_to, make_bot, play_out
from runtime.evaluation import evaluate
from runtime.graph.definitions import Content
from runtime.loading import encounter_of, load_content

PACK = Path(__file__).resolve().parents[1] / "bridge" / "data" / "pack"


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content(PACK)


def battle_of(content: Content, deck: list[str], player: Mapping[str, Any] | None = None, **options: Any) -> Battle:
    encounter = encounter_of(content, options.pop("encounter", "rats"), player=player, deck=deck)
    return start_battle(content, encounter, seed=options.pop("seed", 1), **options)


def test_there_is_no_such_bot() -> None:
    with pytest.raises(ValueError, match="random or greedy"):
        make_bot("wise", 0)


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_plays_the_same_battle(content: Content, name: str) -> None:
    """R8.1: same content, seed and inputs, same events."""
    deck = ["strike", "defend", "mallet", "recall", "omen", "strike"]
    logs = []
    for _ in range(2):
        battle = battle_of(content, deck, max_turns=50)
        assert play_out(battle, make_bot(name, 9))
        logs.append((actions_of(battle), [repr(event.kind) for event in read_events(battle)], battle.player.hp))
    assert logs[0] == logs[1]


def test_other_seeds_play_other_battles(content: Content) -> None:
    played = set()
    for seed in range(5):
        battle = battle_of(content, ["strike", "defend", "mallet", "strike"], max_turns=50)
        play_out(battle, make_bot("random", seed))
        played.add(tuple(map(repr, actions_of(battle))))
    assert len(played) > 1


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("as_agent", [False, True])
def test_every_action_and_answer_is_accepted(content: Content, name: str, as_agent: bool) -> None:
    deck = ["recall", "omen", "recall", "strike", "defend", "signal"]
    for seed in range(10):
        bot = make_bot(name, seed)
        battle = battle_of(content, deck, seed=seed, max_turns=20, agent=bot if as_agent else None)
        for _ in range(500):
            if battle.outcome:
                break
            assert do(battle, bot.act(battle)) is None
        assert battle.outcome


def test_a_battle_that_never_ends_is_given_up(content: Content) -> None:
    battle = battle_of(content, ["signal"], {"hp": 1_000_000})
    assert not play_out(battle, make_bot("random", 1), most_actions=50)
    assert OUTCOMES[battle.outcome] == "running"


def test_greedy_kills_when_it_can(content: Content) -> None:
    battle = battle_of(content, ["strike", "defend", "mallet"])
    battle.units[2].hp = 6
    action = GreedyBot(1).act(battle)
    assert isinstance(action, PlayCard)
    assert action.target == 2


def test_greedy_defends_when_it_would_die(content: Content) -> None:
    battle = battle_of(content, ["strike", "defend", "strike"], {"hp": 5}, encounter="rat")
    action = GreedyBot(1).act(battle)
    assert isinstance(action, PlayCard)
    assert battle.cards[action.card].definition.id == "defend"


def test_greedy_ends_the_turn_rather_than_waste_a_card(content: Content) -> None:
    assert GreedyBot(1).act(battle_of(content, ["signal"])) == EndTurn()


def test_greedy_looks_ahead_without_touching_the_battle(content: Content) -> None:
    battle = battle_of(content, ["strike", "defend", "mallet", "recall"])
    before = (len(battle.log), battle.effects.state, evaluate(battle), battle.piles)
    GreedyBot(1).act(battle)
    assert (len(battle.log), battle.effects.state, evaluate(battle), battle.piles) == before


def test_greedy_does_not_know_the_dice(content: Content) -> None:
    """Its choice is the same whatever the battle's own random streams will say."""
    battle = battle_of(content, ["strike", "defend", "mallet", "recall", "omen"])
    other = copy_battle(battle)
    other.effects.state = 12345
    other.shuffles.state = 999
    assert GreedyBot(3).act(battle) == GreedyBot(3).act(other)


def test_greedy_answers_a_choice_by_what_comes_of_it(content: Content) -> None:
    """Exhausting a card makes the hand smaller: it keeps them all."""
    battle = battle_of(content, ["recall", "strike", "defend"])
    recall = next(number for number in battle.piles[0] if battle.cards[number].definition.id == "recall")
    do(battle, PlayCard(recall))
    assert battle.choice is not None
    assert GreedyBot(1).act(battle) == Answer([])


def test_greedy_beats_random(content: Content) -> None:
    deck = ["strike", "strike", "strike", "defend", "defend", "defend", "mallet"]
    wins = {}
    for name in BOTS:
        wins[name] = 0
        for seed in range(30):
            battle = battle_of(content, deck, {"hp": 22}, seed=seed, logging=False, max_turns=50)
            play_out(battle, make_bot(name, seed))
            wins[name] += battle.outcome == WON
    assert wins["greedy"] > wins["random"]


def test_answers_to_a_choice() -> None:
    cards = Choice("card", "", [4, 5, 6], [], 1, 2)
    assert answers_to(cards) == [[4], [5], [6], [4, 5], [4, 6], [5, 6]]
    assert answers_to(Choice("card", "", [4, 5], [], 0, 9)) == [[], [4], [5], [4, 5]]
    assert answers_to(Choice("option", "", [], ["a", "b"], 1, 1)) == [[0], [1]]
    many = answers_to(Choice("card", "", list(range(40)), [], 20, 40))
    assert len(many) == 64
    assert all(len(set(picks)) == 20 for picks in many)
