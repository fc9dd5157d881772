"""State paths of scenario files: what a battle's state is called, and its value.

``turn`` · ``phase`` · ``outcome`` · ``player.…`` and ``enemies.N.…`` with ``hp``, ``max_hp``, ``armor``, ``alive``,
``statuses.<id>``, ``variables.<name>``, ``energy`` (player), ``intent.kind``, ``intent.amount``, ``intent.hits`` ·
``hand``, ``draw``, ``discard``, ``exhaust`` (ids, top first) and ``.size`` · ``hand.N.cost``, ``hand.N.playable`` ·
``choice.kind``, ``choice.cards`` · ``variables.<name>`` · ``rewards`` (the cards offered).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class WrongPart:
    """The part of a state path that no battle has.

    Attributes:
        part: The part; empty where the path ends too early.
        known: What may stand there: words, and placeholders such as ``<number>``.
    """

    part: str
    known: tuple[str, ...]


_NUMBER: Final = "<number>"
_ROOTS: Final = ("turn", "phase", "outcome", "player", "enemies", *_PILES, "choice", "variables", "rewards")
_LEAVES: Final = ("turn", "phase", "outcome", "rewards")
_SETTABLE: Final = ("hp", "max_hp", "armor")


def wrong_part(path: str) -> WrongPart | None:
    """Where a path leaves what `read_path` can read in any battle; None: nowhere."""
    match path.split("."):
        case [name] if name in _LEAVES or name in _PILES:
            return None
        case [name, part, *_] if name in _LEAVES:
            return WrongPart(part, ())
        case ["player", *rest]:
            return _wrong_in_unit(rest, (*_UNIT_FIELDS, "energy"), intent=True)
        case ["enemies", *rest]:
            return _wrong_number(rest) or _wrong_in_unit(rest[1:], _UNIT_FIELDS, intent=True)
        case ["hand", number, *rest] if number != "size":
            if not number.isdecimal():
                return WrongPart(number, ("size", _NUMBER))
            return _wrong_leaf(rest, ("cost", "playable"))
        case [pile, *rest] if pile in _PILES:
            return _wrong_leaf(rest, ("size",))
        case ["choice", *rest]:
            return _wrong_leaf(rest, ("kind", "cards"))
        case ["variables", *rest]:
            return None if rest else WrongPart("", ("<name>",))
        case [name, *_]:
            return WrongPart(name, _ROOTS)
    return None


def wrong_part_to_set(path: str) -> WrongPart | None:
    """Where a path leaves what a `set` may write in any battle (content.md); None: nowhere."""
    match path.split("."):
        case ["player", *rest]:
            return _wrong_in_unit(rest, (*_SETTABLE, "energy"), intent=False)
        case ["enemies", *rest]:
            return _wrong_number(rest) or _wrong_in_unit(rest[1:], _SETTABLE, intent=False)
        case ["variables", *rest]:
            return _wrong_name(rest)
        case [name, *_]:
            return WrongPart(name, ("player", "enemies", "variables"))
    return None


def _wrong_in_unit(rest: list[str], fields: tuple[str, ...], intent: bool) -> WrongPart | None:
    match rest:
        case ["statuses" | "variables", *name]:
            return _wrong_name(name)
        case ["intent", *name] if intent:
            return _wrong_leaf(name, _INTENT_FIELDS)
    return _wrong_leaf(rest, fields, ("statuses", "variables", *(("intent",) if intent else ())))


def _wrong_leaf(rest: list[str], leaves: tuple[str, ...], others: tuple[str, ...] = ()) -> WrongPart | None:
    if not rest or rest[0] not in leaves:
        return WrongPart(rest[0] if rest else "", (*leaves, *others))
    return WrongPart(rest[1], ()) if len(rest) > 1 else None


def _wrong_number(rest: list[str]) -> WrongPart | None:
    return None if rest and rest[0].isdecimal() else WrongPart(rest[0] if rest else "", (_NUMBER,))


def _wrong_name(rest: list[str]) -> WrongPart | None:
    if len(rest) == 1:
        return None
    return WrongPart(rest[1], ()) if rest else WrongPart("", ("<name>",))
