"""What a GES event carries, from the wire into the runtime, checked by its asset's type (R6.4, R6.6)."""

from __future__ import annotations

import math
from typing import Final

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, invalid
from bridge.pb.gcs.v1 import ges_pb2 as pb
from bridge.wire.names import card_number, find_unit
from runtime.battle.event_arguments import StructArguments
from runtime.battle.state import Battle
from runtime.content.guids import normalize_guid
from runtime.content.problems import or_nearest
from runtime.graph.definitions import Content, EventDefinition

# The payload's field by the argument type of an event.
FIELDS: Final[dict[str, str]] = {
    "int": "int_value",
    "float": "float_value",
    "bool": "bool_value",
    "text": "text_value",
    "vector2": "vector2_value",
    "vector3": "vector3_value",
    "color": "color_value",
    "unit": "unit_value",
    "card": "card_value",
    "status": "status_value",
    "struct": "struct_value",
}
_COMPONENTS: Final[dict[str, tuple[str, ...]]] = {
    "vector2_value": ("x", "y"),
    "vector3_value": ("x", "y", "z"),
    "color_value": ("r", "g", "b", "a"),
}
_MOST_TEXT: Final = 10_000
_MOST_FIELDS: Final = 100
_MOST_NAME: Final = 128


def require_guid(guid: str, field: str) -> str:
    """A GUID of a request in lower case with hyphens.

    Raises:
        CallError: It is no GUID.
    """
    normal = normalize_guid(guid)
    if normal is None:
        raise invalid(field, "a GUID of 32 hexadecimal digits, with or without hyphens", repr(guid[:80]))
    return normal


def find_event(content: Content, named: str) -> EventDefinition | None:
    """The event that a client names; None when the pack has none, or two, of that name.

    Args:
        content: The pack.
        named: The event's GUID, with or without hyphens and in any case; its id; or its name.
    """
    guid = normalize_guid(named)
    if guid is not None:
        return content.events_by_guid.get(guid)
    if named in content.events:
        return content.events[named]
    same = [event for event in content.events.values() if named and event.asset.name.casefold() == named.casefold()]
    return same[0] if len(same) == 1 else None


def event_of(battle: Battle, named: str) -> EventDefinition:
    """The event that a client names by GUID, by id, or by a name that no other event of the pack has.

    Raises:
        CallError: The battle's pack has no such event.
    """
    content = battle.content
    event = find_event(content, named)
    if event is not None:
        return event
    guid = normalize_guid(named)
    if guid is None:
        wanted = f"a GUID of 32 hexadecimal digits, or an event's id or name ({or_nearest(named, content.events)})"
        raise invalid("guid", wanted, repr(named[:80]))
    raise CallError(
        ErrorReason.UNKNOWN_EVENT,
        f"pack {content.id!r} has no event with the GUID {guid}",
        {"guid": guid},
        [("guid", "no event of the pack has this GUID")],
    )


def arguments_of(
    battle: Battle, event: EventDefinition, arg: pb.Payload | None, sender: pb.Payload | None
) -> dict[str, object]:
    """The arguments that an event is raised with.

    Args:
        battle: The battle whose units, cards and statuses are meant.
        event: The event.
        arg: What it carries; None for nothing.
        sender: Who raised it; None for nobody.

    Raises:
        CallError: A payload is not of the declared type, or names what is not there.
    """
    kind = arg.WhichOneof("kind") if arg is not None else None
    expected = FIELDS.get(event.argument)
    if kind != expected:
        wanted = f"{expected or 'nothing'}, since {event.id} carries {event.argument}"
        raise invalid("arg", wanted, kind or "nothing")
    arguments: dict[str, object]
    if arg is None or kind is None:
        arguments = {}
    elif kind in _COMPONENTS:
        vector = getattr(arg, kind)
        arguments = {name: _finite(getattr(vector, name), f"arg.{kind}.{name}") for name in _COMPONENTS[kind]}
    elif kind == "struct_value":
        arguments = _struct(battle, event, arg.struct_value)
    else:
        arguments = {"arg": _scalar(battle, arg, kind, "arg")}
    if sender is not None and sender.WhichOneof("kind") is not None:
        if not event.sender:
            raise invalid("sender", f"nothing, since {event.id} declares no sender")
        if sender.WhichOneof("kind") != "unit_value":
            raise invalid("sender", "unit_value", sender.WhichOneof("kind"))
        arguments["sender"] = _scalar(battle, sender, "unit_value", "sender")
    return arguments


def _struct(battle: Battle, event: EventDefinition, struct: pb.StructValue) -> StructArguments:
    if len(struct.fields) > _MOST_FIELDS:
        raise invalid("arg.struct_value.fields", f"at most {_MOST_FIELDS} fields", len(struct.fields))
    arguments = StructArguments()
    cards: list[str] = []
    # A map has no order on the wire; a battle must not depend on one (R8.1).
    for name in sorted(struct.fields):
        if len(name) > _MOST_NAME:
            raise invalid("arg.struct_value.fields", f"names of at most {_MOST_NAME} characters", len(name))
        place = f"arg.struct_value.fields[{name[:80]!r}]"
        kind = struct.fields[name].WhichOneof("kind")
        if kind is None or kind in _COMPONENTS or kind == "struct_value":
            raise invalid(place, "a number, a bool, a text, a unit, a card or a status", kind or "nothing")
        if event.fields is not None:
            _check_field(event.id, event.fields, name, kind, place)
        arguments[name] = _scalar(battle, struct.fields[name], kind, place)
        if kind == "card_value":
            cards.append(name)
    arguments.cards = frozenset(cards)
    return arguments


def _check_field(event: str, fields: dict[str, str], name: str, kind: str, place: str) -> None:
    declared = fields.get(name)
    if declared is None:
        raise invalid(place, f"a field that {event} declares: {or_nearest(name, fields)}", "")
    if FIELDS[declared] != kind:
        raise invalid(place, f"{FIELDS[declared]}, since {event} declares {declared}", kind)


def _scalar(battle: Battle, payload: pb.Payload, kind: str, place: str) -> object:
    if kind == "unit_value":
        unit = find_unit(battle, payload.unit_value)
        if unit is None:
            raise invalid(f"{place}.unit_value", "a unit of the battle, such as player or enemy0", payload.unit_value)
        return unit
    if kind == "card_value":
        number = card_number(payload.card_value)
        if not 0 <= number < len(battle.cards):
            raise invalid(f"{place}.card_value", "a card instance of the battle, such as c0", payload.card_value)
        return number
    if kind == "status_value":
        status = battle.content.statuses.get(payload.status_value)
        if status is None:
            raise invalid(f"{place}.status_value", "a status of the pack", payload.status_value)
        return status
    if kind == "float_value":
        return _finite(payload.float_value, f"{place}.float_value")
    if kind == "text_value" and len(payload.text_value) > _MOST_TEXT:
        raise invalid(f"{place}.text_value", f"at most {_MOST_TEXT} characters", len(payload.text_value))
    value: object = getattr(payload, kind)
    return value


def _finite(value: float, place: str) -> float:
    if not math.isfinite(value):
        raise invalid(place, "a finite number", value)
    return value
