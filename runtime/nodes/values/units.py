"""Pure values on units and statuses."""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.intents import shown_intent
from runtime.battle.state import Unit
from runtime.graph.bind import Binding
from runtime.graph.declare import ASKS_INTENT, REQUIRED, VALUE, NodeType, Param, Port, value_output
from runtime.graph.definitions import StatusDefinition
from runtime.graph.frame import Frame
from runtime.graph.intent import NO_INTENT
from runtime.graph.program import BoolValue, IntValue, StatusValue, TextValue, UnitsValue, UnitValue
from runtime.graph.types import BOOL, INT, STATUS_REF, TEXT, UNIT, UNITS
from runtime.graph.values import ActingUnit, AllEnemies, AllUnits, ChosenUnit, PlayerUnit

_HP: Final = 0
_MAX_HP: Final = 1
_MISSING_HP: Final = 2
_ARMOR: Final = 3
_SLOT: Final = 4
_INTENT_AMOUNT: Final = 5
_INTENT_HITS: Final = 6
_INT_PORTS: Final = ("hp", "max_hp", "missing_hp", "armor", "slot", "intent_amount", "intent_hits")


class UnitInfoInt(IntValue):
    """Unit Info's Int outputs; 0 for no unit, slot -1 for the player and no unit."""

    __slots__ = ("port", "unit")

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")
        self.port = _INT_PORTS.index(port)

    def get(self, frame: Frame) -> int:
        unit = self.unit.get(frame)
        port = self.port
        if unit is None:
            return -1 if port == _SLOT else 0
        if port == _HP:
            return unit.hp
        if port == _MAX_HP:
            return unit.max_hp
        if port == _MISSING_HP:
            return unit.max_hp - unit.hp
        if port == _ARMOR:
            return unit.armor
        if port == _SLOT:
            return unit.number - 1
        intent = shown_intent(frame.battle, unit)
        return intent.amount if port == _INTENT_AMOUNT else intent.hits


class UnitInfoBool(BoolValue):
    """Unit Info's Bool outputs; false for no unit."""

    __slots__ = ("port", "unit")

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")
        self.port = port

    def get(self, frame: Frame) -> bool:
        unit = self.unit.get(frame)
        if unit is None:
            return False
        return unit.alive if self.port == "alive" else unit.is_player


class UnitInfoIntent(TextValue):
    """Unit Info's intent: the kind of the planned intent, ``none`` without one."""

    __slots__ = ("unit",)

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")

    def get(self, frame: Frame) -> str:
        unit = self.unit.get(frame)
        return unit.leaf.kind if unit is not None and unit.leaf is not None else NO_INTENT.kind


def _unit_info(binding: Binding, port: str) -> object:
    if port == "intent":
        return UnitInfoIntent(binding, port)
    return UnitInfoInt(binding, port) if port in _INT_PORTS else UnitInfoBool(binding, port)


class UnitIs(BoolValue):
    """Unit Is: all that is given must hold; false for no unit."""

    __slots__ = ("enemy_id", "status_id", "tag", "unit")

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")
        self.enemy_id = binding.text_param("id")
        self.tag = binding.text_param("tag")
        self.status_id = binding.text_param("status")

    def get(self, frame: Frame) -> bool:
        unit = self.unit.get(frame)
        if unit is None:
            return False
        definition = unit.definition
        if self.enemy_id and (definition is None or definition.id != self.enemy_id):
            return False
        if self.tag and (definition is None or self.tag not in definition.tags):
            return False
        return not self.status_id or self.status_id in unit.statuses


class StatusStacks(IntValue):
    """Status Info's stacks: 0 if absent."""

    __slots__ = ("status", "unit")

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")
        self.status = binding.status_input("status")

    def get(self, frame: Frame) -> int:
        unit = self.unit.get(frame)
        definition = self.status.get(frame)
        if unit is None or definition is None:
            return 0
        status = unit.statuses.get(definition.id)
        return status.stacks if status is not None else 0


