"""Energy: refill, gain and loss (R4.7), what a card costs (R4.9, R4.10), and paying for it (T3)."""

from __future__ import annotations

from runtime.battle.card import Card
from runtime.battle.dispatch import dispatch_to_statuses
from runtime.battle.events import ENERGY_CHANGED
from runtime.battle.hooks import apply_card_hooks, apply_hooks, flush_spends, undo_pretended
from runtime.battle.state import Battle
from runtime.graph.frame import new_hook_ports, new_ports
from runtime.graph.timings import CARD_COST_HOOK, ENERGY_REFILL_HOOK, ON_ENERGY_GAINED, ON_ENERGY_SPENT
from runtime.graph.types import saturate


def card_cost(battle: Battle, card: Card, real: bool = False) -> int:
    """What a card costs now, after hooks; for a cost of x the current energy (R4.10).

    A Card Cost Hook that reads the cost of a card gets it without hooks: the question would not end.
    """
    cost = card.cost
    if cost < 0:
        return battle.energy
    if not battle.player.listeners[CARD_COST_HOOK] and not card.definition.behavior.branches[CARD_COST_HOOK]:
        return cost
    if battle.running.in_cost:
        return cost
    battle.running.in_cost = True
    mark = len(battle.running.spends)
    try:
        cost = apply_card_hooks(battle, card, CARD_COST_HOOK, cost, new_hook_ports(cost, None, None, card.number), real)
    finally:
        battle.running.in_cost = False
    if not real:
        undo_pretended(battle, mark)
    return cost if cost > 0 else 0


def pay_for(battle: Battle, card: Card) -> int:
    """Takes the cost of a card that the player plays, and returns it (T3). No Entry (R4.7)."""
    paid = card.cost
    if paid < 0 or battle.player.hears_plays or battle.content.cards_change_costs:
        paid = card_cost(battle, card, real=True)
    energy = battle.energy
    # R4.10: X is the energy that was there, also where Set Card Cost made the card cheaper.
    battle.paid[card.number] = energy if card.definition.base_cost < 0 else paid
    if paid:
        battle.energy = energy - paid
        if battle.logging:
            battle.log.append((ENERGY_CHANGED, battle.running.cause, energy, energy - paid, "cost"))
    return paid


def gain_energy(battle: Battle, amount: int) -> None:
    """Adds energy (R4.7): E22 for any positive request; energy may exceed its maximum (R3.6)."""
    if amount <= 0:
        return
    before = battle.energy
    set_energy(battle, saturate(before + amount), "gain")
    _dispatch_energy(battle, ON_ENERGY_GAINED, battle.energy - before)


def lose_energy(battle: Battle, amount: int) -> None:
    """Takes energy away, down to 0 (R4.7): E23 for any positive request."""
    if amount <= 0:
        return
    before = battle.energy
    set_energy(battle, max(0, before - amount), "loss")
    _dispatch_energy(battle, ON_ENERGY_SPENT, before - battle.energy)


def _dispatch_energy(battle: Battle, timing: int, amount: int) -> None:
    player = battle.player
    if player.listeners[timing]:
        # R7.1: the documented rules leave the amount at 0.
        dispatch_to_statuses(battle, player, timing, new_ports(amount if battle.extended else 0))


def refill_energy(battle: Battle) -> None:
    """Energy to its maximum (T1, T2), after Energy Refill Hooks; no Entry (R4.7)."""
    amount = battle.max_energy
    player = battle.player
    hooks = player.listeners[ENERGY_REFILL_HOOK]
    if hooks:
        mark = len(battle.running.spends)
        amount = max(0, apply_hooks(battle, player, hooks, amount, new_hook_ports(amount), True))
        set_energy(battle, amount, "refill")
        flush_spends(battle, mark)
        return
    before = battle.energy
    if before != amount:
        battle.energy = amount
        if battle.logging:
            battle.log.append((ENERGY_CHANGED, battle.running.cause, before, amount, "refill"))


def set_energy(battle: Battle, amount: int, reason: str) -> None:
    """Writes the energy and logs the change."""
    before = battle.energy
    if amount != before:
        battle.energy = amount
        if battle.logging:
            battle.log.append((ENERGY_CHANGED, battle.running.cause, before, amount, reason))
