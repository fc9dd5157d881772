"""Actions on statuses: R5.1 to R5.3."""

from __future__ import annotations

from typing import Final

from runtime.battle.run_nodes import decided
from runtime.battle.state import Battle, Unit
from runtime.battle.statuses import apply_status, remove_status, set_stacks
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode, Leaf
from runtime.graph.timings import (
    ON_STATUS_INFLICTED,
    ON_STATUS_RECEIVED,
    ON_STATUS_STACKS_CHANGED,
    STATUS_STACKS_HOOK,
)
from runtime.graph.types import INT, UNIT, UNITS, saturate
from runtime.graph.values import ACTING, NO_WORD, PLAYER, ActingUnit, ConstantInt, OneUnit, word_of


class ApplyStatus(ExecNode):
    """Apply Status (R5.1)."""

    __slots__ = ("definition", "fixed_stacks", "source", "stacks", "stacks_slot", "target", "word")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.stacks = binding.int_input("stacks")
        self.target = binding.units_input("target")
        self.source = binding.unit_input("source")
        self.definition = binding.status_definition("status")
        self.stacks_slot = binding.slot("stacks")
        # Literal stacks that the acting unit applies to a unit that a word names need no frame.
        self.fixed_stacks = self.stacks.constant if isinstance(self.stacks, ConstantInt) else 0
        self.word = NO_WORD
        if isinstance(self.target, OneUnit) and isinstance(self.source, ActingUnit) and self.stacks_slot < 0:
            self.word = word_of(self.target.unit)

    def run_alone(self, battle: Battle, acting: Unit, chosen: Unit | None, leaf: Leaf | None) -> bool:
        word = self.word
        definition = self.definition
        if word == NO_WORD or definition is None or self.fixed_stacks <= 0 or acting.listeners[ON_STATUS_INFLICTED]:
            return False
        target = acting if word == ACTING else battle.player if word == PLAYER else chosen
        if target is None or target.listeners[STATUS_STACKS_HOOK] or target.listeners[ON_STATUS_STACKS_CHANGED]:
            return False
        behavior = definition.behavior
        if behavior.branches[ON_STATUS_RECEIVED] or behavior.branches[ON_STATUS_STACKS_CHANGED]:
            return False
        # Nobody asks what applied it.
        apply_status(battle, definition, self.fixed_stacks, target, acting, "")
        return True

    def run(self, frame: Frame) -> ExecNode | None:
        stacks = self.stacks.get(frame)
        source = self.source.get(frame)
        definition = self.definition
        total = 0
        if definition is not None:
            for target in self.target.get(frame):
                if frame.battle.fallen and decided(frame):
                    break
                applied = apply_status(frame.battle, definition, stacks, target, source, frame.branch.owner_kind)
                total = saturate(total + applied)
        if self.stacks_slot >= 0:
            frame.slots[self.stacks_slot] = total
        return self.next


class RemoveStatus(ExecNode):
    """Remove Status: one by id, or all of a kind (R5.3)."""

    __slots__ = ("kind", "status_id", "target")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.target = binding.units_input("target")
        self.status_id = binding.text_param("status")
        self.kind = binding.text_param("kind")

    def run(self, frame: Frame) -> ExecNode | None:
        for target in self.target.get(frame):
            if not target.alive:
                continue
            for status in list(target.statuses.values()):
                if decided(frame):
                    return self.next
                if not status.present or not self._matches(status.definition.id, status.definition.kind):
                    continue
                remove_status(frame.battle, target, status)
        return self.next

    def _matches(self, status_id: str, kind: str) -> bool:
        if self.status_id:
            return status_id == self.status_id
        return self.kind in ("all", kind)


class ChangeStatusStacks(ExecNode):
    """Change Status Stacks: a direct change of a status that is there (R5.3)."""

    __slots__ = ("amount", "sets", "status_id", "target")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.amount = binding.int_input("amount")
        self.target = binding.units_input("target")
        self.status_id = binding.text_param("status")
        self.sets = binding.text_param("mode") == "set"

    def run(self, frame: Frame) -> ExecNode | None:
        amount = self.amount.get(frame)
        for target in self.target.get(frame):
            if decided(frame):
                break
            if not target.alive:
                continue
            status = target.statuses.get(self.status_id)
            if status is not None:
                stacks = amount if self.sets else saturate(status.stacks + amount)
                set_stacks(frame.battle, target, status, stacks)
        return self.next


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="apply_status",
        name="Apply Status",
        category=ACTION,
        help="Tries to apply stacks of a status.",
        inputs=(
            IN,
            Port("stacks", INT, 1, "Stacks, before Status Stacks Hooks."),
            Port("target", UNITS, "subject", "Who receives it."),
            Port("source", UNIT, "acting", "Who applies it; none: nobody."),
        ),
        outputs=(OUT, Port("stacks", INT, help="The sum of resulting stacks.")),
        params=(Param("status", "status_id", REQUIRED, help="The status."),),
        build=ApplyStatus,
        changes_state=True,
        rule="R5.1 R5.2",
    ),
    NodeType(
        type="remove_status",
        name="Remove Status",
        category=ACTION,
        help="Removes a status, or all of a kind in status order.",
        inputs=(IN, Port("target", UNITS, "acting", "Whose statuses.")),
        outputs=(OUT,),
        params=(
            Param("status", "status_id", None, help="The status."),
            Param("kind", "choice", None, ("buff", "debuff", "all"), help="All statuses of this kind."),
        ),
        build=RemoveStatus,
        exactly_one=("status", "kind"),
        changes_state=True,
        rule="R5.3",
    ),
    NodeType(
        type="change_status_stacks",
        name="Change Status Stacks",
        category=ACTION,
        help="Changes the stacks of a status that is there; to 0 or less removes it.",
        inputs=(
            IN,
            Port("amount", INT, REQUIRED, "What is added, or the new count."),
            Port("target", UNITS, "acting", "Whose status."),
        ),
        outputs=(OUT,),
        params=(
            Param("status", "status_id", REQUIRED, help="The status."),
            Param("mode", "choice", "add", ("add", "set"), help="Whether amount is added or set."),
        ),
        build=ChangeStatusStacks,
        changes_state=True,
        rule="R5.3",
    ),
)
