"""Intents of enemies: planning (R5.6), acting, and the numbers that are shown."""

from __future__ import annotations

from typing import Final

from runtime.battle.damage import damage_after_hooks
from runtime.battle.dispatch import NO_PORTS, go_on, log_fault, start_root
from runtime.battle.events import ENEMY_ACTED, INTENT_CHANGED, warn
from runtime.battle.state import Battle, Unit
from runtime.graph.frame import Frame, new_frame
from runtime.graph.intent import NO_INTENT, Intent
from runtime.graph.program import Branch, ExecNode, Leaf, PatternNode
from runtime.graph.timings import DAMAGE_DEALT_HOOK, DAMAGE_TAKEN_HOOK

_ATTACKS: Final = ("attack", "attack_defend")


def plan_intent(battle: Battle, unit: Unit) -> None:
    """Plans an enemy's next intent: from E31 through Pattern nodes to a leaf, which is stored (R5.6)."""
    definition = unit.definition
    unit.leaf = None
    if definition is None:
        return
    branch = definition.plan
    if branch is not None:
        frame: Frame | None = None
        node = branch.first
        try:
            while node is not None:
                if isinstance(node, PatternNode):
                    node = node.choose(battle, unit)
                    continue
                if isinstance(node, Leaf):
                    unit.leaf = node
                    if node.fixed is not None or not battle.logging:
                        break
                if frame is None:
                    frame = new_frame(battle, branch, unit, None, -1, None, NO_PORTS)
                if isinstance(node, Leaf):
                    # A number that cannot be read is a fault now; whoever reads it later gets 0.
                    _numbers(node, frame)
                    break
                node = node.run(frame)
        except Exception as error:  # noqa: BLE001 - R2.6: whatever a node raises ends its branch alone
            if frame is None:
                frame = new_frame(battle, branch, unit, None, -1, None, NO_PORTS)
            frame.node = node
            battle.running.chain.append(frame)
            log_fault(battle, "error", f"{type(error).__name__}: {error}")
            battle.running.chain.pop()
    if unit.leaf is None:
        warn(battle, "no_intent", f"{unit.name} ({definition.id}) found no leaf: it will do nothing")
    if battle.logging:
        battle.log.append((INTENT_CHANGED, battle.running.cause, unit.number, shown_intent(battle, unit)))


def raw_intent(battle: Battle, unit: Unit) -> Intent:
    """An enemy's intent with the leaf's own numbers, before any hook. Not to be changed: it may be the leaf's."""
    leaf = unit.leaf
    definition = unit.definition
    if leaf is None or definition is None or definition.plan is None:
        return NO_INTENT
    if leaf.fixed is not None:
        return leaf.fixed
    if battle.running.in_leaf:
        # R5.9: what the checker cannot see, a node of somebody else's, may ask all the same; it ends here.
        return Intent(leaf.kind, 0, 0, leaf.text, leaf.icon)
    frame = new_frame(battle, definition.plan, unit, None, -1, None, NO_PORTS)
    logging = battle.logging
    # Reading changes nothing (R4.9), not even the log by a warning: planning has warned, and acting will.
    battle.logging = False
    try:
        amount, hits = _numbers(leaf, frame)
    except Exception:  # noqa: BLE001 - R2.6: planning has logged the fault, and reading changes nothing
        amount, hits = 0, 0
    finally:
        battle.logging = logging
    return Intent(leaf.kind, amount, hits, leaf.text, leaf.icon)


def _numbers(leaf: Leaf, frame: Frame) -> tuple[int, int]:
    """The amount and hits of a leaf that are no literals; no other such leaf is asked for meanwhile (R5.9)."""
    battle = frame.battle
    outer = battle.running.in_leaf
    battle.running.in_leaf = True
    try:
        return leaf.amount.get(frame), leaf.hits.get(frame)
    finally:
        battle.running.in_leaf = outer


def shown_intent(battle: Battle, unit: Unit) -> Intent:
    """An enemy's intent as it is shown: an attack's amount after a dry run of the hooks (R4.9, R5.6).

    A hook that reads an intent gets it without hooks: the question would not end.
    """
    leaf = unit.leaf
    intent = raw_intent(battle, unit) if leaf is None or leaf.fixed is None else leaf.fixed
    if intent.kind not in _ATTACKS or battle.running.in_intent:
        return intent
    player = battle.player
    if not unit.listeners[DAMAGE_DEALT_HOOK] and not player.listeners[DAMAGE_TAKEN_HOOK] and intent.amount >= 0:
        return intent
    battle.running.in_intent = True
    try:
        amount = damage_after_hooks(battle, unit, player, intent.amount, -1, "enemy", False)
    finally:
        battle.running.in_intent = False
    return Intent(intent.kind, amount, intent.hits, intent.text, intent.icon)


def take_enemy_turn(battle: Battle, unit: Unit) -> None:
    """Runs the branch behind an enemy's stored leaf (T5); it is a root without an Entry of its own."""
    leaf = unit.leaf
    definition = unit.definition
    if leaf is None or definition is None or definition.plan is None:
        return
    outer = battle.running.cause
    if battle.logging:
        intent = leaf.fixed if leaf.fixed is not None else raw_intent(battle, unit)
        battle.log.append((ENEMY_ACTED, outer, unit.number, intent))
        battle.running.cause = len(battle.log)
    if leaf.fixed is None:
        # Its numbers are read before anything is done.
        battle.running.nodes_run = 0
        battle.running.steps_run = 0
        _run_behind_leaf(battle, definition.plan, unit, leaf, leaf.next)
    else:
        node = start_root(battle, leaf.next, unit, None, leaf)
        if node is not None:
            _run_behind_leaf(battle, definition.plan, unit, leaf, node)
    battle.running.cause = outer


def _latch(leaf: Leaf, frame: Frame) -> None:
    """Fills in the outputs of a leaf, when the enemy acts; read as in `_numbers`."""
    battle = frame.battle
    battle.running.in_leaf = True
    try:
        leaf.latch(frame)
    finally:
        battle.running.in_leaf = False


def _run_behind_leaf(battle: Battle, plan: Branch, unit: Unit, leaf: Leaf, node: ExecNode | None) -> None:
    frame = new_frame(battle, plan, unit, None, -1, None, NO_PORTS)
    try:
        _latch(leaf, frame)
    except Exception as error:  # noqa: BLE001 - R2.6: whatever a node raises ends its branch alone
        frame.node = leaf
        battle.running.chain.append(frame)
        log_fault(battle, "error", f"{type(error).__name__}: {error}")
        battle.running.chain.pop()
    else:
        go_on(frame, node)
