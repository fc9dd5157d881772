"""Ends that no scenario can bring about: abort, a limit of turns, rewards by weight, and turns that never begin."""

from __future__ import annotations

from collections import Counter

import pytest

from runtime.battle import Abort, Answer, EndTurn, Raise, act, legal_actions, start_battle
from runtime.battle.state import OUTCOMES
from runtime.loading import encounter_of, load_content
from tests.runtime.arena import Arena, attacker, graph, witness

TALLY = {"tally": witness("on_battle_end", "on_turn_end")}
KILL = "on: on_card_played; hit: deal_damage amount=200; on > hit"


def test_r3_8_abort_runs_no_entry() -> None:
    arena = Arena(statuses=TALLY, player={"statuses": {"tally": 1}})
    arena.do(Abort())
    assert (arena.outcome, arena.lines()) == ("aborted", [])
    assert arena.player.alive
    refused = act(arena.battle, EndTurn())
    assert refused is not None
    assert refused.reason == "BATTLE_OVER"


def test_r3_8_max_turns_leaves_a_battle_undecided() -> None:
    arena = Arena(statuses=TALLY, player={"statuses": {"tally": 1}}, max_turns=2)
    assert arena.end_turn() == ["on_turn_end status:tally@player"]
    assert arena.outcome == "running"
    assert arena.end_turn() == ["on_turn_end status:tally@player"], "no E2"
    assert (arena.outcome, arena.battle.turn) == ("undecided", 2)


def test_r3_7_a_row_of_rewards_is_drawn_by_its_weight() -> None:
    content = load_content(
        {
            "cards": [{"id": "kill", "cost": 0, "target": "enemy", "graph": graph(KILL)}],
            "enemies": [{"id": "dummy", "hp": 9}],
            "decks": [{"id": "deck", "cards": ["kill"]}],
        }
    )
    rows = [{"cards": ["kill"], "choose": 1, "weight": weight} for weight in (1, 7)]
    encounter = encounter_of(content, {"enemies": ["dummy"], "deck": "deck", "player": {"hp": 9}, "rewards": rows})
    drawn: Counter[int] = Counter()
    for seed in range(400):
        battle = start_battle(content, encounter, seed=seed, logging=False)
        streams = (battle.shuffles.state, battle.intents.state, battle.effects.state)
        assert battle.reward == -1
        assert act(battle, legal_actions(battle)[0]) is None
        drawn[battle.reward] += 1
        assert streams == (battle.shuffles.state, battle.intents.state, battle.effects.state), "a stream of its own"
    assert set(drawn) == {0, 1}
    assert 20 <= drawn[0] <= 90


def test_r3_7_e2_comes_before_the_reward_is_drawn() -> None:
    arena = Arena(
        cards={"kill": KILL},
        statuses={"heir": 'over: on_battle_end; ask: choose_option options=["a","b"]; over > ask'},
        player={"statuses": {"heir": 1}},
        encounter={"rewards": [{"cards": ["kill"], "choose": 1, "weight": 1}]},
    )
    arena.play("kill")
    assert arena.battle.reward == -1
    arena.do(Answer([0], "option"))
    assert arena.battle.reward == 0


def test_r2_7_e2_runs_once_whatever_it_does() -> None:
    """An E2 branch that kills the survivors: the battle stays won, what dies in it has no Entry."""
    over = (
        witness("on_unit_died", "on_hp_lost")
        + """
            over: on_battle_end; die: kill_unit target=player; more: spawn_unit enemy=dummy
            say: raise_internal_event event=x; over > die > more > say; x: on_internal_event event=x; x > seen
        """
    )
    arena = Arena(cards={"kill": KILL}, statuses={"doom": over}, player={"statuses": {"doom": 1}})
    assert [line.split()[0] for line in arena.play("kill")] == ["on_card_played", "on_unit_died", "on_battle_end"]
    assert arena.outcome == "won"
    assert len(arena.events("battle_ended")) == 1


