"""Warnings of Event Args that the event at hand does not have (R6.2, R6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import UNSET

from runtime.content import guids
from runtime.content.assets import EventAsset
from runtime.content.notices import NOTICES, PREFIX
from runtime.content.problems import shown
from runtime.graph.check.view import Node, View
from runtime.graph.declare import ENTRY, HOOK
from runtime.graph.timings import ON_GES_EVENT, ON_INTERNAL_EVENT

# How many steps along links the check takes in one graph.
MAX_STEPS: Final = 200_000

# By the argument type of a GES event, the names under which it is read; those of a struct are its fields.
_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "none": (),
    "vector2": ("x", "y"),
    "vector3": ("x", "y", "z"),
    "color": ("r", "g", "b", "a"),
}


def warn_of_arguments(view: View, raised: Mapping[str, set[str]]) -> None:
    """Warns of Event Args in the branches of events that have no such argument, and where there is no event.

    Args:
        view: The graph.
        raised: The names of the arguments of each internal event that the pack's graphs raise.
    """
    if view.incomplete or not any(_argument_of(node) for node in view.nodes):
        return
    left = MAX_STEPS
    for start in view.nodes:
        if start.category not in (ENTRY, HOOK) or not start.flows_out:
            continue
        known = _arguments(view, start, raised)
        seen = {start.index}
        waiting = [start]
        while waiting and left > 0:
            node = waiting.pop()
            name = _argument_of(node)
            if name and known is not None and name not in known:
                message = f"{node.label} reads {shown(name)} in the branch of {start.label}, which has no such argument"
                expected = " or ".join(known) if known else "an event that carries something"
                place = node.place.at("params", "name")
                view.report.warning(place, message, expected=expected, hint=view.report.nearest(name, known))
            pure = node.type is not None and node.type.is_pure
            for _, other in [*([] if pure else view.followers(node)), *view.sources(node)]:
                left -= 1
                flows = other.type is not None and not other.type.is_pure
                if other.index not in seen and not (pure and flows):
                    seen.add(other.index)
                    waiting.append(other)


def _argument_of(node: Node) -> str:
    """The argument that a node names; empty for one that names none."""
    if node.type is None:
        return ""
    for param in node.type.params:
        if param.names == "event_argument":
            name = node.asset.params.get(param.name)
            return name if isinstance(name, str) else ""
    return ""


def _arguments(view: View, start: Node, raised: Mapping[str, set[str]]) -> tuple[str, ...] | None:
    """The arguments that there are in a branch; None where nothing certain can be said."""
    timing = start.type.timing if start.type is not None else 0
    if timing == ON_INTERNAL_EVENT:
        name = start.asset.params.get("event")
        if not isinstance(name, str) or not name:
            return None
        if name.startswith(PREFIX):
            return NOTICES.get(name.removeprefix(PREFIX))
        return tuple(sorted(raised[name])) if name in raised else None
    if timing == ON_GES_EVENT:
        text = start.asset.params.get("ges_event")
        guid = guids.normalize_guid(text) if isinstance(text, str) else None
        event = view.owner.events.get(guid) if guid is not None else None
        return _arguments_of_event(event) if event is not None else None
    return ()


def _arguments_of_event(event: EventAsset) -> tuple[str, ...] | None:
    names = _NAMES.get(event.argument, ("arg",))
    if event.argument == "struct":
        if event.fields is UNSET:
            return None
        names = tuple(event.fields)
    return (*names, "sender") if event.sender else names
