"""Pure values on the battle: its figures, variables, and the arguments of the event being handled."""

from __future__ import annotations

from math import isnan
from typing import Any, Final

from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, PLAYER_PHASE, Unit
from runtime.battle.variables import read_variable
from runtime.graph.bind import Binding
from runtime.graph.declare import ARGUMENT_TYPES, REQUIRED, VALUE, NodeType, Param, Port, value_output
from runtime.graph.definitions import StatusDefinition
from runtime.graph.frame import Frame
from runtime.graph.program import BoolValue, CardValue, IntValue, StatusValue, TextValue, UnitValue
from runtime.graph.types import BOOL, INT, saturate
from runtime.nodes.actions.events import VARIABLE_INPUTS, VARIABLE_PARAMS

_PILES: Final = {"hand": HAND, "draw": DRAW, "discard": DISCARD, "exhaust": EXHAUST_PILE}


class PileSize(IntValue):
    """Battle Info's pile sizes."""

    __slots__ = ("pile",)

    def __init__(self, pile: int) -> None:
        self.pile = pile

    def get(self, frame: Frame) -> int:
        return len(frame.battle.piles[self.pile])


class BattleInfoInt(IntValue):
    """Battle Info's other Int outputs."""

    __slots__ = ("port",)

    def __init__(self, port: str) -> None:
        self.port = port

    def get(self, frame: Frame) -> int:
        battle = frame.battle
        port = self.port
        if port == "turn":
            return battle.turn
        if port == "energy":
            return battle.energy
        if port == "max_energy":
            return battle.max_energy
        if port == "cards_played_this_turn":
            return battle.cards_played
        return len([unit for unit in battle.units if unit.number and unit.alive])


class IsPlayerTurn(BoolValue):
    """Battle Info's is_player_turn."""

    __slots__ = ()

    def get(self, frame: Frame) -> bool:
        return frame.battle.phase == PLAYER_PHASE


def _battle_info(binding: Binding, port: str) -> object:
    if port in _PILES:
        return PileSize(_PILES[port])
    return IsPlayerTurn() if port == "is_player_turn" else BattleInfoInt(port)


class GetVariable(IntValue):
    """Get Variable (R5.8)."""

    __slots__ = ("card", "name", "scope", "unit")

    def __init__(self, binding: Binding, port: str) -> None:
        self.name = binding.text_param("name")
        self.scope = binding.text_param("scope")
        self.unit = binding.unit_input("unit")
        self.card = binding.card_input("card")

    def get(self, frame: Frame) -> int:
        return read_variable(frame.battle, self.scope, self.name, self.unit.get(frame), self.card.get(frame))


def _argument(frame: Frame, name: str, is_card: bool = False) -> object:
    """An argument of the event being handled; frames nest (R6.2). None when it is absent, or a card and none asked."""
    handled = frame.battle.running.handled
    if handled is None or (name in handled.cards) is not is_card:
        return None
    return handled.values.get(name)


class EventArgInt(IntValue):
    """Event Arg as an Int: a float is multiplied by the scale and truncated (R6.4)."""

    __slots__ = ("name", "scale")

    def __init__(self, name: str, scale: int) -> None:
        self.name = name
        self.scale = scale

    def get(self, frame: Frame) -> int:
        value = _argument(frame, self.name)
        if isinstance(value, bool):
            return 0
        if isinstance(value, int):
            return value
        if isinstance(value, float):
            scaled = value * self.scale
            # An infinite or undefined float has no Int; an absent argument gives 0 as well.
            if isnan(scaled):
                return 0
            return saturate(int(max(-4e9, min(4e9, scaled))))
        return 0


class EventArgBool(BoolValue):
    """Event Arg as a Bool."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, frame: Frame) -> bool:
        value = _argument(frame, self.name)
        return value if isinstance(value, bool) else False


class EventArgText(TextValue):
    """Event Arg as a Text."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, frame: Frame) -> str:
        value = _argument(frame, self.name)
        return value if isinstance(value, str) else ""


class EventArgUnit(UnitValue):
    """Event Arg as a UnitRef."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, frame: Frame) -> Unit | None:
        value = _argument(frame, self.name)
        return value if isinstance(value, Unit) else None


class EventArgCard(CardValue):
    """Event Arg as a CardRef."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, frame: Frame) -> int:
        value = _argument(frame, self.name, is_card=True)
        if isinstance(value, bool) or not isinstance(value, int):
            return -1
        return value if 0 <= value < len(frame.battle.cards) else -1


class EventArgStatus(StatusValue):
    """Event Arg as a StatusRef."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self, frame: Frame) -> StatusDefinition | None:
        value = _argument(frame, self.name)
        return value if isinstance(value, StatusDefinition) else None


_EVENT_ARGS: Final[dict[str, Any]] = {
    "bool": EventArgBool,
    "text": EventArgText,
    "unit": EventArgUnit,
    "card": EventArgCard,
    "status": EventArgStatus,
}


def _event_arg(binding: Binding, port: str) -> object:
    name = binding.text_param("name")
    kind = binding.text_param("type")
    return EventArgInt(name, binding.int_param("scale")) if kind == "int" else _EVENT_ARGS[kind](name)


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="battle_info",
        name="Battle Info",
        category=VALUE,
        help="Figures of the battle now.",
        outputs=(
            Port("turn", INT, help="The turn."),
            Port("energy", INT, help="The player's energy."),
            Port("max_energy", INT, help="What energy is refilled to."),
            Port("hand", INT, help="Cards in hand."),
            Port("draw", INT, help="Cards in the draw pile."),
            Port("discard", INT, help="Cards in the discard pile."),
            Port("exhaust", INT, help="Cards in the exhaust pile."),
            Port("cards_played_this_turn", INT, help="Cards played in this turn, the running one included."),
            Port("enemies_alive", INT, help="Living enemies."),
            Port("is_player_turn", BOOL, help="Whether it is the player's turn."),
        ),
        build=_battle_info,
    ),
    NodeType(
        type="get_variable",
        name="Get Variable",
        category=VALUE,
        help="A variable's value; 0 by default.",
        inputs=VARIABLE_INPUTS,
        outputs=value_output(INT),
        params=VARIABLE_PARAMS,
        build=GetVariable,
        rule="R5.8",
    ),
    NodeType(
        type="event_arg",
        name="Event Arg",
        category=VALUE,
        help="An argument of the event being handled.",
        params=(
            Param(
                "name",
                "text",
                REQUIRED,
                help="Its name; of a GES event arg, sender, or a field.",
                names="event_argument",
            ),
            Param("type", "choice", REQUIRED, tuple(ARGUMENT_TYPES), help="Its type."),
            Param("scale", "int", 1, help="What a float is multiplied by before it is truncated."),
        ),
        build=_event_arg,
        typed_output=("value", "type"),
        rule="R6.2 R6.4",
    ),
)
