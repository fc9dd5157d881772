"""What a battle's player may see: the whole state, and what changed since it was last told.

Building a message costs more than the rules do. So what is visible is kept as rows of plain values,
which are cheap to compare, and only the rows that differ are written into messages.

**The hidden draw pile.** Unless the battle was started with it open, nothing here depends on the order
of the draw pile: its cards are not told as instances at all, only as a sorted list of asset ids. A card
is told again once it is drawn. Candidates of an open choice are told, sorted, also when they lie there.
"""

from __future__ import annotations

from typing import Final

from bridge.convert.names import (
    KEYWORD_NAMES,
    OUTCOMES,
    PHASES,
    PILES,
    REASONS,
    card_name,
    target_names,
)
from bridge.convert.parts import IntentRow, write_choice, write_intent, write_result
from bridge.convert.texts import has_hooks, is_plain, live_text, printed_text
from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.wire import Memory, Numbers, sized, submessage, tag
from runtime.battle.card import Card
from runtime.battle.choices import Choice
from runtime.battle.costs import BATTLE_OVER, CHOICE_PENDING, card_cost, unplayable_reason
from runtime.battle.intents import shown_intent
from runtime.battle.state import DRAW, HAND, RUNNING, Battle, Unit
from runtime.graph.definitions import TARGET_ANY, TARGET_ENEMY, UNPLAYABLE

Variables = tuple[tuple[str, int], ...]
UnitRow = tuple[int, int, int, bool, tuple[tuple[str, int], ...], IntentRow | None, Variables]
# Asset id, pile, cost, x, playable, reason, keywords, text, targets.
CardRow = tuple[str, int, int, bool, bool, int, int, str, tuple[str, ...]]

_NOBODY: Final[tuple[str, ...]] = ()
_memory: Final = Memory()

# Fields of BattleState and StateChange that are encoded by hand.
_UNITS: Final = tag(pb.BattleState.UNITS_FIELD_NUMBER)
_CARDS: Final = tag(pb.BattleState.CARDS_FIELD_NUMBER)
_PILES: Final = tag(pb.BattleState.PILES_FIELD_NUMBER)
_CHANGED_UNITS: Final = tag(pb.StateChange.UNITS_FIELD_NUMBER)
_CHANGED_CARDS: Final = tag(pb.StateChange.CARDS_FIELD_NUMBER)
_CHANGED_PILES: Final = tag(pb.StateChange.PILES_FIELD_NUMBER)


