"""Compiling a checked pack: every branch of every graph becomes a tree of node objects with inputs bound.

A branch is compiled for itself, so that a node which two Entries lead to is two objects, each with the
slots of its own branch. The order of work is iterative throughout: a pack must not choose our recursion
depth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import UnsetType

from runtime.content.assets import GraphAsset, Pack
from runtime.content.notices import PREFIX
from runtime.graph.bind import Binding
from runtime.graph.declare import ENTRY, HOOK, NodeType
from runtime.graph.definitions import (
    CardDefinition,
    Content,
    EnemyDefinition,
    EventDefinition,
    StatusDefinition,
)
from runtime.graph.plugins import as_flow_node, as_value
from runtime.graph.program import Behavior, Branch, ExecNode
from runtime.graph.shared_values import SharedValues
from runtime.graph.texts import parse_text
from runtime.graph.timings import (
    CARD_COST_HOOK,
    OF_ATTACKS,
    OF_HITS,
    OF_PLAYS,
    OF_TURNS,
    ON_BATTLE_END,
    ON_CARD_DISCARDED,
    ON_DRAW_PILE_SHUFFLED,
    ON_ENEMY_BEHAVIOR_START,
    ON_GES_EVENT,
    ON_INTERNAL_EVENT,
    ON_TURN_END,
    ON_TURN_START,
    ON_UNIT_DIED,
    TIMINGS,
)
from runtime.graph.types import CARD, ENEMY, FLOW, STATUS
from runtime.graph.values import EMPTY, LATCHED, PORT_VALUES, SLOT_DEFAULTS


def compile_pack(pack: Pack, nodes: Mapping[str, NodeType]) -> Content:
    """Compiles a pack that the checker has passed.

    Args:
        pack: The pack.
        nodes: The node types by id, the same that it was checked with.
    """
    content = Content(pack)
    content.cards = {key: CardDefinition(asset) for key, asset in pack.cards.items()}
    content.statuses = {key: StatusDefinition(asset) for key, asset in pack.statuses.items()}
    content.enemies = {key: EnemyDefinition(asset) for key, asset in pack.enemies.items()}
    content.events = {key: EventDefinition(asset) for key, asset in pack.events.items()}
    content.events_by_guid = {event.guid: event for event in content.events.values()}
    content.notify = {name: content.events_by_guid[guid] for name, guid in pack.info.notify.items()}
    for card in content.cards.values():
        card.upgrade = content.cards[card.asset.upgrade] if card.asset.upgrade else None
        card.text_parts = parse_text(card.asset.text)
        graph_owner, graph = _card_graph(pack, card)
        card.behavior = _compile_graph(content, nodes, CARD, card.id, graph, graph_owner)
    for status in content.statuses.values():
        status.behavior = _compile_graph(content, nodes, STATUS, status.id, status.asset.graph, status.id)
    for enemy in content.enemies.values():
        enemy.statuses = [(content.statuses[key], stacks) for key, stacks in enemy.asset.statuses.items()]
        enemy.behavior = _compile_graph(content, nodes, ENEMY, enemy.id, enemy.asset.graph, enemy.id)
        plans = enemy.behavior.branches[ON_ENEMY_BEHAVIOR_START]
        enemy.plan = plans[0] if plans else None
    _collect(content)
    return content


def _card_graph(pack: Pack, card: CardDefinition) -> tuple[str, GraphAsset]:
    """A card's own graph, or the one of the card that it names in `graph_of`, with the card it stands in."""
    asset = card.asset
    seen = {asset.id}
    while asset.graph_of is not None and asset.graph_of not in seen:
        seen.add(asset.graph_of)
        asset = pack.cards[asset.graph_of]
    return asset.id, GraphAsset() if isinstance(asset.graph, UnsetType) else asset.graph


def _collect(content: Content) -> None:
    """Fills in what a battle asks of all graphs at once."""
    heard: set[str] = set()
    ges_heard: set[str] = set()
    for definitions in (content.cards, content.statuses, content.enemies):
        for definition in definitions.values():
            heard.update(definition.behavior.internal)
            ges_heard.update(definition.behavior.ges)
    content.internal_heard = frozenset(heard)
    content.ges_heard = frozenset(ges_heard)
    noticed = {name.removeprefix(PREFIX) for name in heard if name.startswith(PREFIX)}
    content.noticed = frozenset(noticed | set(content.notify))
    for card in content.cards.values():
        for timing in card.behavior.timings:
            content.cards_listen[timing] = True
    content.cards_change_costs = content.cards_listen[CARD_COST_HOOK]
    listens = content.cards_listen
    content.hears_discards = bool(content.noticed) or listens[ON_CARD_DISCARDED]
    content.hears_shuffles = bool(content.noticed) or listens[ON_DRAW_PILE_SHUFFLED]
    content.hears_turns = bool(content.noticed) or listens[ON_TURN_START] or listens[ON_TURN_END]


