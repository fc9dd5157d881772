"""Arguments of internal and GES events on the wire.

The runtime passes cards as plain numbers. Which arguments are cards is known from the pack: from the
GES event's asset, and from the nodes that raise internal events.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any, Protocol

from bridge.pb.gcs.v1 import events_pb2 as pb
from runtime.battle.event_arguments import NO_CARDS, NOTICE_CARDS, cards_among
from runtime.battle.state import Battle, Unit
from runtime.content.assets import GraphAsset, Pack
from runtime.content.notices import PREFIX
from runtime.graph.definitions import EventDefinition, StatusDefinition


class PortList(Protocol):
    """A repeated field of ports."""

    def add(self) -> pb.Port:
        """A new one at its end."""


class ArgumentTypes:
    """Which arguments of a pack's events are cards."""

    __slots__ = ("_internal",)

    def __init__(self, pack: Pack) -> None:
        cards: dict[str, set[str]] = {}
        for graph in _graphs(pack):
            for node in graph.nodes:
                if node.type == "raise_internal_event":
                    names = [name for name, kind in (node.params.get("args") or {}).items() if kind == "card"]
                    cards.setdefault(str(node.params.get("event", "")), set()).update(names)
        self._internal = {event: frozenset(names) for event, names in cards.items()}

    def internal(self, event: str) -> frozenset[str]:
        """The names of an internal event's arguments that are cards."""
        return NOTICE_CARDS if event.startswith(PREFIX) else self._internal.get(event, NO_CARDS)

    def ges(self, event: EventDefinition, arguments: dict[str, object]) -> frozenset[str]:
        """The names of a GES event's arguments that are cards."""
        return cards_among(event, arguments)


def _graphs(pack: Pack) -> Iterator[GraphAsset]:
    for card in pack.cards.values():
        if isinstance(card.graph, GraphAsset):
            yield card.graph
    for status in pack.statuses.values():
        yield status.graph
    for enemy in pack.enemies.values():
        yield enemy.graph


def write_arguments(
    ports: PortList,
    arguments: dict[str, Any],
    cards: frozenset[str],
    write_card: Callable[[int, pb.CardRef], None],
) -> None:
    """Writes arguments into a list of ports.

    Args:
        ports: Where to.
        arguments: Objects of the runtime by name.
        cards: The names of those that are cards.
        write_card: Writes a card's number into a reference.
    """
    for name, argument in arguments.items():
        port = ports.add()
        port.name = name
        value = port.value
        if name in cards:
            value.card_value.SetInParent()
            write_card(argument, value.card_value)
        elif isinstance(argument, bool):
            value.bool_value = argument
        elif isinstance(argument, int):
            value.int_value = argument
        elif isinstance(argument, float):
            value.float_value = argument
        elif isinstance(argument, str):
            value.text_value = argument
        elif isinstance(argument, StatusDefinition):
            value.status_value = argument.id
        else:
            value.unit_value = argument.name if isinstance(argument, Unit) else ""


def arguments_key(arguments: dict[str, Any], cards: frozenset[str], hidden: set[int], battle: Battle) -> Hashable:
    """What `write_arguments` writes, as plain values to remember it by.

    Args:
        arguments: Objects of the runtime by name.
        cards: The names of those that are cards.
        hidden: The cards that are not named.
        battle: The battle.
    """
    key: list[Hashable] = []
    for name, argument in arguments.items():
        if name in cards:
            known = argument >= 0 and argument not in hidden
            key += (name, argument if known else -1, battle.cards[argument].definition.id if known else "")
        elif isinstance(argument, Unit):
            key += (name, Unit, argument.number)
        elif isinstance(argument, StatusDefinition):
            key += (name, StatusDefinition, argument.id)
        else:
            # 1, 1.0 and True are equal, as are 0.0 and -0.0, but not the same on the wire.
            key += (name, type(argument).__name__, repr(argument) if isinstance(argument, float) else argument)
    return tuple(key)
