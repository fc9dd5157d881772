"""Enemies that come into the battle (R5.5)."""

from __future__ import annotations

from runtime.battle.dispatch import dispatch_to_listeners
from runtime.battle.events import UNIT_SPAWNED, warn
from runtime.battle.intents import plan_intent
from runtime.battle.notices import notice
from runtime.battle.stacks import put_status
from runtime.battle.state import Battle, Unit
from runtime.battle.status_order import freeze_holders
from runtime.graph.definitions import EnemyDefinition
from runtime.graph.frame import SpawnPorts
from runtime.graph.timings import ON_UNIT_SPAWNED


def add_enemy(battle: Battle, definition: EnemyDefinition, hp: int) -> Unit:
    """Puts an enemy behind the last, with its initial statuses and armor, silently.

    Args:
        battle: The battle.
        definition: The enemy.
        hp: Its HP, or 0 to roll them as defined (effects stream).
    """
    if hp <= 0:
        hp = battle.effects.between(definition.hp_low, definition.hp_high)
    unit = Unit(len(battle.units), definition, hp, hp, definition.armor)
    for status, stacks in definition.statuses:
        put_status(unit, status, stacks)
    battle.units.append(unit)
    battle.plays = {}
    return unit


def alive_enemies(battle: Battle) -> list[Unit]:
    """The living enemies by slot."""
    return [unit for unit in battle.units if unit.number and unit.hp > 0 and unit.life == 0]


def spawn_unit(battle: Battle, definition: EnemyDefinition, hp: int) -> Unit | None:
    """Spawn Unit: an enemy with a planned intent, then E29 on player and living enemies.

    Returns:
        The enemy, or None at the limit of living enemies, where nothing happens but a warning.
    """
    if len(alive_enemies(battle)) >= battle.encounter.max_enemies:
        warn(
            battle, "max_enemies", f"{definition.id} cannot spawn: {battle.encounter.max_enemies} enemies live already"
        )
        return None
    unit = add_enemy(battle, definition, hp)
    outer = battle.running.cause
    if battle.logging:
        battle.log.append((UNIT_SPAWNED, outer, unit.number, definition.id, unit.hp, unit.max_hp))
        battle.running.cause = len(battle.log)
    plan_intent(battle, unit)
    # The new one is among them.
    for holder, listeners in freeze_holders(battle, ON_UNIT_SPAWNED):
        if listeners:
            # R7.1: the documented rules name the reacting holder, not the one that was spawned.
            ports = SpawnPorts(unit if battle.extended else holder)
            dispatch_to_listeners(battle, holder, listeners, ports)
    if "unit_spawned" in battle.content.noticed:
        notice(battle, "unit_spawned", {"unit": unit})
    battle.running.cause = outer
    return unit
