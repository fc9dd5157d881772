"""Conditions of triggers and chain steps, compiled from what `runtime.content.flow_rules` has checked.

An argument that a raise does not give reads as its type's default (R6.2). Units compare by name, cards and
statuses by asset id, a reference to nothing as ``none``; vectors and colours as lists of their parts; structs
as objects.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runtime.graph.definitions import EventDefinition, StatusDefinition

if TYPE_CHECKING:
    from runtime.battle.state import Battle

# The fields that the parts of a vector or colour are passed in.
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "vector2": ("x", "y"),
    "vector3": ("x", "y", "z"),
    "color": ("r", "g", "b", "a"),
}
SCALAR_DEFAULTS: Final[dict[str, object]] = {"int": 0, "float": 0.0, "bool": False, "text": ""}
NOTHING: Final = "none"


class Condition:
    """Whether something follows from a raise."""

    __slots__ = ()

    def holds(self, battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> bool:
        """Whether it holds for a raise of the event with these arguments."""
        raise NotImplementedError


class Comparison(Condition):
    """Compares the argument or the sender with a value."""

    __slots__ = ("of_sender", "operator", "value")

    def __init__(self, of_sender: bool, operator: str, value: object) -> None:
        self.of_sender = of_sender
        self.operator = operator
        self.value = value

    def holds(self, battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> bool:
        """Whether the comparison comes out true."""
        if self.of_sender:
            return compare(self.operator, plain_value(battle, "unit", arguments.get("sender")), self.value)
        return compare(self.operator, plain_argument(battle, event, arguments), self.value)


class AllOf(Condition):
    """Every part holds; without parts it does."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Condition]) -> None:
        self.parts = parts

    def holds(self, battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> bool:
        """Whether every part holds."""
        for part in self.parts:  # noqa: SIM110 - a generator is no plain loop to mypyc
            if not part.holds(battle, event, arguments):
                return False
        return True


class AnyOf(Condition):
    """Some part holds; without parts none does."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Condition]) -> None:
        self.parts = parts

    def holds(self, battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> bool:
        """Whether some part holds."""
        for part in self.parts:  # noqa: SIM110 - a generator is no plain loop to mypyc
            if part.holds(battle, event, arguments):
                return True
        return False


def compile_condition(condition: dict[str, Any]) -> Condition:
    """A checked condition as an object; the depth of its nesting is limited by the reader of JSON."""
    if "all" in condition:
        return AllOf([compile_condition(part) for part in condition["all"]])
    if "any" in condition:
        return AnyOf([compile_condition(part) for part in condition["any"]])
    of_sender = "sender" in condition
    return Comparison(of_sender, condition["sender" if of_sender else "arg"], condition["value"])


def compare(operator: str, left: object, right: object) -> bool:
    """Compares two plain values. Values of different kinds are unequal and have no order."""
    if operator == "eq":
        return left == right
    if operator == "ne":
        return left != right
    if isinstance(left, str) and isinstance(right, str):
        return _ordered(operator, left < right, left == right)
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return _ordered(operator, left < right, left == right)
    return False


def _ordered(operator: str, less: bool, equal: bool) -> bool:
    if operator == "lt":
        return less
    if operator == "le":
        return less or equal
    if operator == "gt":
        return not less and not equal
    return not less


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
    # A late import: the compiler of packs needs this module before there is a battle.
    from runtime.battle.state import Unit

    if isinstance(value, Unit):
        return value.name
    if isinstance(value, StatusDefinition):
        return value.id
    if kind == "card" and isinstance(value, int):
        return battle.cards[value].definition.id if 0 <= value < len(battle.cards) else NOTHING
    return NOTHING if value is None else value
