"""A shown number that can ask for itself is refused when the pack is loaded, with the way back named (R5.9)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from runtime.battle import EndTurn, act, card_cost, shown_intent, start_battle, state_hash
from runtime.content.problems import Problem
from runtime.graph.bind import Binding
from runtime.graph.compile import compile_pack
from runtime.graph.declare import VALUE, NodeType, value_output
from runtime.graph.frame import Frame
from runtime.graph.types import INT
from runtime.loading import encounter_of, load_content
from runtime.nodes import library
from runtime.packs import check_pack, load_pack
from tests.runtime.arena import graph

LEAF = "start: on_enemy_behavior_start; leaf: leaf_intent kind={kind}; start > leaf; leaf_number: int_math op=add b=3"
OWN_INTENT = "info: unit_info; info.intent_amount {number}.a"
ANY_INTENT = "who: event_arg name=arg type=unit; info: unit_info; who.value info.unit; info.intent_amount {number}.a"
PLAYERS_INTENT = "info: unit_info unit=player; info.intent_amount {number}.a"
COST = "which: event_arg name=arg type=card; price: card_info; which.value price.card; price.cost {number}.a"
NOTHING = "info: unit_info; info.hp {number}.a"
READS = {"own": OWN_INTENT, "any": ANY_INTENT, "player": PLAYERS_INTENT, "cost": COST, "nothing": NOTHING}


def enemy(enemy_id: str, reads: str, kind: str = "attack", port: str = "amount") -> dict[str, Any]:
    text = f"{LEAF.format(kind=kind)}; leaf_number.result leaf.{port}; {READS[reads].format(number='leaf_number')}"
    return {"id": enemy_id, "hp": 20, "graph": graph(text)}


def hooked(status_id: str, hook: str, reads: str) -> dict[str, Any]:
    text = f"hook: {hook}; out: set_hook_amount; hook > out; sum: int_math op=add b=1; sum.result out.amount"
    return {"id": status_id, "graph": graph(f"{text}; {READS[reads].format(number='sum')}")}


def pack_of(enemies: list[dict[str, Any]], statuses: list[dict[str, Any]]) -> dict[str, Any]:
    cards = [{"id": "wait", "cost": 1, "target": "none", "graph": graph("on: on_card_played; end: end_turn; on > end")}]
    return {"cards": cards, "statuses": statuses, "enemies": enemies, "decks": [{"id": "deck", "cards": ["wait"] * 3}]}


def errors(enemies: list[dict[str, Any]], *statuses: dict[str, Any]) -> list[Problem]:
    return [found for found in check_pack(pack_of(enemies, list(statuses))).problems if found.severity == "error"]


@pytest.mark.parametrize("port", ["amount", "hits"])
def test_r5_9_a_leaf_that_asks_for_its_own_intent(port: str) -> None:
    (found,) = errors([enemy("crab", "own", port=port)])
    assert found.path == "$.enemies[0].graph.nodes[1]"
    assert found.message.endswith('its number → the intent of "crab"')


def test_r5_9_enemies_that_ask_for_each_other() -> None:
    found = errors([enemy("crab", "any"), enemy("gull", "nothing")])
    assert [(problem.path, problem.message.partition(": ")[2]) for problem in found] == [
        ("$.enemies[0].graph.nodes[1]", 'its number → the intent of "crab"')
    ]


def test_r5_9_by_a_cost_and_its_hook() -> None:
    fight = [enemy("crab", "cost", kind="buff")]
    (found,) = errors(fight, hooked("haggle", "card_cost_hook", "own"))
    assert found.message.endswith('its number → the cost of a card → the intent of "crab"')
    assert errors(fight, hooked("haggle", "card_cost_hook", "nothing")) == []
    assert errors(fight) == []


@pytest.mark.parametrize("hook", ["damage_dealt_hook", "damage_taken_hook"])
def test_r5_9_by_a_cost_and_the_hooks_of_another_attack(hook: str) -> None:
    """The crab asks for a cost, that for the gull's intent, that as an attack for a cost again: no way back."""
    haggle = hooked("haggle", "card_cost_hook", "player")
    assert errors([enemy("crab", "cost"), enemy("gull", "nothing")], haggle, hooked("rage", hook, "cost")) == []
    (found,) = errors([enemy("crab", "cost")], haggle | {"graph": hooked("x", "card_cost_hook", "own")["graph"]})
    assert "the cost of a card" in found.message


