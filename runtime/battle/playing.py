"""Playing a card (T3)."""

from __future__ import annotations

from typing import Final

from runtime.battle.cards import TOP, dispatch_exhausted, expire_changes, place_card
from runtime.battle.costs import card_cost
from runtime.battle.dispatch import dispatch_to_card, run_branch, run_root
from runtime.battle.events import CARD_MOVED, CARD_PLAYED, ENERGY_CHANGED
from runtime.battle.flow import LimitReachedError
from runtime.battle.hooks import apply_hooks, flush_spends
from runtime.battle.notices import notice
from runtime.battle.state import (
    DISCARD,
    EXHAUST_PILE,
    GONE,
    HAND,
    IN_PLAY,
    RUNNING,
    UNTIL_PLAYED,
    Battle,
    Unit,
)
from runtime.graph.definitions import COST_X, EXHAUST, POWER, TARGET_ENEMY, TARGET_SELF
from runtime.graph.frame import HookPorts, new_frame
from runtime.graph.timings import ON_CARD_PLAYED, PLAY_COUNT_HOOK

# Keywords with which a played card does not go to the discard pile.
LEAVES_PLAY: Final = POWER | EXHAUST
# A Play Count Hook cannot make a card run more often than this.
MOST_PLAYS = 100


def pay_and_play(battle: Battle, number: int, target: int) -> None:
    """Plays a card from the hand that has passed T3's checks: pays, then plays it.

    Args:
        battle: The battle.
        number: The card.
        target: The target's unit number; ignored by a card that takes none.
    """
    card = battle.cards[number]
    definition = card.definition
    cost = card.cost
    if cost < 0 or battle.player.hears_plays or battle.content.cards_change_costs:
        cost = card_cost(battle, card, real=True)
    energy = battle.energy
    # R4.10: X is the energy that was there, also where Set Card Cost made the card cheaper.
    battle.paid[number] = energy if definition.base_cost == COST_X else cost
    if cost:
        battle.energy = energy - cost
        if battle.logging:
            battle.log.append((ENERGY_CHANGED, battle.cause, energy, energy - cost, "cost"))
    if battle.spends:
        flush_spends(battle, 0)
    play(battle, number, battle.units[target] if definition.target >= TARGET_ENEMY else None, cost, True)


def play(battle: Battle, number: int, target: Unit | None, paid: int, by_player: bool) -> None:
    """What follows the paying in T3: in play, the notice, E9, then the card's pile."""
    definition = battle.cards[number].definition
    player = battle.player
    kind = definition.target
    if kind < TARGET_ENEMY:
        target = player if kind == TARGET_SELF else None
    logging = battle.logging
    places = battle.places
    if places[number] == HAND:
        battle.piles[HAND].remove(number)
        places[number] = IN_PLAY
        if logging:
            battle.log.append((CARD_MOVED, battle.cause, number, definition.id, HAND, IN_PLAY, 0, "play"))
    else:
        place_card(battle, number, IN_PLAY, TOP, "play")
    battle.cards_played += 1
    outer = battle.cause
    if logging:
        target_number = target.number if target is not None else -1
        battle.log.append((CARD_PLAYED, outer, number, definition.id, target_number, paid, by_player))
        battle.cause = len(battle.log)
    noticed = battle.content.noticed
    try:
        if noticed and "card_played" in noticed:
            notice(battle, "card_played", {"card": number, "target": target})
        if player.hears_plays and player.listeners[PLAY_COUNT_HOOK]:
            _run_counted(battle, number, target)
        else:
            # One run, as nearly always. The card is read now: the notice may have upgraded it.
            card = battle.cards[number]
            for branch in card.definition.behavior.branches[ON_CARD_PLAYED]:
                if battle.fallen and battle.outcome != RUNNING:
                    break
                frame = new_frame(battle, branch, player, None, number, target, card.ports)
                if logging or battle.chain:
                    run_branch(frame)
                else:
                    run_root(frame, branch.first)
        pile = put_away(battle, number) if places[number] == IN_PLAY else IN_PLAY
        if pile == EXHAUST_PILE or battle.altered or noticed:
            _resolve(battle, number, pile)
    except LimitReachedError:
        # R2.5: a card in play still goes to its pile. Only a play nested in a branch gets here.
        if battle.places[number] == IN_PLAY:
            put_away(battle, number)
        if battle.altered:
            expire_changes(battle, number, UNTIL_PLAYED)
        raise
    battle.cause = outer


def _run_counted(battle: Battle, number: int, target: Unit | None) -> None:
    """E9 as often as Play Count Hooks say. What it is now runs, also where a notice has upgraded the card."""
    player = battle.player
    mark = len(battle.spends)
    count = 0
    if battle.outcome == RUNNING:
        asked = HookPorts(1, None, None, number)
        count = min(apply_hooks(battle, player, PLAY_COUNT_HOOK, 1, asked, True), MOST_PLAYS)
    # What the hooks spent waits here: a limit that ends the card's own root is no business of theirs (R2.5).
    spends = battle.spends[mark:]
    del battle.spends[mark:]
    for _ in range(count):
        dispatch_to_card(battle, number, ON_CARD_PLAYED, battle.cards[number].ports, target)
    if spends:
        battle.spends.extend(spends)
        flush_spends(battle, mark)


def put_away(battle: Battle, number: int) -> int:
    """Moves a card in play to its pile, without Entry, and returns the pile."""
    card = battle.cards[number]
    keywords = card.keywords
    if keywords & LEAVES_PLAY:
        pile = GONE if keywords & POWER else EXHAUST_PILE
        place_card(battle, number, pile, TOP, "resolve")
        return pile
    battle.places[number] = DISCARD
    battle.piles[DISCARD].append(number)
    if battle.logging:
        battle.log.append((CARD_MOVED, battle.cause, number, card.definition.id, IN_PLAY, DISCARD, 0, "resolve"))
    return DISCARD


def _resolve(battle: Battle, number: int, pile: int) -> None:
    """What follows once a card in play is in its pile: E11 for the exhaust pile, no Entry for discard (E10)."""
    if battle.altered:
        expire_changes(battle, number, UNTIL_PLAYED)
    if pile == EXHAUST_PILE and battle.outcome == RUNNING:
        dispatch_exhausted(battle, number, "play")
    noticed = battle.content.noticed
    if noticed and battle.outcome == RUNNING and "card_resolved" in noticed:
        notice(battle, "card_resolved", {"card": number})
