"""Raising internal and GES events, and variables (R6.2, R6.4, R5.8)."""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.ges_raising import raise_from_battle
from runtime.battle.internal_events import raise_internal_event
from runtime.battle.variables import read_variable, write_variable
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import CARD_REF, INT, UNIT, saturate

SCOPES: Final = ("battle", "unit", "card")


class RaiseInternalEvent(ExecNode):
    """Raise Internal Event (R6.2)."""

    __slots__ = ("arguments", "cards", "event", "receivers_slot")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.event = binding.text_param("event")
        args = binding.param("args") or {}
        self.arguments: list[tuple[str, Any]] = [(name, binding.value(name)) for name in args]
        self.cards = frozenset([name for name, kind in args.items() if kind == "card"])
        self.receivers_slot = binding.slot("receivers")

    def run(self, frame: Frame) -> ExecNode | None:
        arguments: dict[str, object] = {name: value.get(frame) for name, value in self.arguments}
        count = raise_internal_event(frame.battle, self.event, arguments, self.cards)
        if self.receivers_slot >= 0:
            frame.slots[self.receivers_slot] = count
        return self.next


class RaiseGesEvent(ExecNode):
    """Raise GES Event: to graphs, listeners and the engine."""

    __slots__ = ("arg", "event", "receivers_slot", "sender")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.event = binding.event_definition("event")
        self.arg: Any = binding.value("arg") if binding.given("arg") else None
        self.sender: Any = binding.value("sender") if binding.given("sender") else None
        self.receivers_slot = binding.slot("receivers")

    def run(self, frame: Frame) -> ExecNode | None:
        arguments: dict[str, object] = {}
        if self.arg is not None:
            arguments["arg"] = self.arg.get(frame)
        if self.sender is not None:
            arguments["sender"] = self.sender.get(frame)
        count = raise_from_battle(frame.battle, self.event, arguments)
        if self.receivers_slot >= 0:
            frame.slots[self.receivers_slot] = count
        return self.next


class WriteVariable(ExecNode):
    """Set Variable and Change Variable."""

    __slots__ = ("card", "changes", "name", "scope", "unit", "value")

    def __init__(self, binding: Binding, changes: bool) -> None:
        super().__init__(binding.id, binding.flow())
        self.changes = changes
        self.name = binding.text_param("name")
        self.scope = binding.text_param("scope")
        self.value = binding.int_input("value")
        self.unit = binding.unit_input("unit")
        self.card = binding.card_input("card")

    def run(self, frame: Frame) -> ExecNode | None:
        battle = frame.battle
        unit = self.unit.get(frame)
        card = self.card.get(frame)
        value = self.value.get(frame)
        if self.changes:
            value = saturate(read_variable(battle, self.scope, self.name, unit, card) + value)
        write_variable(battle, self.scope, self.name, unit, card, value)
        return self.next


def _set_variable(binding: Binding) -> ExecNode:
    return WriteVariable(binding, False)


def _change_variable(binding: Binding) -> ExecNode:
    return WriteVariable(binding, True)


VARIABLE_PARAMS: Final = (
    Param("name", "text", REQUIRED, help="The variable's name.", names="variable"),
    Param("scope", "choice", "battle", SCOPES, help="Whether it belongs to the battle, a unit or a card."),
)
VARIABLE_INPUTS: Final = (
    Port("unit", UNIT, "acting", "The unit, for scope unit."),
    Port("card", CARD_REF, "current", "The card, for scope card."),
)


def _variable_node(type_id: str, name: str, help_text: str, value: str, build: Any) -> NodeType:
    return NodeType(
        type=type_id,
        name=name,
        category=ACTION,
        help=help_text,
        inputs=(IN, Port("value", INT, REQUIRED, value), *VARIABLE_INPUTS),
        outputs=(OUT,),
        params=VARIABLE_PARAMS,
        build=build,
        changes_state=True,
        rule="R5.8",
    )


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="raise_internal_event",
        name="Raise Internal Event",
        category=ACTION,
        help="Raises an internal event at once to all graphs that listen.",
        inputs=(IN,),
        outputs=(OUT, Port("receivers", INT, help="How many graphs received it.")),
        params=(
            Param("event", "text", REQUIRED, help="Its name; not one that begins with gcs.", names="internal_event"),
            Param("args", "args", None, help="Its arguments: name to type, each an input of the node."),
        ),
        build=RaiseInternalEvent,
        argument_inputs="args",
        changes_state=True,
        rule="R6.1 R6.2",
    ),
    NodeType(
        type="raise_ges_event",
        name="Raise GES Event",
        category=ACTION,
        help="Raises a GES event to graphs, listeners and the engine.",
        inputs=(IN,),
        outputs=(OUT, Port("receivers", INT, help="How many graphs received it.")),
        params=(Param("event", "event_guid", REQUIRED, help="The event's GUID."),),
        build=RaiseGesEvent,
        event_inputs="event",
        changes_state=True,
        rule="R6.4 R6.5",
    ),
    _variable_node("set_variable", "Set Variable", "Writes a variable.", "The new value.", _set_variable),
    _variable_node("change_variable", "Change Variable", "Adds to a variable.", "What is added.", _change_variable),
)
