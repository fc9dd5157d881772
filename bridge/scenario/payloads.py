"""What a GES event carries, from a JSON value to the type that the event's asset declares (R6.4).

Vectors and colours are objects (``{"x": 1, "y": 2}``, ``{"r": 1, "g": 0, "b": 0, "a": 1}``) or lists in that
order; a unit is ``player`` or ``enemy0``, a status its id, a card the id of the first such card in hand, draw,
discard or exhaust pile, or an instance such as ``c4``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from runtime.graph.types import INT_MAX, INT_MIN

VECTOR_FIELDS: Final = {"vector2": ("x", "y"), "vector3": ("x", "y", "z"), "color": ("r", "g", "b", "a")}
_TEXTS: Final = ("text", "unit", "card", "status")


@dataclass(frozen=True, slots=True)
class Payload:
    """A typed value: `kind` is an argument type of event assets, `value` its value.

    The value of a vector or colour is a dict of floats, that of a struct a dict of payloads, that of none is None.
    """

    kind: str
    value: Any


NO_PAYLOAD: Final = Payload("none", None)


def payload_of(kind: str, value: Any) -> Payload:
    """A JSON value as an event of an argument type carries it.

    A value that does not fit becomes a payload of the type that it looks like, for the battle to refuse.
    """
    if value is None:
        return NO_PAYLOAD
    if isinstance(value, str) and kind in _TEXTS:
        return Payload(kind, value)
    if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return Payload("float", float(value))
    names = VECTOR_FIELDS.get(kind)
    if names is not None:
        return _vector(kind, names, value)
    return _by_look(value)


def _vector(kind: str, names: tuple[str, ...], value: Any) -> Payload:
    parts = value
    if isinstance(value, list) and len(value) == len(names):
        parts = dict(zip(names, value, strict=True))
    if isinstance(parts, Mapping) and set(parts) == set(names):
        numbers = {name: parts[name] for name in names}
        if all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers.values()):
            return Payload(kind, {name: float(number) for name, number in numbers.items()})
    return _by_look(value)


def _by_look(value: Any) -> Payload:
    if isinstance(value, bool):
        return Payload("bool", value)
    if isinstance(value, int) and INT_MIN <= value <= INT_MAX:
        return Payload("int", value)
    if isinstance(value, int | float):
        return Payload("float", float(value))
    if isinstance(value, str):
        return Payload("text", value)
    if isinstance(value, Mapping):
        return Payload("struct", {name: _by_look(item) for name, item in value.items()})
    return NO_PAYLOAD
