"""What a GES event carries, from a JSON value to a payload of the type that the event's asset declares (R6.4).

Vectors and colours are objects (``{"x": 1, "y": 2}``, ``{"r": 1, "g": 0, "b": 0, "a": 1}``) or lists in that
order; a unit is ``player`` or ``enemy0``, a status its id, a card the id of the first such card in hand, draw,
discard or exhaust pile, or an instance such as ``c4``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bridge.pb.gcs.v1 import ges_pb2 as pb
from bridge.wire.payloads import FIELDS
from runtime.graph.conditions import PARTS
from runtime.graph.types import INT_MAX, INT_MIN

_TEXTS: Final = ("text", "unit", "card", "status")


class PayloadError(ValueError):
    """A number of a payload that would arrive as another one."""


def payload_of(kind: str, value: Any, find_card: Callable[[str], str]) -> pb.Payload | None:
    """A JSON value as an event of an argument type carries it; None for nothing.

    A value that does not fit becomes a payload of the type that it looks like, for the battle to reject.

    Args:
        kind: The argument type.
        value: The JSON value.
        find_card: The card instance that a name stands for, or the name itself.

    Raises:
        PayloadError: A number in it would arrive as another one.
    """
    if isinstance(value, str) and kind in _TEXTS:
        payload = pb.Payload()
        setattr(payload, FIELDS[kind], find_card(value) if kind == "card" else value)
        return payload
    if kind == "float" and _is_number(value):
        return pb.Payload(float_value=_float(value, "arg"))
    if kind in PARTS:
        return _vector(kind, value) or _by_look(value, "arg")
    return _by_look(value, "arg")


def _vector(kind: str, value: Any) -> pb.Payload | None:
    names = PARTS[kind]
    parts = dict(zip(names, value, strict=True)) if isinstance(value, list) and len(value) == len(names) else value
    if not isinstance(parts, Mapping) or set(parts) != set(names) or not all(map(_is_number, parts.values())):
        return None
    payload = pb.Payload()
    vector = getattr(payload, FIELDS[kind])
    vector.SetInParent()
    for name in names:
        setattr(vector, name, _float(parts[name], f"arg.{name}"))
    return payload


def _by_look(value: Any, place: str) -> pb.Payload | None:
    if isinstance(value, bool):
        return pb.Payload(bool_value=value)
    if isinstance(value, int):
        if not INT_MIN <= value <= INT_MAX:
            raise PayloadError(f"{place}: expected an integer from {INT_MIN} to {INT_MAX}, got {value}")
        return pb.Payload(int_value=value)
    if isinstance(value, float):
        return pb.Payload(float_value=value)
    if isinstance(value, str):
        return pb.Payload(text_value=value)
    if isinstance(value, Mapping):
        fields = {name: _by_look(item, f"{place}.{name}") or pb.Payload() for name, item in value.items()}
        return pb.Payload(struct_value=pb.StructValue(fields=fields))
    return None


def _float(value: float, place: str) -> float:
    """A number as a float of 64 bits; a whole one that is none of those is no argument."""
    number = float(value)
    if number != value:
        raise PayloadError(f"{place}: expected a number that a float of 64 bits holds, got {value}")
    return number


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
