"""Events as lines of text: the Entry trace that scenario files compare, and references by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.battle.events import ENTRY_DISPATCHED, Event
from runtime.graph.frame import DeathPorts, Ports, SpawnPorts, StatusPorts

if TYPE_CHECKING:
    from runtime.battle.state import Unit
    from runtime.graph.program import Branch


def unit_text(unit: Unit | None) -> str:
    """A unit as traces write it: ``player``, ``enemy0`` or ``none``."""
    return unit.name if unit is not None else "none"


def owner_text(kind: str, owner: str, unit: str) -> str:
    """The owner of a branch: ``card:<id>``, ``status:<id>@<unit>`` or ``enemy:<id>@<unit>``."""
    return f"card:{owner}" if kind == "card" else f"{kind}:{owner}@{unit}"


def port_text(ports: Ports, name: str, card_id: str) -> str:
    """One captured port as traces write it: a unit or ``none``, a card's or status' id, true or false, a number."""
    if name == "amount":
        return str(ports.amount)
    if name == "card":
        return card_id or "none"
    if name == "source":
        return unit_text(ports.source)
    if name == "target":
        return unit_text(ports.target)
    if isinstance(ports, StatusPorts):
        return str(ports.stacks) if name == "stacks" else ports.status.id
    if isinstance(ports, DeathPorts):
        return "true" if ports.was_kill else "false"
    if isinstance(ports, SpawnPorts):
        return ports.unit.name
    raise ValueError(f"unknown port {name}")


def entry_line(event: Event, unit: str) -> str:
    """An Entry's dispatch as a line: ``<entry id> <owner> [port=value …]`` (content.md, "Scenario files").

    Args:
        event: An event of kind ``entry_dispatched``.
        unit: The name of the acting unit.
    """
    fields = event.fields
    branch: Branch = fields["branch"]
    ports: Ports = fields["ports"]
    words = [branch.entry, owner_text(branch.owner_kind, branch.owner, unit)]
    words += [f"{name}={port_text(ports, name, fields['card_id'])}" for name in branch.port_names]
    return " ".join(words)


def entry_lines(events: list[Event], unit_names: list[str]) -> list[str]:
    """The Entry trace of some events.

    Args:
        events: Events in order.
        unit_names: The names of all units by number.
    """
    return [entry_line(event, unit_names[event.fields["unit"]]) for event in events if event.number == ENTRY_DISPATCHED]