class StateView:
    """The visible state of one battle as it was last told."""

    __slots__ = (
        "_battle",
        "_battle_id",
        "_cards",
        "_choice",
        "_energy_told",
        "_hand_context",
        "_hidden",
        "_piles",
        "_places",
        "_rows",
        "_scalars",
        "_seed_known",
        "_seed_told",
        "_shown",
        "_units",
        "_variables",
    )

    def __init__(self, battle: Battle, battle_id: str, open_draw_pile: bool, seed_known: bool) -> None:
        """Makes a view that has told nothing yet.

        Args:
            battle: The battle.
            battle_id: Its id.
            open_draw_pile: Whether the order of the draw pile may be told.
            seed_known: Whether the client chose the seed, so that there is nothing to hide in it.
        """
        self._battle = battle
        self._battle_id = battle_id
        self._hidden = not open_draw_pile
        self._seed_known = seed_known or open_draw_pile
        self._scalars: tuple[int, ...] = ()
        self._units: list[UnitRow | None] = []
        self._cards: list[Card | None] = []
        self._places: list[int] = []
        self._rows: list[CardRow | None] = []
        self._piles: list[list[int] | list[str]] = [[], [], [], []]
        self._choice: Choice | None = None
        self._variables: dict[str, int] = {}
        self._seed_told = False
        # What the cards in hand were told under.
        self._hand_context: tuple[str, tuple[str, ...], tuple[str, ...]] | None = None
        self._energy_told = 0
        # Whether candidates of a choice were told.
        self._shown = False

    def change(self) -> bytes:
        """What is not as it was last told, as an encoded StateChange; from now on it counts as told."""
        battle = self._battle
        change = pb.StateChange()
        parts: list[bytes] = []
        self._write_scalars(change)
        for unit in battle.units:
            row = unit_row(battle, unit)
            number = unit.number
            if number == len(self._units):
                self._units.append(None)
            if row != self._units[number]:
                self._units[number] = row
                parts += (_CHANGED_UNITS, encoded_unit(unit, row))
        choice = battle.choice
        shown = self._shown_candidates(choice)
        self._tell_cards(change, parts, shown)
        self._tell_piles(parts)
        if choice is not self._choice:
            self._choice = choice
            if choice is None:
                change.choice_closed = True
            else:
                write_choice(change.choice, choice, shown)
        if battle.variables != self._variables:
            for name, value in battle.variables.items():
                if self._variables.get(name, 0) != value:
                    change.variables[name] = value
            self._variables = dict(battle.variables)
        parts.append(change.SerializeToString())
        return b"".join(parts)

    def snapshot(self) -> bytes:
        """The whole state as it was last told, as an encoded BattleState."""
        battle = self._battle
        state = pb.BattleState(battle_id=self._battle_id, pack=battle.content.id, encounter=battle.encounter.id)
        state.rules = pb.RULES_EXTENDED if battle.extended else pb.RULES_DOCUMENTED
        turn, phase, outcome, energy, max_energy, played = self._scalars
        state.turn = turn
        state.phase = PHASES[phase]
        state.outcome = OUTCOMES[outcome]
        state.energy = energy
        state.max_energy = max_energy
        state.cards_played_this_turn = played
        if self._choice is not None:
            write_choice(state.choice, self._choice, self._shown_candidates(self._choice))
        for name, value in self._variables.items():
            if value:
                state.variables[name] = value
        if self._seed_told:
            state.seed = battle.seed
        if outcome != RUNNING:
            write_result(state.result, battle)
        parts = [state.SerializeToString()]
        for unit in battle.units:
            row = self._units[unit.number]
            if row is not None:
                parts += (_UNITS, encoded_unit(unit, row))
        for number, card_row in enumerate(self._rows):
            if card_row is not None:
                parts += (_CARDS, encoded_card(number, card_row))
        for pile in range(len(self._piles)):
            parts += (_PILES, self._encoded_pile(pile))
        return b"".join(parts)

    def _write_scalars(self, change: pb.StateChange) -> None:
        battle = self._battle
        scalars = (
            battle.turn,
            battle.phase,
            battle.outcome,
            battle.energy,
            battle.max_energy,
            battle.cards_played,
        )
        told = self._scalars
        if scalars == told:
            return
        self._scalars = scalars
        told = told or (-1, -1, -1, -1, -1, -1)
        if scalars[0] != told[0]:
            change.turn = scalars[0]
        if scalars[1] != told[1]:
            change.phase = PHASES[scalars[1]]
        if scalars[2] != told[2]:
            change.outcome = OUTCOMES[scalars[2]]
            if scalars[2] != RUNNING:
                write_result(change.result, battle)
            if self._seed_known or scalars[2] != RUNNING:
                self._seed_told = True
                change.seed = battle.seed
        if scalars[3] != told[3]:
            change.energy = scalars[3]
        if scalars[4] != told[4]:
            change.max_energy = scalars[4]
        if scalars[5] != told[5]:
            change.cards_played_this_turn = scalars[5]

    def _shown_candidates(self, choice: Choice | None) -> list[int]:
        """The candidates of a card choice in the order in which they are told."""
        if choice is None:
            return []
        if not self._hidden:
            return choice.cards
        places = self._battle.places
        lying_hidden = sorted([number for number in choice.cards if places[number] == DRAW])
        return [number for number in choice.cards if places[number] != DRAW] + lying_hidden

    def _tell_cards(self, change: pb.StateChange, parts: list[bytes], shown: list[int]) -> None:
        battle = self._battle
        places = battle.places
        told_places = self._places
        told_cards = self._cards
        rows = self._rows
        enemies, anyone = target_names(battle)
        hooked = has_hooks(battle)
        forbidden = ""
        if battle.outcome != RUNNING:
            forbidden = BATTLE_OVER
        elif battle.choice is not None:
            forbidden = CHOICE_PENDING
        for _ in range(len(battle.cards) - len(rows)):
            rows.append(None)
            told_cards.append(None)
            told_places.append(-1)
        # Candidates in a hidden draw pile are told while a choice is open, so they are no cards at rest.
        at_rest = not shown and not self._shown
        self._shown = bool(shown)
        # Without hooks on costs or numbers a card in hand tells what it told, while it can be paid as before.
        energy = battle.energy
        context = (forbidden, enemies, anyone)
        plain = not hooked and context == self._hand_context
        energy_told = self._energy_told
        self._hand_context = context
        self._energy_told = energy
        for number, card in enumerate(battle.cards):
            place = places[number]
            # A card is replaced when it changes: the same object in the same place is told already. What a card in
            # hand tells depends on much else.
            if card is told_cards[number] and place == told_places[number]:
                if place == HAND:
                    cost = card.cost
                    if plain and cost >= 0 and (cost <= energy) == (cost <= energy_told) and is_plain(card.definition):
                        continue
                elif at_rest or place != DRAW:
                    continue
            if place == HAND:
                row = hand_row(battle, card, hooked, forbidden, enemies, anyone)
            elif place == DRAW and self._hidden and number not in shown:
                if rows[number] is not None:
                    rows[number] = None
                    change.hidden_cards.append(card_name(number))
                told_places[number] = DRAW
                told_cards[number] = card
                continue
            else:
                row = pile_row(card, place)
            told_places[number] = place
            told_cards[number] = card
            if row != rows[number]:
                rows[number] = row
                parts += (_CHANGED_CARDS, encoded_card(number, row))

    def _tell_piles(self, parts: list[bytes]) -> None:
        for pile, numbers in enumerate(self._battle.piles):
            told: list[int] | list[str] = numbers
            if pile == DRAW and self._hidden:
                cards = self._battle.cards
                told = sorted([cards[number].definition.id for number in numbers])
            if told != self._piles[pile]:
                self._piles[pile] = told[:]
                parts += (_CHANGED_PILES, self._encoded_pile(pile))

    def _encoded_pile(self, pile: int) -> bytes:
        """A pile as it was last told, with its length before it."""
        told = self._piles[pile]
        head = _PILE_HEADS[pile] + _PILE_SIZES[len(told)]
        if pile == DRAW and self._hidden:
            parts = [_PILE_CONTENTS[card_id] for card_id in told]  # type: ignore[index]
        elif pile == HAND:
            parts = [_PILE_CARDS[number] for number in told]  # type: ignore[index]
        else:
            # The top, which comes first on the wire, is the end of the list.
            parts = [_PILE_CARDS[number] for number in told[::-1]]  # type: ignore[index]
        return sized(head + b"".join(parts))


