"""Rejections: why an action is not allowed, every reason with a line of meaning (T3).

What must be known of the reasons elsewhere, such as a page of reference or another language's constants, is to be
generated from `REASONS`.
"""

from __future__ import annotations

from typing import Final

BATTLE_OVER: Final = "BATTLE_OVER"
CHOICE_PENDING: Final = "CHOICE_PENDING"
NO_CHOICE_PENDING: Final = "NO_CHOICE_PENDING"
INVALID_CHOICE: Final = "INVALID_CHOICE"
UNKNOWN_CARD: Final = "UNKNOWN_CARD"
CARD_UNPLAYABLE: Final = "UNPLAYABLE"
NOT_ENOUGH_ENERGY: Final = "NOT_ENOUGH_ENERGY"
INVALID_TARGET: Final = "INVALID_TARGET"
STALE_STATE: Final = "STALE_STATE"
INVALID_ACTION: Final = "INVALID_ACTION"
NOT_ALLOWED: Final = "NOT_ALLOWED"

# Every reason and what it means. The first eight are the battle's own; the last three come from whoever carries
# actions to it.
REASONS: Final[dict[str, str]] = {
    BATTLE_OVER: "The battle is decided.",
    CHOICE_PENDING: "A choice is open and has to be answered first.",
    NO_CHOICE_PENDING: "There is no choice to answer.",
    INVALID_CHOICE: "The answer does not fit the open choice, or is one of the other kind: cards for an option.",
    UNKNOWN_CARD: "No card with this id is in hand.",
    CARD_UNPLAYABLE: "The card has the keyword unplayable.",
    NOT_ENOUGH_ENERGY: "The card costs more energy than there is, after hooks.",
    INVALID_TARGET: "The card needs another target: an enemy, or any unit, that is alive.",
    STALE_STATE: "The battle has changed since the state that the action goes by.",
    INVALID_ACTION: "The action says nothing, or what it says cannot be carried out.",
    NOT_ALLOWED: "The action is not open to this caller on this server.",
}

# Why a card in hand cannot be played, in a few words for a board.
CARD_REASONS: Final[dict[str, str]] = {
    CARD_UNPLAYABLE: "cannot be played",
    NOT_ENOUGH_ENERGY: "not enough energy",
    INVALID_TARGET: "no target",
    CHOICE_PENDING: "a choice is open",
    BATTLE_OVER: "the battle is over",
}


class Rejection:
    """Why an action was rejected; it changed nothing.

    Attributes:
        reason: One of `REASONS`, such as ``NOT_ENOUGH_ENERGY``.
        message: The reason for people, with what was expected.
    """

    __slots__ = ("message", "reason")

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        self.message = message

    def __repr__(self) -> str:
        return f"Rejection({self.reason!r}, {self.message!r})"
