"""Legality: whether an action is allowed now, and which are (T3)."""

from __future__ import annotations

from typing import Final

from runtime.battle.action_types import (
    Abort,
    Action,
    Advance,
    Answer,
    Concede,
    EndTurn,
    PlayCard,
    Raise,
    SetState,
    SwitchDatabase,
)
from runtime.battle.card import Card
from runtime.battle.energy import card_cost
from runtime.battle.rejections import (
    BATTLE_OVER,
    CARD_UNPLAYABLE,
    CHOICE_PENDING,
    INVALID_CHOICE,
    INVALID_TARGET,
    NO_CHOICE_PENDING,
    NOT_ENOUGH_ENERGY,
    UNKNOWN_CARD,
    Rejection,
)
from runtime.battle.setting import check_values
from runtime.battle.state import ALIVE, HAND, RUNNING, Battle, Unit
from runtime.graph.definitions import TARGET_ANY, TARGET_ENEMY, UNPLAYABLE

END_TURN: Final = EndTurn()
# Plays by card and, from none (-1) on, by target: actions never change, and bots ask for the same ones
# again and again.
_PLAYS: Final[list[list[PlayCard]]] = []
_MOST_KEPT: Final = 16
_NO_PLAYS: Final[list[Action]] = []


def check(battle: Battle, action: Action) -> Rejection | None:
    """Why an action would be rejected now, or None. The order of the checks is that of the reasons (T3)."""
    if isinstance(action, Answer) and battle.choice is not None:
        # Also when the battle is decided: an E2 branch may ask, and the battle has ended when it is done.
        return _check_answer(battle, action)
    if battle.outcome != RUNNING:
        return Rejection(BATTLE_OVER, "the battle is over")
    if isinstance(action, Answer):
        return _check_answer(battle, action)
    if isinstance(action, (Raise, Advance, SwitchDatabase, Concede, Abort)):
        return None
    if battle.choice is not None:
        return Rejection(CHOICE_PENDING, "a choice has to be answered first")
    if isinstance(action, PlayCard):
        return check_play(battle, action)
    if isinstance(action, SetState):
        check_values(battle, action.changes)
    return None


def _check_answer(battle: Battle, action: Answer) -> Rejection | None:
    choice = battle.choice
    if choice is None:
        return Rejection(NO_CHOICE_PENDING, "there is no choice to answer")
    problem = choice.kind_problem(action.kind) or choice.problem_with(action.picks)
    return Rejection(INVALID_CHOICE, problem) if problem else None


def check_play(battle: Battle, action: PlayCard) -> Rejection | None:
    """Why a play would be rejected now, or None: T3's checks from the card on."""
    number = action.card
    if not in_hand(battle, number):
        return Rejection(UNKNOWN_CARD, f"no card c{number} is in hand")
    card = battle.cards[number]
    reason = _reason_of_card(battle, card)
    if reason:
        card_id = card.definition.id
        if reason == CARD_UNPLAYABLE:
            return Rejection(reason, f"{card_id} cannot be played")
        return Rejection(reason, f"{card_id} costs {card_cost(battle, card)}, there is {battle.energy} energy")
    if needs_target(card):
        chosen = action.target
        unit = battle.units[chosen] if 0 <= chosen < len(battle.units) else None
        if unit is None or not is_valid_target(card, unit):
            kind = "unit" if card.definition.target == TARGET_ANY else "enemy"
            return Rejection(INVALID_TARGET, f"{card.definition.id} needs a living {kind}")
    return None


def _reason_of_card(battle: Battle, card: Card) -> str:
    """Why a card cannot be played whatever its target, or ``""``: its keyword first, then its cost (T3)."""
    if card.keywords & UNPLAYABLE:
        return CARD_UNPLAYABLE
    cost = card.cost
    if cost < 0 or battle.player.hears_plays or battle.content.cards_change_costs:
        cost = card_cost(battle, card)
    return NOT_ENOUGH_ENERGY if cost > battle.energy else ""


def unplayable_reason(battle: Battle, card: Card) -> str:
    """Why a card in hand cannot be played now, in the order of T3's checks, or ``""``."""
    reason = _reason_of_card(battle, card)
    if not reason and needs_target(card) and not targets_of(battle, card):
        return INVALID_TARGET
    return reason


def needs_target(card: Card) -> bool:
    """Whether the player has to choose a target for the card."""
    return card.definition.target >= TARGET_ENEMY


def targets_of(battle: Battle, card: Card) -> list[Unit]:
    """The units that a card which needs a target may be played on, the player first."""
    return [unit for unit in battle.units if is_valid_target(card, unit)]


def is_valid_target(card: Card, unit: Unit) -> bool:
    """Whether a card that needs a target may be played on a unit."""
    return unit.hp > 0 and unit.life == ALIVE and (unit.number != 0 or card.definition.target == TARGET_ANY)


def in_hand(battle: Battle, number: int) -> bool:
    """Whether a card of that number lies in the hand."""
    return 0 <= number < len(battle.places) and battle.places[number] == HAND


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
    # What a hook makes of a cost may differ from one moment to the next.
    hooked = battle.player.hears_plays or battle.content.cards_change_costs
    while len(_PLAYS) < len(cards):
        _PLAYS.append([PlayCard(len(_PLAYS), unit) for unit in range(-1, _MOST_KEPT)])
    plays = [_NO_PLAYS] * len(cards)
    for number in battle.piles[HAND] if hooked else range(len(cards)):
        card = cards[number]
        if _reason_of_card(battle, card):
            continue
        if needs_target(card):
            plays[number] = [_play_on(number, unit.number) for unit in targets_of(battle, card)]
        else:
            plays[number] = [_PLAYS[number][0]]
    if not hooked:
        battle.plays[battle.energy] = plays
    return plays


def _play_on(card: int, unit: int) -> PlayCard:
    return _PLAYS[card][unit + 1] if unit < _MOST_KEPT else PlayCard(card, unit)
