"""Playing a card (T3)."""

from __future__ import annotations

from typing import Final

from runtime.battle.card import UNTIL_PLAYED
from runtime.battle.card_changes import expire_changes
from runtime.battle.cards import TOP, dispatch_exhausted, place_card
from runtime.battle.dispatch import dispatch_to_card, go_on, run_dispatched, start_root
from runtime.battle.energy import pay_for
from runtime.battle.events import CARD_MOVED, CARD_PLAYED, ENTRY_DISPATCHED
from runtime.battle.hooks import apply_hooks, flush_spends
from runtime.battle.notices import notice
from runtime.battle.run_nodes import LimitReachedError
from runtime.battle.state import DISCARD, EXHAUST_PILE, GONE, HAND, IN_PLAY, RUNNING, Battle, Unit
from runtime.graph.definitions import EXHAUST, POWER, TARGET_ENEMY, TARGET_SELF
from runtime.graph.frame import new_frame, new_hook_ports
from runtime.graph.timings import ON_CARD_PLAYED, PLAY_COUNT_HOOK

# Keywords with which a played card does not go to the discard pile.
LEAVES_PLAY: Final = POWER | EXHAUST
# A Play Count Hook cannot make a card run more often than this.
MOST_PLAYS = 100


def play(battle: Battle, number: int, target: int, by_player: bool) -> None:
    """Plays a card (T3): paid for by the player, in play, the notice, E9, then the card's pile.

    Args:
        battle: The battle.
        number: The card.
        target: The target's unit number, or -1 for none; ignored by a card that takes none.
        by_player: Whether the player plays it, from the hand and past T3's checks; a Play Card node pays nothing.
    """
    card = battle.cards[number]
    definition = card.definition
    player = battle.player
    content = battle.content
    logging = battle.logging
    log = battle.log
    kind = definition.target
    chosen = battle.units[target] if kind >= TARGET_ENEMY else player if kind == TARGET_SELF else None
    paid = 0
    if by_player:
        paid = pay_for(battle, card)
        if battle.running.spends:
            flush_spends(battle, 0)
            if battle.outcome != RUNNING:
                # Paying has decided the battle: the card stays in hand (R2.7).
                return
            # What answered may have upgraded the card, and its target with it; nobody is chosen again.
            card = battle.cards[number]
            definition = card.definition
            if definition.target < TARGET_ENEMY:
                chosen = player if definition.target == TARGET_SELF else None
            elif kind < TARGET_ENEMY:
                chosen = None
    places = battle.places
    if places[number] == HAND:
        battle.piles[HAND].remove(number)
        places[number] = IN_PLAY
        if logging:
            log.append((CARD_MOVED, battle.running.cause, number, definition.id, HAND, IN_PLAY, 0, "play"))
    else:
        place_card(battle, number, IN_PLAY, TOP, "play")
    battle.cards_played += 1
    outer = cause = battle.running.cause
    if logging:
        chosen_number = chosen.number if chosen is not None else -1
        log.append((CARD_PLAYED, outer, number, definition.id, chosen_number, paid, by_player))
        battle.running.cause = cause = len(log)
    noticed = content.noticed
    try:
        if noticed and "card_played" in noticed:
            notice(battle, "card_played", {"card": number, "target": chosen})
            # The notice may have upgraded it.
            definition = battle.cards[number].definition
        if player.hears_plays and player.listeners[PLAY_COUNT_HOOK]:
            _run_counted(battle, number, chosen)
        else:
            # One run, as nearly always.
            for branch in definition.behavior.branches[ON_CARD_PLAYED]:
                if battle.fallen and battle.outcome != RUNNING:
                    break
                if logging:
                    log.append(
                        (ENTRY_DISPATCHED, cause, branch, 0, number, card.ports, battle.cards[number].definition.id)
                    )
                    battle.running.cause = len(log)
                if battle.running.chain:
                    run_dispatched(new_frame(battle, branch, player, None, number, chosen, card.ports))
                else:
                    node = start_root(battle, branch.first, player, chosen, None)
                    if node is not None:
                        go_on(new_frame(battle, branch, player, None, number, chosen, card.ports), node)
                if logging:
                    battle.running.cause = cause
        pile = IN_PLAY
        if places[number] == IN_PLAY:
            card = battle.cards[number]
            if card.keywords & LEAVES_PLAY:
                pile = put_away(battle, number)
            else:
                # `put_away`, written out: most cards go to discard.
                places[number] = pile = DISCARD
                battle.piles[DISCARD].append(number)
                if logging:
                    log.append((CARD_MOVED, cause, number, card.definition.id, IN_PLAY, DISCARD, 0, "resolve"))
        if pile == EXHAUST_PILE or battle.altered or noticed:
            _resolve(battle, number, pile)
    except LimitReachedError:
        # R2.5: a card in play still goes to its pile. Only a play nested in a branch gets here.
        if battle.places[number] == IN_PLAY:
            put_away(battle, number)
        if battle.altered:
            expire_changes(battle, number, UNTIL_PLAYED)
        raise
    if logging:
        battle.running.cause = outer


def _run_counted(battle: Battle, number: int, target: Unit | None) -> None:
    """E9 as often as Play Count Hooks say. What it is now runs, also where a notice has upgraded the card."""
    player = battle.player
    mark = len(battle.running.spends)
    count = 0
    if battle.outcome == RUNNING:
        asked = new_hook_ports(1, None, None, number)
        count = min(apply_hooks(battle, player, player.listeners[PLAY_COUNT_HOOK], 1, asked, True), MOST_PLAYS)
    # What the hooks spent waits here: a limit that ends the card's own root is no business of theirs (R2.5).
    spends = battle.running.spends[mark:]
    del battle.running.spends[mark:]
    for _ in range(count):
        dispatch_to_card(battle, number, ON_CARD_PLAYED, battle.cards[number].ports, target)
    if spends:
        battle.running.spends.extend(spends)
        flush_spends(battle, mark)


def put_away(battle: Battle, number: int) -> int:
    """Moves a card in play to its pile, without Entry, and returns the pile.

    A power leaves the game, also with exhaust (R3.9). No notice tells a discard from here (R6.7).
    """
    keywords = battle.cards[number].keywords
    pile = GONE if keywords & POWER else EXHAUST_PILE if keywords & EXHAUST else DISCARD
    place_card(battle, number, pile, TOP, "resolve")
    return pile


def _resolve(battle: Battle, number: int, pile: int) -> None:
    """What follows once a card in play is in its pile.

    "Until played" ends (R5.13), then comes E11 for the exhaust pile; there is no Entry for discard (E10).
    """
    if battle.altered:
        expire_changes(battle, number, UNTIL_PLAYED)
    if pile == EXHAUST_PILE and battle.outcome == RUNNING:
        dispatch_exhausted(battle, number, "play")
    noticed = battle.content.noticed
    if "card_resolved" in noticed:
        notice(battle, "card_resolved", {"card": number})
