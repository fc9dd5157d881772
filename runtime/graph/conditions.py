"""Conditions of triggers and chain steps, compiled from what `runtime.content.flow_rules` has checked.

They compare plain values (`runtime.battle.plain_values`).
"""

from __future__ import annotations

from typing import Any, Final

# The fields that the parts of a vector or colour are passed in.
PARTS: Final[dict[str, tuple[str, ...]]] = {
    "vector2": ("x", "y"),
    "vector3": ("x", "y", "z"),
    "color": ("r", "g", "b", "a"),
}
SCALAR_DEFAULTS: Final[dict[str, object]] = {"int": 0, "float": 0.0, "bool": False, "text": ""}


class Condition:
    """Whether something follows from a raise."""

    __slots__ = ()

    def holds(self, argument: object, sender: object) -> bool:
        """Whether it holds for a raise.

        Args:
            argument: What the raise carries, as JSON would write it.
            sender: Who raises it, as JSON would write it.
        """
        raise NotImplementedError


class Comparison(Condition):
    """Compares the argument or the sender with a value."""

    __slots__ = ("of_sender", "operator", "value")

    def __init__(self, of_sender: bool, operator: str, value: object) -> None:
        self.of_sender = of_sender
        self.operator = operator
        self.value = value

    def holds(self, argument: object, sender: object) -> bool:
        """Whether the comparison comes out true."""
        return compare(self.operator, sender if self.of_sender else argument, self.value)


class AllOf(Condition):
    """Every part holds; without parts it does."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Condition]) -> None:
        self.parts = parts

    def holds(self, argument: object, sender: object) -> bool:
        """Whether every part holds."""
        for part in self.parts:  # noqa: SIM110 - a generator is no plain loop to mypyc
            if not part.holds(argument, sender):
                return False
        return True


class AnyOf(Condition):
    """Some part holds; without parts none does."""

    __slots__ = ("parts",)

    def __init__(self, parts: list[Condition]) -> None:
        self.parts = parts

    def holds(self, argument: object, sender: object) -> bool:
        """Whether some part holds."""
        for part in self.parts:  # noqa: SIM110 - a generator is no plain loop to mypyc
            if part.holds(argument, sender):
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