class _CardNames(dict[int, bytes]):
    """A card in a pile, as an encoded field of PileState."""

    def __missing__(self, number: int) -> bytes:
        return submessage(pb.PileState.CARDS_FIELD_NUMBER, card_name(number).encode())


class _CardIds(dict[str, bytes]):
    """The asset id of a card in a hidden draw pile, as an encoded field of PileState."""

    def __missing__(self, card_id: str) -> bytes:
        encoded = submessage(pb.PileState.CONTENTS_FIELD_NUMBER, card_id.encode())
        # Packs from clients may bring any number of ids.
        if len(self) < _MOST_CARD_IDS:
            self[card_id] = encoded
        return encoded


_MOST_CARD_IDS: Final = 10_000
_PILE_HEADS: Final = tuple(Numbers(pb.PileState.PILE_FIELD_NUMBER)[pile] for pile in PILES)
_PILE_SIZES: Final = Numbers(pb.PileState.SIZE_FIELD_NUMBER)
_PILE_CARDS: Final = _CardNames({number: _CardNames()[number] for number in range(1024)})
_PILE_CONTENTS: Final = _CardIds()


def unit_row(battle: Battle, unit: Unit) -> UnitRow:
    """A unit as it is visible now."""
    statuses = tuple([(name, status.stacks) for name, status in unit.statuses.items()]) if unit.statuses else ()
    intent = shown_intent(battle, unit).values() if unit.number and unit.living else None
    variables = tuple([item for item in unit.variables.items() if item[1]]) if unit.variables else ()
    return (unit.hp, unit.max_hp, unit.armor, unit.living, statuses, intent, variables)


