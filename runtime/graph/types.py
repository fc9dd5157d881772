"""Graph kinds, port types and literals: the vocabulary that node declarations and the checker share."""

from __future__ import annotations

from typing import Final

CARD: Final = "card"
STATUS: Final = "status"
ENEMY: Final = "enemy"
GRAPH_KINDS: Final = (CARD, STATUS, ENEMY)

FLOW: Final = "Flow"
INT: Final = "Int"
BOOL: Final = "Bool"
TEXT: Final = "Text"
UNIT: Final = "UnitRef"
UNITS: Final = "UnitList"
CARD_REF: Final = "CardRef"
CARDS: Final = "CardList"
STATUS_REF: Final = "StatusRef"

PORT_TYPES: Final = (FLOW, INT, BOOL, TEXT, UNIT, UNITS, CARD_REF, CARDS, STATUS_REF)

# A single reference may feed a list input of its kind (content.md, "Graphs").
WIDENS: Final = {UNIT: UNITS, CARD_REF: CARDS}

UNIT_WORDS: Final = ("acting", "player", "chosen", "none")
UNIT_LIST_WORDS: Final = (*UNIT_WORDS, "all_enemies", "all_units")

INT_MIN: Final = -(2**31)
INT_MAX: Final = 2**31 - 1


def accepts(input_type: str, output_type: str) -> bool:
    """Whether a link may lead from an output of one type to an input of another."""
    return input_type == output_type or WIDENS.get(output_type) == input_type


def saturate(value: int) -> int:
    """Clamps to a signed 32-bit Int, as all arithmetic of graphs does."""
    if value > INT_MAX:
        return INT_MAX
    if value < INT_MIN:
        return INT_MIN
    return value
