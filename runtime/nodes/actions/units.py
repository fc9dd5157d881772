"""Actions on units: spawning, leaving, planning anew (R5.5, R5.6)."""

from __future__ import annotations

from typing import Final

from runtime.battle.death import remove_unit
from runtime.battle.intents import plan_intent
from runtime.battle.run_nodes import decided
from runtime.battle.units import spawn_unit
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import INT, UNIT, UNITS


class SpawnUnit(ExecNode):
    """Spawn Unit (R5.5)."""

    __slots__ = ("definition", "given_hp", "hp", "unit_slot")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.hp = binding.int_input("hp")
        self.given_hp = binding.given("hp")
        self.definition = binding.enemy_definition("enemy")
        self.unit_slot = binding.slot("unit")

    def run(self, frame: Frame) -> ExecNode | None:
        hp = max(1, self.hp.get(frame)) if self.given_hp else 0
        unit = spawn_unit(frame.battle, self.definition, hp)
        if self.unit_slot >= 0:
            frame.slots[self.unit_slot] = unit
        return self.next


class RemoveUnit(ExecNode):
    """Remove Unit: an enemy leaves the battle alive."""

    __slots__ = ("target",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.target = binding.units_input("target")

    def run(self, frame: Frame) -> ExecNode | None:
        for target in self.target.get(frame):
            if decided(frame):
                break
            if target.alive:
                remove_unit(frame.battle, target)
        return self.next


class ReplanIntent(ExecNode):
    """Replan Intent."""

    __slots__ = ("unit",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.unit = binding.unit_input("unit")

    def run(self, frame: Frame) -> ExecNode | None:
        unit = self.unit.get(frame)
        if unit is not None and unit.alive and not unit.is_player:
            plan_intent(frame.battle, unit)
        return self.next


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="spawn_unit",
        name="Spawn Unit",
        category=ACTION,
        help="Adds an enemy behind the last one, with an intent.",
        inputs=(IN, Port("hp", INT, None, "Its HP; unset: as defined.")),
        outputs=(OUT, Port("unit", UNIT, help="The enemy; no unit at the limit.")),
        params=(Param("enemy", "enemy_id", REQUIRED, help="The enemy."),),
        build=SpawnUnit,
        changes_state=True,
        rule="R5.5",
    ),
    NodeType(
        type="remove_unit",
        name="Remove Unit",
        category=ACTION,
        help="Lets a unit leave the battle alive. No Entry.",
        inputs=(IN, Port("target", UNITS, "acting", "Who leaves.")),
        outputs=(OUT,),
        build=RemoveUnit,
        changes_state=True,
    ),
    NodeType(
        type="replan_intent",
        name="Replan Intent",
        category=ACTION,
        help="Plans an enemy's intent anew, for stuns and interrupts.",
        inputs=(IN, Port("unit", UNIT, "acting", "The enemy.")),
        outputs=(OUT,),
        build=ReplanIntent,
        changes_state=True,
        rule="R5.6",
    ),
)
