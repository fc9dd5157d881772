"""What GES events carry, as plain values for plugins and back to payloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from bridge.pb.gcs.v1 import ges_pb2 as pb
from bridge.wire.names import card_name
from bridge.wire.payloads import FIELDS
from runtime.battle.event_arguments import cards_among
from runtime.battle.state import Unit
from runtime.graph.conditions import PARTS
from runtime.graph.definitions import EventDefinition, StatusDefinition

PlainValue: TypeAlias = int | float | bool | str

_INT_MOST: Final = 2**31 - 1
_WHOLE_MOST: Final = 2**53


def plain_value(event: EventDefinition, arguments: dict[str, object], name: str) -> PlainValue:
    """One argument of a raise: units, cards and statuses by name, nothing as an empty text.

    Args:
        event: The event.
        arguments: Arguments of the event.
        name: The argument.
    """
    value = arguments[name]
    if isinstance(value, Unit):
        return value.name
    if isinstance(value, StatusDefinition):
        return value.id
    if isinstance(value, int) and not isinstance(value, bool) and name in cards_among(event, arguments):
        return card_name(value)
    return value if isinstance(value, bool | int | float | str) else ""


def payload_of(kind: str, value: object) -> pb.Payload:
    """A plain value as an event of an argument type carries it.

    Args:
        kind: The argument type.
        value: The value; a vector's parts as a sequence, a struct's fields as a mapping.

    Raises:
        ValueError: It is not of that type.
    """
    parts = PARTS.get(kind)
    if parts is not None:
        return _vector(kind, parts, value)
    if kind == "struct":
        if not isinstance(value, Mapping):
            raise ValueError(f"expected the fields of a struct, got {value!r}")
        return pb.Payload(struct_value=pb.StructValue(fields={name: _by_look(part) for name, part in value.items()}))
    fits = {"int": _is_int(value), "float": _is_float(value), "bool": isinstance(value, bool)}
    if not fits.get(kind, kind in FIELDS and isinstance(value, str)):
        raise ValueError(f"expected {kind}, got {value!r}")
    payload = pb.Payload()
    setattr(payload, FIELDS[kind], value)
    return payload


def _vector(kind: str, parts: tuple[str, ...], value: object) -> pb.Payload:
    if not isinstance(value, Sequence) or len(value) != len(parts) or not all(_is_float(part) for part in value):
        raise ValueError(f"expected {len(parts)} numbers, got {value!r}")
    payload = pb.Payload()
    vector = getattr(payload, FIELDS[kind])
    vector.SetInParent()
    for name, part in zip(parts, value, strict=True):
        setattr(vector, name, part)
    return payload


def _by_look(value: object) -> pb.Payload:
    if isinstance(value, bool):
        return pb.Payload(bool_value=value)
    if isinstance(value, int) and _is_int(value):
        return pb.Payload(int_value=value)
    if isinstance(value, float):
        return pb.Payload(float_value=value)
    if isinstance(value, str):
        return pb.Payload(text_value=value)
    raise ValueError(f"expected a number, a Bool or a text as a field of a struct, got {value!r}")


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_INT_MOST - 1 <= value <= _INT_MOST


def _is_float(value: object) -> bool:
    """Whether a number is one of 64 bits, or a whole one that such a number holds."""
    if isinstance(value, int) and not isinstance(value, bool):
        return abs(value) <= _WHOLE_MOST
    return isinstance(value, float)