def hand_row(
    battle: Battle, card: Card, hooked: bool, forbidden: str, enemies: tuple[str, ...], anyone: tuple[str, ...]
) -> CardRow:
    """A card in hand as it is visible now, with what only a card in hand tells.

    Args:
        battle: The battle.
        card: The card.
        hooked: Whether anybody has a hook.
        forbidden: Why no card can be played now, or ``""``.
        enemies: Whom a card that needs an enemy can be played on.
        anyone: Whom a card that needs any unit can be played on.
    """
    definition = card.definition
    cost = card_cost(battle, card)
    targets = _NOBODY
    reason = forbidden
    if definition.target in (TARGET_ENEMY, TARGET_ANY):
        targets = enemies if definition.target == TARGET_ENEMY else anyone
        if not targets:
            reason = forbidden or unplayable_reason(battle, card)
    if not reason and (cost > battle.energy or card.keywords & UNPLAYABLE):
        reason = unplayable_reason(battle, card)
    return (
        definition.id,
        HAND,
        cost,
        card.costs_x,
        not reason,
        REASONS[reason] if reason else 0,
        card.keywords,
        live_text(battle, card.number, hooked),
        targets,
    )


def pile_row(card: Card, place: int) -> CardRow:
    """A card outside of the hand as it is visible."""
    definition = card.definition
    return (definition.id, place, 0, card.costs_x, False, 0, card.keywords, printed_text(definition), _NOBODY)


def encoded_unit(unit: Unit, row: UnitRow) -> bytes:
    """A unit's row as an encoded UnitState, with its length before it."""
    enemy = unit.definition.id if unit.definition is not None else ""
    key = (unit.name, enemy, row)
    known = _memory.get(key)
    if known is not None:
        return known
    hp, max_hp, armor, alive, statuses, intent, variables = row
    message = pb.UnitState(id=unit.name, enemy=enemy, hp=hp, max_hp=max_hp, armor=armor, alive=alive)
    for name, stacks in statuses:
        message.statuses.add(id=name, stacks=stacks)
    if intent is not None:
        write_intent(message.intent, intent)
    for name, value in variables:
        message.variables[name] = value
    return _memory.keep(key, sized(message.SerializeToString()))


def encoded_card(number: int, row: CardRow) -> bytes:
    """A card's row as an encoded CardState, with its length before it."""
    key = (number, row)
    known = _memory.get(key)
    if known is not None:
        return known
    card_id, place, cost, is_x, playable, reason, keywords, text, targets = row
    message = pb.CardState(
        id=card_name(number), card=card_id, pile=PILES[place], cost=cost, is_x=is_x, playable=playable, text=text
    )
    message.unplayable_reason = reason  # type: ignore[assignment]
    message.keywords.extend(KEYWORD_NAMES[keywords])
    message.targets.extend(targets)
    return _memory.keep(key, sized(message.SerializeToString()))