def test_r2_7_the_decision_waits_for_the_hit_that_encloses_the_death() -> None:
    """A retaliation inside a hit kills the last enemy; the hit's own Entries still run, then it is decided."""
    arena = Arena(
        statuses={
            "spikes": "hurt: on_damage_taken; stab: deal_damage amount=200; hurt > stab; hurt.source stab.target",
            "ear": witness("on_attack_taken", "on_hp_lost", "on_battle_end"),
        },
        enemies={"biter": attacker(5)},
        fight=("biter",),
        player={"statuses": {"spikes": 1, "ear": 1}},
    )
    assert [line.split()[0] for line in arena.end_turn()] == [
        "on_damage_taken",
        "on_attack_taken",
        "on_hp_lost",
        "on_battle_end",
    ]
    assert (arena.outcome, arena.player.hp) == ("won", 45)


def test_r2_7_a_unit_that_its_death_calls_keeps_the_battle_going() -> None:
    split = "gone: on_unit_died; one: spawn_unit enemy=dummy; gone > one"
    arena = Arena(
        cards={"kill": KILL}, statuses={"split": split}, enemies={"jelly": {"statuses": {"split": 1}}}, fight=("jelly",)
    )
    arena.play("kill")
    assert (arena.outcome, [unit.alive for unit in arena.battle.units]) == ("running", [True, False, True])


def test_t2_a_status_that_ends_every_turn_does_not_keep_the_process_busy() -> None:
    arena = Arena(
        statuses={"sleep": "begin: on_turn_start; end: end_turn; begin > end"}, player={"statuses": {"sleep": 1}}
    )
    assert [event.fields["kind"] for event in arena.events("fault")] == ["turns"]
    assert arena.outcome == "running"


def test_t4_end_turn_ends_the_turn_when_the_action_is_done() -> None:
    cards = {
        "rest": {
            "target": "none",
            "graph": "on: on_card_played; end: end_turn; up: gain_energy amount=1; on > end > up",
        }
    }
    arena = Arena(
        cards=cards,
        deck=["rest"] * 2,
        statuses={"ear": witness("on_energy_gained", "on_turn_end", "on_turn_start")},
        player={"statuses": {"ear": 1}},
    )
    assert [line.split()[0] for line in arena.play("rest")] == [
        "on_card_played",
        "on_energy_gained",
        "on_turn_end",
        "on_turn_start",
    ]
    assert arena.battle.turn == 2


def test_t5_end_turn_in_the_enemy_phase_does_nothing() -> None:
    arena = Arena(
        enemies={
            "worm": "start: on_enemy_behavior_start; leaf: leaf_intent kind=special; end: end_turn; start > leaf > end"
        },
        fight=("worm",),
    )
    arena.end_turn()
    assert arena.battle.turn == 2


@pytest.mark.parametrize("outcome", ["won", "lost"])
def test_e2_r3_8_the_notice_of_the_end_goes_to_the_engine_only(outcome: str) -> None:
    guid = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
    arena = Arena(
        cards={"kill": KILL, "give_up": "on: on_card_played; die: kill_unit target=player; on > die"},
        statuses={"ear": f"end: on_ges_event ges_event={guid}; x: set_variable name=x value=1; end > x"},
        player={"statuses": {"ear": 1}},
        more={"events": [{"id": "over", "guid": guid, "argument": "text"}], "notify": {"battle_ended": guid}},
    )
    lines = arena.play("kill" if outcome == "won" else "give_up")
    assert len(lines) == 1, "graphs hear nothing of it"
    assert [event.fields["arguments"] for event in arena.events("ges_event_raised")] == [{"arg": outcome}]
    assert OUTCOMES[arena.battle.outcome] == outcome
    refused = act(arena.battle, Raise(arena.battle.content.events["over"], {"arg": "again"}))
    assert refused is not None
    assert refused.reason == "BATTLE_OVER"
