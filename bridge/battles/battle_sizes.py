"""How large a battle may be that somebody starts: cards, enemies, statuses and variables."""

from __future__ import annotations

from bridge.error_reasons import ErrorReason
from bridge.errors import exhausted
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerLimits
from runtime.content.assets import EncounterAsset, Pack


def check_sizes(
    encounter: EncounterAsset, player: service_pb2.PlayerOverride, cards: int, pack: Pack, limits: ServerLimits
) -> None:
    """Refuses a battle that is too large: every action looks at all units, cards and variables.

    Args:
        encounter: The encounter.
        player: What is overridden of its player.
        cards: How many cards its deck has.
        pack: The pack with its enemies.
        limits: Those of the server.

    Raises:
        CallError: There is too much of something.
    """
    _check(ErrorReason.TOO_MANY_CARDS, "the deck has %d cards", cards, limits.deck_cards)
    _check(ErrorReason.TOO_MANY_ENEMIES, "the encounter has %d enemies", len(encounter.enemies), limits.enemies)
    _check(ErrorReason.TOO_MANY_ENEMIES, "max_enemies of the encounter is %d", encounter.max_enemies, limits.enemies)
    # An override is in place of the encounter's own.
    statuses = len(player.statuses) or len(encounter.player.statuses)
    statuses += sum(len(pack.enemies[enemy].statuses) for enemy in encounter.enemies)
    _check(ErrorReason.TOO_MANY_STATUSES, "player and enemies begin with %d statuses", statuses, limits.statuses)
    variables = len(player.variables) or len(encounter.player.variables)
    _check(ErrorReason.TOO_MANY_VARIABLES, "the player begins with %d variables", variables, limits.variables)


def _check(reason: ErrorReason, text: str, count: int, limit: int) -> None:
    if count > limit:
        raise exhausted(reason, f"{text % count}, more than {limit}", limit)
