"""Packs of GES events, and what is seen of them in a battle."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from runtime.battle import Battle, read_events
from tests.runtime.arena import Arena


def guid_of(name: str) -> str:
    """A GUID that belongs to a name."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, name))


def events(**arguments: str) -> list[dict[str, Any]]:
    """Event assets by name, each with the type of its argument; a trailing ``+`` gives it a sender."""
    return [
        {"id": name, "guid": guid_of(name), "argument": kind.rstrip("+"), "sender": kind.endswith("+")}
        for name, kind in arguments.items()
    ]


def flows(*triggers: Mapping[str, Any], chains: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """One flow."""
    return [{"id": "flow", "triggers": [dict(trigger) for trigger in triggers], "chains": [dict(c) for c in chains]}]


def trigger(source: str, target: str, **fields: Any) -> dict[str, Any]:
    """A trigger; ``passing`` is its field ``pass``."""
    if "passing" in fields:
        fields["pass"] = fields.pop("passing")
    return {"from": source, "to": target, **fields}


def hears(*names: str, keep: str = "") -> str:
    """A status graph that counts each event in a variable of its name, and keeps the argument of one."""
    lines = []
    for name in names:
        lines += [
            f"on_{name}: on_ges_event ges_event={guid_of(name)}",
            f"count_{name}: change_variable name={name} value=1",
            f"on_{name} > count_{name}",
        ]
    if keep:
        lines += [
            f"arg: event_arg name=arg type=int; keep: set_variable name={keep}_arg",
            f"count_{keep} > keep; arg.value keep.value",
        ]
    return "\n".join(lines)


def arena(
    assets: list[dict[str, Any]], *followed: Mapping[str, Any], chains: Sequence[Mapping[str, Any]] = (), **fields: Any
) -> Arena:
    """A battle of a pack with these events, triggers and chains."""
    more = {"events": assets, "flows": flows(*followed, chains=chains), **fields.pop("more", {})}
    return Arena(more=more, **fields)


def raised(battle: Battle, after: int = 0) -> list[str]:
    """The events that were raised, by id, in order."""
    return [event.fields["event"].id for event in read_events(battle, after) if event.kind == "ges_event_raised"]


def last_arguments(battle: Battle, name: str) -> dict[str, Any]:
    """What the last raise of an event carried."""
    found = [
        event.fields["arguments"]
        for event in read_events(battle)
        if event.kind == "ges_event_raised" and event.fields["event"].id == name
    ]
    return dict(found[-1])


def faults(battle: Battle) -> list[str]:
    """The kinds of the faults, in order."""
    return [event.fields["kind"] for event in read_events(battle) if event.kind == "fault"]
