"""What a battle's player may see: the whole state, and what changed since it was last told.

Building a message costs more than the rules do. So what is visible is kept as rows of plain values,
which are cheap to compare, and only the rows that differ are written into messages.

**The hidden draw pile.** Unless the battle was started with it open, nothing here depends on the order
of the draw pile: its cards are not told as instances at all, only as a sorted list of asset ids. A card
is told again once it is drawn. Candidates of an open choice are told, sorted, also when they lie there.
"""

from __future__ import annotations

from typing import Final

from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.wire.encoding import Memory, Numbers, TellingNumbers, sized, submessage, tag
from bridge.wire.names import (
    KEYWORD_NAMES,
    OUTCOMES,
    PHASES,
    PILES,
    REASONS,
    card_name,
    target_names,
)
from bridge.wire.parts import IntentRow, write_choice, write_intent, write_result
from bridge.wire.texts import has_hooks, is_plain, live_text, printed_text
from runtime.battle.card import Card
from runtime.battle.choices import Choice
from runtime.battle.energy import card_cost
from runtime.battle.intents import shown_intent
from runtime.battle.legality import unplayable_reason
from runtime.battle.rejections import BATTLE_OVER, CHOICE_PENDING
from runtime.battle.state import DRAW, HAND, RUNNING, Battle, Unit
from runtime.graph.definitions import TARGET_ANY, TARGET_ENEMY, UNPLAYABLE

Variables = tuple[tuple[str, int], ...]
UnitRow = tuple[int, int, int, bool, tuple[tuple[str, int], ...], IntentRow | None, Variables]
# Asset id, pile, cost, x, playable, reason, keywords, text, targets.
CardRow = tuple[str, int, int, bool, bool, int, int, str, tuple[str, ...]]

# Whom cards can be played on: one that needs an enemy, and one that needs any unit.
Targets = tuple[tuple[str, ...], tuple[str, ...]]

_NOBODY: Final[tuple[str, ...]] = ()
_NO_CARDS: Final[list[int]] = []
_NOTHING_TOLD: Final = (-1, -1, -1, -1, -1, -1)
_memory: Final = Memory()

# Fields of BattleState and StateChange that are encoded by hand.
_UNITS: Final = tag(pb.BattleState.UNITS_FIELD_NUMBER)
_CARDS: Final = tag(pb.BattleState.CARDS_FIELD_NUMBER)
_PILES: Final = tag(pb.BattleState.PILES_FIELD_NUMBER)
_CHANGED_UNITS: Final = tag(pb.StateChange.UNITS_FIELD_NUMBER)
_CHANGED_CARDS: Final = tag(pb.StateChange.CARDS_FIELD_NUMBER)
_CHANGED_PILES: Final = tag(pb.StateChange.PILES_FIELD_NUMBER)
_HIDDEN_CARDS: Final = pb.StateChange.HIDDEN_CARDS_FIELD_NUMBER
_TURNS: Final = TellingNumbers(pb.StateChange.TURN_FIELD_NUMBER)
_PHASES: Final = TellingNumbers(pb.StateChange.PHASE_FIELD_NUMBER)
_OUTCOMES: Final = TellingNumbers(pb.StateChange.OUTCOME_FIELD_NUMBER)
_ENERGIES: Final = TellingNumbers(pb.StateChange.ENERGY_FIELD_NUMBER)
_MAX_ENERGIES: Final = TellingNumbers(pb.StateChange.MAX_ENERGY_FIELD_NUMBER)
_CARDS_PLAYED: Final = TellingNumbers(pb.StateChange.CARDS_PLAYED_THIS_TURN_FIELD_NUMBER)


