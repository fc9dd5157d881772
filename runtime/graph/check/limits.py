"""Limits on what a graph may cost: nothing that runs may recurse without bound or explode.

Values are evaluated live by each reader, one inside the other; loop bodies run inside their loop node;
every branch is compiled for itself, for each card that uses the graph. Without limits a small graph could
exhaust the stack or the memory, or double the work with every node.
"""

from __future__ import annotations

from typing import Final

from runtime.graph.check.view import Link, Node, View
from runtime.graph.declare import ENTRY, HOOK, PATTERN

MAX_VALUE_DEPTH: Final = 200
MAX_LOOP_DEPTH: Final = 100
MAX_EVALUATIONS: Final = 10_000
MAX_COMPILED: Final = 100_000

# Flow outputs behind which a node goes on with its own work: loop bodies, reactions, steps of a sequence.
_INNER_OUTPUT: Final = "body"
_INNER_PREFIXES: Final = ("on_", "step_")


def check_limits(view: View, flow_order: list[Node], value_order: list[Node]) -> None:
    """Reports nodes where a limit is passed; nodes behind them are not reported again.

    Args:
        view: The graph.
        flow_order: Its nodes in the order of flow.
        value_order: Its pure nodes, each behind those that it reads.
    """
    _check_values(view, value_order)
    _check_loops(view, flow_order)
    _check_size(view)


def _check_values(view: View, value_order: list[Node]) -> None:
    depth = [0] * len(view.nodes)
    cost = [0] * len(view.nodes)
    for node in value_order:
        sources = [source.index for _, source in view.sources(node)]
        depth[node.index] = 1 + max((depth[index] for index in sources), default=0)
        if depth[node.index] == MAX_VALUE_DEPTH + 1:
            message = f"{node.label} stands on values nested too deeply"
            view.report.error(
                node.place, message, expected=f"at most {MAX_VALUE_DEPTH} pure nodes one inside the other"
            )
        _add_cost(view, node, cost)
    for node in view.nodes:
        if node.type is not None and not node.type.is_pure:
            _add_cost(view, node, cost)
            # A flow node latches what it gives: reading it costs nothing.
            cost[node.index] = 0


def _add_cost(view: View, node: Node, cost: list[int]) -> None:
    """Evaluations that one reading of a node's inputs takes, itself included; capped, for it may be astronomic."""
    parts = [cost[source.index] for _, source in view.sources(node)]
    total = 1 + sum(parts)
    if total > MAX_EVALUATIONS >= max(parts, default=0):
        message = f"the inputs of {node.label} take too many evaluations: a pure node counts once for each reader"
        view.report.error(node.place, message, expected=f"at most {MAX_EVALUATIONS}")
    cost[node.index] = min(total, MAX_EVALUATIONS + 1)


def _check_loops(view: View, flow_order: list[Node]) -> None:
    depth = [0] * len(view.nodes)
    for node in flow_order:
        for link, following in view.followers(node):
            inside = depth[node.index] + (1 if _is_inner(node, link) else 0)
            if inside == MAX_LOOP_DEPTH + 1 and depth[node.index] == MAX_LOOP_DEPTH:
                message = f"{node.label} is nested too deeply"
                expected = f"at most {MAX_LOOP_DEPTH} loops, sequences and reactions one inside the other"
                view.report.error(node.place, message, expected=expected)
            depth[following.index] = max(depth[following.index], inside)


def _is_inner(node: Node, link: Link) -> bool:
    if node.category == PATTERN:
        return False
    return link.output == _INNER_OUTPUT or link.output.startswith(_INNER_PREFIXES)


def _check_size(view: View) -> None:
    """Counts what compiling will make, and stops counting where it is too much."""
    left = MAX_COMPILED
    for start in view.nodes:
        if start.category not in (ENTRY, HOOK):
            continue
        reached = {start.index}
        waiting = [start]
        while waiting:
            node = waiting.pop()
            left -= len(view.owner.users)
            if left < 0:
                message = "the branches of this graph hold too many nodes, with those counted again that they share"
                view.report.error(view.place, message, expected=f"at most {MAX_COMPILED} for all cards that use it")
                return
            for _, other in [*view.followers(node), *view.sources(node)]:
                if other.index not in reached:
                    reached.add(other.index)
                    waiting.append(other)
