"""Events of the wire as lines of the Entry trace, as `runtime.battle.trace` writes those of a battle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bridge.pb.gcs.v1 import events_pb2
from runtime.battle.trace import owner_text

_OWNERS: Final = {
    events_pb2.OWNER_KIND_CARD: "card",
    events_pb2.OWNER_KIND_STATUS: "status",
    events_pb2.OWNER_KIND_ENEMY: "enemy",
}


def entry_lines(events: Iterable[events_pb2.Event]) -> list[str]:
    """The Entry trace of some events: ``<entry id> <owner> [port=value …]``, as scenario files write it."""
    return [entry_line(event.entry_dispatched) for event in events if event.WhichOneof("kind") == "entry_dispatched"]


def entry_line(entry: events_pb2.EntryDispatched) -> str:
    """The line of the Entry trace for a dispatch."""
    owner = entry.owner
    words = [entry.entry, owner_text(_OWNERS[owner.kind], owner.id, owner.unit)]
    words += [f"{port.name}={value_text(port.value)}" for port in entry.ports]
    return " ".join(words)


def value_text(value: events_pb2.Value) -> str:
    """A port's value as traces write it."""
    kind = value.WhichOneof("kind")
    match kind:
        case "int_value":
            return str(value.int_value)
        case "bool_value":
            return "true" if value.bool_value else "false"
        case "text_value":
            return value.text_value
        case "float_value":
            return str(value.float_value)
        case "card_value":
            return value.card_value.card_id or "none"
        case "unit_value":
            return value.unit_value or "none"
        case "status_value":
            return value.status_value or "none"
    return "none"
