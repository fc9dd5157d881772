"""Checks the graphs of a pack against the declarations of the nodes.

The parts: `view` (ids, types, links), `nodes` (each node by itself), `cycles`, `branches` (what hangs behind Entries
and hooks), `limits`, `texts`; over all graphs `shown_numbers`; and what is only warned of: `order`, `names`,
`arguments`. Nothing here recurses along a graph, and the work grows with the size of the pack.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from runtime.content import guids
from runtime.content.assets import EventAsset, GraphAsset, NodeAsset
from runtime.content.draft import Draft, graph_of, graph_owners
from runtime.content.problems import Report
from runtime.graph.check.arguments import warn_of_arguments
from runtime.graph.check.branches import check_absence, check_branches
from runtime.graph.check.cycles import flow_order, value_order
from runtime.graph.check.limits import check_limits
from runtime.graph.check.names import NameUses, collect_names, filters_of, warn_of_filters, warn_of_names
from runtime.graph.check.nodes import check_nodes
from runtime.graph.check.order import warn_of_order
from runtime.graph.check.shown_numbers import check_shown_numbers
from runtime.graph.check.texts import check_texts
from runtime.graph.check.view import Owner, User, View
from runtime.graph.declare import NodeType
from runtime.graph.types import CARD, ENEMY, STATUS


def check_graphs(draft: Draft, types: Mapping[str, NodeType], report: Report) -> None:
    """Reports everything that is wrong with the graphs of a pack.

    Args:
        draft: The pack.
        types: The nodes that there are, by type id.
        report: Collects the problems.
    """
    events: dict[str, EventAsset | None] = {}
    for event in draft.events.values():
        guid = guids.normalize_guid(event.asset.guid)
        if guid is not None:
            events[guid] = None if report.is_malformed(event.place.at("argument")) else event.asset
    views: list[View] = []
    all_vars = frozenset(name for card in draft.cards.values() for name in card.asset.vars)
    users: dict[str, list[str]] = {name: [name] for name in draft.cards}
    for name, owner in graph_owners(draft).items():
        if name != owner:
            users[owner].append(name)
    for name, card in draft.cards.items():
        if card.asset.graph_of is None:
            sharing = [
                User(user, found.place, found.asset.text, found.asset.target, found.asset.vars)
                for user, found in ((user, draft.cards[user]) for user in users[name])
            ]
            shared = frozenset(sharing[0].vars).intersection(*(user.vars for user in sharing))
            view = _check(
                Owner(CARD, name, sharing, draft, events, all_vars, shared), graph_of(card.asset), types, report
            )
            check_absence(view, playable="unplayable" not in card.asset.keywords)
            views.append(view)
    for name, status in draft.statuses.items():
        carrier = User(name, status.place, status.asset.text, "", {})
        holder = Owner(STATUS, name, [carrier], draft, events, all_vars, frozenset())
        views.append(_check(holder, status.asset.graph, types, report))
    for name, enemy in draft.enemies.items():
        carrier = User(name, enemy.place, enemy.asset.text, "", {})
        view = _check(
            Owner(ENEMY, name, [carrier], draft, events, all_vars, frozenset()), enemy.asset.graph, types, report
        )
        check_absence(view, playable=True)
        views.append(view)
    check_shown_numbers(views)
    _warn(views, draft, report)


def _warn(views: list[View], draft: Draft, report: Report) -> None:
    """Warns of what is right by itself and leads nowhere within the pack."""
    uses = NameUses()
    for view in views:
        collect_names(view, uses)
    warn_of_names(uses, draft, report)
    filters = filters_of(draft)
    for view in views:
        warn_of_filters(view, filters)
        # What runs where is certain once nothing is wrong.
        if not report.failed:
            warn_of_arguments(view, uses.arguments)
            warn_of_order(view)


def settled(graph: GraphAsset, types: Mapping[str, NodeType]) -> GraphAsset:
    """A checked graph as battles use it: GUIDs in one form, params that are null left out."""
    return msgspec.structs.replace(graph, nodes=[_settled_node(node, types[node.type]) for node in graph.nodes])


def _check(owner: Owner, graph: GraphAsset, types: Mapping[str, NodeType], report: Report) -> View:
    view = View(graph, owner.users[0].place.at("graph"), owner, types, report)
    check_nodes(view)
    flowing = flow_order(view)
    reading = value_order(view)
    check_branches(view, flowing, reading)
    check_limits(view, flowing, reading)
    check_texts(view)
    return view


def _settled_node(node: NodeAsset, declared: NodeType) -> NodeAsset:
    params = {name: value for name, value in node.params.items() if value is not None}
    for param in declared.params:
        if param.type == "event_guid" and param.name in params:
            params[param.name] = guids.normalize_guid(params[param.name])
    return msgspec.structs.replace(node, params=params)
