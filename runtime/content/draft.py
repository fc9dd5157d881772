"""A pack while it is being checked: every asset with the place it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from msgspec import Struct

from runtime.content.assets import (
    CardAsset,
    DeckAsset,
    EncounterAsset,
    EnemyAsset,
    EventAsset,
    FlowAsset,
    GraphAsset,
    PackInfo,
    StatusAsset,
)
from runtime.content.problems import Place

A = TypeVar("A", bound=Struct)


@dataclass(frozen=True, slots=True)
class Located(Generic[A]):
    """An asset and where it stands."""

    asset: A
    place: Place


@dataclass(slots=True)
class Draft:
    """The assets of a pack by id, as far as they could be read.

    Attributes:
        info: What ``pack.json`` says, or the head of a pack object.
        cards: Cards by id; so on for the other kinds of assets.
        statuses: Statuses.
        enemies: Enemies.
        encounters: Encounters.
        decks: Decks.
        events: GES events.
        flows: Flows.
    """

    info: Located[PackInfo]
    cards: dict[str, Located[CardAsset]] = field(default_factory=dict)
    statuses: dict[str, Located[StatusAsset]] = field(default_factory=dict)
    enemies: dict[str, Located[EnemyAsset]] = field(default_factory=dict)
    encounters: dict[str, Located[EncounterAsset]] = field(default_factory=dict)
    decks: dict[str, Located[DeckAsset]] = field(default_factory=dict)
    events: dict[str, Located[EventAsset]] = field(default_factory=dict)
    flows: dict[str, Located[FlowAsset]] = field(default_factory=dict)


# Kinds of assets: the name of the folder and of the list in a pack object, and of the field of `Draft` and `Pack`.
KINDS: Final[dict[str, type[Struct]]] = {
    "cards": CardAsset,
    "statuses": StatusAsset,
    "enemies": EnemyAsset,
    "encounters": EncounterAsset,
    "decks": DeckAsset,
    "events": EventAsset,
    "flows": FlowAsset,
}


def graph_owners(draft: Draft) -> dict[str, str]:
    """For each card the id of the card whose graph it uses: its own, or the one at the end of ``graph_of``.

    A chain that leads to an unknown card or in a circle ends where it does; both are reported as errors.
    """
    owners: dict[str, str] = {}
    for card in draft.cards:
        chain: dict[str, None] = {}
        end = card
        while end not in owners and end not in chain:
            chain[end] = None
            following = draft.cards[end].asset.graph_of
            if following is None or following not in draft.cards:
                break
            end = following
        owners.update(dict.fromkeys(chain, owners.get(end, end)))
    return owners


def graph_of(asset: CardAsset | StatusAsset | EnemyAsset) -> GraphAsset:
    """The graph that an asset itself carries; an empty one if it carries none."""
    return asset.graph if isinstance(asset.graph, GraphAsset) else GraphAsset()
