"""The other side of strictness: graphs that are put together by the rules are accepted and can be compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.graph.compile import compile_pack
from runtime.graph.declare import CONTROL, ENTRY, HOOK, HOOK_RESULT, LEAF, PATTERN, REQUIRED, VALUE, NodeType
from runtime.graph.timings import ON_ENEMY_BEHAVIOR_START
from runtime.graph.types import BOOL, CARD_REF, CARDS, FLOW, INT, STATUS_REF, TEXT, UNIT, UNITS, accepts
from runtime.nodes import library
from runtime.packs import check_pack
from tests.runtime.content.sample import THUNDER, sample

NODES = library()

LITERALS: dict[str, list[Any]] = {
    INT: [0, -5, 2**31 - 1],
    BOOL: [True, False],
    TEXT: ["", "attack"],
    UNIT: ["acting", "player", "none"],
    UNITS: ["acting", "player", "none", "all_enemies", "all_units"],
    STATUS_REF: ["poison"],
}
PARAMS: dict[str, list[Any]] = {
    "bool": [True],
    "text": ["a"],
    "weights": [[1], [3, 1, 2]],
    "texts": [["a", "b"]],
    "args": [{"many": "int", "who": "unit", "what": "card", "which": "status", "said": "text", "true": "bool"}],
    "card_id": ["strike"],
    "status_id": ["poison"],
    "enemy_id": ["slime"],
    "event_guid": [THUNDER, THUNDER.upper().replace("-", "")],
    "var_name": ["damage"],
    "card_pool": [{}, {"type": "attack", "tag": "a", "rarity": "starter"}],
}

Choose = Callable[[list[Any]], Any]


class Graph:
    """Puts a graph together, node by node, so that every rule is kept."""

    def __init__(self, kind: str, choose: Choose) -> None:
        self.kind = kind
        self.choose = choose
        self.nodes: list[dict[str, Any]] = []
        self.links: list[list[str]] = []
        # Outputs that may be read, with their types; flow outputs that nothing follows yet, with who follows.
        self.readable: list[tuple[str, str]] = []
        self.loose: list[tuple[str, str]] = []

    def start(self, declared: NodeType) -> None:
        """Adds the Entry or hook that everything else hangs on."""
        follows = HOOK if declared.category == HOOK else ENTRY
        if declared.timing == ON_ENEMY_BEHAVIOR_START:
            follows = PATTERN
        self._add(declared, follows)

    def add(self, declared: NodeType) -> None:
        """Adds a node where its kind may stand; leaves it out where there is no such place."""
        if declared.category == VALUE:
            self._add(declared, "")
            return
        places = [(output, follows) for output, follows in self.loose if self._may_follow(declared, follows)]
        if places:
            output, follows = self.choose(places)
            self.loose.remove((output, follows))
            node = self._add(declared, ENTRY if declared.category == LEAF else follows)
            self.links.append([output, f"{node}.in"])

    @staticmethod
    def _may_follow(declared: NodeType, follows: str) -> bool:
        if follows == PATTERN:
            return declared.category in (PATTERN, LEAF)
        if follows == HOOK:
            return declared.category == HOOK_RESULT or (declared.category == CONTROL and not declared.changes_state)
        return declared.category not in (PATTERN, LEAF, HOOK_RESULT)

    def _add(self, declared: NodeType, follows: str) -> str:
        node_id = f"n{len(self.nodes)}"
        params: dict[str, Any] = {}
        left_out = (
            set(declared.exactly_one) - {self.choose(list(declared.exactly_one))} if declared.exactly_one else set()
        )
        for param in declared.params:
            needed = param.default is REQUIRED or param.name in declared.exactly_one
            if param.name not in left_out and (needed or self.choose([True, False])):
                params[param.name] = self._param(param)
        wired: list[list[str]] = []
        for port in declared.inputs_for(params):
            needed = port.default is REQUIRED or port.name in declared.exactly_one
            if port.type == FLOW or port.name in left_out or not (needed or self.choose([True, False])):
                continue
            sources = [output for output, port_type in self.readable if accepts(port.type, port_type)]
            if port.type in LITERALS and (not sources or self.choose([True, False])):
                params[port.name] = self.choose(LITERALS[port.type])
            else:
                source = self.choose(sources) if sources else self._source(port.type)
                wired.append([source, f"{node_id}.{port.name}"])
        self.nodes.append({"id": node_id, "type": declared.type, "params": params})
        self.links += wired
        for port in declared.outputs_for(params):
            if port.type == FLOW:
                self.loose.append((f"{node_id}.{port.name}", follows))
            else:
                self.readable.append((f"{node_id}.{port.name}", port.type))
        return node_id

    def _param(self, param: Any) -> Any:
        if param.type == "choice":
            return self.choose(list(param.choices))
        if param.type == "int":
            return min(max(2, param.minimum or 0), param.maximum or 2)
        return self.choose(PARAMS[param.type])

    def _source(self, port_type: str) -> str:
        """A node that gives what has no literal, added behind the others."""
        node_id = f"s{len(self.nodes)}_{port_type}"
        if port_type == CARD_REF:
            self.nodes.append({"id": node_id, "type": "current_card"})
            return f"{node_id}.card"
        assert port_type == CARDS
        self.nodes.append({"id": node_id, "type": "cards_in_pile", "params": {"pile": "hand"}})
        return f"{node_id}.cards"

    def pack(self) -> dict[str, Any]:
        """The sample with this graph in one of its assets."""
        pack = sample()
        owner = {"card": pack["cards"][0], "status": pack["statuses"][0], "enemy": pack["enemies"][0]}[self.kind]
        owner["graph"] = {"nodes": self.nodes, "links": self.links}
        owner["text"] = ""
        return pack


def accepted(graph: Graph) -> None:
    checked = check_pack(graph.pack())
    assert [str(problem) for problem in checked.problems if problem.severity == "error"] == []
    assert checked.pack is not None
    compile_pack(checked.pack, NODES)


def first(options: list[Any]) -> Any:
    return options[0]


def last(options: list[Any]) -> Any:
    return options[-1]


@pytest.mark.parametrize("choose", [first, last])
@pytest.mark.parametrize("type_", sorted(NODES))
def test_every_node_is_accepted_in_every_graph_kind_that_it_names(type_: str, choose: Choose) -> None:
    declared = NODES[type_]
    for kind in declared.kinds:
        graph = Graph(kind, choose)
        if declared.category in (ENTRY, HOOK):
            graph.start(declared)
            graph.add(NODES["set_hook_amount" if declared.category == HOOK else "end_turn"])
        elif declared.category == HOOK_RESULT:
            graph.start(NODES["card_cost_hook"])
            graph.add(declared)
        elif declared.category in (PATTERN, LEAF):
            graph.start(NODES["on_enemy_behavior_start"])
            graph.add(declared)
            graph.add(NODES["leaf_intent"])
            graph.add(NODES["end_turn"])
        else:
            graph.start(NODES["on_internal_event"])
            graph.add(declared)
            graph.add(NODES["set_variable"])
        assert type_ in [node["type"] for node in graph.nodes]
        accepted(graph)


@st.composite
def right_graphs(draw: st.DrawFn) -> Graph:
    kind = draw(st.sampled_from(["card", "status", "enemy"]))
    types = [declared for declared in NODES.values() if kind in declared.kinds]
    starters = [declared for declared in types if declared.category in (ENTRY, HOOK)]
    others = [declared for declared in types if declared.category not in (ENTRY, HOOK)]
    graph = Graph(kind, lambda options: draw(st.sampled_from(options)))
    graph.start(draw(st.sampled_from(starters)))
    for declared in draw(st.lists(st.sampled_from(others), min_size=1, max_size=14)):
        graph.add(declared)
    return graph


@settings(max_examples=200, deadline=None)
@given(right_graphs())
def test_graphs_by_the_rules_are_accepted(graph: Graph) -> None:
    accepted(graph)
