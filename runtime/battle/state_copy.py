"""Copies of the state between two actions."""

from __future__ import annotations

from runtime.battle.state import Battle, Status, Unit
from runtime.battle.status_order import index_statuses


def copy_state(battle: Battle) -> Battle:
    """A battle in the same state, independent of this one; no choice is open in it."""
    units = [_copy_unit(unit) for unit in battle.units]
    twin = Battle(
        battle.content,
        battle.encounter,
        battle.seed,
        units[0],
        battle.shuffles.state,
        battle.intents.state,
        battle.effects.state,
    )
    twin.extended = battle.extended
    twin.turn = battle.turn
    twin.phase = battle.phase
    twin.outcome = battle.outcome
    twin.units = units
    twin.cards = battle.cards[:]
    twin.places = battle.places[:]
    twin.paid = battle.paid[:]
    twin.plays = battle.plays
    twin.altered = battle.altered
    twin.has_staying = battle.has_staying
    twin.piles = [pile[:] for pile in battle.piles]
    twin.energy = battle.energy
    twin.max_energy = battle.max_energy
    twin.draw = battle.draw
    twin.hand_limit = battle.hand_limit
    if battle.variables:
        twin.variables = dict(battle.variables)
    twin.cards_played = battle.cards_played
    twin.end_turn_asked = battle.end_turn_asked
    twin.reward = battle.reward
    twin.kept = battle.kept
    twin.shuffling = battle.shuffling
    twin.copies_at_choices = battle.copies_at_choices
    twin.depth_limit = battle.depth_limit
    twin.node_limit = battle.node_limit
    twin.max_turns = battle.max_turns
    twin.fallen = battle.fallen
    twin.logging = battle.logging
    twin.tracing = battle.tracing
    if battle.logging:
        twin.log = battle.log[:]
    twin.agent = battle.agent
    if battle.waiting:
        twin.waiting = battle.waiting[:]
    twin.database_active = battle.database_active
    twin.echo_limit = battle.echo_limit
    if battle.schedule is not None:
        twin.schedule = battle.schedule.copy()
    twin.history = battle.history
    return twin


def _copy_unit(unit: Unit) -> Unit:
    twin = Unit(unit.number, unit.definition, unit.hp, unit.max_hp, unit.armor)
    twin.life = unit.life
    if unit.statuses:
        for key, status in unit.statuses.items():
            twin.statuses[key] = _copy_status(status)
        index_statuses(twin)
    if unit.variables:
        twin.variables = dict(unit.variables)
    twin.leaf = unit.leaf
    if unit.pattern is not None:
        twin.pattern = dict(unit.pattern)
    if unit.once is not None:
        twin.once = dict(unit.once)
    return twin


def _copy_status(status: Status) -> Status:
    twin = Status(status.definition, status.stacks)
    twin.applied_by_enemy = status.applied_by_enemy
    if status.once is not None:
        twin.once = dict(status.once)
    return twin
