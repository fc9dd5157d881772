"""A battle as it looks from outside, the same whether it runs in this process or behind gRPC.

Units, piles and cards go by the names of the wire: ``player``, ``enemy0``; ``hand``; instances ``c0``, ``c1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class IntentView:
    """What an enemy is going to do, with the numbers shown; kind ``none`` for the player and the dead."""

    kind: str = "none"
    amount: int = 0
    hits: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class UnitView:
    """The player or one enemy; `enemy` is the asset id, empty for the player."""

    id: str
    enemy: str
    hp: int
    max_hp: int
    armor: int
    alive: bool
    statuses: Mapping[str, int]
    variables: Mapping[str, int]
    intent: IntentView = IntentView()


@dataclass(frozen=True, slots=True)
class CardView:
    """A card in hand.

    Attributes:
        id: The instance.
        card_id: The asset id.
        cost: As shown, after hooks.
        is_x: Whether its cost is x.
        unplayable_reason: Why it cannot be played now; empty when it can.
        text: Its text with live numbers.
        targets: The units that it can be played on; empty when it takes no target.
    """

    id: str
    card_id: str
    cost: int
    is_x: bool
    unplayable_reason: str
    text: str
    targets: tuple[str, ...]

    @property
    def playable(self) -> bool:
        """Whether it can be played now."""
        return not self.unplayable_reason


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """An open question to the player.

    Attributes:
        kind: ``card`` or ``option``.
        prompt: The node's prompt.
        instances: The candidates of a card choice.
        cards: Their asset ids, in the same order.
        options: The candidates of an option choice, as texts.
        min: The fewest answers allowed.
        max: The most answers allowed.
    """

    kind: str
    prompt: str
    instances: tuple[str, ...]
    cards: tuple[str, ...]
    options: tuple[str, ...]
    min: int
    max: int


@dataclass(frozen=True, slots=True)
class RewardView:
    """The row of rewards that a won battle offers."""

    cards: tuple[str, ...]
    choose: int


@dataclass(frozen=True, slots=True)
class BattleView:
    """A battle between two actions.

    Attributes:
        turn: The turn, 0 during set-up.
        phase: ``setup``, ``player``, ``enemy`` or ``ended``.
        outcome: ``running``, ``won``, ``lost``, ``aborted`` or ``undecided``.
        energy: The player's energy.
        max_energy: What it is refilled to.
        units: The player, then the enemies by number, dead ones included.
        hand: Left to right.
        draw: Asset ids, top first; so are the two that follow.
        discard: The discard pile.
        exhaust: The exhaust pile.
        variables: The battle's variables that are not 0.
        choice: The open choice, or None.
        reward: The rewards offered, or None.
        seed: What it was started with.
    """

    turn: int
    phase: str
    outcome: str
    energy: int
    max_energy: int
    units: tuple[UnitView, ...]
    hand: tuple[CardView, ...]
    draw: tuple[str, ...]
    discard: tuple[str, ...]
    exhaust: tuple[str, ...]
    variables: Mapping[str, int]
    choice: ChoiceView | None
    reward: RewardView | None
    seed: int

    @property
    def over(self) -> bool:
        """Whether the battle has ended."""
        return self.outcome != "running"


@dataclass(frozen=True, slots=True)
class Happening:
    """One event of a battle, with units and cards by name.

    Attributes:
        sequence: Its number, from 1.
        cause: The number of the event that caused it; 0: none.
        kind: Such as ``entry_dispatched``.
        fields: What it carries (`bridge.scenario.happenings`).
    """

    sequence: int
    cause: int
    kind: str
    fields: Mapping[str, Any] = field(default_factory=dict)
