"""Choices in the middle of actions, and copies of a battle that waits for an answer (R5.7, R6.5)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from runtime.battle import (
    Abort,
    Answer,
    Battle,
    Concede,
    CopyError,
    EndTurn,
    PlayCard,
    Raise,
    act,
    copy_battle,
    entry_lines,
    read_events,
)
from runtime.battle.agent import Agent
from runtime.battle.choices import Choice
from tests.runtime.arena import Answers, Arena, witness

BELL = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
BELLS = {"events": [{"id": "bell", "guid": BELL, "argument": "unit"}]}
RIDDLE = """
    hurt: on_damage_taken; ask: choose_option options=["a","b","c"]; keep: change_variable name=answers
    sum: int_math op=add b=1; hurt > ask > keep; ask.index sum.a; sum.result keep.value
"""
STRIKE = "on: on_card_played; hit: deal_damage amount=6 hits=2; up: gain_armor amount=2 target=player; on > hit > up"


def riddles(**more: Any) -> Arena:
    """A card hits twice an enemy that asks at each hit, and hears the bell."""
    return Arena(
        cards={"strike": STRIKE},
        statuses={
            "riddle": RIDDLE,
            "ear": witness("on_attack_taken")
            + f"""
                rung: on_ges_event ges_event={BELL}; who: event_arg name=arg type=unit; hurt: lose_hp amount=5
                rung > hurt; who.value hurt.target
            """,
        },
        enemies={"sphinx": {"statuses": {"riddle": 1, "ear": 1}}},
        fight=("sphinx",),
        more=BELLS,
        **more,
    )


def state(battle: Battle) -> tuple[object, ...]:
    """All there is to compare, the log aside."""
    units = [
        (
            unit.name,
            unit.hp,
            unit.max_hp,
            unit.armor,
            unit.life,
            unit.variables,
            unit.pattern,
            unit.leaf and unit.leaf.id,
            [(key, s.stacks) for key, s in unit.statuses.items()],
        )
        for unit in battle.units
    ]
    streams = (battle.shuffles.state, battle.intents.state, battle.effects.state)
    cards = [(card.definition.id, card.keywords, card.cost, card.variables) for card in battle.cards]
    return (
        units,
        battle.piles,
        battle.places,
        cards,
        battle.energy,
        battle.variables,
        battle.turn,
        battle.phase,
        battle.outcome,
        streams,
        battle.reward,
    )


def lines(battle: Battle) -> list[str]:
    return entry_lines(read_events(battle), [unit.name for unit in battle.units])


def test_r5_7_two_questions_in_one_action() -> None:
    arena = riddles()
    arena.play("strike")
    assert arena.battle.choice is not None
    assert arena.enemy().hp == 94
    arena.do(Answer([1], "option"))
    assert (arena.enemy().hp, arena.variable("answers"), arena.player.armor) == (88, 2, 0)
    arena.do(Answer([2], "option"))
    assert (arena.variable("answers"), arena.player.armor, arena.discard) == (5, 2, ["strike"])
    assert arena.battle.choice is None


def test_r5_7_an_agent_is_asked_at_once_with_the_same_result() -> None:
    asked, answered = riddles(), riddles(agent=Answers([[1], [2]]))
    for arena in (asked, answered):
        arena.play("strike")
    asked.do(Answer([1], "option"))
    asked.do(Answer([2], "option"))
    assert state(asked.battle) == state(answered.battle)
    assert lines(asked.battle) == lines(answered.battle)


def test_r5_7_r2_6_an_agents_wrong_answer_ends_the_branch_that_asked() -> None:
    arena = riddles(agent=Answers([[7], [0]]))
    arena.play("strike")
    assert [event.fields["message"] for event in arena.events("fault")] == [
        "InvalidAnswerError: expected one index from 0 to 2"
    ]
    assert (arena.enemy().hp, arena.variable("answers"), arena.player.armor) == (88, 1, 2)


def test_r5_10_cards_answer_no_choice_of_options() -> None:
    arena = riddles()
    arena.play("strike")
    before = (state(arena.battle), len(arena.battle.log))
    for picks in ([], [0], [1]):
        rejected = act(arena.battle, Answer(picks))
        assert rejected is not None
        assert (rejected.reason, rejected.message) == (
            "INVALID_CHOICE",
            "expected the index of one of 3 options, got cards",
        )
    assert before == (state(arena.battle), len(arena.battle.log))
    arena.do(Answer([0], "option"))


def test_r5_10_an_option_answers_no_choice_of_cards() -> None:
    text = "on: on_card_played; p: cards_in_pile pile=hand; x: choose_card min=0 max=2; p.cards x.cards; on > x"
    arena = Arena(cards={"pick": text, "strike": STRIKE}, deck=["pick", "strike", "strike"])
    arena.play("pick")
    before = (state(arena.battle), len(arena.battle.log))
    for option in (0, 1):
        rejected = act(arena.battle, Answer([option], "option"))
        assert rejected is not None
        assert (rejected.reason, rejected.message) == ("INVALID_CHOICE", "expected 0 to 2 cards, got an option")
    assert before == (state(arena.battle), len(arena.battle.log))
    arena.do(Answer([]))


@pytest.mark.parametrize("picks", [[], [0, 1], [3], [-1]])
def test_r5_7_a_wrong_answer_is_refused_and_changes_nothing(picks: list[int]) -> None:
    arena = riddles()
    arena.play("strike")
    before = (state(arena.battle), len(arena.battle.log))
    refused = act(arena.battle, Answer(picks, "option"))
    assert refused is not None
    assert refused.reason == "INVALID_CHOICE"
    assert before == (state(arena.battle), len(arena.battle.log))
    arena.do(Answer([0], "option"))


def test_r5_7_an_answer_that_nobody_asked_for_is_refused() -> None:
    refused = act(riddles().battle, Answer([0], "option"))
    assert refused is not None
    assert refused.reason == "NO_CHOICE_PENDING"


@pytest.mark.parametrize("answered", [0, 1])
def test_r5_7_a_copy_at_an_open_choice_plays_as_the_original(answered: int) -> None:
    arena = riddles()
    arena.play("strike")
    for _ in range(answered):
        arena.do(Answer([2], "option"))
    twin = copy_battle(arena.battle)
    assert twin.choice is not None
    assert twin.choice is not arena.battle.choice
    assert state(twin) == state(arena.battle)
    while arena.battle.choice is not None:
        for battle in (twin, arena.battle):
            assert act(battle, Answer([1], "option")) is None
    assert state(twin) == state(arena.battle)
    assert lines(twin) == lines(arena.battle)


def test_r5_7_a_copy_at_an_open_choice_is_independent() -> None:
    arena = riddles()
    arena.play("strike")
    twin = copy_battle(copy_battle(arena.battle))
    before = state(arena.battle)
    assert act(twin, Answer([2], "option")) is None
    assert act(twin, Answer([2], "option")) is None
    assert state(arena.battle) == before
    arena.do(Answer([0], "option"))
    arena.do(Answer([0], "option"))
    assert (arena.variable("answers"), twin.variables["answers"]) == (2, 6)


def test_r5_7_t1_a_copy_in_the_middle_of_set_up() -> None:
    oracle = """
        drawn: on_card_drawn; ask: choose_option options=["a","b"]; keep: change_variable name=answers
        drawn > ask > keep; ask.index keep.value
    """
    arena = Arena(cards={"oracle": oracle}, deck=["oracle"] * 3)
    arena.do(Answer([1], "option"))
    twin = copy_battle(arena.battle)
    for battle in (arena.battle, twin):
        for pick in (0, 1):
            assert act(battle, Answer([pick], "option")) is None
    assert state(twin) == state(arena.battle)
    assert (arena.variable("answers"), arena.battle.turn) == (2, 1)


def test_r5_7_t5_a_copy_at_a_question_in_the_enemy_phase() -> None:
    plan = """
        start: on_enemy_behavior_start; leaf: leaf_intent kind=special; ask: choose_option options=["hp","armor"]
        keep: set_variable name=answer; start > leaf > ask > keep; ask.index keep.value
    """
    arena = Arena(enemies={"thief": plan}, fight=("thief", "thief"))
    arena.end_turn()
    twin = copy_battle(arena.battle)
    for battle in (arena.battle, twin):
        assert act(battle, Answer([1], "option")) is None
        assert battle.choice is not None
        assert act(battle, Answer([0], "option")) is None
        assert battle.turn == 2
    assert state(twin) == state(arena.battle)


def test_r5_7_r6_5_raises_wait_in_order_and_in_the_copy_too() -> None:
    arena = riddles()
    arena.play("strike")
    bell = arena.battle.content.events["bell"]
    arena.do(Raise(bell, {"arg": arena.enemy()}))
    arena.do(Raise(bell, {"arg": arena.player}))
    twin = copy_battle(arena.battle)
    assert arena.player.hp == 50
    for battle in (twin, arena.battle):
        for _ in range(2):
            assert act(battle, Answer([0], "option")) is None
    # Each battle's raises hit its own units: 12 by the card, 5 by the bell.
    for battle in (twin, arena.battle):
        assert [unit.hp for unit in battle.units] == [45, 83]
    assert state(twin) == state(arena.battle)
    raised = [event.fields["arguments"]["arg"].name for event in arena.events("ges_event_raised")]
    assert raised == ["enemy0", "player"]


def test_r5_7_r6_5_a_raise_that_asks_is_copied_with_its_unit() -> None:
    asking = f"""
        rung: on_ges_event ges_event={BELL}; ask: choose_option options=["a","b"]; who: event_arg name=arg type=unit
        hurt: lose_hp amount=5; rung > ask > hurt; who.value hurt.target
    """
    arena = Arena(statuses={"asks": asking}, player={"statuses": {"asks": 1}}, more=BELLS)
    arena.raise_event("bell", arg=arena.enemy())
    twin = copy_battle(arena.battle)
    assert act(twin, Answer([0], "option")) is None
    assert (twin.units[1].hp, arena.enemy().hp) == (95, 100)


@pytest.mark.parametrize(("action", "outcome"), [(Concede(), "lost"), (Abort(), "aborted")])
def test_r5_7_r3_8_giving_up_at_an_open_choice(action: Concede | Abort, outcome: str) -> None:
    """What the action did stays done, and the card in play goes to its pile."""
    arena = riddles()
    arena.play("strike")
    arena.do(action)
    assert (arena.outcome, arena.battle.choice, arena.discard) == (outcome, None, ["strike"])
    refused = act(arena.battle, Answer([0], "option"))
    assert refused is not None
    assert refused.reason == "BATTLE_OVER"


class Curious(Agent):
    """Looks at the battle in the middle of an action, as bots do."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        self.seen.append(battle.units[1].hp)
        return [0]


