"""Cards between the piles: shuffling, drawing, moving, making, changing (R3.2, R3.4, R5.4)."""

from __future__ import annotations

from runtime.battle.card import Card
from runtime.battle.dispatch import card_hears, dispatch_to_card, dispatch_to_card_in
from runtime.battle.events import CARD_CREATED, CARD_MOVED, DRAW_PILE_SHUFFLED
from runtime.battle.notices import notice
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, GONE, HAND, IN_PLAY, Battle
from runtime.graph.definitions import CardDefinition
from runtime.graph.timings import (
    ON_CARD_ADDED_TO_DECK,
    ON_CARD_ADDED_TO_HAND,
    ON_CARD_EXHAUSTED,
    ON_DRAW_PILE_SHUFFLED,
)

# Positions in a pile.
TOP = 0
BOTTOM = 1
RANDOM = 2
POSITIONS = {"top": TOP, "bottom": BOTTOM, "random": RANDOM}


def place_card(battle: Battle, number: int, pile: int, position: int, reason: str) -> None:
    """Moves a card from where it is to a pile, without Entry.

    Args:
        battle: The battle.
        number: The card.
        pile: Where to: a pile, or IN_PLAY or GONE.
        position: TOP, BOTTOM or RANDOM. Into the hand it always goes to the right end.
        reason: Why, for the event.
    """
    places = battle.places
    before = places[number]
    if before < IN_PLAY:
        source = battle.piles[before]
        if source[-1] == number:
            source.pop()
        else:
            source.remove(number)
    places[number] = pile
    index = 0
    if pile < IN_PLAY:
        if position == TOP and pile != HAND:
            battle.piles[pile].append(number)
        else:
            index = _insert(battle, battle.piles[pile], pile, number, position)
    if battle.logging:
        card_id = battle.cards[number].definition.id
        battle.log.append((CARD_MOVED, battle.running.cause, number, card_id, before, pile, index, reason))


def _insert(battle: Battle, cards: list[int], pile: int, number: int, position: int) -> int:
    """Puts a card into a pile and returns its place there, 0 = top or leftmost."""
    if pile == HAND or position == TOP or not cards:
        cards.append(number)
        return len(cards) - 1 if pile == HAND else 0
    if position == BOTTOM:
        cards.insert(0, number)
        return len(cards) - 1
    place = battle.effects.below(len(cards) + 1)
    cards.insert(place, number)
    return len(cards) - 1 - place


def shuffle_draw_pile(battle: Battle) -> None:
    """Shuffles the draw pile, then E7 once on every card in it, from the top (E7, R2.4)."""
    draw = battle.piles[DRAW]
    if battle.shuffling:
        battle.shuffles.shuffle(draw)
    announce_shuffle(battle)


def announce_shuffle(battle: Battle) -> None:
    """E7 on the cards of a draw pile that has just been shuffled, and the notice."""
    draw = battle.piles[DRAW]
    outer = battle.running.cause
    if battle.logging:
        battle.log.append((DRAW_PILE_SHUFFLED, outer, len(draw)))
        battle.running.cause = len(battle.log)
    if battle.content.cards_listen[ON_DRAW_PILE_SHUFFLED]:
        for number in draw[::-1]:
            dispatch_to_card_in(battle, number, DRAW, ON_DRAW_PILE_SHUFFLED)
    if "draw_pile_shuffled" in battle.content.noticed:
        notice(battle, "draw_pile_shuffled", {})
    battle.running.cause = outer


def reshuffle(battle: Battle) -> None:
    """The discard pile into the draw pile. Unshuffled, its oldest card comes to lie on top (content.md)."""
    discard = battle.piles[DISCARD]
    moved = discard[::-1]
    discard.clear()
    battle.piles[DRAW].extend(moved)
    places = battle.places
    for number in moved:
        places[number] = DRAW
    if battle.logging:
        cards = battle.cards
        log = battle.log
        cause = battle.running.cause
        index = len(moved)
        for number in moved:
            index -= 1
            log.append((CARD_MOVED, cause, number, cards[number].definition.id, DISCARD, DRAW, index, "reshuffle"))
    shuffle_draw_pile(battle)


def dispatch_exhausted(battle: Battle, number: int, cause: str) -> None:
    """E11 on a card that play or a turn's end has put into the exhaust pile, and the notice."""
    if battle.cards[number].definition.behavior.branches[ON_CARD_EXHAUSTED]:
        dispatch_to_card(battle, number, ON_CARD_EXHAUSTED, battle.cards[number].ports)
    if "card_exhausted" in battle.content.noticed:
        notice(battle, "card_exhausted", {"card": number, "cause": cause})


def move_card(battle: Battle, number: int, pile: int, position: int) -> bool:
    """Move Card: no Entry (R3.4), but notices tell. Into a full hand it does not move.

    Returns:
        Whether it moved. A card in play or gone from the game can be moved, too.
    """
    before = battle.places[number]
    if pile == HAND and before != HAND and len(battle.piles[HAND]) >= battle.hand_limit:
        return False
    place_card(battle, number, pile, position, "move")
    noticed = battle.content.noticed
    if pile == DISCARD and before != DISCARD and "card_discarded" in noticed:
        notice(battle, "card_discarded", {"card": number, "cause": "move"})
    elif pile == EXHAUST_PILE and before != EXHAUST_PILE and "card_exhausted" in noticed:
        notice(battle, "card_exhausted", {"card": number, "cause": "move"})
    return True


def new_card(battle: Battle, definition: CardDefinition) -> Card:
    """A new instance that lies nowhere yet."""
    card = Card(len(battle.cards), definition)
    battle.cards.append(card)
    battle.places.append(GONE)
    battle.paid.append(0)
    battle.plays = {}
    # A copy may have a keyword set on it that its definition lacks.
    battle.has_staying = True
    return card


def add_card(battle: Battle, card: Card, pile: int, position: int) -> None:
    """Puts a new instance into a pile and fires its Entry: E13 for the hand, E14 for the draw pile.

    With a full hand it lies in discard and E13 fires all the same (R5.4).
    """
    number = card.number
    asked = pile
    if pile == HAND and len(battle.piles[HAND]) >= battle.hand_limit:
        pile = DISCARD
        position = TOP
    battle.places[number] = pile
    index = _insert(battle, battle.piles[pile], pile, number, position)
    outer = battle.running.cause
    if battle.logging:
        battle.log.append((CARD_CREATED, outer, number, card.definition.id, pile, index))
        battle.running.cause = len(battle.log)
    branches = card.definition.behavior.branches
    if asked == HAND and branches[ON_CARD_ADDED_TO_HAND]:
        dispatch_to_card(battle, number, ON_CARD_ADDED_TO_HAND, battle.cards[number].ports)
    elif asked == DRAW and branches[ON_CARD_ADDED_TO_DECK]:
        dispatch_to_card(battle, number, ON_CARD_ADDED_TO_DECK, battle.cards[number].ports)
    if "card_created" in battle.content.noticed:
        notice(battle, "card_created", {"card": number})
    battle.running.cause = outer


def lies_in_a_pile(battle: Battle, number: int) -> bool:
    """Whether a card reference points to a card in one of the four piles."""
    return number >= 0 and card_hears(battle, number)
