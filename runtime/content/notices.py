"""The notices that the engine raises (R6.3), by their names behind the reserved prefix."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "gcs."

NOTICES: Final = (
    "battle_started",
    "turn_started",
    "turn_ended",
    "card_played",
    "card_resolved",
    "card_discarded",
    "card_exhausted",
    "card_created",
    "draw_pile_shuffled",
    "unit_spawned",
    "unit_died",
    "unit_removed",
    "battle_ended",
)

# No graph hears this one: it goes to the engine alone.
GES_ONLY: Final = "battle_ended"