def test_r5_7_e26_a_choice_in_decay_and_at_turn_end() -> None:
    ask = 'ask: choose_option options=["a","b"]; more: change_variable name=asked value=1; ask > more; '
    agent = Curious()
    arena = Arena(
        statuses={
            "fuse": {"decay": 1, "graph": ask + "out: on_status_expired; end: on_turn_end; out > ask; end > ask"}
        },
        player={"statuses": {"fuse": 1}},
        agent=agent,
    )
    assert [line.split()[0] for line in arena.end_turn()] == ["on_turn_end", "on_status_expired"]
    assert (arena.variable("asked"), agent.seen) == (2, [100, 100])


def test_r5_7_playing_and_ending_the_turn_wait_for_the_answer() -> None:
    arena = riddles()
    arena.play("strike")
    for action in (PlayCard(0, 1), EndTurn()):
        refused = act(arena.battle, action)
        assert refused is not None
        assert refused.reason == "CHOICE_PENDING"


def test_a_battle_without_copies_at_choices_plays_the_same_and_is_copied_between_actions() -> None:
    """R5.7: a server saves the copy that every action with a possible choice begins with."""
    copying, saving = riddles(), riddles(copies_at_choices=False)
    copying.play("strike")
    saving.play("strike")
    for picks in ([1], [2]):
        assert state(saving.battle) == state(copying.battle)
        with pytest.raises(CopyError, match="copies_at_choices"):
            copy_battle(saving.battle)
        copying.do(Answer(picks, "option"))
        saving.do(Answer(picks, "option"))
    assert state(copy_battle(saving.battle)) == state(saving.battle) == state(copying.battle)


