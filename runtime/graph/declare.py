"""How a node is declared: once, as data, next to the code that runs it.

Catalog, checker, JSON Schema, reference docs and compiler all read these declarations. A package that
is installed beside gcs adds its own nodes by an entry point in the group ``gcs.nodes`` that names a
sequence of `NodeType`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from runtime.graph.types import (
    BOOL,
    CARD,
    CARD_REF,
    CARDS,
    ENEMY,
    FLOW,
    INT,
    PORT_TYPES,
    STATUS,
    STATUS_REF,
    TEXT,
    UNIT,
    UNITS,
)

PARAM_TYPES: Final = (
    "int",
    "bool",
    "text",
    "choice",
    "weights",
    "texts",
    "args",
    "card_pool",
    "card_id",
    "status_id",
    "enemy_id",
    "event_guid",
    "var_name",
)

ALL_KINDS: Final = (CARD, STATUS, ENEMY)

# Categories: what a node is for the checker and where a palette lists it.
ENTRY: Final = "entry"
ACTION: Final = "action"
CONTROL: Final = "control"
VALUE: Final = "value"
HOOK: Final = "hook"
HOOK_RESULT: Final = "hook_result"
PATTERN: Final = "pattern"
LEAF: Final = "leaf"


# The shown numbers that reading an output works out (`Port.asks`).
ASKS_INTENT: Final = "intent"
ASKS_COST: Final = "cost"


class _Required:
    """The default of an input or param that has none: it must be given."""

    def __repr__(self) -> str:
        return "REQUIRED"


REQUIRED: Final = _Required()


@dataclass(frozen=True, slots=True)
class Port:
    """An input or output of a node.

    Attributes:
        name: The port's id, unique among the inputs or the outputs of its node.
        type: One of `runtime.graph.types.PORT_TYPES`.
        default: For a data input, what it holds when neither wired nor given: a literal, a unit word
            (also ``subject``, which depends on the graph kind), ``current`` for the card whose graph
            runs, None for an input that may stay empty, or `REQUIRED`.
        help: One line on its meaning.
        asks: For an output, the shown number that reading it works out, hooks and all: `ASKS_INTENT`, that of the
            unit at the input ``unit``, or `ASKS_COST`; empty for none.
    """

    name: str
    type: str
    default: Any = None
    help: str = ""
    asks: str = ""


# What a text param may be the name of (`Param.names`).
NAMED: Final = ("internal_event", "variable", "card_type", "card_tag", "enemy_tag", "event_argument")


@dataclass(frozen=True, slots=True)
class Param:
    """A field of a node that is set by the designer and never wired.

    Attributes:
        name: The param's id.
        type: ``int``, ``bool``, ``text``, ``choice``, ``weights`` (list of positive Ints), ``texts``,
            ``args`` (name to type name), ``card_pool``, or an asset id: ``card_id``, ``status_id``,
            ``enemy_id``, ``event_guid``, or a card's ``var_name``.
        default: Its value when absent; `REQUIRED` when it must be given, None when it may be absent.
        choices: The words allowed, for ``choice``.
        minimum: The least Int allowed, for ``int``.
        maximum: The greatest Int allowed, for ``int``.
        help: One line on its meaning.
        names: For ``text``, what it is the name of (`NAMED`); empty for free text. The checker compares the names of a
            kind within a pack, and editors offer those that are there already.
    """

    name: str
    type: str
    default: Any = None
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    help: str = ""
    names: str = ""


@dataclass(frozen=True, slots=True)
class NodeType:
    """One kind of node.

    Attributes:
        type: Its id in graphs.
        name: Its display name.
        category: What it is for the checker and in a palette.
        help: One line on what it does.
        kinds: The graph kinds in which it may stand.
        inputs: Its inputs, flow inputs included.
        outputs: Its outputs, flow outputs included.
        params: Its params.
        build: Makes what runs. A flow node's takes a `runtime.graph.bind.Binding` and returns a
            `runtime.graph.program.ExecNode`; a value node's takes a Binding and the output's name and
            returns a value object of the output's type. None for Entries and hooks, which only start
            a branch.
        timing: For Entries and hooks, the number of their timing (`runtime.graph.timings`).
        indexed_outputs: A prefix and a param: flow outputs ``<prefix>0``, ``<prefix>1``, … as many as
            the Int of that param says, or as its list is long.
        argument_inputs: The name of an ``args`` param whose names become inputs of the types given.
        event_inputs: The name of an ``event_guid`` param. The node has an input ``arg`` of the type that the
            event's asset declares (int and float: Int; vectors, colours, structs and none: no input), and
            ``sender``, a UnitRef, where the event declares one.
        typed_output: An output's name and a ``choice`` param that names its type (`ARGUMENT_TYPES`).
        exactly_one: Names of params and inputs of which exactly one must be given.
        changes_state: Whether it may change the battle; such nodes may not stand in a hook branch or
            before a leaf.
        rule: The rule ids that it implements.
    """

    type: str
    name: str
    category: str
    help: str
    kinds: tuple[str, ...] = ALL_KINDS
    inputs: tuple[Port, ...] = ()
    outputs: tuple[Port, ...] = ()
    params: tuple[Param, ...] = ()
    build: Callable[..., Any] | None = None
    timing: int = 0
    indexed_outputs: tuple[str, str] | None = None
    argument_inputs: str | None = None
    event_inputs: str | None = None
    typed_output: tuple[str, str] | None = None
    exactly_one: tuple[str, ...] = ()
    changes_state: bool = False
    rule: str = ""
    _params_by_name: dict[str, Param] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for param in self.params:
            if param.type not in PARAM_TYPES:
                raise ValueError(f"{self.type}: param {param.name} has the unknown type {param.type!r}")
            if param.names and (param.type != "text" or param.names not in NAMED):
                raise ValueError(f"{self.type}: param {param.name} cannot be the name of {param.names!r}")
        for port in self.inputs + self.outputs:
            if port.type not in PORT_TYPES:
                raise ValueError(f"{self.type}: port {port.name} has the unknown type {port.type!r}")
        self._params_by_name.update({param.name: param for param in self.params})

    @property
    def is_pure(self) -> bool:
        """Whether it has no flow ports and is evaluated whenever somebody reads it."""
        return self.category == VALUE

    def param(self, name: str) -> Param | None:
        """The param of that name, or None."""
        return self._params_by_name.get(name)

    def inputs_for(self, params: dict[str, Any], events: Mapping[str, Any] | None = None) -> tuple[Port, ...]:
        """All inputs of a node with these params.

        Args:
            params: The node's params: those of an ``args`` param become inputs.
            events: GES events by GUID, anything with the fields `argument` and `sender`; the one that an
                ``event_guid`` param names gives the node its ``arg`` and ``sender``.
        """
        if self.event_inputs is not None:
            return self.inputs + _event_inputs(events or {}, params.get(self.event_inputs))
        if self.argument_inputs is None:
            return self.inputs
        given = params.get(self.argument_inputs)
        if not isinstance(given, dict):
            return self.inputs
        named = tuple(
            Port(name, ARGUMENT_TYPES[kind])
            for name, kind in given.items()
            if isinstance(kind, str) and kind in ARGUMENT_TYPES
        )
        return self.inputs + named

    def outputs_for(self, params: dict[str, Any]) -> tuple[Port, ...]:
        """All outputs of a node with these params: the numbered ones, and one whose type a param names."""
        if self.typed_output is not None:
            name, param = self.typed_output
            kind = params.get(param)
            return (*self.outputs, Port(name, ARGUMENT_TYPES[kind])) if kind in ARGUMENT_TYPES else self.outputs
        if self.indexed_outputs is None:
            return self.outputs
        prefix, param = self.indexed_outputs
        given = params.get(param)
        count = len(given) if isinstance(given, list) else given
        if not isinstance(count, int) or isinstance(count, bool):
            return self.outputs
        steps = tuple(Port(f"{prefix}{index}", FLOW) for index in range(min(max(count, 0), MAX_INDEXED_OUTPUTS)))
        return self.outputs + steps


# More steps than this would be a mistake, and a pack must not make the checker build a million ports.
MAX_INDEXED_OUTPUTS: Final = 256

# Types of an internal event's arguments (R6.2) and of Event Arg, as content names them.
ARGUMENT_TYPES: Final = {
    "int": INT,
    "bool": BOOL,
    "text": TEXT,
    "unit": UNIT,
    "card": CARD_REF,
    "status": STATUS_REF,
}

# The input type for each argument type of a GES event; the others cannot be made in a graph.
EVENT_ARGUMENT_TYPES: Final = {**ARGUMENT_TYPES, "float": INT}


def _event_inputs(events: Mapping[str, Any], guid: object) -> tuple[Port, ...]:
    event = events.get(guid) if isinstance(guid, str) else None
    if event is None:
        return ()
    inputs: list[Port] = []
    if event.argument in EVENT_ARGUMENT_TYPES:
        inputs.append(Port("arg", EVENT_ARGUMENT_TYPES[event.argument], None, "What the event carries."))
    if event.sender:
        inputs.append(Port("sender", UNIT, None, "Who raises it."))
    return tuple(inputs)


# The name of a value node's single output, by its type (nodes.md, "Values").
SINGLE_OUTPUT: Final = {
    INT: "result",
    BOOL: "result",
    TEXT: "result",
    UNIT: "unit",
    UNITS: "units",
    CARD_REF: "card",
    CARDS: "cards",
    STATUS_REF: "status",
}

IN: Final = Port("in", FLOW, help="Starts the node.")
OUT: Final = Port("out", FLOW, help="Continues when the node is done.")


def value_output(port_type: str, help_text: str = "") -> tuple[Port, ...]:
    """The outputs of a value node with a single output of this type."""
    return (Port(SINGLE_OUTPUT[port_type], port_type, help=help_text),)