class StatusPresent(BoolValue):
    """Status Info's present."""

    __slots__ = ("status", "unit")

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")
        self.status = binding.status_input("status")

    def get(self, frame: Frame) -> bool:
        unit = self.unit.get(frame)
        definition = self.status.get(frame)
        return unit is not None and definition is not None and definition.id in unit.statuses


class StatusText(TextValue):
    """Status Info's id and kind; empty for no status."""

    __slots__ = ("kind", "status")

    def __init__(self, binding: Binding, port: str) -> None:
        self.status = binding.status_input("status")
        self.kind = port == "kind"

    def get(self, frame: Frame) -> str:
        definition = self.status.get(frame)
        if definition is None:
            return ""
        return definition.kind if self.kind else definition.id


def _status_info(binding: Binding, port: str) -> object:
    if port == "stacks":
        return StatusStacks(binding, port)
    return StatusPresent(binding, port) if port == "present" else StatusText(binding, port)


class OwnStatus(StatusValue):
    """Own Status: the status whose graph runs."""

    __slots__ = ()

    def get(self, frame: Frame) -> StatusDefinition | None:
        return frame.status.definition if frame.status is not None else None


class OwnStacks(IntValue):
    """Own Stacks: live, 0 when the status has gone (R2.8)."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        status = frame.status
        return status.stacks if status is not None and status.present else 0


class SameUnit(BoolValue):
    """Same Unit; no unit is the same as no unit."""

    __slots__ = ("a", "b")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.unit_input("a")
        self.b = binding.unit_input("b")

    def get(self, frame: Frame) -> bool:
        return self.a.get(frame) is self.b.get(frame)


class SameStatus(BoolValue):
    """Same Status; no status is the same as no status."""

    __slots__ = ("a", "b")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.status_input("a")
        self.b = binding.status_input("b")

    def get(self, frame: Frame) -> bool:
        return self.a.get(frame) is self.b.get(frame)


class HasUnit(BoolValue):
    """Has Unit: whether there is one, dead or alive."""

    __slots__ = ("unit",)

    def __init__(self, binding: Binding, port: str) -> None:
        self.unit = binding.unit_input("unit")

    def get(self, frame: Frame) -> bool:
        return self.unit.get(frame) is not None


class OtherEnemies(UnitsValue):
    """Other Enemies: living ones but the acting unit."""

    __slots__ = ()

    def get(self, frame: Frame) -> list[Unit]:
        acting = frame.acting
        return [unit for unit in frame.battle.units if unit.number and unit.alive and unit is not acting]


class FirstUnit(UnitValue):
    """First Unit of a list; no unit of none."""

    __slots__ = ("units",)

    def __init__(self, binding: Binding, port: str) -> None:
        self.units = binding.units_input("units")

    def get(self, frame: Frame) -> Unit | None:
        units = self.units.get(frame)
        return units[0] if units else None


class CountUnits(IntValue):
    """Count Units."""

    __slots__ = ("units",)

    def __init__(self, binding: Binding, port: str) -> None:
        self.units = binding.units_input("units")

    def get(self, frame: Frame) -> int:
        return len(self.units.get(frame))


def _constant(kind: Any) -> Any:
    def build(binding: Binding, port: str) -> Any:
        return kind()

    return build


def _node(
    type_id: str,
    name: str,
    help_text: str,
    build: Any,
    inputs: tuple[Port, ...],
    outputs: tuple[Port, ...],
    params: tuple[Param, ...] = (),
    kinds: tuple[str, ...] | None = None,
) -> NodeType:
    more = {} if kinds is None else {"kinds": kinds}
    return NodeType(
        type=type_id,
        name=name,
        category=VALUE,
        help=help_text,
        inputs=inputs,
        outputs=outputs,
        params=params,
        build=build,
        **more,  # type: ignore[arg-type]
    )


_UNIT: Final = (Port("unit", UNIT, REQUIRED, "The unit."),)
_ACTING: Final = Port("unit", UNIT, "acting", "The unit.")
_UNITS: Final = (Port("units", UNITS, REQUIRED, "The units."),)

NODES: Final[tuple[NodeType, ...]] = (
    _node(
        "unit_info",
        "Unit Info",
        "What a unit is now.",
        _unit_info,
        (_ACTING,),
        (
            Port("hp", INT, help="HP."),
            Port("max_hp", INT, help="Maximum HP."),
            Port("missing_hp", INT, help="Maximum HP less HP."),
            Port("armor", INT, help="Armor."),
            Port("alive", BOOL, help="Whether it is living."),
            Port("is_player", BOOL, help="Whether it is the player."),
            Port("slot", INT, help="An enemy's number; -1 for the player."),
            Port("intent", TEXT, help="Its intent's kind."),
            Port("intent_amount", INT, help="Its intent's amount as shown.", asks=ASKS_INTENT),
            Port("intent_hits", INT, help="Its intent's hits.", asks=ASKS_INTENT),
        ),
    ),
    _node(
        "unit_is",
        "Unit Is",
        "Whether a unit fits; all that is given must hold.",
        UnitIs,
        _UNIT,
        value_output(BOOL),
        (
            Param("id", "enemy_id", None, help="The enemy's asset id."),
            Param("tag", "text", None, help="One of the enemy's tags.", names="enemy_tag"),
            Param("status", "status_id", None, help="A status that it carries."),
        ),
    ),
    _node(
        "status_info",
        "Status Info",
        "What a unit carries of a status.",
        _status_info,
        (_ACTING, Port("status", STATUS_REF, REQUIRED, "The status.")),
        (
            Port("stacks", INT, help="The stacks; 0 if absent."),
            Port("present", BOOL, help="Whether the unit carries it."),
            Port("id", TEXT, help="The status' asset id."),
            Port("kind", TEXT, help="buff or debuff."),
        ),
    ),
    _node(
        "own_status",
        "Own Status",
        "The status whose graph runs.",
        _constant(OwnStatus),
        (),
        value_output(STATUS_REF),
        kinds=("status",),
    ),
    _node(
        "own_stacks",
        "Own Stacks",
        "The stacks of the status whose graph runs; 0 when it has gone.",
        _constant(OwnStacks),
        (),
        value_output(INT),
        kinds=("status",),
    ),
    _node(
        "same_unit",
        "Same Unit",
        "Whether two references are the same unit.",
        SameUnit,
        (Port("a", UNIT, REQUIRED), Port("b", UNIT, REQUIRED)),
        value_output(BOOL),
    ),
    _node(
        "same_status",
        "Same Status",
        "Whether two references are the same status.",
        SameStatus,
        (Port("a", STATUS_REF, REQUIRED), Port("b", STATUS_REF, REQUIRED)),
        value_output(BOOL),
    ),
    _node("has_unit", "Has Unit", "Whether a reference is a unit at all.", HasUnit, _UNIT, value_output(BOOL)),
    _node(
        "acting_unit",
        "Acting Unit",
        "The player, the enemy or the holder, by the kind of graph.",
        _constant(ActingUnit),
        (),
        value_output(UNIT),
    ),
    _node("player", "Player", "The player.", _constant(PlayerUnit), (), value_output(UNIT)),
    _node(
        "chosen_target",
        "Chosen Target",
        "The target that the player chose.",
        _constant(ChosenUnit),
        (),
        value_output(UNIT),
    ),
    _node("all_enemies", "All Enemies", "The living enemies.", _constant(AllEnemies), (), value_output(UNITS)),
    _node("all_units", "All Units", "Everybody living.", _constant(AllUnits), (), value_output(UNITS)),
    _node(
        "other_enemies",
        "Other Enemies",
        "The living enemies but the acting unit.",
        _constant(OtherEnemies),
        (),
        value_output(UNITS),
    ),
    _node("first_unit", "First Unit", "The first of some units.", FirstUnit, _UNITS, value_output(UNIT)),
    _node("count_units", "Count Units", "How many units.", CountUnits, _UNITS, value_output(INT)),
)
