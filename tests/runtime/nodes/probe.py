"""Reading what nodes give: a graph raises an internal event `note` whose arguments are the outputs in question."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from runtime.battle import Event, Unit, read_events
from runtime.graph.definitions import StatusDefinition
from tests.runtime.arena import Arena

Test = TypeVar("Test", bound=Callable[..., None])


def shows(*nodes: str) -> Callable[[Test], Test]:
    """Says which nodes a test shows, and which of their ports and params: ``"pick_unit: units how unit"``.

    `test_every_node_is_shown` reads these lines from the source.
    """
    assert nodes

    def mark(test: Test) -> Test:
        return test

    return mark


def note(*wires: str) -> str:
    """A node ``note`` that tells some outputs, each written with its type: ``"info.hp:int"``."""
    pairs = [wire.split(":") for wire in wires]
    args = json.dumps({name.replace(".", "_"): kind for name, kind in pairs}, separators=(",", ":"))
    links = "; ".join(f"{name} note.{name.replace('.', '_')}" for name, _ in pairs)
    return f"note: raise_internal_event event=note args={args}; {links}"


def notes(arena: Arena, after: int = 0) -> list[dict[str, Any]]:
    """What was noted, in order; units and statuses by name, cards by number."""
    return [_told(event) for event in read_events(arena.battle, after) if _is_note(event)]


def _is_note(event: Event) -> bool:
    return event.kind == "internal_event_raised" and event.fields["name"] == "note"


def _told(event: Event) -> dict[str, Any]:
    return {name: _plain(value) for name, value in event.fields["arguments"].items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Unit):
        return value.name
    if isinstance(value, StatusDefinition):
        return value.id
    return "none" if value is None else value


def played(text: str, *wires: str, target: int | str = 0, card: dict[str, Any] | None = None, **arena: Any) -> Arena:
    """Plays a card ``probe`` whose graph starts at ``on`` and ends in ``note``; flow in between is the text's own.

    Where the text does not lead to `note`, ``on > note`` is added.
    """
    graph = f"on: on_card_played; {text}; {note(*wires)}"
    if "> note" not in text:
        graph += "; on > note"
    cards = {"probe": {"graph": graph, **(card or {})}, **arena.pop("cards", {})}
    found = Arena(cards=cards, **arena)
    found.play("probe", target)
    return found


def read(text: str, *wires: str, **more: Any) -> list[Any]:
    """The values of some outputs, in order, when a card is played; see `played`."""
    told = notes(played(text, *wires, **more))
    assert len(told) == 1, told
    return list(told[0].values())


def units_of(text: str, wire: str, **more: Any) -> list[str]:
    """The units of a UnitList output, by name."""
    loop = f"{text}; all: for_each_unit; {wire} all.units; on > all; all.body > note"
    return [told["all_unit"] for told in notes(played(loop, "all.unit:unit", **more))]


def cards_of(text: str, wire: str, **more: Any) -> list[str]:
    """The cards of a CardList output, by asset id."""
    loop = f"{text}; all: for_each_card; {wire} all.cards; on > all; all.body > note"
    arena = played(loop, "all.card:card", **more)
    return [arena.battle.cards[told["all_card"]].definition.id for told in notes(arena)]


def changing(hook: str, op: str, number: int, **params: int) -> str:
    """A status graph with one hook that reckons with a number; `params` are the hook's."""
    words = " ".join(f"{name}={value}" for name, value in params.items())
    return f"""
        hook: {hook} {words}; m: int_math op={op} b={number}; s: set_hook_amount; hook > s; hook.amount m.a
        m.result s.amount
    """
