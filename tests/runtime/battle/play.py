"""Random legal play of packs/starter, driven by numbers, and what can be said of a battle as plain text and tuples."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from runtime.battle import (
    Action,
    Answer,
    Battle,
    Concede,
    Event,
    Raise,
    act,
    copy_battle,
    entry_line,
    legal_actions,
    read_events,
    start_battle,
)
from runtime.battle.choices import OPTION_CHOICE, Choice
from runtime.battle.state import RUNNING, Status, Unit
from runtime.graph.definitions import Content, EventDefinition, StatusDefinition
from runtime.loading import encounter_of, load_content
from runtime.nodes.entries import NODES

STARTER = Path(__file__).resolve().parents[3] / "packs" / "starter"
FOLDERS = ("cards", "statuses", "enemies", "encounters", "decks", "events", "flows")


@cache
def starter() -> Content:
    """The starter pack as it is."""
    return load_content("starter")


@cache
def heard_starter() -> Content:
    """The starter pack where everybody listens to everything: each dispatch of any Entry is a line of the trace.

    Every card's graph and a status `ear`, which all enemies carry, hear all their Entries and do nothing.
    """
    pack: dict[str, Any] = {
        folder: [json.loads(path.read_text(encoding="utf-8")) for path in sorted((STARTER / folder).glob("*.json"))]
        for folder in FOLDERS
    }
    pack["notify"] = json.loads((STARTER / "pack.json").read_text(encoding="utf-8")).get("notify", {})
    for card in pack["cards"]:
        if "graph_of" not in card:
            _add_ears(card.setdefault("graph", {}), "card")
    ear: dict[str, Any] = {"id": "ear", "graph": {}}
    _add_ears(ear["graph"], "status")
    pack["statuses"].append(ear)
    for enemy in pack["enemies"]:
        enemy["statuses"] = {"ear": 1, **enemy.get("statuses", {})}
    return load_content(pack)


def _add_ears(graph: dict[str, Any], kind: str) -> None:
    nodes, links = graph.setdefault("nodes", []), graph.setdefault("links", [])
    nodes.append({"id": "ear_hears", "type": "change_variable", "params": {"name": "ear", "value": 0}})
    for entry in NODES:
        if kind in entry.kinds and not entry.params:
            nodes.append({"id": f"ear_{entry.type}", "type": entry.type})
            links.append([f"ear_{entry.type}.out", "ear_hears.in"])


def new_battle(content: Content, encounter: str, deck: Sequence[str] | None, seed: int, rules: str = "") -> Battle:
    """A battle of an encounter; where the pack has the status `ear` the player carries it."""
    player: dict[str, Any] = {"statuses": {"ear": 1}} if "ear" in content.statuses else {}
    ready = encounter_of(content, encounter, player=player, deck=list(deck) if deck is not None else None)
    return start_battle(content, ready, seed=seed, rules=rules)


def pick_action(battle: Battle, number: int) -> Action:
    """An action that would be accepted now, told by a number: mostly plays, now and then a raise, seldom the end."""
    if battle.choice is not None:
        return Answer(pick_answer(battle.choice, number), battle.choice.kind)
    if number % 997 == 996:
        return Concede()
    if number % 13 == 12:
        events = [event for event in battle.content.events.values() if event.argument in ("none", "int")]
        event = events[number % len(events)]
        return Raise(event, {"arg": number % 9} if event.argument == "int" else {})
    legal = legal_actions(battle)
    return legal[number % len(legal)]


def pick_answer(choice: Choice, number: int) -> list[int]:
    """A valid answer to a choice, told by a number."""
    if choice.kind == OPTION_CHOICE:
        return [number % len(choice.options)]
    count = choice.min + number % (choice.max - choice.min + 1)
    start = number % len(choice.cards)
    return (choice.cards[start:] + choice.cards[:start])[:count]


def play(battle: Battle, numbers: Sequence[int]) -> Iterator[Action]:
    """Plays until the numbers are used up or the battle has ended; yields each action after it was done."""
    for number in numbers:
        if battle.outcome != RUNNING and battle.choice is None:
            return
        action = pick_action(battle, number)
        refused = act(battle, action)
        assert refused is None, (action, refused)
        yield action


def state_of(battle: Battle) -> tuple[object, ...]:
    """The whole state, log aside, as tuples to compare."""
    units = [
        (
            *(unit.name, unit.hp, unit.max_hp, unit.armor, unit.life, unit.leaf and unit.leaf.id),
            *(sorted(unit.variables.items()), sorted((unit.pattern or {}).items()), sorted((unit.once or {}).items())),
            [
                (s.definition.id, s.stacks, s.applied_by_enemy, sorted((s.once or {}).items()))
                for s in unit.statuses.values()
            ],
        )
        for unit in battle.units
    ]
    cards = [
        (
            card.definition.id,
            card.keywords,
            card.cost,
            sorted((card.variables or {}).items()),
            sorted((card.once or {}).items()),
        )
        for card in battle.cards
    ]
    streams = (battle.shuffles.state, battle.intents.state, battle.effects.state)
    numbers = (
        battle.turn,
        battle.phase,
        battle.outcome,
        battle.energy,
        battle.max_energy,
        battle.cards_played,
        battle.reward,
    )
    choice = battle.choice
    asked = None if choice is None else (choice.kind, tuple(choice.cards), tuple(choice.options))
    piles = tuple(tuple(pile) for pile in battle.piles)
    return (units, cards, streams, numbers, asked, piles, tuple(battle.places), sorted(battle.variables.items()))


def event_text(battle: Battle, event: Event) -> str:
    """An event as one line that holds all of it."""
    if event.kind == "entry_dispatched":
        return f"{event.sequence} {event.cause} {entry_line(event, battle.units[event.fields['unit']].name)}"
    fields = " ".join(f"{name}={_text(value)}" for name, value in event.fields.items())
    return f"{event.sequence} {event.cause} {event.kind} {fields}"


def _text(value: object) -> str:
    if isinstance(value, Unit):
        return value.name
    if isinstance(value, (EventDefinition, StatusDefinition)):
        return value.id
    if isinstance(value, Status):
        return value.definition.id
    if isinstance(value, Choice):
        return f"{value.kind}{value.cards}{value.options}{value.min}{value.max}"
    if isinstance(value, (tuple, list)):
        return str([_text(item) for item in value])
    if isinstance(value, dict):
        return str({name: _text(item) for name, item in value.items()})
    text = repr(value)
    assert " at 0x" not in text, f"an event holds a {type(value).__name__}, which has to be told here"
    return text


def all_events(battle: Battle) -> list[str]:
    """Every event of a battle as text."""
    return [event_text(battle, event) for event in read_events(battle)]


def record(encounter: str, seed: int, length: int, rules: str = "") -> list[str]:
    """Plays one battle of the starter pack and tells all its events and its last state."""
    numbers = [(seed + 1) * (place + 1) * 7919 % 10007 for place in range(length)]
    battle = new_battle(starter(), encounter, None, seed, rules)
    for _ in play(battle, numbers):
        pass
    return [*all_events(battle), repr(state_of(battle))]


def twin_of(battle: Battle) -> Battle:
    """A copy, checked to be in the same state."""
    twin = copy_battle(battle)
    assert state_of(twin) == state_of(battle)
    return twin


if __name__ == "__main__":
    for name in sorted(starter().pack.encounters):
        sys.stdout.write("\n".join(record(name, int(sys.argv[1]), 60)) + "\n")
