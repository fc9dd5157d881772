"""Hooks that are plain arithmetic, recognised when a pack is compiled (R4.9).

Most hooks are like Strength (the amount plus the stacks) or Vulnerable (half as much again, of attacks): one
calculation with the amount and the stacks or a literal. Such a graph cannot fail, warn, spend or change
anything, and nobody can tell it from its `HookRule`, which needs no frame and no ports. It counts as many flow
nodes as the graph would run (R2.5).
"""

from __future__ import annotations

from typing import Final

from runtime.graph.types import INT_MAX, INT_MIN

ADD: Final = 0
SUBTRACT: Final = 1
MULTIPLY: Final = 2
MIN: Final = 3
MAX: Final = 4
PERCENT: Final = 5


class HookRule:
    """What a hook leaves: the amount, combined with the status' stacks or with a literal.

    Attributes:
        op: ADD, SUBTRACT, MULTIPLY, MIN, MAX or PERCENT.
        by_stacks: Whether the other operand is the stacks.
        literal: The other operand where it is a literal.
        attacks_only: Whether it leaves anything but attacks as they are.
        nodes: How many flow nodes its graph runs.
        nodes_otherwise: How many it runs for what it leaves as it is.
    """

    __slots__ = ("attacks_only", "by_stacks", "literal", "nodes", "nodes_otherwise", "op")

    def __init__(self, op: int, by_stacks: bool, literal: int) -> None:
        self.op = op
        self.by_stacks = by_stacks
        self.literal = literal
        self.attacks_only = False
        self.nodes = 1
        self.nodes_otherwise = 1

    def for_attacks(self) -> HookRule:
        """The same behind a Branch that lets only attacks through."""
        rule = HookRule(self.op, self.by_stacks, self.literal)
        rule.attacks_only = True
        rule.nodes = self.nodes + 1
        return rule

    def reckon(self, amount: int, stacks: int) -> int:
        """The amount that the hook leaves."""
        other = stacks if self.by_stacks else self.literal
        op = self.op
        if op == ADD:
            amount += other
        elif op == PERCENT:
            amount *= other
            # Truncated toward zero.
            amount = amount // 100 if amount >= 0 else -(-amount // 100)
        elif op == SUBTRACT:
            amount -= other
        elif op == MULTIPLY:
            amount *= other
        elif op == MIN:
            if other < amount:
                amount = other
        elif other > amount:
            amount = other
        if amount > INT_MAX:
            return INT_MAX
        return amount if amount >= INT_MIN else INT_MIN
