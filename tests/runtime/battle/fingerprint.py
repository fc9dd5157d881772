"""All that a battle holds, as plain values: what must be the same before and after something that changes nothing."""

from __future__ import annotations

from typing import Any

from runtime.battle.encounters import Encounter
from runtime.graph.definitions import CardDefinition, Content, EnemyDefinition, StatusDefinition
from runtime.graph.program import Branch, ExecNode

# What is only remembered to be found again sooner.
_CACHES = {"plays"}
_SHARED = (CardDefinition, Content, EnemyDefinition, Encounter, StatusDefinition)


def fingerprint(value: Any) -> Any:
    """Everything reachable from a battle, random streams, log and memory of nodes included."""
    if isinstance(value, _SHARED):
        return value.id
    if isinstance(value, Branch):
        return (value.owner, value.node)
    if isinstance(value, ExecNode):
        return value.id
    if isinstance(value, dict):
        return [(key, fingerprint(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [fingerprint(item) for item in value]
    slots = [name for kind in type(value).__mro__ for name in _fields(kind) if name not in _CACHES]
    if slots:
        # The log's entries hold ports that point at units: its length tells whether anything was told.
        return [(name, len(value.log) if name == "log" else fingerprint(getattr(value, name))) for name in slots]
    assert value is None or isinstance(value, int | str | bool), type(value)
    return value


def _fields(kind: type) -> tuple[str, ...]:
    """The fields that a class adds, on the plain and on the compiled build."""
    names: tuple[str, ...] = kind.__dict__.get("__slots__") or kind.__dict__.get("__mypyc_attrs__", ())
    return tuple(name for name in names if not name.startswith("__"))
