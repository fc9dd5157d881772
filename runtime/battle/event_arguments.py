"""The arguments of an event: which of them are cards, and those of the event being handled (R6.2, R6.4, R6.8).

A card is passed as a plain number. What may read it as a card, and nothing else, is told by the declared types: the
`args` of Raise Internal Event, the argument of the GES event's asset, and for a struct the fields that are cards.
"""

from __future__ import annotations

import copy
from typing import Final

from runtime.battle.state import Battle, Unit
from runtime.graph.definitions import EventDefinition

NO_CARDS: Final[frozenset[str]] = frozenset()
# The argument of a notice that is a card (R6.3).
NOTICE_CARDS: Final[frozenset[str]] = frozenset({"card"})
_ARG: Final[frozenset[str]] = frozenset({"arg"})


class StructArguments(dict[str, object]):
    """The fields of a struct that somebody outside sent.

    Attributes:
        cards: The names of those that are cards.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cards: frozenset[str] = NO_CARDS


class Handled:
    """What an event that is being handled carries.

    Attributes:
        values: The arguments by name; cards are numbers.
        cards: The names of the arguments that are cards.
    """

    __slots__ = ("cards", "values")

    def __init__(self, values: dict[str, object], cards: frozenset[str]) -> None:
        self.values = values
        self.cards = cards


def cards_among(event: EventDefinition, arguments: dict[str, object]) -> frozenset[str]:
    """The names of a GES event's arguments that are cards. A struct that nobody outside sent is a notice's."""
    if isinstance(arguments, StructArguments):
        return arguments.cards
    if event.argument == "card":
        return _ARG
    return NOTICE_CARDS if event.argument == "struct" else NO_CARDS


def own_units(battle: Battle, arguments: dict[str, object]) -> dict[str, object]:
    """Captured arguments with units of this battle: in a copy they still name those of the original."""
    units = [(name, value) for name, value in arguments.items() if isinstance(value, Unit)]
    if not units:
        return arguments
    # Of the same class: a struct knows which of its fields are cards.
    own = copy.copy(arguments)
    for name, unit in units:
        own[name] = battle.units[unit.number]
    return own
