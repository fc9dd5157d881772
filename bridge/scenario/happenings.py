"""Events of the runtime as `Happening`s: units and cards by name instead of by number.

Cards go by their asset ids. The fields of each kind are those of `runtime.battle.events.FIELDS`, except:

- ``entry_dispatched``: `line`, the line of the Entry trace;
- ``variable_changed``: `owner` is ``battle``, a unit or a card;
- ``internal_event_raised``, ``ges_event_raised``: `arguments` as texts by name; the latter has `event` and `guid`;
- ``choice_requested``: `kind`, `prompt`, `cards`, `options`, `min`, `max`;
- ``intent_changed``, ``enemy_acted``: `intent` is an `IntentView`;
- ``battle_ended``: `outcome` and the player's `hp`;
- ``node_run``: `inputs` and `outputs` as texts by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bridge.scenario.views import Happening, IntentView
from bridge.wire.arguments import ArgumentTypes
from runtime.battle import Battle, Event, Intent, Unit, entry_line
from runtime.battle.choices import Choice
from runtime.battle.state import OUTCOMES, PHASES, PILES, unit_name
from runtime.graph.definitions import EventDefinition, StatusDefinition
from runtime.graph.types import CARD_REF, CARDS

_UNIT_FIELDS: Final = frozenset(("unit", "source", "target", "killer"))


def happening_of(battle: Battle, event: Event, types: ArgumentTypes) -> Happening:
    """An event of a battle, read right after the action that it belongs to.

    Args:
        battle: The battle.
        event: The event.
        types: The types of arguments in the battle's pack.
    """
    return Happening(event.sequence, event.cause, event.kind, _fields(battle, event, types))


def _fields(battle: Battle, event: Event, types: ArgumentTypes) -> dict[str, Any]:
    fields = event.fields
    match event.kind:
        case "entry_dispatched":
            return {"line": entry_line(event, unit_name(fields["unit"]))}
        case "variable_changed":
            return {**fields, "owner": _owner(battle, fields["scope"], fields["owner"])}
        case "internal_event_raised":
            cards = types.internal(fields["name"])
            return {"name": fields["name"], "arguments": _argument_texts(battle, fields["arguments"], cards)}
        case "ges_event_raised":
            raised: EventDefinition = fields["event"]
            return {
                "event": raised.id,
                "guid": raised.guid,
                "arguments": _argument_texts(battle, fields["arguments"], types.ges(raised, fields["arguments"])),
                "from_battle": fields["from_battle"],
            }
        case "choice_requested":
            return _choice(battle, fields["choice"])
        case "choice_answered":
            return {"cards": tuple(card_id(battle, card) for card in fields["cards"]), "option": fields["option"]}
        case "node_run":
            return {
                "node": fields["node"],
                "type": fields["type"],
                "inputs": _port_texts(battle, fields["inputs"]),
                "outputs": _port_texts(battle, fields["outputs"]),
            }
        case "battle_ended":
            return {"outcome": OUTCOMES[fields["result"]], "hp": battle.player.hp}
    # Cards go by their asset ids: their numbers mean nothing outside.
    return {
        name: _named(battle, name, value) for name, value in fields.items() if name != "card" or "card_id" not in fields
    }


def _named(battle: Battle, name: str, value: Any) -> Any:
    if name in _UNIT_FIELDS:
        return unit_name(value) if value >= 0 else "none"
    if name in ("from_pile", "to_pile", "pile"):
        return PILES[value]
    if name == "phase":
        return PHASES[value]
    return intent_view(value) if isinstance(value, Intent) else value


def _owner(battle: Battle, scope: str, owner: int) -> str:
    if scope == "unit":
        return unit_name(owner)
    return card_id(battle, owner) if scope == "card" else "battle"


def _choice(battle: Battle, choice: Choice) -> dict[str, Any]:
    return {
        "kind": choice.kind,
        "prompt": choice.prompt,
        "cards": tuple(card_id(battle, card) for card in choice.cards),
        "options": tuple(choice.options),
        "min": choice.min,
        "max": choice.max,
    }


def intent_view(intent: Intent) -> IntentView:
    """An intent as it is shown."""
    return IntentView(intent.kind, intent.amount, intent.hits, intent.text)


def card_id(battle: Battle, card: int) -> str:
    """The asset id of a card instance; ``none`` for none."""
    return battle.cards[card].definition.id if 0 <= card < len(battle.cards) else "none"


def _argument_texts(battle: Battle, arguments: Mapping[str, object], cards: frozenset[str]) -> dict[str, str]:
    return {name: _argument_text(battle, value, name in cards) for name, value in arguments.items()}


def _port_texts(battle: Battle, ports: Iterable[tuple[str, str, object]]) -> dict[str, str]:
    """Ports of a flow node, each a name, a port type and a value."""
    return {name: _port_text(battle, port_type, value) for name, port_type, value in ports}


def _port_text(battle: Battle, port_type: str, value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_port_text(battle, port_type, item) for item in value) + "]"
    return _argument_text(battle, value, port_type in (CARD_REF, CARDS))


def _argument_text(battle: Battle, value: object, is_card: bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_card and isinstance(value, int):
        return card_id(battle, value)
    if isinstance(value, Unit):
        return value.name
    if isinstance(value, StatusDefinition):
        return value.id
    return "none" if value is None else str(value)
