"""Small packs around one graph, for the tests of the graph checker."""

from __future__ import annotations

from typing import Any

from runtime.content.problems import Problem
from runtime.packs import check_pack
from tests.runtime.content.sample import RAIN, THUNDER

# A GES event with declared fields.
HAIL = "7a1f0c52-3d7e-4f8b-9a1b-0c2d3e4f5a6b"

KIND_LISTS = {"card": "cards", "status": "statuses", "enemy": "enemies"}

# What the graphs of these tests may name.
_CARD: dict[str, Any] = {
    "id": "strike",
    "cost": 1,
    "target": "enemy",
    "vars": {"damage": 6},
    "keywords": ["unplayable"],
    "type": "attack",
    "rarity": "common",
}
# Raises and hears the internal event that graphs of the tests hear and raise.
_TELLER: dict[str, Any] = {
    "id": "teller",
    "graph": {
        "nodes": [
            {"id": "heard", "type": "on_internal_event", "params": {"event": "e"}},
            {"id": "tell", "type": "raise_internal_event", "params": {"event": "e", "args": {"x": "int"}}},
        ],
        "links": [["heard.out", "tell.in"]],
    },
}
_AROUND: dict[str, Any] = {
    "cards": [_CARD],
    "statuses": [{"id": "poison"}, _TELLER],
    "enemies": [],
    "events": [
        {"id": "thunder", "guid": THUNDER, "argument": "int"},
        {"id": "rain", "guid": RAIN, "argument": "none", "sender": True},
        {"id": "hail", "guid": HAIL, "argument": "struct", "fields": {"size": "int"}},
    ],
}


def node(node_id: str, type_: str, **params: Any) -> dict[str, Any]:
    """A node."""
    return {"id": node_id, "type": type_, "params": params}


def pack_of(kind: str, nodes: list[dict[str, Any]], links: list[str], **fields: Any) -> dict[str, Any]:
    """A pack with one asset that carries the graph; links are written ``a.out b.in``."""
    graph = {"nodes": nodes, "links": [link.split(" ") for link in links]}
    own: dict[str, Any] = {"id": "subject", "graph": graph}
    if kind == "card":
        own |= {"cost": 1, "target": "enemy", "vars": {"power": 2}}
    elif kind == "enemy":
        own |= {"hp": 10}
    pack = {name: list(items) for name, items in _AROUND.items()}
    # In front of everything, so that its path is the same for all tests.
    pack[KIND_LISTS[kind]].insert(0, own | fields)
    return pack


def told(kind: str, nodes: list[dict[str, Any]], links: list[str], **fields: Any) -> list[tuple[str, str]]:
    """The problems of a graph: severity and path in the graph, in order."""
    prefix = f"$.{KIND_LISTS[kind]}[0]."
    found = check_pack(pack_of(kind, nodes, links, **fields)).problems
    return [(problem.severity, problem.path.removeprefix(prefix).removeprefix("graph.")) for problem in found]


def one(kind: str, nodes: list[dict[str, Any]], links: list[str], **fields: Any) -> Problem:
    """The one problem of a graph."""
    found = check_pack(pack_of(kind, nodes, links, **fields)).problems
    assert len(found) == 1, "\n".join(map(str, found))
    return found[0]