def _compile_graph(
    content: Content, nodes: Mapping[str, NodeType], kind: str, owner: str, graph: GraphAsset, graph_owner: str
) -> Behavior:
    behavior = Behavior(TIMINGS)
    compiler = _GraphCompiler(content, nodes, kind, owner, graph, graph_owner)
    for node in graph.nodes:
        declaration = nodes[node.type]
        if declaration.category not in (ENTRY, HOOK):
            continue
        if (node.id, "out") not in compiler.flow_links:
            # R1.3: an unlinked Entry is never dispatched.
            continue
        branch = compiler.compile_branch(node.id)
        if declaration.timing == ON_INTERNAL_EVENT:
            name = node.params.get("event", "")
            if name:
                behavior.internal[name] = (*behavior.internal.get(name, ()), branch)
        elif declaration.timing == ON_GES_EVENT:
            guid = node.params.get("ges_event")
            if guid:
                behavior.ges[guid] = (*behavior.ges.get(guid, ()), branch)
        else:
            behavior.branches[declaration.timing] = (*behavior.branches[declaration.timing], branch)
    behavior.timings = tuple(timing for timing, found in enumerate(behavior.branches) if found)
    behavior.hears_hits = any(timing in OF_HITS for timing in behavior.timings)
    behavior.hears_attacks = any(timing in OF_ATTACKS for timing in behavior.timings)
    behavior.hears_plays = any(timing in OF_PLAYS for timing in behavior.timings)
    behavior.hears_turns = any(timing in OF_TURNS for timing in behavior.timings)
    return behavior


