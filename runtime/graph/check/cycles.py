"""Orders a graph's nodes along its links, and finds the links that close a circle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from runtime.graph.check.view import Link, Node, View

_MAX_NAMED: Final = 8

Edges = Callable[[Node], Iterable[tuple[Link, Node]]]


def flow_order(view: View) -> list[Node]:
    """The nodes so that each stands before those that its flow leads to; reports flow cycles.

    Links that close a cycle are left out of `Node.flows_out` from here on.
    """
    order, closing = _depth_first(view.nodes, view.followers)
    view.incomplete = view.incomplete or bool(closing)
    for link, cycle in closing:
        view.report.error(
            link.place,
            f"a cycle of flow: {_named(cycle)}",
            expected="no cycle",
            hint="loop nodes run a body repeatedly",
        )
        del view.nodes[link.source].flows_out[link.output]
    return order[::-1]


def value_order(view: View) -> list[Node]:
    """The pure nodes so that each stands behind those that it reads; reports cycles of pure nodes.

    A flow node's output is latched, so a wire that comes back through one closes no cycle. Links that
    close a cycle are left out of `Node.wires` from here on.
    """
    pure = [node for node in view.nodes if _is_pure(node)]
    order, closing = _depth_first(pure, lambda node: [pair for pair in view.sources(node) if _is_pure(pair[1])])
    view.incomplete = view.incomplete or bool(closing)
    for link, cycle in closing:
        view.report.error(link.place, f"a cycle of values: {_named(cycle)}", expected="no cycle")
        del view.nodes[link.target].wires[link.input]
    return order


def _is_pure(node: Node) -> bool:
    return node.type is not None and node.type.is_pure


def _named(cycle: list[Node]) -> str:
    names = [node.asset.id for node in cycle[:_MAX_NAMED]]
    return " → ".join([*names, "…" if len(cycle) > _MAX_NAMED else names[0]])


def _depth_first(nodes: Iterable[Node], edges: Edges) -> tuple[list[Node], list[tuple[Link, list[Node]]]]:
    """The nodes in the order in which a depth-first walk leaves them, and the links that lead back to the walk's path.

    It keeps a stack of its own: a pack may be deeper than Python's.
    """
    left: list[Node] = []
    closing: list[tuple[Link, list[Node]]] = []
    position: dict[int, int] = {}
    done: set[int] = set()
    for root in nodes:
        if root.index in done:
            continue
        path = [root]
        walks = [iter(list(edges(root)))]
        position[root.index] = 0
        while path:
            step = next(walks[-1], None)
            if step is None:
                node = path.pop()
                walks.pop()
                del position[node.index]
                done.add(node.index)
                left.append(node)
                continue
            link, following = step
            if following.index in position:
                start = position[following.index]
                closing.append((link, path[start : start + _MAX_NAMED + 1]))
            elif following.index not in done:
                position[following.index] = len(path)
                path.append(following)
                walks.append(iter(list(edges(following))))
    return left, closing
