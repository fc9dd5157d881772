"""Pure values on Ints, Bools and Texts. Arithmetic saturates at 32 bits."""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.events import warn
from runtime.graph.bind import Binding
from runtime.graph.declare import REQUIRED, VALUE, NodeType, Param, Port, value_output
from runtime.graph.frame import Frame
from runtime.graph.hook_rules import ADD, MAX, MIN, MULTIPLY, PERCENT, SUBTRACT, HookRule
from runtime.graph.program import BoolValue, IntValue
from runtime.graph.types import BOOL, INT, INT_MAX, INT_MIN, TEXT, saturate
from runtime.graph.values import ConstantInt, PortAmount
from runtime.nodes.values.units import OwnStacks

_OPERATIONS: Final = ("add", "subtract", "multiply", "divide", "modulo", "min", "max")
_COMPARISONS: Final = ("eq", "ne", "lt", "le", "gt", "ge")
_LOGIC: Final = ("and", "or", "not", "xor")
# Operations that a hook may be recognised by; those that may divide by zero would have to warn.
_RULES: Final = {0: ADD, 1: SUBTRACT, 2: MULTIPLY, 5: MIN, 6: MAX}


def divide(a: int, b: int) -> int:
    """Division truncated toward zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


class IntMath(IntValue):
    """Int Math."""

    __slots__ = ("a", "b", "op")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.int_input("a")
        self.b = binding.int_input("b")
        self.op = _OPERATIONS.index(binding.text_param("op"))

    def get(self, frame: Frame) -> int:
        a = self.a.get(frame)
        b = self.b.get(frame)
        op = self.op
        if op == 0:
            total = a + b
            return total if INT_MIN <= total <= INT_MAX else saturate(total)
        if op == 1:
            return saturate(a - b)
        if op == 2:
            return saturate(a * b)
        if op == 5:
            return a if a < b else b
        if op == 6:
            return a if a > b else b
        if b == 0:
            warn(
                frame.battle, "division_by_zero", f"{_OPERATIONS[op]} by zero in {frame.branch.owner}: the result is 0"
            )
            return 0
        quotient = divide(a, b)
        return saturate(quotient) if op == 3 else a - b * quotient

    def hook_rule(self) -> HookRule | None:
        op = _RULES.get(self.op, -1)
        # Variables of their own: mypyc would give one that is narrowed and then swapped the narrow type.
        swapped = op != SUBTRACT and isinstance(self.b, PortAmount)
        amount: IntValue = self.b if swapped else self.a
        other: IntValue = self.a if swapped else self.b
        if op < 0 or not isinstance(amount, PortAmount):
            return None
        if isinstance(other, OwnStacks):
            return HookRule(op, True, 0)
        return HookRule(op, False, other.constant) if isinstance(other, ConstantInt) else None


class ScalePercent(IntValue):
    """Scale Percent: truncates toward zero."""

    __slots__ = ("percent", "value")

    def __init__(self, binding: Binding, port: str) -> None:
        self.value = binding.int_input("value")
        self.percent = binding.int_input("percent")

    def get(self, frame: Frame) -> int:
        return saturate(divide(self.value.get(frame) * self.percent.get(frame), 100))

    def hook_rule(self) -> HookRule | None:
        if isinstance(self.value, PortAmount) and isinstance(self.percent, ConstantInt):
            return HookRule(PERCENT, False, self.percent.constant)
        return None


class Clamp(IntValue):
    """Clamp; where the bounds cross, the least wins."""

    __slots__ = ("maximum", "minimum", "value")

    def __init__(self, binding: Binding, port: str) -> None:
        self.value = binding.int_input("value")
        self.minimum = binding.int_input("min")
        self.maximum = binding.int_input("max")

    def get(self, frame: Frame) -> int:
        value = self.value.get(frame)
        least = self.minimum.get(frame)
        most = self.maximum.get(frame)
        return max(least, min(value, most))


class Compare(BoolValue):
    """Compare."""

    __slots__ = ("a", "b", "op")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.int_input("a")
        self.b = binding.int_input("b")
        self.op = _COMPARISONS.index(binding.text_param("op"))

    def get(self, frame: Frame) -> bool:
        a = self.a.get(frame)
        b = self.b.get(frame)
        op = self.op
        if op == 0:
            return a == b
        if op == 1:
            return a != b
        if op == 2:
            return a < b
        if op == 3:
            return a <= b
        if op == 4:
            return a > b
        return a >= b


class Logic(BoolValue):
    """Logic; `not` reads `a` alone."""

    __slots__ = ("a", "b", "op")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.bool_input("a")
        self.b = binding.bool_input("b")
        self.op = _LOGIC.index(binding.text_param("op"))

    def get(self, frame: Frame) -> bool:
        a = self.a.get(frame)
        op = self.op
        if op == 2:
            return not a
        b = self.b.get(frame)
        if op == 0:
            return a and b
        if op == 1:
            return a or b
        return a != b


class SelectInt(IntValue):
    """Select Int."""

    __slots__ = ("condition", "if_false", "if_true")

    def __init__(self, binding: Binding, port: str) -> None:
        self.condition = binding.bool_input("condition")
        self.if_true = binding.int_input("if_true")
        self.if_false = binding.int_input("if_false")

    def get(self, frame: Frame) -> int:
        return self.if_true.get(frame) if self.condition.get(frame) else self.if_false.get(frame)


class TextEquals(BoolValue):
    """Text Equals: exact."""

    __slots__ = ("a", "b")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.text_input("a")
        self.b = binding.text_input("b")

    def get(self, frame: Frame) -> bool:
        return self.a.get(frame) == self.b.get(frame)


def _node(
    type_id: str,
    name: str,
    help_text: str,
    build: Any,
    output: str,
    inputs: tuple[Port, ...],
    params: tuple[Param, ...] = (),
) -> NodeType:
    return NodeType(
        type=type_id,
        name=name,
        category=VALUE,
        help=help_text,
        inputs=inputs,
        outputs=value_output(output),
        params=params,
        build=build,
    )


NODES: Final[tuple[NodeType, ...]] = (
    _node(
        "int_math",
        "Int Math",
        "Arithmetic; divide and modulo truncate toward zero, by zero they give 0 and a warning.",
        IntMath,
        INT,
        (Port("a", INT, REQUIRED), Port("b", INT, REQUIRED)),
        (Param("op", "choice", REQUIRED, _OPERATIONS, help="The operation."),),
    ),
    _node(
        "scale_percent",
        "Scale Percent",
        "A percentage of a value, truncated toward zero.",
        ScalePercent,
        INT,
        (Port("value", INT, REQUIRED), Port("percent", INT, REQUIRED)),
    ),
    _node(
        "clamp",
        "Clamp",
        "A value kept between two bounds.",
        Clamp,
        INT,
        (Port("value", INT, REQUIRED), Port("min", INT, REQUIRED), Port("max", INT, REQUIRED)),
    ),
    _node(
        "compare",
        "Compare",
        "Compares two Ints.",
        Compare,
        BOOL,
        (Port("a", INT, REQUIRED), Port("b", INT, REQUIRED)),
        (Param("op", "choice", REQUIRED, _COMPARISONS, help="The comparison."),),
    ),
    _node(
        "logic",
        "Logic",
        "Joins two Bools, or turns one around.",
        Logic,
        BOOL,
        (Port("a", BOOL, REQUIRED), Port("b", BOOL, False, "Not read by not.")),
        (Param("op", "choice", REQUIRED, _LOGIC, help="The operation."),),
    ),
    _node(
        "select_int",
        "Select Int",
        "One Int or the other.",
        SelectInt,
        INT,
        (Port("condition", BOOL, REQUIRED), Port("if_true", INT, REQUIRED), Port("if_false", INT, REQUIRED)),
    ),
    _node(
        "text_equals",
        "Text Equals",
        "Whether two Texts are exactly the same.",
        TextEquals,
        BOOL,
        (Port("a", TEXT, REQUIRED), Port("b", TEXT, REQUIRED)),
    ),
)
