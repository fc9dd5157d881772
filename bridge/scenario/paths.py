"""State paths of scenario files: what a battle's state is called, and its value.

``turn`` · ``phase`` · ``outcome`` · ``player.…`` and ``enemies.N.…`` with ``hp``, ``max_hp``, ``armor``, ``alive``,
``statuses.<id>``, ``variables.<name>``, ``energy`` (player), ``intent.kind``, ``intent.amount``, ``intent.hits`` ·
``hand``, ``draw``, ``discard``, ``exhaust`` (ids, top first) and ``.size`` · ``hand.N.cost``, ``hand.N.playable`` ·
``choice.kind``, ``choice.cards`` · ``variables.<name>`` · ``rewards`` (the cards offered).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bridge.scenario.views import BattleView, CardView, ChoiceView, UnitView

_PILES: Final = ("hand", "draw", "discard", "exhaust")
_UNIT_FIELDS: Final = ("hp", "max_hp", "armor", "alive")
_INTENT_FIELDS: Final = ("kind", "amount", "hits")


class PathError(LookupError):
    """A state path that leads nowhere; the message says where it ends."""


def read_path(view: BattleView, path: str) -> Any:
    """The value at a state path.

    Raises:
        PathError: There is nothing of that name, no such unit, or no such card in hand.
    """
    parts = path.split(".")
    match parts:
        case ["turn" | "phase" | "outcome" as name]:
            return getattr(view, name)
        case ["player", *rest]:
            return _unit_value(view, view.units[0], rest)
        case ["enemies", number, *rest]:
            return _unit_value(view, _at(view.units[1:], number, "enemies"), rest)
        case [("hand" | "draw" | "discard" | "exhaust") as name]:
            return pile_of(view, name)
        case [("hand" | "draw" | "discard" | "exhaust") as name, "size"]:
            return len(pile_of(view, name))
        case ["hand", number, *rest]:
            return _card_value(_at(view.hand, number, "hand"), rest)
        case ["choice", *rest]:
            return _choice_value(view.choice, rest)
        case ["variables", *name]:
            return view.variables.get(".".join(name), 0)
        case ["rewards"]:
            return list(view.reward.cards) if view.reward is not None else []
    raise PathError(f"no state {path!r}")


def pile_of(view: BattleView, name: str) -> list[str]:
    """A pile's cards as asset ids: the hand left to right, the others top first."""
    if name == "hand":
        return [card.card_id for card in view.hand]
    return list(getattr(view, name))


def _at(items: Sequence[Any], number: str, name: str) -> Any:
    if not number.isdecimal() or int(number) >= len(items):
        raise PathError(f"no {name}.{number}: there are {len(items)}")
    return items[int(number)]


def _unit_value(view: BattleView, unit: UnitView, rest: list[str]) -> Any:
    match rest:
        case [name] if name in _UNIT_FIELDS:
            return getattr(unit, name)
        case ["energy"] if unit is view.units[0]:
            return view.energy
        case ["statuses", status]:
            return unit.statuses.get(status, 0)
        case ["variables", *name] if name:
            return unit.variables.get(".".join(name), 0)
        case ["intent", name] if name in _INTENT_FIELDS:
            return getattr(unit.intent, name)
    raise PathError(f"a unit has no {'.'.join(rest)!r}")


def _card_value(card: CardView, rest: list[str]) -> Any:
    match rest:
        case ["cost" | "playable" as name]:
            return getattr(card, name)
    raise PathError(f"a card in hand has no {'.'.join(rest)!r}")


def _choice_value(choice: ChoiceView | None, rest: list[str]) -> Any:
    match rest:
        case ["kind"]:
            return choice.kind if choice is not None else "none"
        case ["cards"]:
            return list(choice.cards) if choice is not None else []
    raise PathError(f"a choice has no {'.'.join(rest)!r}")
