"""What a raise carries, as JSON would write it: for conditions, and for the state hash (R6.2).

An argument that a raise does not give reads as its type's default. Units read as their names, cards and statuses as
asset ids, a reference to nothing as ``none``; vectors and colours as lists of their parts; structs as objects.
"""

from __future__ import annotations

from typing import Final

from runtime.battle.state import Battle, Unit
from runtime.graph.conditions import PARTS, SCALAR_DEFAULTS
from runtime.graph.definitions import EventDefinition, StatusDefinition

NOTHING: Final = "none"


def plain_argument(battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> object:
    """What a raise carries, as JSON would write it; the default of the event's type for what is not given."""
    kind = event.argument
    if kind in PARTS:
        return [arguments.get(name, 0.0) for name in PARTS[kind]]
    if kind == "struct":
        fields = {}
        for name, value in arguments.items():
            if not (name == "sender" and event.sender):
                fields[name] = plain_value(battle, "", value)
        return fields
    if kind in SCALAR_DEFAULTS:
        return arguments.get("arg", SCALAR_DEFAULTS[kind])
    return plain_value(battle, kind, arguments.get("arg"))


def plain_value(battle: Battle, kind: str, value: object) -> object:
    """One value as JSON would write it.

    Args:
        battle: The battle that it is of.
        kind: The argument type where it is known: a card is a number like any other.
        value: The value.
    """
    if isinstance(value, Unit):
        return value.name
    if isinstance(value, StatusDefinition):
        return value.id
    if kind == "card" and isinstance(value, int):
        return battle.cards[value].definition.id if 0 <= value < len(battle.cards) else NOTHING
    return NOTHING if value is None else value
