"""The notices that the engine raises (R6.3), by their names behind the reserved prefix, with their arguments."""

from __future__ import annotations

from typing import Final

PREFIX: Final = "gcs."

NOTICES: Final[dict[str, tuple[str, ...]]] = {
    "battle_started": (),
    "turn_started": ("unit",),
    "turn_ended": ("unit",),
    "card_played": ("card", "target"),
    "card_resolved": ("card",),
    "card_discarded": ("card", "cause"),
    "card_exhausted": ("card", "cause"),
    "card_created": ("card",),
    "draw_pile_shuffled": (),
    "unit_spawned": ("unit",),
    "unit_died": ("unit", "source"),
    "unit_removed": ("unit",),
    "battle_ended": ("outcome",),
}

# No graph hears this one: it goes to the engine alone.
GES_ONLY: Final = "battle_ended"
