"""What is changed on a card for a while: its upgrade, its cost, its keywords."""

from __future__ import annotations

from runtime.battle.card import NO_CHANGES, UNTIL_BATTLE, Card, KeywordChange
from runtime.battle.events import CARD_CHANGED
from runtime.battle.state import Battle
from runtime.graph.definitions import STAYS_OR_EXHAUSTS


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
