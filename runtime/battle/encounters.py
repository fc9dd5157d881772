"""Encounters made ready to start battles from: assets resolved, overrides applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from runtime.battle.card import Card
from runtime.content.assets import EncounterAsset
from runtime.graph.definitions import INNATE, STAYS_OR_EXHAUSTS, Content, EnemyDefinition, StatusDefinition

if TYPE_CHECKING:
    from runtime.battle.action_types import Action


class Encounter:
    """An encounter with its assets resolved, ready to start battles from.

    Attributes:
        cards: The deck as card instances. Cards are copied on write, so all battles share them.
        has_innate: Whether any of them is innate.
        has_staying: Whether a turn's end does anything but discard with any of them.
        plays: What `Battle.plays` holds until something changes in a battle; shared, too.
    """

    __slots__ = (
        "armor",
        "asset",
        "cards",
        "draw",
        "enemies",
        "energy",
        "hand_limit",
        "has_innate",
        "has_staying",
        "hp",
        "id",
        "keep_hand",
        "max_enemies",
        "max_hp",
        "plays",
        "statuses",
        "variables",
    )

    def __init__(self, asset: EncounterAsset) -> None:
        self.asset = asset
        self.id: str = asset.id
        self.enemies: list[EnemyDefinition] = []
        self.cards: list[Card] = []
        self.has_innate: bool = False
        self.has_staying: bool = False
        self.plays: dict[int, list[list[Action]]] = {}
        self.max_enemies: int = asset.max_enemies
        self.keep_hand: bool = asset.keep_hand
        self.hp: int = asset.player.hp
        self.max_hp: int = asset.player.hp
        self.energy: int = asset.player.energy
        self.draw: int = asset.player.draw
        self.hand_limit: int = asset.player.hand_limit
        self.armor: int = asset.player.armor
        self.statuses: list[tuple[StatusDefinition, int]] = []
        self.variables: dict[str, int] = dict(asset.player.variables)


def prepare_encounter(
    content: Content,
    asset: EncounterAsset,
    player: dict[str, object] | None = None,
    deck: list[str] | None = None,
) -> Encounter:
    """An encounter to start battles from.

    Args:
        content: The compiled pack.
        asset: The encounter; checked against the pack.
        player: Fields of the encounter's player to override; checked, too.
        deck: Card ids to play with instead of the encounter's deck.
    """
    fields = asset.player
    given = player or {}
    encounter = Encounter(asset)
    encounter.enemies = [content.enemies[enemy] for enemy in asset.enemies]
    cards = deck if deck is not None else content.pack.decks[asset.deck].cards
    encounter.cards = [Card(number, content.cards[card]) for number, card in enumerate(cards)]
    encounter.has_innate = any(card.keywords & INNATE for card in encounter.cards)
    encounter.has_staying = any(card.keywords & STAYS_OR_EXHAUSTS for card in encounter.cards)
    encounter.hp = _int(given, "hp", fields.hp)
    default_max = fields.hp if fields.max_hp is UNSET else fields.max_hp
    # HP above the maximum raises it, unless the maximum is given as well; then HP is clamped.
    encounter.max_hp = _int(given, "max_hp", max(default_max, encounter.hp))
    encounter.hp = min(encounter.hp, encounter.max_hp)
    encounter.energy = _int(given, "energy", fields.energy)
    encounter.draw = _int(given, "draw", fields.draw)
    encounter.hand_limit = _int(given, "hand_limit", fields.hand_limit)
    encounter.armor = _int(given, "armor", fields.armor)
    statuses = given.get("statuses", fields.statuses)
    assert isinstance(statuses, dict)
    encounter.statuses = [(content.statuses[status], stacks) for status, stacks in statuses.items()]
    variables = given.get("variables", fields.variables)
    assert isinstance(variables, dict)
    encounter.variables = dict(variables)
    return encounter


def _int(given: dict[str, object], name: str, default: int) -> int:
    value = given.get(name, default)
    assert isinstance(value, int)
    return value