@pytest.mark.parametrize("reads", ["player", "nothing"])
def test_r5_9_a_leaf_that_leads_nowhere_back_is_right(reads: str) -> None:
    assert errors([enemy("crab", reads)], hooked("rage", "damage_dealt_hook", "own")) == []


def test_r5_9_r4_9_a_hook_may_ask_for_what_it_changes() -> None:
    """A hook gets the amount without hooks (R4.9): that question ends by itself."""
    assert errors([enemy("crab", "nothing")], hooked("rage", "damage_dealt_hook", "own")) == []
    assert errors([enemy("crab", "nothing")], hooked("haggle", "card_cost_hook", "cost")) == []


def random_pack(draw: random.Random) -> dict[str, Any]:
    reads = list(READS)
    enemies = [
        enemy(f"e{number}", draw.choice(reads), draw.choice(["attack", "buff"]), draw.choice(["amount", "hits"]))
        for number in range(draw.randint(1, 3))
    ]
    hooks = ["damage_dealt_hook", "damage_taken_hook", "card_cost_hook", "hp_loss_hook", "draw_count_hook"]
    statuses = [hooked(f"s{number}", draw.choice(hooks), draw.choice(reads)) for number in range(draw.randint(0, 4))]
    for one in enemies:
        one["statuses"] = {status["id"]: 1 for status in statuses if draw.random() < 0.5}
    return pack_of(enemies, statuses)


@pytest.mark.parametrize("seed", range(60))
def test_r5_9_r2_6_no_pack_ends_the_process(seed: int) -> None:
    """A random web of shown numbers is refused, or plays and shows the same numbers whenever it is asked."""
    draw = random.Random(seed)
    pack = random_pack(draw)
    if any(found.severity == "error" for found in check_pack(pack).problems):
        assert all(
            "can ask for itself" in str(found) for found in check_pack(pack).problems if found.severity == "error"
        )
        return
    content = load_content(pack)
    player = {"hp": 60, "statuses": {status["id"]: 1 for status in pack["statuses"]}}
    fight = {"enemies": [one["id"] for one in pack["enemies"]], "deck": "deck", "player": player}
    battle = start_battle(content, encounter_of(content, fight), seed=seed)
    for _ in range(3):
        before = state_hash(battle)
        shown = [shown_intent(battle, unit).values() for unit in battle.units[1:]]
        costs = [card_cost(battle, card) for card in battle.cards]
        assert [shown_intent(battle, unit).values() for unit in battle.units[1:]] == shown
        assert [card_cost(battle, card) for card in battle.cards] == costs
        assert state_hash(battle) == before
        act(battle, EndTurn())


def test_the_random_packs_are_of_both_kinds() -> None:
    refused = sum(
        any(found.severity == "error" for found in check_pack(random_pack(random.Random(seed))).problems)
        for seed in range(60)
    )
    assert 10 < refused < 50


def ask_for_the_own_intent(frame: Frame) -> int:
    """A value node of a package, which asks for an intent without saying so."""
    return 3 + shown_intent(frame.battle, frame.acting).amount


def test_r5_9_what_the_checker_cannot_see_ends_in_the_battle() -> None:
    """Whatever the build and its stack: the number within the number counts as 0."""

    def build(binding: Binding, port: str) -> Callable[[Frame], int]:
        return ask_for_the_own_intent

    sly = NodeType(type="sly", name="Sly", category=VALUE, help="", outputs=value_output(INT), build=build)
    nodes = {**library(), "sly": sly}
    crab = {"id": "crab", "hp": 20}
    text = "start: on_enemy_behavior_start; leaf: leaf_intent kind=attack; start > leaf; sly: sly; hit: deal_damage"
    crab["graph"] = graph(f"{text}; leaf > hit; leaf.amount hit.amount; sly.{value_output(INT)[0].name} leaf.amount")
    content = compile_pack(load_pack(pack_of([crab], []), nodes), nodes)
    battle = start_battle(content, encounter_of(content, {"enemies": ["crab"], "deck": "deck", "player": {"hp": 60}}))
    assert shown_intent(battle, battle.units[1]).amount == 3
    assert act(battle, EndTurn()) is None
    assert battle.player.hp == 57
