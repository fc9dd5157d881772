"""How units, cards, piles and words of the runtime are called on the wire."""

from __future__ import annotations

from typing import Final

from bridge.pb.gcs.v1 import battle_pb2 as pb
from runtime.battle.state import Battle, Unit, unit_name
from runtime.graph.definitions import KEYWORDS

_CARD_NAMES: Final[list[str]] = [f"c{number}" for number in range(1024)]
_MOST_DIGITS: Final = 9

# The runtime counts piles, phases and outcomes from 0; on the wire 0 stands for not set.
PILES: Final[tuple[pb.Pile.ValueType, ...]] = (
    pb.PILE_HAND,
    pb.PILE_DRAW,
    pb.PILE_DISCARD,
    pb.PILE_EXHAUST,
    pb.PILE_IN_PLAY,
    pb.PILE_GONE,
)
PHASES: Final[tuple[pb.Phase.ValueType, ...]] = (pb.PHASE_SETUP, pb.PHASE_PLAYER, pb.PHASE_ENEMY, pb.PHASE_ENDED)
OUTCOMES: Final[tuple[pb.Outcome.ValueType, ...]] = (
    pb.OUTCOME_RUNNING,
    pb.OUTCOME_WON,
    pb.OUTCOME_LOST,
    pb.OUTCOME_ABORTED,
    pb.OUTCOME_UNDECIDED,
)
RULES: Final[dict[pb.Rules.ValueType, str]] = {
    pb.RULES_UNSPECIFIED: "",
    pb.RULES_DOCUMENTED: "documented",
    pb.RULES_EXTENDED: "extended",
}
REASONS: Final[dict[str, pb.RejectionReason.ValueType]] = {
    name.removeprefix("REJECTION_REASON_"): value for name, value in pb.RejectionReason.items() if value
}

# How they are called in logs and metrics: the names of the wire without their prefixes.
REASON_NAMES: Final = {value: name for name, value in REASONS.items()}
OUTCOME_NAMES: Final = {value: name.removeprefix("OUTCOME_").lower() for name, value in pb.Outcome.items()}

# Keywords in force are the bits of one number; their names for each of the 64 sets.
KEYWORD_NAMES: Final[tuple[tuple[str, ...], ...]] = tuple(
    tuple(name for name, bit in KEYWORDS.items() if bits & bit) for bits in range(1 << len(KEYWORDS))
)


def card_name(number: int) -> str:
    """A card instance: ``c4``; empty for -1, no card."""
    if 0 <= number < len(_CARD_NAMES):
        return _CARD_NAMES[number]
    return f"c{number}" if number >= 0 else ""


def card_number(name: str) -> int:
    """The number behind a card instance's name; -1 when it is no such name."""
    digits = name[1:]
    if name[:1] != "c" or not digits.isascii() or not digits.isdecimal() or len(digits) > _MOST_DIGITS:
        return -1
    return int(digits) if digits == "0" or digits[0] != "0" else -1


def number_name(number: int) -> str:
    """A unit by its number; empty for -1, no unit."""
    return unit_name(number) if number >= 0 else ""


def find_unit(battle: Battle, name: str) -> Unit | None:
    """The unit of a name, dead ones included; None when there is none."""
    for unit in battle.units:
        if unit.name == name:
            return unit
    return None


def target_names(battle: Battle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Whom a card can be played on now: one that needs an enemy, and one that needs any unit."""
    living = [unit for unit in battle.units if unit.alive]
    return (
        tuple([unit.name for unit in living if not unit.is_player]),
        tuple([unit.name for unit in living]),
    )