class StateView:
    """The visible state of one battle as it was last told."""

    __slots__ = (
        "_battle",
        "_battle_id",
        "_cards",
        "_choice",
        "_contents",
        "_energy_told",
        "_fixed",
        "_hand_context",
        "_hidden",
        "_piles",
        "_places",
        "_rows",
        "_scalars",
        "_seed_known",
        "_seed_told",
        "_shown",
        "_targets",
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
        # The cards of the piles, in order, as they were when those were told; of a hidden draw pile, their asset ids
        # were told, sorted.
        self._piles: list[list[int]] = [[], [], [], []]
        self._contents: list[str] = []
        self._choice: Choice | None = None
        self._variables: dict[str, int] = {}
        self._seed_told = False
        # What the cards in hand were told under.
        self._hand_context: tuple[str, bool, Targets] | None = None
        # Whom cards can be played on, and the cards in hand whose cost and text depend on hooks alone.
        self._targets: Targets = (_NOBODY, _NOBODY)
        self._fixed: set[int] = set()
        self._energy_told = 0
        # Whether candidates of a choice were told.
        self._shown = False

    def change(self) -> bytes:
        """What is not as it was last told, as an encoded StateChange; from now on it counts as told."""
        battle = self._battle
        parts: list[bytes] = []
        self._tell_scalars(parts)
        self._tell_units(parts)
        choice = battle.choice
        shown = self._shown_candidates(choice) if choice is not None else _NO_CARDS
        self._tell_cards(parts, frozenset(shown))
        self._tell_piles(parts)
        if choice is not self._choice:
            self._choice = choice
            change = pb.StateChange(choice_closed=choice is None)
            if choice is not None:
                write_choice(change.choice, choice, shown)
            parts.append(change.SerializeToString())
        if battle.variables != self._variables:
            told = self._variables
            changed = {name: value for name, value in battle.variables.items() if told.get(name, 0) != value}
            self._variables = dict(battle.variables)
            parts.append(pb.StateChange(variables=changed).SerializeToString())
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

    def _tell_scalars(self, parts: list[bytes]) -> None:
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
        turn, phase, outcome, energy, max_energy, played = told or _NOTHING_TOLD
        if battle.turn != turn:
            parts.append(_TURNS[battle.turn])
        if battle.phase != phase:
            parts.append(_PHASES[PHASES[battle.phase]])
        if battle.outcome != outcome:
            parts.append(_OUTCOMES[OUTCOMES[battle.outcome]])
            change = pb.StateChange()
            if battle.outcome != RUNNING:
                write_result(change.result, battle)
            if self._seed_known or battle.outcome != RUNNING:
                self._seed_told = True
                change.seed = battle.seed
            parts.append(change.SerializeToString())
        if battle.energy != energy:
            parts.append(_ENERGIES[battle.energy])
        if battle.max_energy != max_energy:
            parts.append(_MAX_ENERGIES[battle.max_energy])
        if battle.cards_played != played:
            parts.append(_CARDS_PLAYED[battle.cards_played])

    def _tell_units(self, parts: list[bytes]) -> None:
        battle = self._battle
        told = self._units
        targets_changed = False
        for unit in battle.units:
            row = unit_row(battle, unit)
            number = unit.number
            if number == len(told):
                told.append(None)
            before = told[number]
            if row != before:
                told[number] = row
                parts += (_CHANGED_UNITS, encoded_unit(unit, row))
                targets_changed = targets_changed or before is None or row[3] != before[3]
        if targets_changed:
            self._targets = target_names(battle)

    def _shown_candidates(self, choice: Choice) -> list[int]:
        """The candidates of a card choice in the order in which they are told."""
        if not self._hidden:
            return choice.cards
        places = self._battle.places
        lying_hidden = sorted([number for number in choice.cards if places[number] == DRAW])
        return [number for number in choice.cards if places[number] != DRAW] + lying_hidden

    def _tell_cards(self, parts: list[bytes], shown: frozenset[int]) -> None:
        battle = self._battle
        cards = battle.cards
        places = battle.places
        told_places = self._places
        told_cards = self._cards
        rows = self._rows
        hooked = has_hooks(battle)
        forbidden = ""
        if battle.outcome != RUNNING:
            forbidden = BATTLE_OVER
        elif battle.choice is not None:
            forbidden = CHOICE_PENDING
        for _ in range(len(cards) - len(rows)):
            rows.append(None)
            told_cards.append(None)
            told_places.append(-1)
        # A card is replaced when it changes: the same object in the same place is told already.
        stale = {
            number
            for number, (card, told_card, place, told_place) in enumerate(
                zip(cards, told_cards, places, told_places, strict=True)
            )
            if card is not told_card or place != told_place
        }
        # What a card in hand tells depends on much else. Without hooks on costs or numbers, now and as it was told, it
        # tells what it told, while it can be paid as before.
        energy = battle.energy
        context = (forbidden, hooked, self._targets)
        plain = not hooked and context == self._hand_context
        energy_told = self._energy_told
        self._hand_context = context
        self._energy_told = energy
        fixed = self._fixed
        for number in battle.piles[HAND]:
            cost = cards[number].cost
            if not plain or number not in fixed or (cost <= energy) != (cost <= energy_told):
                stale.add(number)
        # Candidates in a hidden draw pile are told while a choice is open, so they are no cards at rest.
        if shown or self._shown:
            stale.update(battle.piles[DRAW])
        self._shown = bool(shown)
        enemies, anyone = self._targets
        for number in sorted(stale):
            card = cards[number]
            place = places[number]
            told_places[number] = place
            told_cards[number] = card
            if place == DRAW and self._hidden:
                # It may have become another card where it lies.
                self._piles[DRAW] = _NO_CARDS
            if place == HAND:
                row = hand_row(battle, card, hooked, forbidden, enemies, anyone)
                if card.cost >= 0 and is_plain(card.definition):
                    fixed.add(number)
                else:
                    fixed.discard(number)
            elif place == DRAW and self._hidden and number not in shown:
                if rows[number] is not None:
                    rows[number] = None
                    parts.append(submessage(_HIDDEN_CARDS, card_name(number).encode()))
                continue
            else:
                row = pile_row(card, place)
            if row != rows[number]:
                rows[number] = row
                parts += (_CHANGED_CARDS, encoded_card(number, row))

    def _tell_piles(self, parts: list[bytes]) -> None:
        cards = self._battle.cards
        for pile, numbers in enumerate(self._battle.piles):
            if numbers == self._piles[pile]:
                continue
            self._piles[pile] = numbers[:]
            if pile == DRAW and self._hidden:
                contents = sorted([cards[number].definition.id for number in numbers])
                if contents == self._contents:
                    continue
                self._contents = contents
            parts += (_CHANGED_PILES, self._encoded_pile(pile))

    def _encoded_pile(self, pile: int) -> bytes:
        """A pile as it was last told, with its length before it."""
        numbers = self._piles[pile]
        if pile == DRAW and self._hidden:
            cards = map(_PILE_CONTENTS.__getitem__, self._contents)
        else:
            # The top, which comes first on the wire, is the end of the list.
            cards = map(_PILE_CARDS.__getitem__, numbers if pile == HAND else reversed(numbers))
        return sized(b"".join((_PILE_HEADS[pile], _PILE_SIZES[len(numbers)], *cards)))


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
    intent = shown_intent(battle, unit).values() if unit.number and unit.alive else None
    variables = tuple([item for item in unit.variables.items() if item[1]]) if unit.variables else ()
    return (unit.hp, unit.max_hp, unit.armor, unit.alive, statuses, intent, variables)


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
        id=card_name(number), card_id=card_id, pile=PILES[place], cost=cost, is_x=is_x, playable=playable, text=text
    )
    message.unplayable_reason = reason  # type: ignore[assignment]
    message.keywords.extend(KEYWORD_NAMES[keywords])
    message.targets.extend(targets)
    return _memory.keep(key, sized(message.SerializeToString()))
