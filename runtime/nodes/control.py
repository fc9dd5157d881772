"""Control nodes: branches, loops and memory."""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.run_nodes import run_nodes, stopped, take_step
from runtime.graph.bind import Binding
from runtime.graph.declare import CONTROL, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import BOOL, CARD_REF, CARDS, FLOW, INT, UNIT, UNITS
from runtime.graph.values import PortIsAttack


class BranchNode(ExecNode):
    """Branch: one way or the other."""

    __slots__ = ("condition", "if_false", "if_true")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.condition = binding.bool_input("condition")
        self.if_true = binding.flow("true")
        self.if_false = binding.flow("false")
        inner = self.if_true.rule if self.if_true is not None else None
        if isinstance(self.condition, PortIsAttack) and self.if_false is None and inner is not None:
            self.rule = inner.for_attacks()

    def run(self, frame: Frame) -> ExecNode | None:
        return self.if_true if self.condition.get(frame) else self.if_false


class Sequence(ExecNode):
    """Sequence: one flow after the other."""

    __slots__ = ("steps",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.steps = [binding.flow(f"step_{index}") for index in range(binding.int_param("count"))]

    def run(self, frame: Frame) -> ExecNode | None:
        for step in self.steps:
            if step is not None:
                run_nodes(frame, step)
                frame.node = self
        return None


class Repeat(ExecNode):
    """Repeat: a body some times, then out. Its output is that of the last round, with or without a body (R5.11)."""

    __slots__ = ("body", "count", "index_slot")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.count = binding.int_input("count")
        self.body = binding.flow("body")
        self.index_slot = binding.slot("index")

    def run(self, frame: Frame) -> ExecNode | None:
        for index in range(self.count.get(frame)):
            if stopped(frame):
                break
            take_step(frame.battle)
            if self.index_slot >= 0:
                frame.slots[self.index_slot] = index
            run_nodes(frame, self.body)
            frame.node = self
        return self.next


class ForEachUnit(ExecNode):
    """For Each Unit: frozen at the start; those not living by their turn are skipped."""

    __slots__ = ("body", "unit_slot", "units")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.units = binding.units_input("units")
        self.body = binding.flow("body")
        self.unit_slot = binding.slot("unit")

    def run(self, frame: Frame) -> ExecNode | None:
        for unit in self.units.get(frame):
            if stopped(frame):
                break
            if not unit.alive:
                continue
            take_step(frame.battle)
            if self.unit_slot >= 0:
                frame.slots[self.unit_slot] = unit
            run_nodes(frame, self.body)
            frame.node = self
        return self.next


class ForEachCard(ExecNode):
    """For Each Card: frozen at the start."""

    __slots__ = ("body", "card_slot", "cards")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.cards = binding.cards_input("cards")
        self.body = binding.flow("body")
        self.card_slot = binding.slot("card")

    def run(self, frame: Frame) -> ExecNode | None:
        for card in self.cards.get(frame):
            if stopped(frame):
                break
            take_step(frame.battle)
            if self.card_slot >= 0:
                frame.slots[self.card_slot] = card
            run_nodes(frame, self.body)
            frame.node = self
        return self.next


class OncePer(ExecNode):
    """Once Per: out the first time in a turn or battle, blocked from then on (R5.8)."""

    __slots__ = ("blocked", "key", "per_turn")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.key = binding.key
        self.blocked = binding.flow("blocked")
        self.per_turn = binding.text_param("per") == "turn"

    def run(self, frame: Frame) -> ExecNode | None:
        memory = _memory(frame)
        turn = frame.battle.turn if self.per_turn else 0
        if memory.get(self.key, -1) == turn:
            return self.blocked
        memory[self.key] = turn
        _remember(frame, memory)
        return self.next


def _memory(frame: Frame) -> dict[str, int]:
    """What the owner of the graph remembers: the status, the card or the enemy."""
    if frame.status is not None:
        return frame.status.once if frame.status.once is not None else {}
    if frame.card >= 0:
        once = frame.battle.cards[frame.card].once
        return dict(once) if once is not None else {}
    return frame.acting.once if frame.acting.once is not None else {}


def _remember(frame: Frame, memory: dict[str, int]) -> None:
    if frame.status is not None:
        frame.status.once = memory
    elif frame.card >= 0:
        # Cards are copied on write (`runtime.battle.state`).
        altered = frame.battle.cards[frame.card].altered()
        altered.once = memory
        frame.battle.cards[frame.card] = altered
    else:
        frame.acting.once = memory


class RandomBranch(ExecNode):
    """Random Branch: one of some flows by weight; effects stream."""

    __slots__ = ("branches", "weights")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.weights: list[int] = list(binding.param("weights"))
        self.branches = [binding.flow(f"branch_{index}") for index in range(len(self.weights))]

    def run(self, frame: Frame) -> ExecNode | None:
        return self.branches[frame.battle.effects.weighted(self.weights)]


def _node(type_id: str, name: str, help_text: str, build: Any, **fields: Any) -> NodeType:
    inputs = (IN, *fields.pop("inputs", ()))
    return NodeType(type=type_id, name=name, category=CONTROL, help=help_text, inputs=inputs, build=build, **fields)


NODES: Final[tuple[NodeType, ...]] = (
    _node(
        "branch",
        "Branch",
        "Goes one way or the other.",
        BranchNode,
        inputs=(Port("condition", BOOL, REQUIRED, "What decides."),),
        outputs=(Port("true", FLOW, help="If it holds."), Port("false", FLOW, help="If it does not.")),
    ),
    _node(
        "sequence",
        "Sequence",
        "Runs some flows one after the other.",
        Sequence,
        params=(Param("count", "int", REQUIRED, minimum=1, maximum=256, help="How many: step_0, step_1, …"),),
        indexed_outputs=("step_", "count"),
    ),
    _node(
        "repeat",
        "Repeat",
        "Runs a body some times, then goes on.",
        Repeat,
        inputs=(Port("count", INT, REQUIRED, "How many rounds; 0 or less: none."),),
        outputs=(
            Port("body", FLOW, help="One round."),
            Port("out", FLOW, help="After the last round."),
            Port("index", INT, help="The round, from 0."),
        ),
    ),
    _node(
        "for_each_unit",
        "For Each Unit",
        "Runs a body for each unit of a list.",
        ForEachUnit,
        inputs=(Port("units", UNITS, REQUIRED, "The units, frozen at the start; dead ones are skipped."),),
        outputs=(
            Port("body", FLOW, help="For one unit."),
            Port("out", FLOW, help="After the last."),
            Port("unit", UNIT, help="The unit."),
        ),
    ),
    _node(
        "for_each_card",
        "For Each Card",
        "Runs a body for each card of a list.",
        ForEachCard,
        inputs=(Port("cards", CARDS, REQUIRED, "The cards, frozen at the start."),),
        outputs=(
            Port("body", FLOW, help="For one card."),
            Port("out", FLOW, help="After the last."),
            Port("card", CARD_REF, help="The card."),
        ),
    ),
    _node(
        "once_per",
        "Once Per",
        "Lets the first one through in each turn or battle.",
        OncePer,
        outputs=(OUT, Port("blocked", FLOW, help="From the second on.")),
        params=(Param("per", "choice", "turn", ("turn", "battle"), help="How long it remembers."),),
        changes_state=True,
        rule="R5.8",
    ),
    _node(
        "random_branch",
        "Random Branch",
        "Goes one of some ways, by weight.",
        RandomBranch,
        params=(Param("weights", "weights", REQUIRED, help="A weight for each: branch_0, branch_1, …"),),
        indexed_outputs=("branch_", "weights"),
        changes_state=True,
    ),
)
