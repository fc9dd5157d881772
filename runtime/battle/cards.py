"""Cards between the piles: shuffling, drawing, moving, making, changing (R3.2, R3.4, R5.4)."""

from __future__ import annotations

from runtime.battle.card import NO_CHANGES, UNTIL_BATTLE, Card, KeywordChange
from runtime.battle.dispatch import card_hears, dispatch_to_card, dispatch_to_card_in, dispatch_to_listeners
from runtime.battle.events import CARD_CHANGED, CARD_CREATED, CARD_MOVED, DRAW_PILE_SHUFFLED
from runtime.battle.flow import take_step
from runtime.battle.hooks import apply_hooks, flush_spends
from runtime.battle.notices import notice
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, GONE, HAND, IN_PLAY, RUNNING, Battle
from runtime.graph.definitions import STAYS_OR_EXHAUSTS, CardDefinition
from runtime.graph.frame import new_hook_ports
from runtime.graph.timings import (
    DRAW_COUNT_HOOK,
    ON_CARD_ADDED_TO_DECK,
    ON_CARD_ADDED_TO_HAND,
    ON_CARD_DISCARDED,
    ON_CARD_DRAWN,
    ON_CARD_EXHAUSTED,
    ON_DRAW_PILE_SHUFFLED,
)

# A normal draw takes no more than this, whatever a pack says: with a full hand each card more would only
# go round through the discard pile.
MOST_DRAWN = 1000

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
        battle.log.append((CARD_MOVED, battle.cause, number, card_id, before, pile, index, reason))


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
    outer = battle.cause
    if battle.logging:
        battle.log.append((DRAW_PILE_SHUFFLED, outer, len(draw)))
        battle.cause = len(battle.log)
    if battle.content.cards_listen[ON_DRAW_PILE_SHUFFLED]:
        for number in draw[::-1]:
            dispatch_to_card_in(battle, number, DRAW, ON_DRAW_PILE_SHUFFLED)
    if "draw_pile_shuffled" in battle.content.noticed and battle.outcome == RUNNING:
        notice(battle, "draw_pile_shuffled", {})
    battle.cause = outer


def _reshuffle(battle: Battle) -> None:
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
        cause = battle.cause
        index = len(moved)
        for number in moved:
            index -= 1
            log.append((CARD_MOVED, cause, number, cards[number].definition.id, DISCARD, DRAW, index, "reshuffle"))
    shuffle_draw_pile(battle)


def draw_cards(battle: Battle, count: int) -> int:
    """Draws cards one by one (R3.2): E8 for each, E10 for one that overflows the hand.

    Returns:
        How many came into the hand.
    """
    player = battle.player
    cards_listen = battle.content.cards_listen[ON_CARD_DRAWN]
    drawn = 0
    if not cards_listen and not player.listeners[ON_CARD_DRAWN]:
        # Nobody can react to what is there to be drawn at once.
        drawn = _draw_unheard(battle, count)
        if drawn == count:
            return drawn
    # The decision drops what is left to draw (R2.7); within E2, which comes after it, cards are drawn without Entries.
    outcome = battle.outcome
    hand = battle.piles[HAND]
    draw = battle.piles[DRAW]
    discard = battle.piles[DISCARD]
    for _ in range(count - drawn):
        if battle.outcome != outcome:
            break
        if battle.chain:
            take_step(battle)
        if not draw:
            if not discard:
                break
            _reshuffle(battle)
            if not draw or battle.outcome != outcome:
                continue
        number = draw[-1]
        if len(hand) >= battle.hand_limit:
            place_card(battle, number, DISCARD, TOP, "overflow")
            dispatch_discarded(battle, number, "overflow")
            continue
        draw.pop()
        hand.append(number)
        battle.places[number] = HAND
        drawn += 1
        outer = battle.cause
        if battle.logging:
            card_id = battle.cards[number].definition.id
            battle.log.append((CARD_MOVED, outer, number, card_id, DRAW, HAND, len(hand) - 1, "draw"))
            battle.cause = len(battle.log)
        player_listeners = player.listeners[ON_CARD_DRAWN]
        # Never skipped although a status reaction moved the card away (R2.2).
        if player_listeners or cards_listen:
            ports = battle.cards[number].ports
            dispatch_to_listeners(battle, player, player_listeners, ports)
            dispatch_to_card(battle, number, ON_CARD_DRAWN, ports)
        battle.cause = outer
    return drawn


def _draw_unheard(battle: Battle, count: int) -> int:
    """Draws as many cards as can be drawn without a reaction, reshuffling once, and returns how many."""
    piles = battle.piles
    hand = piles[HAND]
    draw = piles[DRAW]
    size = battle.hand_limit - len(hand)
    if size > count:
        size = count
    there = len(draw)
    if size > there:
        if there:
            # What is there first; what is missing after the shuffle.
            return _draw_unheard(battle, there) + _draw_unheard(battle, size - there)
        if battle.content.hears_shuffles or battle.chain or not piles[DISCARD]:
            # A shuffle may start a graph, or count as a step of one that runs.
            return 0
        _reshuffle(battle)
        if size > len(draw):
            size = len(draw)
    if size <= 0:
        return 0
    taken = draw[: -size - 1 : -1]
    del draw[-size:]
    places = battle.places
    for number in taken:
        places[number] = HAND
    if battle.logging:
        cards = battle.cards
        log = battle.log
        cause = battle.cause
        index = len(hand)
        for number in taken:
            log.append((CARD_MOVED, cause, number, cards[number].definition.id, DRAW, HAND, index, "draw"))
            index += 1
    hand += taken
    return size


