"""The hand: drawing (R3.2, E8), discarding (E10), retaining (E12), and its resolution at the turn's end (T4, R3.3)."""

from __future__ import annotations

from runtime.battle.cards import TOP, dispatch_exhausted, place_card, reshuffle
from runtime.battle.dispatch import dispatch_to_card, dispatch_to_listeners
from runtime.battle.events import CARD_MOVED
from runtime.battle.hooks import apply_hooks, flush_spends
from runtime.battle.notices import notice
from runtime.battle.run_nodes import take_step
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, RUNNING, Battle
from runtime.graph.definitions import ETHEREAL, RETAIN, STAYS_OR_EXHAUSTS
from runtime.graph.frame import new_hook_ports
from runtime.graph.timings import DRAW_COUNT_HOOK, ON_CARD_DISCARDED, ON_CARD_DRAWN, ON_CARD_RETAINED

# A normal draw takes no more than this, whatever a pack says: with a full hand each card more would only
# go round through the discard pile.
MOST_DRAWN = 1000


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
        if battle.running.chain:
            take_step(battle)
        if not draw:
            if not discard:
                break
            reshuffle(battle)
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
        outer = battle.running.cause
        if battle.logging:
            card_id = battle.cards[number].definition.id
            battle.log.append((CARD_MOVED, outer, number, card_id, DRAW, HAND, len(hand) - 1, "draw"))
            battle.running.cause = len(battle.log)
        player_listeners = player.listeners[ON_CARD_DRAWN]
        # Never skipped although a status reaction moved the card away (R2.2).
        if player_listeners or cards_listen:
            ports = battle.cards[number].ports
            dispatch_to_listeners(battle, player, player_listeners, ports)
            dispatch_to_card(battle, number, ON_CARD_DRAWN, ports)
        battle.running.cause = outer
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
        if battle.content.hears_shuffles or battle.running.chain or not piles[DISCARD]:
            # A shuffle may start a graph, or count as a step of one that runs.
            return 0
        reshuffle(battle)
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
        cause = battle.running.cause
        index = len(hand)
        for number in taken:
            log.append((CARD_MOVED, cause, number, cards[number].definition.id, DRAW, HAND, index, "draw"))
            index += 1
    hand += taken
    return size


def draw_normally(battle: Battle, least: int = 0) -> None:
    """The normal or opening draw, after Draw Count Hooks; what they spent is told when it is done (R4.9).

    Args:
        battle: The battle.
        least: How many cards are drawn whatever the hooks say: the innate ones (T1).
    """
    player = battle.player
    count = battle.draw
    hooks = player.listeners[DRAW_COUNT_HOOK]
    if not hooks:
        draw_cards(battle, max(min(count, MOST_DRAWN), least))
        return
    mark = len(battle.running.spends)
    count = max(0, apply_hooks(battle, player, hooks, count, new_hook_ports(count), True))
    # What they spent waits here: a limit that ends a root of the draw is no business of theirs (R2.5).
    spends = battle.running.spends[mark:]
    del battle.running.spends[mark:]
    draw_cards(battle, max(min(count, MOST_DRAWN), least))
    battle.running.spends.extend(spends)
    flush_spends(battle, mark)


def dispatch_discarded(battle: Battle, number: int, cause: str) -> None:
    """E10 on a card that a turn's end or an overflow has put into the discard pile, and the notice."""
    if battle.cards[number].definition.behavior.branches[ON_CARD_DISCARDED]:
        dispatch_to_card(battle, number, ON_CARD_DISCARDED, battle.cards[number].ports)
    if "card_discarded" in battle.content.noticed:
        notice(battle, "card_discarded", {"card": number, "cause": cause})


def resolve_hand(battle: Battle) -> None:
    """Ethereal to exhaust (E11), else retained (E12), else to discard (E10): R3.3, left to right."""
    hand = battle.piles[HAND]
    cards = battle.cards
    keep_all = battle.encounter.keep_hand
    if not keep_all and not battle.content.hears_discards:
        # Up to the first one that is ethereal or retained, cards go to discard at once: nobody can react.
        gone = hand
        if battle.has_staying:
            for number in hand:
                if cards[number].keywords & STAYS_OR_EXHAUSTS:
                    gone = hand[: hand.index(number)]
                    break
        places = battle.places
        for number in gone:
            places[number] = DISCARD
        battle.piles[DISCARD] += gone
        if battle.logging:
            log = battle.log
            cause = battle.running.cause
            for number in gone:
                log.append((CARD_MOVED, cause, number, cards[number].definition.id, HAND, DISCARD, 0, "turn_end"))
        if gone is hand:
            hand.clear()
            return
        del hand[: len(gone)]
    for number in hand[:]:
        if battle.outcome != RUNNING:
            return
        if battle.places[number] != HAND:
            continue
        keywords = cards[number].keywords
        if keywords & ETHEREAL:
            place_card(battle, number, EXHAUST_PILE, TOP, "turn_end")
            dispatch_exhausted(battle, number, "turn_end")
        elif keep_all or keywords & RETAIN:
            if battle.cards[number].definition.behavior.branches[ON_CARD_RETAINED]:
                dispatch_to_card(battle, number, ON_CARD_RETAINED, battle.cards[number].ports)
        else:
            place_card(battle, number, DISCARD, TOP, "turn_end")
            dispatch_discarded(battle, number, "turn_end")
