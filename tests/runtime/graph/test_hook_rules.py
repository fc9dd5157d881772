"""R4.9: a hook that is plain arithmetic follows its rule to the same amounts, nodes and faults as its graph.

Traced battles run every graph, which makes them the model here.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.battle import EndTurn, PlayCard, act, read_events, start_battle, state_hash
from runtime.graph.definitions import Content
from runtime.graph.hook_rules import PERCENT, HookRule
from runtime.graph.timings import DAMAGE_DEALT_HOOK, DAMAGE_TAKEN_HOOK
from runtime.graph.types import INT_MAX, INT_MIN, saturate
from runtime.loading import encounter_of, load_content
from runtime.nodes.values.arithmetic import divide

OPERATIONS = ("add", "subtract", "multiply", "divide", "min", "max", "percent")
NUMBERS = st.one_of(st.integers(-20, 20), st.sampled_from([INT_MIN, INT_MAX, 150, 75, 0]))


def hook(status: str, timing: str, op: str, literal: int | None, amount_first: bool, attacks_only: bool) -> Any:
    """A status that combines a hook's amount with its stacks, or with a literal."""
    nodes: list[dict[str, Any]] = [{"id": "hook", "type": timing}, {"id": "set", "type": "set_hook_amount"}]
    other, amount = ("b", "a") if amount_first else ("a", "b")
    if op == "percent":
        nodes.append({"id": "sum", "type": "scale_percent", "params": {}})
        other, amount = ("percent", "value") if amount_first else ("value", "percent")
    else:
        nodes.append({"id": "sum", "type": "int_math", "params": {"op": op}})
    links = [["hook.amount", f"sum.{amount}"], ["sum.result", "set.amount"]]
    if literal is None:
        nodes.append({"id": "stacks", "type": "own_stacks"})
        links.append(["stacks.result", f"sum.{other}"])
    else:
        nodes[2]["params"][other] = literal
    if attacks_only:
        nodes.append({"id": "if", "type": "branch"})
        links += [["hook.out", "if.in"], ["if.true", "set.in"], ["hook.is_attack", "if.condition"]]
    else:
        links.append(["hook.out", "set.in"])
    return {"id": status, "graph": {"nodes": nodes, "links": links}}


def hits(amount: int, kind: str) -> dict[str, Any]:
    nodes = [
        {"id": "played", "type": "on_card_played"},
        {"id": "hit", "type": "deal_damage", "params": {"amount": amount, "kind": kind}},
        {"id": "again", "type": "deal_damage", "params": {"amount": amount}},
    ]
    return {"nodes": nodes, "links": [["played.out", "hit.in"], ["hit.out", "again.in"]]}


def pack(statuses: list[Any], amount: int, kind: str) -> Content:
    stacks = {status["id"]: 3 + place for place, status in enumerate(statuses)}
    leaf = {"id": "leaf", "type": "leaf_intent", "params": {"kind": "attack", "amount": amount}}
    bite = {"id": "bite", "type": "deal_damage"}
    start = {"id": "start", "type": "on_enemy_behavior_start"}
    links = [["start.out", "leaf.in"], ["leaf.out", "bite.in"], ["leaf.amount", "bite.amount"]]
    return load_content(
        {
            "cards": [{"id": "hit", "cost": 0, "target": "enemy", "graph": hits(amount, kind)}],
            "statuses": statuses,
            "enemies": [
                {
                    "id": "foe",
                    "hp": 5_000,
                    "statuses": stacks,
                    "graph": {"nodes": [start, leaf, bite], "links": links},
                }
            ],
            "decks": [{"id": "deck", "cards": ["hit"] * 3}],
            "encounters": [
                {"id": "fight", "enemies": ["foe"], "deck": "deck", "player": {"hp": 5_000, "statuses": stacks}}
            ],
        }
    )


def events(battle: Any) -> list[Any]:
    """What happened, without what only a trace tells and without numbers, which a trace shifts."""
    return [(event.kind, event.fields) for event in read_events(battle) if event.kind not in ("node_run", "warning")]


@st.composite
def hooks(draw: st.DrawFn) -> list[Any]:
    found = []
    for place in range(draw(st.integers(1, 3))):
        dealt = draw(st.booleans())
        found.append(
            hook(
                f"status{place}",
                "damage_dealt_hook" if dealt else "damage_taken_hook",
                draw(st.sampled_from(OPERATIONS)),
                draw(st.one_of(st.none(), NUMBERS)),
                draw(st.booleans()),
                not dealt and draw(st.booleans()),
            )
        )
    return found


@settings(max_examples=120)
@given(hooks(), NUMBERS, st.sampled_from(["attack", "status"]), st.sampled_from([1, 2, 3, 4, 5, 6, 10_000]))
def test_r4_9_rules_leave_what_graphs_leave(statuses: list[Any], amount: int, kind: str, node_limit: int) -> None:
    """Also where R2.5 ends the root in the middle of the hooks."""
    content = pack(statuses, amount, kind)
    encounter = encounter_of(content, "fight")
    silent = start_battle(content, encounter, node_limit=node_limit, logging=False)
    logged = start_battle(content, encounter, node_limit=node_limit)
    traced = start_battle(content, encounter, node_limit=node_limit, tracing=True)
    for action in (PlayCard(0, 1), PlayCard(1, 1), EndTurn(), EndTurn()):
        for battle in (silent, logged, traced):
            if battle.outcome == 0:
                act(battle, action)
        assert state_hash(silent) == state_hash(logged) == state_hash(traced)
    assert events(logged) == events(traced)


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize("literal", [None, 4])
@pytest.mark.parametrize("attacks_only", [False, True])
def test_r4_9_plain_hooks_are_recognised(op: str, literal: int | None, attacks_only: bool) -> None:
    """Without this the model above would be compared with itself. Division may warn, so its graph runs."""
    content = pack([hook("status", "damage_taken_hook", op, literal, True, attacks_only)], 5, "attack")
    (branch,) = content.statuses["status"].behavior.branches[DAMAGE_TAKEN_HOOK]
    if op == "divide" or (op == "percent" and literal is None):
        assert branch.rule is None
        return
    assert isinstance(branch.rule, HookRule)
    assert (branch.rule.attacks_only, branch.rule.nodes) == (attacks_only, 2 if attacks_only else 1)
    assert branch.rule.by_stacks is (literal is None)


@given(st.integers(INT_MIN, INT_MAX), NUMBERS)
def test_r4_9_a_percentage_is_truncated_toward_zero(amount: int, percent: int) -> None:
    """Below 0, too: a hook after it may bring the amount up again."""
    assert HookRule(PERCENT, False, percent).reckon(amount, 0) == saturate(divide(amount * percent, 100))


def test_r4_9_a_hook_that_spends_or_does_more_is_no_plain_one() -> None:
    spending = hook("spending", "damage_dealt_hook", "add", None, True, False)
    spending["graph"]["nodes"][1]["params"] = {"spend": 1}
    twofold = hook("twofold", "damage_taken_hook", "add", None, True, True)
    twofold["graph"]["nodes"].append({"id": "other", "type": "set_hook_amount", "params": {"amount": 1}})
    twofold["graph"]["links"].append(["if.false", "other.in"])
    content = pack([spending, twofold], 5, "attack")
    assert [branch.rule for branch in content.statuses["spending"].behavior.branches[DAMAGE_DEALT_HOOK]] == [None]
    assert [branch.rule for branch in content.statuses["twofold"].behavior.branches[DAMAGE_TAKEN_HOOK]] == [None]
