"""What a state is worth to the player, in points: the judgement of the greedy bot.

One HP of the player is `OWN_HP` points. From the shown intents it takes the HP that the enemies are about to
cost, after the player's armor; so armor counts as far as it prevents damage, and a dead, weakened or
interrupted enemy counts by what it no longer does. The rest are plain weights, below. Only what the player
may see is looked at: no order of piles, no random stream.
"""

from __future__ import annotations

from typing import Final

from runtime.battle.intents import shown_intent
from runtime.battle.state import EXHAUST_PILE, HAND, LOST, RUNNING, WON, Battle, Unit
from runtime.graph.definitions import UNPLAYABLE

WON_BATTLE: Final = 1_000_000
DEATH_AHEAD: Final = 5_000
OWN_HP: Final = 10
OWN_MAX_HP: Final = 5
# Armor that no attack is about to meet; it may stay, or it may not.
SPARE_ARMOR: Final = 1
ENERGY: Final = 3
CARD_IN_HAND: Final = 5
UPGRADED_CARD: Final = 8
DEAD_CARD: Final = -15
ENEMY: Final = -60
ENEMY_HP: Final = -6
ENEMY_ARMOR: Final = -3

# Points of a stack, and how many stacks of one status count. The same with the opposite sign on the other side.
BUFF: Final = 20
DEBUFF: Final = 12
MOST_BUFF_STACKS: Final = 10
MOST_DEBUFF_STACKS: Final = 15

_ATTACKS: Final = ("attack", "attack_defend")


def evaluate(battle: Battle) -> int:
    """The worth of a battle between two actions; more is better for the player."""
    player = battle.player
    if battle.outcome != RUNNING:
        if battle.outcome == WON:
            return WON_BATTLE + OWN_HP * player.hp + OWN_MAX_HP * player.max_hp
        return -WON_BATTLE if battle.outcome == LOST else 0
    value = OWN_HP * player.hp + OWN_MAX_HP * player.max_hp + _worth_of_statuses(player)
    value += ENERGY * battle.energy + CARD_IN_HAND * len(battle.piles[HAND])
    threat = 0
    for unit in battle.units:
        if unit.is_player or not unit.alive:
            continue
        value += ENEMY + ENEMY_HP * unit.hp + ENEMY_ARMOR * unit.armor - _worth_of_statuses(unit)
        intent = shown_intent(battle, unit)
        if intent.kind in _ATTACKS:
            threat += intent.amount * intent.hits
    value += _worth_of_armor(player, threat)
    for number, card in enumerate(battle.cards):
        if card.upgraded:
            value += UPGRADED_CARD
        if card.keywords & UNPLAYABLE and battle.places[number] < EXHAUST_PILE:
            value += DEAD_CARD
    return value


def _worth_of_armor(player: Unit, threat: int) -> int:
    """What the attacks ahead cost through the player's armor, or what armor they leave over."""
    loss = threat - player.armor
    if loss <= 0:
        return -SPARE_ARMOR * loss
    if loss >= player.hp:
        return -OWN_HP * player.hp - DEATH_AHEAD
    return -OWN_HP * loss


def _worth_of_statuses(unit: Unit) -> int:
    """What a unit's statuses are worth to itself."""
    value = 0
    for status in unit.statuses.values():
        if status.definition.kind == "buff":
            value += BUFF * min(status.stacks, MOST_BUFF_STACKS)
        else:
            value -= DEBUFF * min(status.stacks, MOST_DEBUFF_STACKS)
    return value