def normal_draw_count(battle: Battle, count: int) -> int:
    """How many cards the normal or opening draw takes, after Draw Count Hooks."""
    player = battle.player
    hooks = player.listeners[DRAW_COUNT_HOOK]
    if hooks:
        mark = len(battle.spends)
        count = max(0, apply_hooks(battle, player, hooks, count, new_hook_ports(count), True))
        flush_spends(battle, mark)
    return min(count, MOST_DRAWN)


def dispatch_discarded(battle: Battle, number: int, cause: str) -> None:
    """E10 on a card that a turn's end or an overflow has put into the discard pile, and the notice."""
    if battle.cards[number].definition.behavior.branches[ON_CARD_DISCARDED]:
        dispatch_to_card(battle, number, ON_CARD_DISCARDED, battle.cards[number].ports)
    if "card_discarded" in battle.content.noticed and battle.outcome == RUNNING:
        notice(battle, "card_discarded", {"card": number, "cause": cause})


def dispatch_exhausted(battle: Battle, number: int, cause: str) -> None:
    """E11 on a card that play or a turn's end has put into the exhaust pile, and the notice."""
    if battle.cards[number].definition.behavior.branches[ON_CARD_EXHAUSTED]:
        dispatch_to_card(battle, number, ON_CARD_EXHAUSTED, battle.cards[number].ports)
    if "card_exhausted" in battle.content.noticed and battle.outcome == RUNNING:
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
    outer = battle.cause
    if battle.logging:
        battle.log.append((CARD_CREATED, outer, number, card.definition.id, pile, index))
        battle.cause = len(battle.log)
    branches = card.definition.behavior.branches
    if asked == HAND and branches[ON_CARD_ADDED_TO_HAND]:
        dispatch_to_card(battle, number, ON_CARD_ADDED_TO_HAND, battle.cards[number].ports)
    elif asked == DRAW and branches[ON_CARD_ADDED_TO_DECK]:
        dispatch_to_card(battle, number, ON_CARD_ADDED_TO_DECK, battle.cards[number].ports)
    if "card_created" in battle.content.noticed and battle.outcome == RUNNING:
        notice(battle, "card_created", {"card": number})
    battle.cause = outer


def upgrade_card(battle: Battle, number: int) -> None:
    """Turns a card into its upgrade for the rest of the battle; nothing happens without one."""
    card = battle.cards[number]
    upgrade = card.definition.upgrade
    if upgrade is None:
        return
    card = card.altered()
    card.definition = upgrade
    card.upgraded = True
    if card.cost_set < 0:
        card.cost = upgrade.base_cost
    _refresh_keywords(card)
    _replace(battle, card, "upgrade")


def set_card_cost(battle: Battle, number: int, cost: int, until: int) -> None:
    """Sets a card's cost before hooks for a while."""
    card = battle.cards[number].altered()
    card.cost = card.cost_set = max(0, cost)
    card.cost_until = until
    _replace(battle, card, "cost")


def set_card_keyword(battle: Battle, number: int, keyword: int, value: bool, until: int) -> None:
    """Sets or unsets a keyword of a card for a while; the last change of a keyword wins."""
    card = battle.cards[number].altered()
    card.changes = (*card.changes, KeywordChange(keyword, value, until))
    _refresh_keywords(card)
    _replace(battle, card, "keyword")


def _refresh_keywords(card: Card) -> None:
    keywords = card.definition.keywords
    for change in card.changes:
        if change.value:
            keywords |= change.keyword
        else:
            keywords &= ~change.keyword
    card.keywords = keywords


def _replace(battle: Battle, card: Card, what: str) -> None:
    battle.cards[card.number] = card
    battle.plays = {}
    battle.altered = True
    battle.has_staying = battle.has_staying or card.keywords & STAYS_OR_EXHAUSTS != 0
    if battle.logging:
        battle.log.append((CARD_CHANGED, battle.cause, card.number, card.definition.id, what))


def expire_changes(battle: Battle, number: int, until: int) -> None:
    """Ends what was set on a card until this moment: UNTIL_TURN or UNTIL_PLAYED."""
    card = battle.cards[number]
    cost_ends = card.cost_set >= 0 and card.cost_until == until
    keyword_ends = False
    if card.changes is not NO_CHANGES:
        for change in card.changes:
            if change.until == until:
                keyword_ends = True
    if not cost_ends and not keyword_ends:
        return
    card = card.altered()
    if cost_ends:
        card.cost_set = -1
        card.cost = card.definition.base_cost
        card.cost_until = UNTIL_BATTLE
        _replace(battle, card, "cost")
    if keyword_ends:
        card.changes = tuple([change for change in card.changes if change.until != until])
        _refresh_keywords(card)
        _replace(battle, card, "keyword")


def lies_in_a_pile(battle: Battle, number: int) -> bool:
    """Whether a card reference points to a card in one of the four piles."""
    return number >= 0 and card_hears(battle, number)
