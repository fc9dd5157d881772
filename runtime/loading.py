"""From a pack on disk, or as an object, to content that battles are started from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runtime.battle.encounters import Encounter, prepare_encounter
from runtime.content.overrides import check_deck, check_encounter, check_player
from runtime.graph.compile import compile_pack
from runtime.graph.definitions import Content
from runtime.nodes import library
from runtime.packs import load_pack


def load_content(source: str | Path | Mapping[str, Any] | bytes) -> Content:
    """Reads, checks and compiles a pack.

    Args:
        source: The id of an installed pack, a path, a pack object, or such an object as JSON text.

    Raises:
        PackError: With every problem of the pack.
    """
    return compile_pack(load_pack(source), library())


def encounter_of(
    content: Content,
    encounter: str | Mapping[str, Any] | bytes,
    player: Mapping[str, Any] | bytes | None = None,
    deck: list[str] | bytes | None = None,
) -> Encounter:
    """An encounter of a pack, ready to start battles from.

    Args:
        content: The compiled pack.
        encounter: The id of one of its encounters, or an encounter object.
        player: Fields of the encounter's player to override.
        deck: Card ids to play with instead of the encounter's deck, in order.

    Raises:
        PackError: With every problem of the encounter and the overrides.
    """
    pack = content.pack
    asset = check_encounter(pack, encounter)
    fields = check_player(pack, player) if player is not None else None
    cards = check_deck(pack, deck) if deck is not None else None
    return prepare_encounter(content, asset, fields, cards)
