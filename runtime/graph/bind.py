"""What a node finds when it is built: its inputs as values, its params, its flow outputs, its slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runtime.graph.declare import NodeType, Port
from runtime.graph.program import (
    BoolValue,
    CardsValue,
    CardValue,
    ExecNode,
    IntValue,
    NodeShape,
    StatusValue,
    TextValue,
    UnitsValue,
    UnitValue,
)
from runtime.graph.types import BOOL, CARD, CARD_REF, CARDS, ENEMY, FLOW, INT, STATUS_REF, TEXT, UNIT, UNITS
from runtime.graph.values import (
    ActingUnit,
    AllEnemies,
    AllUnits,
    ChosenUnit,
    ConstantBool,
    ConstantInt,
    ConstantStatus,
    ConstantText,
    CurrentCard,
    OneCard,
    OneUnit,
    PlayerUnit,
)

if TYPE_CHECKING:
    from runtime.graph.definitions import CardDefinition, Content, EnemyDefinition, EventDefinition, StatusDefinition


class BindingError(ValueError):
    """A node asks for an input, param or output that its declaration does not have."""


class Binding:
    """One node of one branch while it is compiled.

    Attributes:
        content: The compiled pack so far: all definitions are there, graphs may still be empty.
        kind: The graph's kind: card, status or enemy.
        key: Names the node for what it remembers between runs (R5.8).
        id: The node's id in its graph.
    """

    def __init__(
        self,
        content: Content,
        declaration: NodeType,
        kind: str,
        key: str,
        node_id: str,
        params: dict[str, Any],
        wires: dict[str, Any],
        flows: dict[str, ExecNode],
        slots: dict[str, int],
    ) -> None:
        self.content = content
        self.kind = kind
        self.key = key
        self.id = node_id
        self._declaration = declaration
        self._params = params
        self._wires = wires
        self._flows = flows
        self._slots = slots
        self._inputs: dict[str, Port] = {
            port.name: port for port in declaration.inputs_for(params, content.events_by_guid)
        }

    # Inputs

    def given(self, name: str) -> bool:
        """Whether an input is wired or given a literal."""
        return name in self._wires or name in self._params

    def int_input(self, name: str) -> IntValue:
        """The Int input of that name."""
        value = self._input(name, INT)
        assert isinstance(value, IntValue)
        return value

    def bool_input(self, name: str) -> BoolValue:
        """The Bool input of that name."""
        value = self._input(name, BOOL)
        assert isinstance(value, BoolValue)
        return value

    def text_input(self, name: str) -> TextValue:
        """The Text input of that name."""
        value = self._input(name, TEXT)
        assert isinstance(value, TextValue)
        return value

    def unit_input(self, name: str) -> UnitValue:
        """The UnitRef input of that name."""
        value = self._input(name, UNIT)
        assert isinstance(value, UnitValue)
        return value

    def units_input(self, name: str) -> UnitsValue:
        """The UnitList input of that name."""
        value = self._input(name, UNITS)
        assert isinstance(value, UnitsValue)
        return value

    def card_input(self, name: str) -> CardValue:
        """The CardRef input of that name."""
        value = self._input(name, CARD_REF)
        assert isinstance(value, CardValue)
        return value

    def cards_input(self, name: str) -> CardsValue:
        """The CardList input of that name."""
        value = self._input(name, CARDS)
        assert isinstance(value, CardsValue)
        return value

    def status_input(self, name: str) -> StatusValue:
        """The StatusRef input of that name."""
        value = self._input(name, STATUS_REF)
        assert isinstance(value, StatusValue)
        return value

    def value(self, name: str) -> Any:
        """The input of that name, whatever its type."""
        return self._input(name, self._inputs[name].type)

    def _input(self, name: str, port_type: str) -> Any:
        port = self._inputs.get(name)
        if port is None or port.type != port_type:
            raise BindingError(f"{self._declaration.type} declares no {port_type} input {name!r}")
        wired = self._wires.get(name)
        if wired is not None:
            if port_type == UNITS and isinstance(wired, UnitValue):
                return OneUnit(wired)
            if port_type == CARDS and isinstance(wired, CardValue):
                return OneCard(wired)
            return wired
        return constant(self.content, self.kind, port_type, self._params.get(name, port.default))

    def shape(self) -> NodeShape:
        """What a trace tells of the node."""
        # An input that may stay empty, and does, is left out: "none" would be read as a value.
        inputs = [
            (port.name, port.type, self.value(port.name))
            for port in self._inputs.values()
            if port.type != FLOW and (port.default is not None or self.given(port.name))
        ]
        outputs = [
            (port.name, port.type, self._slots[port.name])
            for port in self._declaration.outputs_for(self._params)
            if port.name in self._slots
        ]
        params = [
            (name, TEXT, _param_text(value))
            for name, value in self._params.items()
            if name not in self._inputs and not self._is_default(name, value)
        ]
        return NodeShape(self._declaration.type, params, inputs, outputs)

    def _is_default(self, name: str, value: Any) -> bool:
        declared = self._declaration.param(name)
        return declared is not None and type(declared.default) is type(value) and bool(declared.default == value)

    # Params

    def param(self, name: str) -> Any:
        """A param as it is given, or its default."""
        declared = self._declaration.param(name)
        if declared is None:
            raise BindingError(f"{self._declaration.type} declares no param {name!r}")
        return self._params.get(name, declared.default)

    def text_param(self, name: str) -> str:
        """A param that is a text or a word; empty when absent."""
        value = self.param(name)
        return value if isinstance(value, str) else ""

    def int_param(self, name: str) -> int:
        """A param that is an Int; 0 when absent."""
        value = self.param(name)
        return value if isinstance(value, int) else 0

    def card_definition(self, name: str) -> CardDefinition | None:
        """The card that a param names, or None."""
        value = self.param(name)
        return self.content.cards[value] if isinstance(value, str) else None

    def status_definition(self, name: str) -> StatusDefinition | None:
        """The status that a param names, or None."""
        value = self.param(name)
        return self.content.statuses[value] if isinstance(value, str) else None

    def enemy_definition(self, name: str) -> EnemyDefinition:
        """The enemy that a param names."""
        return self.content.enemies[self.param(name)]

    def event_definition(self, name: str) -> EventDefinition:
        """The GES event that a param names by GUID."""
        return self.content.events_by_guid[self.param(name)]

    # Outputs

    def flow(self, name: str = "out") -> ExecNode | None:
        """The node behind a flow output, or None."""
        return self._flows.get(name)

    def slot(self, name: str) -> int:
        """Where to latch a data output, or -1 when nobody reads it."""
        return self._slots.get(name, -1)


def constant(content: Content, kind: str, port_type: str, value: Any) -> Any:
    """A literal or a default as a value object of a port type."""
    if port_type == INT:
        return ConstantInt(value if value is not None else 0)
    if port_type == BOOL:
        return ConstantBool(bool(value))
    if port_type == TEXT:
        return ConstantText(value if value is not None else "")
    if port_type == UNIT:
        return _unit_word(kind, value)
    if port_type == UNITS:
        if value == "all_enemies":
            return AllEnemies()
        if value == "all_units":
            return AllUnits()
        return OneUnit(_unit_word(kind, value))
    if port_type == CARD_REF:
        return CurrentCard() if value == "current" else CardValue()
    if port_type == CARDS:
        return CardsValue()
    return ConstantStatus(content.statuses[value]) if isinstance(value, str) else StatusValue()


def _unit_word(kind: str, word: Any) -> UnitValue:
    if word == "subject":
        word = "chosen" if kind == CARD else "player" if kind == ENEMY else "acting"
    if word == "acting":
        return ActingUnit()
    if word == "player":
        return PlayerUnit()
    if word == "chosen":
        return ChosenUnit()
    return UnitValue()


def _param_text(value: Any) -> str:
    """A param as traces write it: lists and objects in short, texts in quotes where they have spaces."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join([_param_text(item) for item in value]) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join([f"{name}: {_param_text(item)}" for name, item in value.items()]) + "}"
    text = str(value)
    return f'"{text}"' if " " in text else text
