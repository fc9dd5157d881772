"""Warnings of what comes too late or never: outputs read before their node has run, steps without a link."""

from __future__ import annotations

from typing import Final

from runtime.content.problems import shown
from runtime.graph.check.view import Link, Node, View
from runtime.graph.declare import ENTRY, HOOK
from runtime.graph.types import FLOW

# How many steps along links these checks take in one graph: past it a graph is too tangled for a warning to be read.
MAX_STEPS: Final = 200_000
_BODY: Final = "body"


def warn_of_order(view: View) -> None:
    """Warns of reading an output of a node that runs later, and of a count of steps that its links do not match."""
    if view.incomplete:
        return
    for node in view.nodes:
        _warn_of_count(view, node)
    walk = _Walk(view)
    for start in view.nodes:
        if start.category in (ENTRY, HOOK):
            walk.along(start)
    for reader in view.nodes:
        if reader.type is not None and not reader.type.is_pure and reader.index in walk.numbers:
            _warn_of_reading(view, reader, walk)


def _warn_of_count(view: View, node: Node) -> None:
    if node.type is None or node.type.indexed_outputs is None:
        return
    prefix, name = node.type.indexed_outputs
    param = node.type.param(name)
    count = node.asset.params.get(name)
    if param is None or param.type != "int" or not isinstance(count, int):
        return
    missing = [f"{prefix}{index}" for index in range(count) if f"{prefix}{index}" not in node.flows_out]
    ports = [port for port in node.outputs.values() if port.type == FLOW and port.name.startswith(prefix)]
    if missing and len(ports) == count:
        view.report.warning(
            node.place.at("params", name),
            f"{node.label} has {count} steps, and {len(missing)} without a link: {', '.join(missing[:4])}",
            expected="a link from each step",
        )


def _warn_of_reading(view: View, reader: Node, walk: _Walk) -> None:
    for link, source in _latched_sources(view, reader, walk):
        if source.index not in walk.numbers or walk.comes_before(source, reader):
            continue
        if walk.numbers[source.index] < walk.numbers[reader.index] or (walk.in_body & {reader.index, source.index}):
            # Another way through the graph, or an earlier round of a loop, may have run it.
            continue
        port = f"{source.asset.id}.{link.output}"
        view.report.warning(
            link.place,
            f"{reader.label} reads {shown(port)} before {source.label} has run: it gets the default of its type",
            expected="a node that runs before it",
        )


def _latched_sources(view: View, reader: Node, walk: _Walk) -> list[tuple[Link, Node]]:
    """The flow nodes whose outputs a node reads, through pure nodes too, each with the link from it."""
    found: dict[int, tuple[Link, Node]] = {}
    seen: set[int] = set()
    waiting = [reader]
    while waiting and walk.steps > 0:
        node = waiting.pop()
        for link, source in view.sources(node):
            walk.steps -= 1
            if source.index in seen:
                continue
            seen.add(source.index)
            if source.type is not None and source.type.is_pure:
                waiting.append(source)
            elif source.category not in (ENTRY, HOOK) and source is not reader:
                found[source.index] = (link, source)
    return list(found.values())


class _Walk:
    """The order in which nodes first run, as far as the links tell it.

    Attributes:
        numbers: A number for each node that runs: the earlier, the lower.
        in_body: Nodes in bodies of loops, which run again.
        steps: Steps along links that may still be taken.
    """

    def __init__(self, view: View) -> None:
        self.numbers: dict[int, int] = {}
        self.in_body: set[int] = set()
        self.steps = MAX_STEPS
        self._view = view
        self._before: dict[int, list[Node]] = {}
        for node in view.nodes:
            for _, following in view.followers(node):
                self._before.setdefault(following.index, []).append(node)

    def along(self, start: Node) -> None:
        """Numbers what a branch runs: a node, what hangs on its inner outputs in their order, then what follows."""
        waiting = [(start, False)]
        while waiting and self.steps > 0:
            node, in_body = waiting.pop()
            self.steps -= 1
            if node.index in self.numbers and (not in_body or node.index in self.in_body):
                continue
            self.numbers.setdefault(node.index, len(self.numbers))
            if in_body:
                self.in_body.add(node.index)
            # "out" runs last whatever its place among the outputs; the first to run is taken from the end.
            names = [name for name in node.outputs if name in node.flows_out]
            ordered = [name for name in names if name != "out"] + [name for name in names if name == "out"]
            for name in reversed(ordered):
                following = self._view.nodes[node.flows_out[name].target]
                waiting.append((following, in_body or name == _BODY))

    def comes_before(self, first: Node, second: Node) -> bool:
        """Whether flow leads from one node to another; also if that would take too long to find out."""
        seen = {second.index}
        waiting = [second]
        while waiting:
            if self.steps <= 0:
                return True
            for node in self._before.get(waiting.pop().index, ()):
                self.steps -= 1
                if node is first:
                    return True
                if node.index not in seen:
                    seen.add(node.index)
                    waiting.append(node)
        return False
