"""Battles from graphs written as text, for the tests of single rules.

A graph is a few statements, each on its own line or behind a semicolon:

    on: on_card_played            a node: its id, its type, then params as name=value
    hit: deal_damage amount=6     a value is JSON where it can be read as JSON, else a word
    on > hit > draw               flow: `out` of each to `in` of the next
    on.card info.card             a link from an output to an input
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from runtime.battle import (
    Action,
    Agent,
    Battle,
    Choice,
    EndTurn,
    Event,
    PlayCard,
    Raise,
    SetState,
    Unit,
    act,
    card_cost,
    entry_lines,
    read_events,
    shown_intent,
    start_battle,
)
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, OUTCOMES
from runtime.battle.texts import card_text
from runtime.loading import encounter_of, load_content

# An enemy that does nothing: what hits it is what the test is about.
DUMMY: dict[str, Any] = {"hp": 100}


def graph(text: str) -> dict[str, Any]:
    """A graph from its text; see the module."""
    nodes: list[dict[str, Any]] = []
    links: list[list[str]] = []
    for line in text.replace("\n", ";").split(";"):
        words = line.split()
        if not words:
            continue
        if words[0].endswith(":"):
            node: dict[str, Any] = {"id": words[0][:-1], "type": words[1]}
            if len(words) > 2:
                node["params"] = {name: _value(value) for name, value in (word.split("=", 1) for word in words[2:])}
            nodes.append(node)
        elif ">" in words:
            steps = [word for word in words if word != ">"]
            for before, after in pairwise(steps):
                links.append([before if "." in before else f"{before}.out", f"{after}.in"])
        else:
            links.append([words[0], words[1]])
    return {"nodes": nodes, "links": links}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def witness(*entries: str) -> str:
    """A status graph that listens to Entries and only counts them: their lines in the trace are what matters."""
    lines = ["seen: change_variable name=seen value=1"]
    for entry in entries:
        lines += [f"{entry}: {entry}", f"{entry} > seen"]
    return "\n".join(lines)


# Every status Entry of damage, HP and armor.
HURT = ("on_damage_dealt", "on_damage_taken", "on_attack_taken", "on_hp_lost", "on_unit_died")


def strike(amount: int = 6, more: str = "") -> dict[str, Any]:
    """An attack card without cost."""
    return {"graph": f"on: on_card_played; hit: deal_damage amount={amount} {more}; on > hit"}


def attacker(amount: int, more: str = "", **fields: Any) -> dict[str, Any]:
    """An enemy that attacks for the same amount each turn."""
    text = f"""
        start: on_enemy_behavior_start; leaf: leaf_intent kind=attack amount={amount}; hit: deal_damage {more}
        start > leaf > hit; leaf.amount hit.amount
    """
    return {"hp": 100, "graph": text, **fields}


class Answers(Agent):
    """Gives prepared answers: lists of card numbers or of one option's index."""

    def __init__(self, answers: Sequence[list[int]]) -> None:
        self.left = list(answers)

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        return self.left.pop(0)


def _assets(given: Mapping[str, Any], **defaults: Any) -> list[dict[str, Any]]:
    assets = []
    for asset_id, fields in given.items():
        asset = {"id": asset_id, **defaults, **({"graph": fields} if isinstance(fields, str) else fields)}
        if isinstance(asset.get("graph"), str):
            asset["graph"] = graph(asset["graph"])
        assets.append(asset)
    return assets


