"""A graph as its checks see it: nodes with their declarations, links with their ends looked up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from runtime.content import guids
from runtime.content.assets import EventAsset, GraphAsset, NodeAsset
from runtime.content.draft import Draft
from runtime.content.problems import Place, Report, listed, shown
from runtime.graph.declare import ARGUMENT_TYPES, REQUIRED, NodeType, Port
from runtime.graph.types import FLOW, accepts

# The inputs that a node has by the event that it names (`NodeType.event_inputs`).
EVENT_INPUTS: Final = ("arg", "sender")


@dataclass(frozen=True, slots=True)
class User:
    """An asset that uses a graph: its owner, or a card that names the owner in ``graph_of``.

    Attributes:
        id: The asset's id.
        place: Where the asset stands.
        text: Its text.
        target: A card's target; empty for other kinds.
        vars: A card's vars.
    """

    id: str
    place: Place
    text: str
    target: str
    vars: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Owner:
    """What the checks of one graph need to know beyond it.

    Attributes:
        kind: The graph's kind.
        id: The id of the asset that carries it.
        users: The asset itself first, then the cards that share its graph.
        draft: The pack.
        events: The events of the pack by GUID; None for one whose argument is not known.
        all_vars: The names of the vars of any card.
        shared_vars: The names of the vars that all users have.
    """

    kind: str
    id: str
    users: Sequence[User]
    draft: Draft
    events: Mapping[str, EventAsset | None]
    all_vars: frozenset[str]
    shared_vars: frozenset[str]


@dataclass(frozen=True, slots=True)
class Link:
    """A link whose two ends exist and fit."""

    place: Place
    source: int
    output: str
    target: int
    input: str
    is_flow: bool


@dataclass(slots=True)
class Node:
    """A node of known or unknown type, with its wires and the flow links from it.

    Attributes:
        index: Its place among the graph's nodes.
        asset: The node.
        place: Where it stands.
        type: Its declaration; None when the type is unknown.
        inputs: Its inputs by name.
        outputs: Its outputs by name.
        undecided_inputs: Names of inputs that the node might have if a param of it were right; nothing is
            said of them.
        undecided_outputs: Beginnings of the names of such outputs.
        wires: The data link into each wired input, by the input's name.
        attempted: Names of inputs that a link with a mistake leads to: they are not missing.
        flows_out: The flow link from each linked flow output, by the output's name.
    """

    index: int
    asset: NodeAsset
    place: Place
    type: NodeType | None
    inputs: Mapping[str, Port]
    outputs: Mapping[str, Port]
    undecided_inputs: frozenset[str]
    undecided_outputs: tuple[str, ...]
    wires: dict[str, Link] = field(default_factory=dict)
    attempted: set[str] = field(default_factory=set)
    flows_out: dict[str, Link] = field(default_factory=dict)

    def given(self, name: str) -> bool:
        """Whether a param, or an input's literal, is given; null means it is not."""
        return self.asset.params.get(name) is not None

    def present(self, name: str) -> bool:
        """Whether a param or an input is given or wired, or at least was meant to be."""
        return self.given(name) or name in self.wires or name in self.attempted

    @property
    def category(self) -> str:
        """The category of its type; empty when that is unknown."""
        return self.type.category if self.type is not None else ""

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"node {shown(self.asset.id)} ({self.type.name if self.type is not None else 'unknown'})"


