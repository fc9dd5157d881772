"""Checks what hangs behind Entries and hooks: who runs where, what may be read there, what never runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from runtime.content.problems import shown
from runtime.graph.check.view import Node, View
from runtime.graph.declare import ACTION, ENTRY, HOOK, HOOK_RESULT, LEAF, PATTERN
from runtime.graph.timings import ON_CARD_PLAYED, ON_ENEMY_BEHAVIOR_START
from runtime.graph.types import CARD, ENEMY, UNIT, UNITS

# Where flow comes from when it reaches a node. One node may be reached in several ways.
_FROM_ENTRY: Final = 1
_FROM_HOOK: Final = 2
_PLANNING: Final = 4  # from E31, no leaf before it
_BEHIND_LEAF: Final = 8

_STARTERS: Final = (ENTRY, HOOK)


@dataclass(slots=True)
class _Some:
    """Which nodes of a set there are, as far as it matters: none, one, or two of them."""

    first: Node | None = None
    second: Node | None = None

    def add(self, node: Node | None) -> None:
        if node is None or node is self.first or self.second is not None:
            return
        if self.first is None:
            self.first = node
        else:
            self.second = node

    def merge(self, other: _Some) -> None:
        self.add(other.first)
        self.add(other.second)


def check_branches(view: View, flow_order: list[Node], value_order: list[Node]) -> None:
    """Reports what is wrong with the branches of a graph.

    Args:
        view: The graph.
        flow_order: Its nodes in the order of flow.
        value_order: Its pure nodes, each behind those that it reads.
    """
    roots = _roots(view, flow_order)
    _check_ways(view, flow_order)
    _check_event_ports(view, value_order, roots)
    _check_idle(view)
    _check_chosen(view, flow_order)


def _roots(view: View, flow_order: list[Node]) -> list[_Some]:
    """For each node the Entries and hooks in whose branches it runs."""
    roots = [_Some() for _ in view.nodes]
    for node in flow_order:
        if node.category in _STARTERS:
            roots[node.index].add(node)
        for _, following in view.followers(node):
            roots[following.index].merge(roots[node.index])
    return roots


def _check_ways(view: View, flow_order: list[Node]) -> None:
    """Planning (R5.6) and hook branches (R4.9) hold only what they may."""
    ways = [0] * len(view.nodes)
    for node in flow_order:
        if node.type is None:
            continue
        way = ways[node.index]
        if node.category == ENTRY:
            way |= _PLANNING if node.type.timing == ON_ENEMY_BEHAVIOR_START else _FROM_ENTRY
        elif node.category == HOOK:
            way |= _FROM_HOOK
        else:
            _check_way(view, node, way)
        onward = way
        if node.category == LEAF:
            onward = _BEHIND_LEAF if way & _PLANNING else 0
        elif node.category not in (ENTRY, PATTERN):
            # Reported above; what follows is not to blame.
            onward &= ~_PLANNING
        for _, following in view.followers(node):
            ways[following.index] |= onward


def _check_way(view: View, node: Node, way: int) -> None:
    report = view.report
    place = node.place
    category = node.category
    if category in (PATTERN, LEAF):
        if way & _BEHIND_LEAF:
            message = f"{node.label} stands behind a leaf: planning has ended there"
            report.error(place, message, expected="an action or flow node")
        if way & (_FROM_ENTRY | _FROM_HOOK):
            message = f"{node.label} is reached from something else than On Enemy Behavior Start"
            report.error(place, message, expected="patterns and leaves behind On Enemy Behavior Start alone")
    elif way & _PLANNING:
        message = f"{node.label} stands before a leaf: planning runs no action"
        report.error(place, message, expected="only pattern nodes between On Enemy Behavior Start and a leaf")
    changes_state = node.type is not None and node.type.changes_state
    if way & _FROM_HOOK and (changes_state or category == ACTION):
        message = f"{node.label} stands in a hook branch, which only computes an amount"
        report.error(place, message, expected="values and flow nodes that change nothing")
    if category == HOOK_RESULT and way & ~_FROM_HOOK:
        report.error(place, f"{node.label} stands outside a hook branch", expected="a place behind a hook alone")


def _check_event_ports(view: View, value_order: list[Node], roots: list[_Some]) -> None:
    """R1.3: a branch reads the ports of its own Entry or hook only, through pure nodes, too."""
    read: dict[int, _Some] = {}

    def behind(source: Node) -> _Some:
        if source.category in _STARTERS:
            return _Some(source)
        return read.get(source.index) or _Some()

    for node in value_order:
        some = _Some()
        for _, source in view.sources(node):
            some.merge(behind(source))
        read[node.index] = some
    for node in view.nodes:
        running = roots[node.index]
        if running.first is None or (node.type is not None and node.type.is_pure):
            continue
        for link, source in view.sources(node):
            mixed = _mixed(behind(source), running)
            if mixed is None:
                continue
            foreign, root = mixed
            view.report.error(
                link.place,
                f"{node.label} reads a port of {shown(foreign.asset.id)} in the branch of {shown(root.asset.id)}",
                expected="ports of the Entry or hook that started the branch",
                found=f"{view.nodes[link.source].asset.id}.{link.output}",
            )


def _mixed(read: _Some, running: _Some) -> tuple[Node, Node] | None:
    """An Entry that is read and another one in whose branch that happens; None when all are one and the same."""
    for foreign in (read.first, read.second):
        for root in (running.first, running.second):
            if foreign is not None and root is not None and foreign is not root:
                return foreign, root
    return None


def _check_idle(view: View) -> None:
    """Warnings: what never runs and never is read."""
    if view.incomplete:
        return
    starters = [node for node in view.nodes if node.category in _STARTERS]
    for node in starters:
        if not node.flows_out:
            view.report.warning(node.place, f"{node.label} is not linked: it never runs", expected="a link from out")
    if not starters:
        if view.nodes:
            view.report.warning(view.place, "no Entry and no hook: nothing in this graph ever runs")
        return
    reached = {node.index for node in starters}
    waiting = list(starters)
    running = set(reached)
    while waiting:
        node = waiting.pop()
        after_it = view.followers(node) if node.index in running else ()
        following = [after for _, after in after_it if after.index not in running]
        running.update(after.index for after in following)
        reading = [source for _, source in view.sources(node) if source.index not in reached]
        reached.update(after.index for after in [*following, *reading])
        waiting += following
        waiting += reading
    for node in view.nodes:
        if node.index not in reached:
            view.report.warning(node.place, f"{node.label} is unreachable: no Entry, hook or wire leads to it")


def _check_chosen(view: View, flow_order: list[Node]) -> None:
    """Warnings: a target left at ``chosen`` where the player has chosen none."""
    owner = view.owner
    untargeted = next((user for user in owner.users if user.target == "none"), None)
    starts: list[Node | None] = [None] * len(view.nodes)  # an Entry other than E9 that leads there
    played: set[int] = set()  # nodes that On Card Played leads to
    for node in flow_order:
        if node.type is None:
            continue
        if node.category in _STARTERS:
            if node.type.timing == ON_CARD_PLAYED:
                played.add(node.index)
            else:
                starts[node.index] = node
        start = starts[node.index]
        for _, following in view.followers(node):
            starts[following.index] = starts[following.index] or start
            if node.index in played:
                played.add(following.index)
        if start is None and not (untargeted is not None and node.index in played):
            continue
        for port in node.inputs.values():
            if port.type not in (UNIT, UNITS) or port.name in node.wires:
                continue
            given = node.asset.params.get(port.name)
            by_default = given is None and port.default == "subject" and owner.kind == CARD
            if given != "chosen" and not by_default and not (given is None and port.default == "chosen"):
                continue
            if start is not None:
                reason = f"in the branch of {shown(start.asset.id)} nobody has chosen a target"
            else:
                reason = f"card {shown(untargeted.id if untargeted is not None else '')} has no target"
            view.report.warning(
                node.place.at("params", port.name), f"input {shown(port.name)} of {node.label} is chosen, but {reason}"
            )


def check_absence(view: View, *, playable: bool) -> None:
    """Warnings: a card that can be played and does nothing, an enemy that never acts."""
    if view.nodes:
        return
    if view.owner.kind == ENEMY or (view.owner.kind == CARD and playable):
        view.report.warning(view.place, f"no graph: {view.owner.kind} {shown(view.owner.id)} does nothing")
