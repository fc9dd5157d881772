"""Cards of a battle: instances that are never changed, but replaced, so that copies of a battle share them."""

from __future__ import annotations

from typing import Final

from runtime.graph.definitions import COST_X, CardDefinition
from runtime.graph.frame import card_ports

# How long a changed cost or keyword lasts.
UNTIL_TURN: Final = 0
UNTIL_PLAYED: Final = 1
UNTIL_BATTLE: Final = 2
UNTIL: Final = {"turn": UNTIL_TURN, "played": UNTIL_PLAYED, "battle": UNTIL_BATTLE}


class KeywordChange:
    """A keyword set or unset on a card for a while."""

    __slots__ = ("keyword", "until", "value")

    def __init__(self, keyword: int, value: bool, until: int) -> None:
        self.keyword = keyword
        self.value = value
        self.until = until


class CostChange:
    """A cost set on a card for a while."""

    __slots__ = ("cost", "until")

    def __init__(self, cost: int, until: int) -> None:
        self.cost = cost
        self.until = until


NO_COSTS: Final[tuple[CostChange, ...]] = ()
NO_CHANGES: Final[tuple[KeywordChange, ...]] = ()


class Card:
    """A card instance as it is now.

    Attributes:
        number: Its number, never used again in a battle.
        definition: What it is; its upgrade's once upgraded.
        keywords: The keywords in force, as bits.
        cost: The cost before hooks, -1 for x.
        costs: Costs set on it, the one in force last (R5.13).
        changes: Keywords set on it, for each keyword the one in force last.
        ports: The outputs of an Entry that tells only this card.
        variables: Its variables; empty for most.
        once: What Once Per remembers of it.
    """

    __slots__ = (
        "changes",
        "cost",
        "costs",
        "definition",
        "keywords",
        "number",
        "once",
        "ports",
        "upgraded",
        "variables",
    )

    def __init__(self, number: int, definition: CardDefinition) -> None:
        self.number = number
        self.definition = definition
        self.keywords = definition.keywords
        self.cost = definition.base_cost
        self.costs = NO_COSTS
        self.changes = NO_CHANGES
        self.ports = card_ports(number)
        self.upgraded = False
        self.variables: dict[str, int] | None = None
        self.once: dict[str, int] | None = None

    def altered(self) -> Card:
        """A twin to alter and put in its place."""
        twin = Card(self.number, self.definition)
        twin.keywords = self.keywords
        twin.cost = self.cost
        twin.costs = self.costs
        twin.changes = self.changes
        twin.upgraded = self.upgraded
        if self.variables is not None:
            twin.variables = dict(self.variables)
        if self.once is not None:
            twin.once = dict(self.once)
        return twin

    @property
    def costs_x(self) -> bool:
        """Whether the card's own cost is x, whatever it is set to now (R4.10)."""
        return self.definition.base_cost == COST_X