class View:
    """One graph with its links resolved; making it reports what is wrong with ids, types and links.

    Attributes:
        place: Where the graph stands.
        owner: What carries it.
        report: Collects the problems.
        nodes: Its nodes.
        by_id: Its nodes by id.
        incomplete: Whether a node or a link could not be made out, so that nothing certain can be said of
            what is reached.
    """

    def __init__(
        self, graph: GraphAsset, place: Place, owner: Owner, types: Mapping[str, NodeType], report: Report
    ) -> None:
        self.place = place
        self.owner = owner
        self.report = report
        self.nodes: list[Node] = []
        self.by_id: dict[str, Node] = {}
        self.incomplete = False
        for index, asset in enumerate(graph.nodes):
            self._add_node(index, asset, types)
        for index, (source, target) in enumerate(graph.links):
            self._add_link(place.at("links", index), source, target)

    def sources(self, node: Node) -> Iterator[tuple[Link, Node]]:
        """The data links into a node, with the nodes that they come from."""
        for link in node.wires.values():
            yield link, self.nodes[link.source]

    def followers(self, node: Node) -> Iterator[tuple[Link, Node]]:
        """The flow links from a node, with the nodes that they lead to."""
        for link in node.flows_out.values():
            yield link, self.nodes[link.target]

    def _add_node(self, index: int, asset: NodeAsset, types: Mapping[str, NodeType]) -> None:
        place = self.place.at("nodes", index)
        declared = types.get(asset.type)
        if declared is None:
            self.incomplete = True
            self.report.unknown(place.at("type"), "node type", asset.type, types)
        node = _node(index, asset, place, declared, self.owner.events)
        self.nodes.append(node)
        if not asset.id or "." in asset.id:
            expected = "a text without dots, since links name a port as node.port"
            self.report.error(place.at("id"), "malformed node id", expected=expected, found=shown(asset.id))
        first = self.by_id.setdefault(asset.id, node)
        if first is not node:
            self.incomplete = True
            hint = f"also at {first.place.at('id').path}"
            self.report.error(place.at("id"), f"duplicate node id {shown(asset.id)}", hint=hint)

    def _add_link(self, place: Place, source: str, target: str) -> None:
        start = self._end(place.at(0), source, is_output=True)
        end = self._end(place.at(1), target, is_output=False)
        if start is None or end is None:
            self.incomplete = True
            if end is not None:
                end[0].attempted.add(end[1].name)
            return
        (source_node, output), (target_node, input_) = start, end
        if not accepts(input_.type, output.type):
            self.incomplete = True
            target_node.attempted.add(input_.name)
            expected = f"an input that takes {output.type}"
            self.report.error(place, f"{source} does not fit {target}", expected=expected, found=input_.type)
            return
        is_flow = output.type == FLOW
        link = Link(place, source_node.index, output.name, target_node.index, input_.name, is_flow)
        taken = source_node.flows_out.get(output.name) if is_flow else target_node.wires.get(input_.name)
        if taken is not None:
            self.incomplete = True
            rule = "a flow output feeds one flow input" if is_flow else "a data input takes one link"
            end_name = source if is_flow else target
            self.report.error(place, f"{end_name} is linked twice: {rule}", hint=f"also at {taken.place.path}")
        elif is_flow:
            source_node.flows_out[output.name] = link
        else:
            target_node.wires[input_.name] = link

    def _end(self, place: Place, text: str, *, is_output: bool) -> tuple[Node, Port] | None:
        name, dot, port_name = text.partition(".")
        if not dot:
            self.report.error(place, "malformed end of a link", expected='a text like "node.port"', found=shown(text))
            return None
        node = self.by_id.get(name)
        if node is None:
            self.report.unknown(place, "node", name, self.by_id)
            return None
        if node.type is None:
            return None
        if port_name.startswith(node.undecided_outputs) if is_output else port_name in node.undecided_inputs:
            return None
        ports, others = (node.outputs, node.inputs) if is_output else (node.inputs, node.outputs)
        port = ports.get(port_name)
        if port is not None:
            return node, port
        side, other_side = ("output", "input") if is_output else ("input", "output")
        hint = event_input_hint(node, port_name) or self.report.nearest(port_name, ports)
        if port_name in others:
            hint = f"{shown(port_name)} is an {other_side}; a link goes from an output to an input"
        expected = f"an {side} of it: {listed(ports)}" if ports else f"a node with an {side}"
        self.report.error(
            place, f"{node.label} has no {side} {shown(port_name)}", expected=expected, found=shown(text), hint=hint
        )
        return None


def event_input_hint(node: Node, name: str) -> str:
    """Why a node that raises an event lacks an input that others of its type have; empty if that is not it."""
    if node.type is None or node.type.event_inputs is None or name not in EVENT_INPUTS:
        return ""
    return "the event that it names takes no such " + ("argument" if name == EVENT_INPUTS[0] else "sender")


def _node(
    index: int, asset: NodeAsset, place: Place, declared: NodeType | None, events: Mapping[str, EventAsset | None]
) -> Node:
    if declared is None:
        return Node(index, asset, place, None, {}, {}, frozenset(), ())
    params = {param.name: param.default for param in declared.params if param.default is not REQUIRED}
    params.update(asset.params)
    undecided_inputs: frozenset[str] = frozenset()
    undecided_outputs: tuple[str, ...] = ()
    if declared.event_inputs is not None:
        text = params.get(declared.event_inputs)
        guid = guids.normalize_guid(text) if isinstance(text, str) else None
        params[declared.event_inputs] = guid
        if guid is None or events.get(guid) is None:
            undecided_inputs = frozenset(EVENT_INPUTS)
    if declared.argument_inputs is not None:
        given = params.get(declared.argument_inputs)
        if isinstance(given, dict):
            undecided_inputs = frozenset(
                name for name, kind in given.items() if not isinstance(kind, str) or kind not in ARGUMENT_TYPES
            )
    if declared.indexed_outputs is not None:
        prefix, param = declared.indexed_outputs
        given = params.get(param)
        if isinstance(given, bool) or not isinstance(given, int | list):
            undecided_outputs = (prefix,)
    if declared.typed_output is not None:
        output, param = declared.typed_output
        given = params.get(param)
        if not isinstance(given, str) or given not in ARGUMENT_TYPES:
            params[param] = ""
            undecided_outputs = (output,)
    inputs = declared.inputs_for(params, events)
    outputs = declared.outputs_for(params)
    ports = _by_name(inputs), _by_name(outputs)
    return Node(index, asset, place, declared, *ports, undecided_inputs, undecided_outputs)


def _by_name(ports: Sequence[Port]) -> dict[str, Port]:
    named: dict[str, Port] = {}
    for port in ports:
        # An argument that has the name of another input is an error; the other input stays.
        named.setdefault(port.name, port)
    return named
