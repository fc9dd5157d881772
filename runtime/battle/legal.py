"""What the player may do now: the plays and the end of turn that `act` would accept (T3)."""

from __future__ import annotations

from typing import Final

from runtime.battle.action_types import Action, EndTurn, PlayCard
from runtime.battle.costs import card_cost
from runtime.battle.state import HAND, LIVING, RUNNING, Battle
from runtime.graph.definitions import TARGET_ANY, TARGET_ENEMY, UNPLAYABLE

END_TURN: Final = EndTurn()

# Plays by card and, from none (-1) on, by target: actions never change, and bots ask for the same ones
# again and again.
_PLAYS: Final[list[list[PlayCard]]] = []
_MOST_KEPT: Final = 16
_NO_PLAYS: Final[list[Action]] = []


def legal_actions(battle: Battle) -> list[Action]:
    """Every card play and the end of turn that would be accepted now.

    Nothing is listed when the battle is over or a choice is open: the answers to a choice are its own.
    """
    found: list[Action] = []
    if battle.outcome != RUNNING or battle.choice is not None:
        return found
    plays = battle.plays.get(battle.energy)
    if plays is None or battle.player.hears_plays:
        plays = _list_plays(battle)
    for number in battle.piles[HAND]:
        found += plays[number]
    found.append(END_TURN)
    return found


def _list_plays(battle: Battle) -> list[list[Action]]:
    """The legal plays by card number, for the cards in hand at least. Kept where only a change can end them."""
    cards = battle.cards
    energy = battle.energy
    # What a hook makes of a cost may differ from one moment to the next.
    hooked = battle.player.hears_plays or battle.content.cards_change_costs
    while len(_PLAYS) < len(cards):
        _PLAYS.append([PlayCard(len(_PLAYS), unit) for unit in range(-1, _MOST_KEPT)])
    living = [unit.number for unit in battle.units if unit.hp > 0 and unit.life == LIVING]
    plays = [_NO_PLAYS] * len(cards)
    for number in battle.piles[HAND] if hooked else range(len(cards)):
        card = cards[number]
        cost = card_cost(battle, card) if hooked else card.cost
        if cost > energy or card.keywords & UNPLAYABLE:
            continue
        target = card.definition.target
        if target < TARGET_ENEMY:
            plays[number] = [_PLAYS[number][0]]
        else:
            plays[number] = [_play_on(number, unit) for unit in living if unit or target == TARGET_ANY]
    if not hooked:
        battle.plays[energy] = plays
    return plays


def _play_on(card: int, unit: int) -> PlayCard:
    return _PLAYS[card][unit + 1] if unit < _MOST_KEPT else PlayCard(card, unit)
