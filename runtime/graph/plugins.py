"""Nodes of other packages, whose `build` returns a plain function.

Compiled classes cannot be subclassed from Python, so nodes that come from outside give functions of a
frame instead: a flow node's returns the node to run next (`Binding.flow`), a value's returns the value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from runtime.graph.program import (
    BoolValue,
    CardsValue,
    CardValue,
    ExecNode,
    IntValue,
    StatusValue,
    TextValue,
    UnitsValue,
    UnitValue,
)
from runtime.graph.types import BOOL, CARD_REF, CARDS, INT, STATUS_REF, TEXT, UNIT, UNITS, saturate

if TYPE_CHECKING:
    from runtime.battle.state import Unit
    from runtime.graph.bind import Binding
    from runtime.graph.definitions import StatusDefinition
    from runtime.graph.frame import Frame


class FunctionNode(ExecNode):
    """A flow node that is a function."""

    __slots__ = ("function",)

    def __init__(self, node_id: str, function: Callable[[Frame], ExecNode | None]) -> None:
        super().__init__(node_id, None)
        self.function = function

    def run(self, frame: Frame) -> ExecNode | None:
        return self.function(frame)


class FunctionInt(IntValue):
    """An Int that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], int]) -> None:
        self.function = function

    def get(self, frame: Frame) -> int:
        return saturate(self.function(frame))


class FunctionBool(BoolValue):
    """A Bool that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], bool]) -> None:
        self.function = function

    def get(self, frame: Frame) -> bool:
        return self.function(frame)


class FunctionText(TextValue):
    """A Text that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], str]) -> None:
        self.function = function

    def get(self, frame: Frame) -> str:
        return self.function(frame)


class FunctionUnit(UnitValue):
    """A UnitRef that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], Unit | None]) -> None:
        self.function = function

    def get(self, frame: Frame) -> Unit | None:
        return self.function(frame)


class FunctionUnits(UnitsValue):
    """A UnitList that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], list[Unit]]) -> None:
        self.function = function

    def get(self, frame: Frame) -> list[Unit]:
        return self.function(frame)


class FunctionCard(CardValue):
    """A CardRef that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], int]) -> None:
        self.function = function

    def get(self, frame: Frame) -> int:
        return self.function(frame)


class FunctionCards(CardsValue):
    """A CardList that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], list[int]]) -> None:
        self.function = function

    def get(self, frame: Frame) -> list[int]:
        return self.function(frame)


class FunctionStatus(StatusValue):
    """A StatusRef that is a function."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Frame], StatusDefinition | None]) -> None:
        self.function = function

    def get(self, frame: Frame) -> StatusDefinition | None:
        return self.function(frame)


_WRAPPERS: dict[str, tuple[Any, Any]] = {
    INT: (IntValue, FunctionInt),
    BOOL: (BoolValue, FunctionBool),
    TEXT: (TextValue, FunctionText),
    UNIT: (UnitValue, FunctionUnit),
    UNITS: (UnitsValue, FunctionUnits),
    CARD_REF: (CardValue, FunctionCard),
    CARDS: (CardsValue, FunctionCards),
    STATUS_REF: (StatusValue, FunctionStatus),
}


def as_flow_node(built: Any, binding: Binding) -> ExecNode:
    """What a flow node's `build` returned, as a flow node."""
    if isinstance(built, ExecNode):
        return built
    if callable(built):
        return FunctionNode(binding.id, built)
    raise TypeError(f"node {binding.id}: build returned {type(built).__name__}, expected a ExecNode or a function")


def as_value(built: Any, port_type: str) -> Any:
    """What a value node's `build` returned, as a value of the port's type."""
    base, wrapper = _WRAPPERS[port_type]
    if isinstance(built, base):
        return built
    if callable(built):
        return wrapper(built)
    raise TypeError(f"build returned {type(built).__name__}, expected a {base.__name__} or a function")
