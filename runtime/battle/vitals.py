"""HP gained, maximum HP, armor and energy: R4.5 to R4.7."""

from __future__ import annotations

from runtime.battle.dispatch import dispatch_to_statuses
from runtime.battle.events import ARMOR_CHANGED, HP_CHANGED, MAX_HP_CHANGED
from runtime.battle.hooks import apply_hooks, flush_spends, undo_pretended
from runtime.battle.state import ALIVE, DYING, Battle, Unit
from runtime.graph.frame import new_hook_ports, new_ports
from runtime.graph.timings import (
    ARMOR_GAIN_HOOK,
    ARMOR_LOSS_HOOK,
    ARMOR_RESET_HOOK,
    HP_GAIN_HOOK,
    ON_ARMOR_GAINED,
    ON_ARMOR_LOST,
    ON_HP_GAINED,
)
from runtime.graph.types import INT_MAX, saturate


def after_target_hooks(
    battle: Battle, target: Unit, timing: int, amount: int, card: int, cause: str, real: bool
) -> int:
    """An amount after the target's HP Gain, Armor Gain or Armor Loss Hooks, clamped to 0 or more."""
    if target.listeners[timing]:
        ports = new_hook_ports(amount, None, target, card, cause)
        mark = len(battle.running.spends)
        amount = apply_hooks(battle, target, target.listeners[timing], amount, ports, real)
        if not real:
            undo_pretended(battle, mark)
    return amount if amount > 0 else 0


def gain_hp(battle: Battle, target: Unit, amount: int, card: int, cause: str, actor: Unit | None) -> int:
    """Heals a living or dying unit (R4.5): E18 with what was restored, 0 at full health.

    Args:
        battle: The battle.
        target: Who is healed.
        amount: The amount before hooks.
        card: The card whose graph acts, or -1.
        cause: The kind of graph that acts.
        actor: The acting unit; E18's Source under the extended rules (R7.2).

    Returns:
        The HP restored.
    """
    if target.life > DYING:
        return 0
    mark = len(battle.running.spends)
    amount = after_target_hooks(battle, target, HP_GAIN_HOOK, amount, card, cause, True)
    healed = 0
    if amount > 0:
        before = target.hp
        target.hp = min(target.max_hp, before + amount) if before < target.max_hp else before
        healed = target.hp - before
        outer = battle.running.cause
        if battle.logging and healed:
            battle.log.append((HP_CHANGED, outer, target.number, before, target.hp, "gain"))
            battle.running.cause = len(battle.log)
        if target.listeners[ON_HP_GAINED]:
            ports = new_ports(healed, actor if battle.extended else None, target)
            dispatch_to_statuses(battle, target, ON_HP_GAINED, ports)
        battle.running.cause = outer
    if len(battle.running.spends) > mark:
        flush_spends(battle, mark)
    return healed


def change_max_hp(battle: Battle, target: Unit, amount: int) -> None:
    """Changes a living unit's maximum HP: at least 1; HP is clamped, never raised; no Entry."""
    if not target.alive:
        return
    before = target.max_hp
    target.max_hp = max(1, saturate(before + amount))
    if battle.logging and target.max_hp != before:
        battle.log.append((MAX_HP_CHANGED, battle.running.cause, target.number, before, target.max_hp))
    if target.hp > target.max_hp:
        if battle.logging:
            battle.log.append((HP_CHANGED, battle.running.cause, target.number, target.hp, target.max_hp, "max_hp"))
        target.hp = target.max_hp


def gain_armor(battle: Battle, target: Unit, amount: int, card: int, cause: str, actor: Unit | None) -> int:
    """Adds armor to a living unit (R4.6): E20 with what was added.

    Returns:
        The armor added.
    """
    if target.hp <= 0 or target.life != ALIVE:
        return 0
    hooked = target.listeners[ARMOR_GAIN_HOOK]
    mark = 0
    if hooked:
        mark = len(battle.running.spends)
        amount = after_target_hooks(battle, target, ARMOR_GAIN_HOOK, amount, card, cause, True)
    gained = 0
    if amount > 0:
        gained = add_armor(battle, target, amount)
        if target.listeners[ON_ARMOR_GAINED]:
            outer = battle.running.cause
            if battle.logging:
                battle.running.cause = len(battle.log)
            ports = new_ports(gained, actor if battle.extended else None, target)
            dispatch_to_statuses(battle, target, ON_ARMOR_GAINED, ports)
            battle.running.cause = outer
    if hooked:
        flush_spends(battle, mark)
    return gained


def add_armor(battle: Battle, target: Unit, amount: int) -> int:
    """Writes and logs a gain of armor, after hooks and without Entry, and returns what was added."""
    before = target.armor
    after = before + amount
    if after > INT_MAX:
        after = INT_MAX
    target.armor = after
    if battle.logging:
        battle.log.append((ARMOR_CHANGED, battle.running.cause, target.number, before, after, "gain"))
    return after - before


def lose_armor(battle: Battle, target: Unit, amount: int, card: int, cause: str, actor: Unit | None) -> None:
    """Takes armor off a living unit (R4.6): E21 with the hooked request, not clamped."""
    if not target.alive:
        return
    mark = len(battle.running.spends)
    amount = after_target_hooks(battle, target, ARMOR_LOSS_HOOK, amount, card, cause, True)
    if amount > 0:
        before = target.armor
        target.armor = max(0, before - amount)
        outer = battle.running.cause
        if battle.logging and target.armor != before:
            battle.log.append((ARMOR_CHANGED, outer, target.number, before, target.armor, "loss"))
            battle.running.cause = len(battle.log)
        if target.listeners[ON_ARMOR_LOST]:
            ports = new_ports(amount, actor if battle.extended else None, target)
            dispatch_to_statuses(battle, target, ON_ARMOR_LOST, ports)
        battle.running.cause = outer
    if len(battle.running.spends) > mark:
        flush_spends(battle, mark)


def reset_armor(battle: Battle, unit: Unit) -> None:
    """Armor to 0 at a turn's start (T2, T5): no Entry; an Armor Reset Hook says how much goes."""
    amount = before = unit.armor
    mark = -1
    hooks = unit.listeners[ARMOR_RESET_HOOK]
    if hooks:
        mark = len(battle.running.spends)
        amount = apply_hooks(battle, unit, hooks, amount, new_hook_ports(amount, None, unit), True)
        amount = max(0, min(amount, before))
    unit.armor = before - amount
    if battle.logging and amount:
        battle.log.append((ARMOR_CHANGED, battle.running.cause, unit.number, before, unit.armor, "reset"))
    if mark >= 0:
        flush_spends(battle, mark)
