"""The node library: every node type that a graph may use.

`library` gives the built-in ones and those of installed packages (entry point group ``gcs.nodes``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points

from runtime.graph.declare import NodeType
from runtime.nodes import control, entries, hooks, patterns
from runtime.nodes.actions import cards, damage, events, player, statuses, units, vitals
from runtime.nodes.values import arithmetic, battle
from runtime.nodes.values import cards as card_values
from runtime.nodes.values import units as unit_values

ENTRY_POINT_GROUP = "gcs.nodes"

BUILT_IN: tuple[NodeType, ...] = (
    *entries.NODES,
    *damage.NODES,
    *vitals.NODES,
    *cards.NODES,
    *statuses.NODES,
    *units.NODES,
    *events.NODES,
    *player.NODES,
    *control.NODES,
    *arithmetic.NODES,
    *card_values.NODES,
    *unit_values.NODES,
    *battle.NODES,
    *hooks.NODES,
    *patterns.NODES,
)


class NodeLibraryError(ValueError):
    """An installed package declares a node type that is there already."""


@cache
def library() -> Mapping[str, NodeType]:
    """All node types by id: the built-in ones, then those of installed packages.

    Raises:
        NodeLibraryError: Two declarations have the same type id.
    """
    found: dict[str, NodeType] = {node.type: node for node in BUILT_IN}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        for node in point.load():
            if node.type in found:
                raise NodeLibraryError(f"entry point {point.name}: node type {node.type!r} is declared already")
            found[node.type] = node
    return found


__all__ = ["BUILT_IN", "ENTRY_POINT_GROUP", "NodeLibraryError", "library"]
