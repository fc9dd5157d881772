"""An enemy's intent as it is shown."""

from __future__ import annotations

from typing import Final


class Intent:
    """An enemy's intent as it is shown.

    Attributes:
        kind: attack, attack_defend, defend, buff, debuff, summon, special or none.
        amount: The amount shown; an attack's after hooks.
        hits: How many hits.
        text: Free text of the leaf.
        icon: Free icon name of the leaf.
    """

    __slots__ = ("amount", "hits", "icon", "kind", "text")

    def __init__(self, kind: str, amount: int, hits: int, text: str, icon: str) -> None:
        self.kind = kind
        self.amount = amount
        self.hits = hits
        self.text = text
        self.icon = icon

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Intent) and self.values() == other.values()

    def __hash__(self) -> int:
        return hash(self.values())

    def __repr__(self) -> str:
        return f"Intent{self.values()!r}"

    def values(self) -> tuple[str, int, int, str, str]:
        """All fields, in order."""
        return (self.kind, self.amount, self.hits, self.text, self.icon)


NO_INTENT: Final = Intent("none", 0, 0, "", "")
