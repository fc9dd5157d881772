"""Events of the wire as `Happening`s, with the same fields as those of the runtime (`bridge.scenario.happenings`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from google.protobuf.message import Message

from bridge.pb.gcs.v1 import battle_pb2, events_pb2
from bridge.scenario.views import Happening, IntentView
from bridge.wire.entry_lines import entry_line, value_text

_ENUMS: Final = {
    "from_pile": (battle_pb2.Pile, "PILE_"),
    "to_pile": (battle_pb2.Pile, "PILE_"),
    "pile": (battle_pb2.Pile, "PILE_"),
    "phase": (battle_pb2.Phase, "PHASE_"),
}
_UNIT_FIELDS: Final = ("source", "target", "killer", "unit")


def happening_of(event: events_pb2.Event, cards: Mapping[str, str]) -> Happening:
    """An event of the wire.

    Args:
        event: The event.
        cards: Asset ids by card instance, as far as they are known.
    """
    kind = event.WhichOneof("kind") or "unknown"
    return Happening(event.sequence, event.cause, kind, _fields(kind, getattr(event, kind), cards))


def word(enum: Any, prefix: str, value: int) -> str:
    """An enum's value as a word: ``PILE_IN_PLAY`` is ``in_play``."""
    name: str = enum.Name(value)
    return name.removeprefix(prefix).lower()


def intent_view(intent: battle_pb2.Intent) -> IntentView:
    """An intent as it is shown; absent on the wire: none."""
    return IntentView(intent.kind or "none", intent.amount, intent.hits, intent.text)


def _fields(kind: str, message: Any, cards: Mapping[str, str]) -> dict[str, Any]:
    match kind:
        case "entry_dispatched":
            return {"line": entry_line(message)}
        case "variable_changed":
            owner = message.owner or "battle"
            return {**_plain(message), "owner": cards.get(owner, owner) if message.scope == "card" else owner}
        case "internal_event_raised":
            return {"name": message.name, "arguments": _arguments(message.arguments)}
        case "ges_event_raised":
            return {
                "event": message.event,
                "guid": message.guid,
                "arguments": _arguments(message.arguments),
                "from_battle": message.from_battle,
            }
        case "choice_requested":
            choice = message.choice
            return {
                "kind": choice.kind,
                "prompt": choice.prompt,
                "cards": tuple(cards.get(card, "none") for card in choice.cards),
                "options": tuple(choice.options),
                "min": choice.min,
                "max": choice.max,
            }
        case "choice_answered":
            return {"cards": tuple(cards.get(card, "none") for card in message.cards), "option": message.option}
        case "intent_changed" | "enemy_acted":
            return {"unit": message.unit, "intent": intent_view(message.intent)}
        case "battle_ended":
            result = message.result
            return {"outcome": word(battle_pb2.Outcome, "OUTCOME_", result.outcome), "hp": result.hp}
        case "fault":
            return {"kind": message.kind, "message": message.message, "chain": tuple(message.chain)}
        case "warning":
            return {"kind": message.kind, "message": message.message}
        case "action_started":
            # The client's own id of the action is none of the battle's.
            return {"kind": message.kind}
    fields = _plain(message)
    if "card_id" in fields:
        del fields["card"]
    return fields


def _plain(message: Message) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for descriptor in message.DESCRIPTOR.fields:
        name = descriptor.name
        value = getattr(message, name)
        if name in _ENUMS:
            fields[name] = word(*_ENUMS[name], value)
        elif name in _UNIT_FIELDS:
            fields[name] = value or "none"
        else:
            fields[name] = value
    return fields


def _arguments(ports: Iterable[events_pb2.Port]) -> dict[str, str]:
    return {port.name: value_text(port.value) for port in ports}
