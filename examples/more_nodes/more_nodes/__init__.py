"""Two nodes from a package of their own: an action and a value."""

from __future__ import annotations

from collections.abc import Callable

from runtime.battle.vitals import gain_armor, lose_armor
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, VALUE, NodeType, Param, Port, value_output
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import INT, UNIT, UNITS


def build_steal_armor(binding: Binding) -> Callable[[Frame], ExecNode | None]:
    """Steal Armor: takes up to an amount of armor from each target and gives it to the acting unit."""
    amount = binding.int_input("amount")
    targets = binding.units_input("target")
    stolen_slot = binding.slot("stolen")
    following = binding.flow()

    def run(frame: Frame) -> ExecNode | None:
        battle = frame.battle
        cause = frame.branch.owner_kind
        most = amount.get(frame)
        stolen = 0
        for target in targets.get(frame):
            before = target.armor
            lose_armor(battle, target, min(most, before), frame.card, cause, frame.acting)
            stolen += before - target.armor
        gain_armor(battle, frame.acting, stolen, frame.card, cause, frame.acting)
        if stolen_slot >= 0:
            frame.slots[stolen_slot] = stolen
        return following

    return run


def build_count_statuses(binding: Binding, port: str) -> Callable[[Frame], int]:
    """Count Statuses: how many different statuses of a kind a unit carries."""
    unit_of = binding.unit_input("unit")
    kind = binding.text_param("kind")

    def get(frame: Frame) -> int:
        unit = unit_of.get(frame)
        if unit is None:
            return 0
        return sum(1 for status in unit.statuses.values() if kind in ("all", status.definition.kind))

    return get


NODES = (
    NodeType(
        type="steal_armor",
        name="Steal Armor",
        category=ACTION,
        help="Takes armor from targets and gives it to the acting unit.",
        inputs=(
            IN,
            Port("amount", INT, REQUIRED, "The most taken from each target."),
            Port("target", UNITS, "subject", "Who loses armor."),
        ),
        outputs=(OUT, Port("stolen", INT, help="The sum of what was taken.")),
        build=build_steal_armor,
        changes_state=True,
    ),
    NodeType(
        type="count_statuses",
        name="Count Statuses",
        category=VALUE,
        help="How many different statuses a unit carries.",
        inputs=(Port("unit", UNIT, "acting", "The unit."),),
        outputs=value_output(INT),
        params=(Param("kind", "choice", "all", ("buff", "debuff", "all"), help="Statuses of which kind."),),
        build=build_count_statuses,
    ),
)