def test_r5_7_battles_that_wait_side_by_side_do_not_mix_up_their_actions() -> None:
    """The greenlets in which actions run are used again, by whichever battle comes next."""
    arenas = [riddles() for _ in range(12)]
    for arena in arenas:
        arena.play("strike")
    order = [*arenas[::2], *arenas[1::2]]
    for first, arena in enumerate(order):
        arena.do(Answer([first % 3], "option"))
        other = riddles(agent=Answers([[first % 3], [2]]))
        other.play("strike")
        assert arena.battle.choice is not None
    for first, arena in enumerate(reversed(order)):
        arena.do(Answer([2], "option"))
        expected = riddles(agent=Answers([[(11 - first) % 3], [2]]))
        expected.play("strike")
        assert state(arena.battle) == state(expected.battle)


def test_r5_7_battles_in_several_threads_wait_for_their_own_answers() -> None:
    def fight(picks: int) -> tuple[object, ...]:
        for _ in range(5):
            arena = riddles()
            arena.play("strike")
            arena.do(Answer([picks], "option"))
            arena.do(Answer([picks], "option"))
        return state(arena.battle)

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fight, [0, 1, 2, 0, 1, 2, 0, 1, 2]))
    assert found == [fight(picks) for picks in (0, 1, 2)] * 3


def test_r5_7_an_action_that_is_given_up_leaves_nothing_behind() -> None:
    for _ in range(20):
        given_up = riddles()
        given_up.play("strike")
        assert act(given_up.battle, Concede()) is None
        again = riddles()
        again.play("strike")
        again.do(Answer([1], "option"))
        again.do(Answer([2], "option"))
        assert again.variable("answers") == 5