class Arena:
    """A battle with all of its deck in hand, unless `draw` says otherwise.

    Args:
        cards: Graph or fields by id; without cost, and played on an enemy, unless they say otherwise.
        statuses: Graph or fields by id.
        enemies: Graph or fields by id, beside ``dummy``, which has 100 HP and does nothing.
        fight: The enemies' ids, each with a dict of its own fields where wanted: ``("dummy", {"hp": 3})``.
        deck: Ids of cards; by default each card once.
        player: Fields of the player; by default 50 HP and nothing else.
        more: Other fields of the pack object.
        encounter: Other fields of the encounter.
        start: Other arguments of `start_battle`.
    """

    def __init__(
        self,
        *,
        cards: Mapping[str, Any] | None = None,
        statuses: Mapping[str, Any] | None = None,
        enemies: Mapping[str, Any] | None = None,
        fight: Sequence[str | tuple[str, dict[str, Any]]] = ("dummy",),
        deck: Sequence[str] | None = None,
        player: Mapping[str, Any] | None = None,
        more: Mapping[str, Any] | None = None,
        encounter: Mapping[str, Any] | None = None,
        **start: Any,
    ) -> None:
        all_enemies = {"dummy": DUMMY, **(enemies or {})}
        kinds: list[str] = []
        for place, entry in enumerate(fight):
            if isinstance(entry, str):
                kinds.append(entry)
                continue
            base = all_enemies[entry[0]]
            kind = f"{entry[0]}_{place}"
            all_enemies[kind] = {**({"graph": base, "hp": 100} if isinstance(base, str) else base), **entry[1]}
            kinds.append(kind)
        all_cards = {"wait": {"target": "none"}, **(cards or {})}
        chosen = list(deck if deck is not None else (cards or ["wait"]))
        pack = {
            "cards": _assets(all_cards, cost=0, target="enemy"),
            "statuses": _assets(statuses or {}),
            "enemies": _assets(all_enemies, hp=100),
            "decks": [{"id": "deck", "cards": chosen}],
            **(more or {}),
        }
        content = load_content(pack)
        fields = {"hp": 50, "draw": len(chosen), **(player or {})}
        fought = {"enemies": kinds, "deck": "deck", "player": fields, **(encounter or {})}
        self.battle = start_battle(
            content, encounter_of(content, fought), **{"seed": 1, "shuffle": False, "rules": "documented", **start}
        )
        self._read = 0

    @property
    def player(self) -> Unit:
        return self.battle.player

    def enemy(self, number: int = 0) -> Unit:
        return self.battle.units[number + 1]

    @property
    def outcome(self) -> str:
        return OUTCOMES[self.battle.outcome]

    def do(self, action: Action) -> None:
        """Does something that has to be accepted."""
        refused = act(self.battle, action)
        assert refused is None, refused

    def play(self, card: str, target: int | str = 0) -> list[str]:
        """Plays the first card of that id in hand on an enemy or on "player"; returns the Entry lines it gave."""
        self._read = len(self.battle.log)
        self.do(PlayCard(self.card(card), 0 if target == "player" else int(target) + 1))
        return self.lines()

    def end_turn(self) -> list[str]:
        """Ends the turn; returns the Entry lines it gave."""
        self._read = len(self.battle.log)
        self.do(EndTurn())
        return self.lines()

    def raise_event(self, event_id: str, **arguments: Any) -> list[str]:
        """Raises a GES event from outside; returns the Entry lines it gave."""
        self._read = len(self.battle.log)
        self.do(Raise(self.battle.content.events[event_id], arguments))
        return self.lines()

    def set(self, **changes: int) -> None:
        """Writes state; a path's dots are written as double underscores."""
        self.do(SetState({path.replace("__", "."): value for path, value in changes.items()}))

    def card(self, card: str, pile: int = HAND) -> int:
        """The number of the first card of that id in a pile."""
        return next(n for n in self.battle.piles[pile] if self.battle.cards[n].definition.id == card)

    def cost(self, card: str) -> int:
        return card_cost(self.battle, self.battle.cards[self.card(card)])

    def text(self, card: str, target: Unit | None = None) -> str:
        return card_text(self.battle, self.card(card), target)

    def intent(self, number: int = 0) -> int:
        """The amount of an enemy's intent as it is shown."""
        return shown_intent(self.battle, self.enemy(number)).amount

    def lines(self) -> list[str]:
        """The Entry lines since the last action began."""
        return entry_lines(read_events(self.battle, self._read), [unit.name for unit in self.battle.units])

    def events(self, kind: str) -> list[Event]:
        """The events of a kind since the last action began."""
        return [event for event in read_events(self.battle, self._read) if event.kind == kind]

    def variable(self, name: str) -> int:
        return self.battle.variables.get(name, 0)

    def stacks(self, status: str, unit: Unit | None = None) -> int:
        found = (unit or self.player).statuses.get(status)
        return found.stacks if found is not None else 0

    def pile(self, number: int) -> list[str]:
        """The cards of a pile by id: the hand from left to right, the others from the top."""
        ids = [self.battle.cards[card].definition.id for card in self.battle.piles[number]]
        return ids if number == HAND else ids[::-1]

    @property
    def hand(self) -> list[str]:
        return self.pile(HAND)

    @property
    def draw(self) -> list[str]:
        return self.pile(DRAW)

    @property
    def discard(self) -> list[str]:
        return self.pile(DISCARD)

    @property
    def exhaust(self) -> list[str]:
        return self.pile(EXHAUST_PILE)
