"""Damage and direct loss of HP: R4.1 to R4.4."""

from __future__ import annotations

from typing import Final

from runtime.battle.death import check_decision, die
from runtime.battle.dispatch import dispatch_to_statuses
from runtime.battle.events import ARMOR_CHANGED, DAMAGE_RESOLVED, HP_CHANGED
from runtime.battle.hooks import NO_RULES, apply_hooks, flush_spends, reckon_hooks, undo_pretended
from runtime.battle.state import ALIVE, Battle, Unit
from runtime.graph.frame import new_hook_ports, new_ports
from runtime.graph.timings import (
    DAMAGE_DEALT_HOOK,
    DAMAGE_TAKEN_HOOK,
    HP_LOSS_HOOK,
    ON_ATTACK_TAKEN,
    ON_DAMAGE_DEALT,
    ON_DAMAGE_TAKEN,
    ON_HP_LOST,
)

# R4.1: the order of one hit. `resolve_hit` is this list, written out; a test compares the two.
HIT_ORDER: Final = (
    "damage_dealt_hook",
    "damage_taken_hook",
    "clamp",
    "armor",
    "hp_loss_hook",
    "hp",
    "on_damage_dealt",
    "on_damage_taken",
    "on_attack_taken",
    "on_hp_lost",
    "death_check",
    "on_unit_died",
    "on_kill",
)


def reckon_hit(battle: Battle, attacker: Unit | None, target: Unit | None, amount: int) -> int:
    """`damage_after_hooks` where all that are asked follow rules, as most do: no graph has to run.

    Counts the flow nodes that their graphs would run.

    Returns:
        The amount, clamped to 0 or more; `NO_RULES`, which is below 0, with nothing counted where a graph has to run.
    """
    nodes = battle.running.nodes_run
    if attacker is not None and attacker.listeners[DAMAGE_DEALT_HOOK]:
        amount = reckon_hooks(battle, attacker.listeners[DAMAGE_DEALT_HOOK], amount, True)
        if amount == NO_RULES:
            return NO_RULES
    if target is not None and target.listeners[DAMAGE_TAKEN_HOOK]:
        amount = reckon_hooks(battle, target.listeners[DAMAGE_TAKEN_HOOK], amount, attacker is not None)
        if amount == NO_RULES:
            battle.running.nodes_run = nodes
            return NO_RULES
    return amount if amount > 0 else 0


def damage_after_hooks(
    battle: Battle, attacker: Unit | None, target: Unit | None, amount: int, card: int, cause: str, real: bool
) -> int:
    """The amount of one hit after Damage Dealt and Damage Taken Hooks, clamped to 0 or more.

    Args:
        battle: The battle.
        attacker: The attacker, or None for status damage, which asks no Damage Dealt Hook (R4.3).
        target: Who is hit; None where that is not known yet, in a dry run.
        amount: The amount before hooks.
        card: The card whose graph acts, or -1.
        cause: The kind of graph that acts: card, status or enemy.
        real: False for a dry run; a real use is part of a root.
    """
    nodes = battle.running.nodes_run
    reckoned = reckon_hit(battle, attacker, target, amount)
    if reckoned >= 0:
        if not real:
            battle.running.nodes_run = nodes
        return reckoned
    mark = 0 if real else len(battle.running.spends)
    if attacker is not None and attacker.listeners[DAMAGE_DEALT_HOOK]:
        ports = new_hook_ports(amount, attacker, target, card, cause, True)
        amount = apply_hooks(battle, attacker, attacker.listeners[DAMAGE_DEALT_HOOK], amount, ports, real)
    if target is not None and target.listeners[DAMAGE_TAKEN_HOOK]:
        ports = new_hook_ports(amount, attacker, target, card, cause, attacker is not None)
        amount = apply_hooks(battle, target, target.listeners[DAMAGE_TAKEN_HOOK], amount, ports, real)
    if not real:
        undo_pretended(battle, mark)
    return amount if amount > 0 else 0


def _log_hit(
    battle: Battle,
    attacker: Unit | None,
    target: Unit,
    amount: int,
    absorbed: int,
    loss: int,
    armor: int,
    before: int,
) -> int:
    """Logs a hit that has been written to armor and HP, from what they were before. Returns the hit's number."""
    log = battle.log
    number = target.number
    source = attacker.number if attacker is not None else -1
    log.append((DAMAGE_RESOLVED, battle.running.cause, source, number, amount, absorbed, loss, attacker is not None))
    place = len(log)
    if absorbed:
        log.append((ARMOR_CHANGED, place, number, armor, armor - absorbed, "absorb"))
    if target.hp != before:
        log.append((HP_CHANGED, place, number, before, target.hp, "damage"))
    return place


def take_hit(battle: Battle, attacker: Unit | None, target: Unit, amount: int) -> int:
    """Armor and HP of one hit that nobody answers and that does not kill: there is no more to it.

    Args:
        battle: The battle.
        attacker: The attacker, or None for status damage.
        target: Who is hit.
        amount: The amount after hooks, 0 or more.

    Returns:
        The loss after armor; -1 for a hit that kills: then nothing has happened.
    """
    armor = target.armor
    absorbed = 0
    loss = amount
    before = target.hp
    if armor:
        absorbed = armor if armor < amount else amount
        loss = amount - absorbed
    if loss >= before:
        return -1
    if absorbed:
        target.armor = armor - absorbed
    target.hp = before - loss
    if battle.logging:
        _log_hit(battle, attacker, target, amount, absorbed, loss, armor, before)
    return loss


