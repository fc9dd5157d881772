"""What is changed on a card for a while: its upgrade, its cost, its keywords (R5.13).

What is set last is in force. What it covers comes back when it ends, if that lasts longer: a cost of 1 for the battle
is 1 again in the turn after a cost of 0 for one turn.
"""

from __future__ import annotations

from runtime.battle.card import UNTIL_BATTLE, Card, CostChange, KeywordChange
from runtime.battle.events import CARD_CHANGED
from runtime.battle.state import Battle
from runtime.graph.definitions import STAYS_OR_EXHAUSTS


def upgrade_card(battle: Battle, number: int) -> None:
    """Turns a card into its upgrade for the rest of the battle; nothing happens without one.

    What is set on the card stays in force (R5.13).
    """
    card = battle.cards[number]
    upgrade = card.definition.upgrade
    if upgrade is None:
        return
    card = card.altered()
    card.definition = upgrade
    card.upgraded = True
    _refresh_cost(card)
    _refresh_keywords(card)
    _replace(battle, card, "upgrade")


def set_card_cost(battle: Battle, number: int, cost: int, until: int) -> None:
    """Sets a card's cost before hooks for a while."""
    card = battle.cards[number].altered()
    card.costs = (*[change for change in card.costs if _outlasts(change.until, until)], CostChange(max(0, cost), until))
    _refresh_cost(card)
    _replace(battle, card, "cost")


def set_card_keyword(battle: Battle, number: int, keyword: int, value: bool, until: int) -> None:
    """Sets or unsets a keyword of a card for a while."""
    card = battle.cards[number].altered()
    kept = [change for change in card.changes if change.keyword != keyword or _outlasts(change.until, until)]
    card.changes = (*kept, KeywordChange(keyword, value, until))
    _refresh_keywords(card)
    _replace(battle, card, "keyword")


def _outlasts(until: int, other: int) -> bool:
    """Whether what lasts until one moment may be there still when what lasts until another has ended.

    A turn's end and a play come in either order.
    """
    return other not in (until, UNTIL_BATTLE)


def _refresh_cost(card: Card) -> None:
    card.cost = card.costs[-1].cost if card.costs else card.definition.base_cost


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
        battle.log.append((CARD_CHANGED, battle.running.cause, card.number, card.definition.id, what))


def expire_changes(battle: Battle, number: int, until: int) -> None:
    """Ends what was set on a card until this moment: UNTIL_TURN or UNTIL_PLAYED."""
    card = battle.cards[number]
    if not card.costs and not card.changes:
        return
    costs = tuple([change for change in card.costs if change.until != until])
    changes = tuple([change for change in card.changes if change.until != until])
    cost_ends = len(costs) != len(card.costs)
    keyword_ends = len(changes) != len(card.changes)
    if not cost_ends and not keyword_ends:
        return
    card = card.altered()
    if cost_ends:
        card.costs = costs
        _refresh_cost(card)
        _replace(battle, card, "cost")
    if keyword_ends:
        card.changes = changes
        _refresh_keywords(card)
        _replace(battle, card, "keyword")