class _GraphCompiler:
    """One graph, indexed for compiling its branches."""

    def __init__(
        self,
        content: Content,
        nodes: Mapping[str, NodeType],
        kind: str,
        owner: str,
        graph: GraphAsset,
        graph_owner: str,
    ) -> None:
        self.content = content
        self.kind = kind
        self.owner = owner
        # A card and its upgrade may share a graph: what a node remembers of a card outlives the upgrade.
        self.graph_owner = graph_owner
        self.nodes = {node.id: node for node in graph.nodes}
        self.declarations = {node.id: nodes[node.type] for node in graph.nodes}
        self.flow_links: dict[tuple[str, str], str] = {}
        self.data_links: dict[tuple[str, str], tuple[str, str]] = {}
        for source, target in graph.links:
            source_node, source_port = source.split(".", 1)
            target_node, target_port = target.split(".", 1)
            if self._output_type(source_node, source_port) == FLOW:
                self.flow_links[source_node, source_port] = target_node
            else:
                self.data_links[target_node, target_port] = (source_node, source_port)
        self.flow_outputs: dict[str, list[str]] = {}
        for node_id, port in self.flow_links:
            self.flow_outputs.setdefault(node_id, []).append(port)
        self.readers = Counter(self.data_links.values())
        self.data_inputs: dict[str, list[str]] = {}
        for node_id, port in self.data_links:
            self.data_inputs.setdefault(node_id, []).append(port)

    def _output_type(self, node_id: str, port: str) -> str:
        for output in self.declarations[node_id].outputs_for(self.nodes[node_id].params):
            if output.name == port:
                return output.type
        raise ValueError(f"{self.owner}: node {node_id} has no output {port}")

    def compile_branch(self, entry: str) -> Branch:
        """Compiles what an Entry or hook node starts."""
        declaration = self.declarations[entry]
        params = self.nodes[entry].params
        branch = Branch(declaration.timing, declaration.type, entry, self.kind, self.owner, params.get("phase", 0))
        # A hook is no Entry: what E2 does asks it, too.
        branch.at_end = declaration.timing == ON_BATTLE_END or declaration.category == HOOK
        branch.posthumous = declaration.timing in (ON_BATTLE_END, ON_UNIT_DIED)
        branch.port_names = tuple(port.name for port in declaration.outputs if port.type != FLOW)
        order = self._flow_order(entry)
        reached = set(order)
        slots = self._assign_slots(branch, order)
        values: dict[tuple[str, str], Any] = {}
        shared = SharedValues(branch.defaults, self.readers)
        for node_id in order:
            self._build_values(entry, reached, slots, values, shared, node_id)
        built: dict[str, ExecNode] = {}
        for node_id in order:
            if node_id == entry:
                continue
            flows = {port: built[self.flow_links[node_id, port]] for port in self.flow_outputs.get(node_id, [])}
            wires = {
                port: shared.input(source, value, self._output_type(*source))
                for port, source, value in self._wired(node_id, values)
            }
            binding = self._binding(node_id, wires, flows, slots.get(node_id, {}))
            node = self.declarations[node_id].build
            assert node is not None
            built[node_id] = as_flow_node(node(binding), binding)
            branch.shapes[node_id] = binding.shape()
        branch.first = built[self.flow_links[entry, "out"]]
        branch.rule = branch.first.rule
        branch.nodes = built
        return branch

    def _flow_order(self, entry: str) -> list[str]:
        """The flow nodes behind an Entry and the Entry itself, every node behind the ones that it leads to."""
        order: list[str] = []
        seen = {entry}
        stack: list[tuple[str, int]] = [(entry, 0)]
        while stack:
            node_id, place = stack.pop()
            ports = self.flow_outputs.get(node_id, [])
            if place == len(ports):
                order.append(node_id)
                continue
            stack.append((node_id, place + 1))
            following = self.flow_links[node_id, ports[place]]
            if following not in seen:
                seen.add(following)
                stack.append((following, 0))
        return order

    def _assign_slots(self, branch: Branch, order: list[str]) -> dict[str, dict[str, int]]:
        """A slot for every data output of a flow node that somebody reads."""
        read = set(self.data_links.values())
        slots: dict[str, dict[str, int]] = {}
        defaults: list[object] = []
        for node_id in order:
            declaration = self.declarations[node_id]
            if declaration.category in (ENTRY, HOOK):
                continue
            for port in declaration.outputs_for(self.nodes[node_id].params):
                if port.type != FLOW and (node_id, port.name) in read:
                    slots.setdefault(node_id, {})[port.name] = len(defaults)
                    defaults.append(SLOT_DEFAULTS[port.type])
        branch.defaults = defaults
        return slots

    def _build_values(
        self,
        entry: str,
        reached: set[str],
        slots: dict[str, dict[str, int]],
        values: dict[tuple[str, str], Any],
        shared: SharedValues,
        reader: str,
    ) -> None:
        """Builds every value that a flow node reads, pure nodes in front of those that read them."""
        stack = [self.data_links[reader, port] for port in self.data_inputs.get(reader, [])]
        while stack:
            source = stack[-1]
            if source in values:
                stack.pop()
                continue
            node_id, port = source
            declaration = self.declarations[node_id]
            if not declaration.is_pure:
                values[source] = self._port_value(entry, reached, slots, node_id, port)
                stack.pop()
                continue
            missing = [
                self.data_links[node_id, wired]
                for wired in self.data_inputs.get(node_id, [])
                if self.data_links[node_id, wired] not in values
            ]
            if missing:
                stack.extend(missing)
                continue
            assert declaration.build is not None
            wired = self._wired(node_id, values)
            binding = self._binding(node_id, {name: value for name, _, value in wired}, {}, {})
            port_type = self._output_type(node_id, port)
            value = as_value(declaration.build(binding, port), port_type)
            values[source] = shared.add(source, value, port_type, [read for _, read, _ in wired])
            stack.pop()

    def _port_value(
        self, entry: str, reached: set[str], slots: dict[str, dict[str, int]], node_id: str, port: str
    ) -> Any:
        if node_id == entry:
            return PORT_VALUES[port]()
        port_type = self._output_type(node_id, port)
        if node_id in reached:
            return LATCHED[port_type](slots[node_id][port])
        # A node of another branch never runs in this one: its output keeps the type's default.
        return EMPTY[port_type]()

    def _wired(self, node_id: str, values: dict[tuple[str, str], Any]) -> list[tuple[str, tuple[str, str], Any]]:
        """A node's wired data inputs: the port, the output that it reads, and the value of that."""
        sources = [(port, self.data_links[node_id, port]) for port in self.data_inputs.get(node_id, [])]
        return [(port, source, values[source]) for port, source in sources]

    def _binding(
        self, node_id: str, wires: dict[str, Any], flows: dict[str, ExecNode], slots: dict[str, int]
    ) -> Binding:
        node = self.nodes[node_id]
        key = f"{self.kind}:{self.graph_owner}/{node_id}"
        return Binding(
            self.content, self.declarations[node_id], self.kind, key, node_id, node.params, wires, flows, slots
        )
