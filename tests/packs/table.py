"""A battle laid out for a test: cards in hand in a known order, an enemy without reactions, answers at hand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

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
    start_battle,
)
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND
from runtime.battle.texts import card_text
from runtime.graph.definitions import Content
from runtime.loading import encounter_of, load_content


@cache
def starter() -> Content:
    """The starter pack, compiled once for all tests."""
    return load_content("starter")


class Answers(Agent):
    """Gives prepared answers: ids of cards, or the text of an option."""

    def __init__(self, answers: Sequence[Sequence[str]]) -> None:
        self.left = [list(answer) for answer in answers]

    def choose(self, battle: Battle, choice: Choice) -> list[int]:
        wanted = self.left.pop(0)
        if choice.kind == "option":
            return [choice.options.index(wanted[0])]
        candidates = choice.cards[:]
        picks: list[int] = []
        for card_id in wanted:
            number = next(number for number in candidates if battle.cards[number].definition.id == card_id)
            candidates.remove(number)
            picks.append(number)
        return picks


class Table:
    """A battle of the starter pack with shuffling off, 9 energy and all cards of the deck in the opening hand.

    Args:
        deck: Ids of cards, the first one leftmost in hand.
        enemies: Ids of enemies; a lugworm, whose first move is always to gnash, reacts to nothing.
        answers: What is answered when the player is asked, in order.
        draw: Cards drawn a turn; those of the deck that are left stay in the draw pile.
        statuses: The player's statuses.
    """

    def __init__(
        self,
        *deck: str,
        enemies: Sequence[str] = ("lugworm",),
        answers: Sequence[Sequence[str]] = (),
        draw: int | None = None,
        statuses: dict[str, int] | None = None,
        hp: int = 500,
    ) -> None:
        content = starter()
        player = {
            "hp": hp,
            "max_hp": 500,
            "energy": 9,
            "draw": len(deck) if draw is None else draw,
            "statuses": statuses or {},
        }
        asset = {"enemies": list(enemies), "deck": "keeper", "player": player}
        encounter = encounter_of(content, asset, deck=list(deck))
        self.battle = start_battle(content, encounter, seed=1, shuffle=False, agent=Answers(answers))
        self.player: Unit = self.battle.player

    @property
    def enemy(self) -> Unit:
        """The first enemy."""
        return self.battle.units[1]

    @property
    def alive(self) -> list[str]:
        """The ids of the enemies that live, in their order."""
        return [unit.definition.id for unit in self.battle.units if unit.definition is not None and unit.alive]

    def do(self, action: Action) -> None:
        """Does something that has to be accepted."""
        refused = act(self.battle, action)
        assert refused is None, refused

    def play(self, card_id: str, enemy: int = 0) -> None:
        """Plays the first card of that id in hand."""
        self.do(PlayCard(self.find(card_id), enemy + 1))

    def end_turn(self) -> None:
        self.do(EndTurn())

    def write(self, changes: dict[str, int]) -> None:
        self.do(SetState(changes))

    def raise_event(self, event_id: str, arg: int | None = None) -> None:
        event = next(event for event in self.battle.content.events.values() if event.id == event_id)
        self.do(Raise(event, {} if arg is None else {"arg": arg}))

    def find(self, card_id: str) -> int:
        """The number of the first card of that id in hand."""
        return next(n for n in self.battle.piles[HAND] if self.battle.cards[n].definition.id == card_id)

    def cost(self, card_id: str) -> int:
        return card_cost(self.battle, self.battle.cards[self.find(card_id)])

    def text(self, card_id: str, target: Unit | None = None) -> str:
        return card_text(self.battle, self.find(card_id), target)

    def stacks(self, unit: Unit, status_id: str) -> int:
        status = unit.statuses.get(status_id)
        return 0 if status is None else status.stacks

    def lines(self) -> list[str]:
        """The Entry trace so far."""
        return entry_lines(read_events(self.battle), [unit.name for unit in self.battle.units])

    def events(self, kind: str) -> list[Event]:
        """The events of a kind so far."""
        return [event for event in read_events(self.battle) if event.kind == kind]

    def _ids(self, pile: int) -> list[str]:
        return [self.battle.cards[number].definition.id for number in self.battle.piles[pile]]

    @property
    def hand(self) -> list[str]:
        return self._ids(HAND)

    @property
    def draw_pile(self) -> list[str]:
        """From its top."""
        return self._ids(DRAW)[::-1]

    @property
    def discard_pile(self) -> list[str]:
        """From its top."""
        return self._ids(DISCARD)[::-1]

    @property
    def exhaust_pile(self) -> list[str]:
        """From its top."""
        return self._ids(EXHAUST_PILE)[::-1]
