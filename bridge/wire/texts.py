"""Card texts: as they are printed, and in hand with live numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from runtime.battle.state import Battle
from runtime.battle.texts import card_text
from runtime.graph.definitions import CardDefinition
from runtime.graph.program import ExecNode
from runtime.graph.timings import CARD_COST_HOOK, FIRST_HOOK, ON_CARD_PLAYED, TIMINGS
from runtime.graph.values import ActingUnit, ChosenUnit, ConstantInt, CurrentCard, OneUnit, PlayerUnit
from runtime.nodes.values.cards import CardVar

# Stands for a number that only a battle can tell.
UNKNOWN_NUMBER: Final = "X"

# A target that is still to be chosen has no hooks yet.
_KNOWN_UNITS: Final = (ActingUnit, PlayerUnit, ChosenUnit)


class _Printed:
    """A printed text, and whether it is the live one as long as the player has no hook."""

    __slots__ = ("fixed", "text")

    def __init__(self, text: str, fixed: bool) -> None:
        self.text = text
        self.fixed = fixed


def printed_text(definition: CardDefinition) -> str:
    """A card's text with the numbers that its graph gives by itself, before any hook; ``X`` for the others."""
    return _printed(definition).text


def is_plain(definition: CardDefinition) -> bool:
    """Whether a card's cost and text are the printed ones as long as the player has no hook."""
    return _printed(definition).fixed and not definition.behavior.branches[CARD_COST_HOOK]


def live_text(battle: Battle, number: int, hooked: bool) -> str:
    """A card's text with live numbers (R4.9).

    Args:
        battle: The battle.
        number: The card.
        hooked: Whether the player `has_hooks`. Without any, a text whose numbers stand in its graph is as it
            is printed; finding that out anew for each card costs as much as playing one.
    """
    if not hooked:
        printed = _printed(battle.cards[number].definition)
        if printed.fixed:
            return printed.text
    return card_text(battle, number)


def has_hooks(battle: Battle) -> bool:
    """Whether the player has a status with a hook."""
    return any(battle.player.listeners[FIRST_HOOK:TIMINGS])


@lru_cache(maxsize=8192)
def _printed(definition: CardDefinition) -> _Printed:
    pieces: list[str] = []
    fixed = True
    for part in definition.text_parts:
        if part.var:
            value = definition.vars.get(part.var)
            pieces.append(part.literal if value is None else str(value))
        elif part.node:
            node = _node(definition, part.node)
            number = _number(definition, node, part.port)
            # A negative amount is shown as 0 where it is dealt.
            fixed = fixed and number is not None and number >= 0 and _has_no_other_hooks(node)
            pieces.append(UNKNOWN_NUMBER if number is None else str(number))
        else:
            pieces.append(part.literal)
    return _Printed("".join(pieces), fixed)


def _node(definition: CardDefinition, node_id: str) -> ExecNode | None:
    for branch in definition.behavior.branches[ON_CARD_PLAYED]:
        if node_id in branch.nodes:
            return branch.nodes[node_id]
    return None


def _number(definition: CardDefinition, node: ExecNode | None, port: str) -> int | None:
    """The number that a node's input has in every battle, or None."""
    value = getattr(node, port, None)
    if isinstance(value, ConstantInt):
        return value.constant
    if isinstance(value, CardVar) and isinstance(value.card, CurrentCard):
        return definition.vars.get(value.name, 0)
    return None


def _has_no_other_hooks(node: ExecNode | None) -> bool:
    """Whether what a node does to its target, as far as it is known before a card is played, is the player's affair."""
    target = getattr(node, "target", None)
    if not getattr(node, "uses_acting", True):
        return False
    return target is None or (isinstance(target, OneUnit) and isinstance(target.unit, _KNOWN_UNITS))