def resolve_hit(
    battle: Battle, attacker: Unit | None, target: Unit, amount: int, card: int, cause: str
) -> tuple[int, bool]:
    """One hit up to E30. When it killed, the hit is still open: the caller runs `on_kill`, then calls `close_hit`.

    Returns:
        The loss after armor and hooks, not clamped to the HP that was left (R4.2), and whether this hit
        killed the target.
    """
    spends = battle.running.spends
    mark = len(spends) if spends else 0
    if target.listeners[DAMAGE_TAKEN_HOOK] or (attacker is not None and attacker.listeners[DAMAGE_DEALT_HOOK]):
        amount = damage_after_hooks(battle, attacker, target, amount, card, cause, True)
    elif amount < 0:
        amount = 0
    if not target.hears_hits and not spends and (attacker is None or not attacker.hears_attacks):
        loss = take_hit(battle, attacker, target, amount)
        if loss >= 0:
            return loss, False
    armor = target.armor
    absorbed = armor if armor < amount else amount
    loss = amount - absorbed
    if absorbed:
        # In front of the HP Loss Hooks, which may read the armor that is left (R4.1, R2.3).
        target.armor = armor - absorbed
    before = target.hp
    battle.running.hit_depth += 1
    if target.listeners[HP_LOSS_HOOK]:
        loss = _hp_loss_after_hooks(battle, attacker, target, loss, cause, attacker is not None)
    target.hp = before - loss if loss < before else 0
    outer = battle.running.cause
    if battle.logging:
        battle.running.cause = _log_hit(battle, attacker, target, amount, absorbed, loss, armor, before)
    listens = target.listeners
    if attacker is not None:
        # E15 on the attacker's statuses, then E16 and E17 on the target's.
        if attacker.listeners[ON_DAMAGE_DEALT] or listens[ON_DAMAGE_TAKEN] or listens[ON_ATTACK_TAKEN]:
            ports = new_ports(loss, attacker, target)
            dispatch_to_statuses(battle, attacker, ON_DAMAGE_DEALT, ports)
            dispatch_to_statuses(battle, target, ON_DAMAGE_TAKEN, ports)
            dispatch_to_statuses(battle, target, ON_ATTACK_TAKEN, ports)
    elif listens[ON_DAMAGE_TAKEN]:
        # Status damage: E16 alone (R4.3).
        dispatch_to_statuses(battle, target, ON_DAMAGE_TAKEN, new_ports(loss, None, target))
    if loss > 0 and target.listeners[ON_HP_LOST]:
        dispatch_to_statuses(battle, target, ON_HP_LOST, new_ports(loss, attacker, target))
    killed = target.hp == 0 and target.life == ALIVE
    if killed:
        die(battle, target, attacker)
    if spends:
        flush_spends(battle, mark)
    battle.running.cause = outer
    if not killed:
        close_hit(battle)
    return loss, killed


def close_hit(battle: Battle) -> None:
    """Closes a hit or loss; the outermost one decides the battle if it can be decided (R2.7)."""
    battle.running.hit_depth -= 1
    if battle.fallen and battle.running.hit_depth == 0:
        check_decision(battle)


def _hp_loss_after_hooks(
    battle: Battle, attacker: Unit | None, target: Unit, loss: int, cause: str, is_attack: bool
) -> int:
    ports = new_hook_ports(loss, attacker, target, -1, cause, is_attack)
    loss = apply_hooks(battle, target, target.listeners[HP_LOSS_HOOK], loss, ports, True)
    return loss if loss > 0 else 0


def lose_hp(battle: Battle, target: Unit, amount: int, cause: str, hooked: bool = True) -> int:
    """Direct loss of HP (R4.4): armor is ignored, E19 tells the clamped loss, nobody is credited.

    Args:
        battle: The battle.
        target: Who loses; a unit that is not living is skipped.
        amount: The loss asked for; 0 or less does nothing.
        cause: The kind of graph that acts.
        hooked: False for Kill Unit, which asks no hook.

    Returns:
        What was lost.
    """
    if amount <= 0 or not target.alive:
        return 0
    battle.running.hit_depth += 1
    mark = len(battle.running.spends)
    if hooked and target.listeners[HP_LOSS_HOOK]:
        amount = _hp_loss_after_hooks(battle, None, target, amount, cause, False)
    before = target.hp
    lost = amount if amount < before else before
    target.hp = before - lost
    outer = battle.running.cause
    if battle.logging and lost:
        battle.log.append((HP_CHANGED, outer, target.number, before, target.hp, "loss"))
        battle.running.cause = len(battle.log)
    # Also with 0, when hooks have brought it down to that (R4.11).
    if target.listeners[ON_HP_LOST]:
        dispatch_to_statuses(battle, target, ON_HP_LOST, new_ports(lost, None, target))
    if target.hp == 0 and target.life == ALIVE:
        die(battle, target, None)
    if len(battle.running.spends) > mark:
        flush_spends(battle, mark)
    battle.running.cause = outer
    close_hit(battle)
    return lost
