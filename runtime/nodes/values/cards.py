"""Pure values on cards."""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.energy import card_cost
from runtime.battle.state import PILE_NUMBERS, PILES, Battle
from runtime.graph.bind import Binding
from runtime.graph.declare import ASKS_COST, REQUIRED, VALUE, NodeType, Param, Port, value_output
from runtime.graph.definitions import ETHEREAL, EXHAUST, INNATE, KEYWORDS, RETAIN, UNPLAYABLE
from runtime.graph.frame import Frame
from runtime.graph.program import BoolValue, CardsValue, CardValue, IntValue, TextValue
from runtime.graph.types import BOOL, CARD_REF, CARDS, INT, TEXT
from runtime.graph.values import CurrentCard


class CardInfoText(TextValue):
    """Card Info's Text outputs: id, name, type, pile. Empty for no card."""

    __slots__ = ("card", "port")

    def __init__(self, binding: Binding, port: str) -> None:
        self.card = binding.card_input("card")
        self.port = port

    def get(self, frame: Frame) -> str:
        number = self.card.get(frame)
        if number < 0:
            return ""
        battle = frame.battle
        definition = battle.cards[number].definition
        if self.port == "id":
            return definition.id
        if self.port == "name":
            return definition.name
        if self.port == "type":
            return definition.type
        return PILES[battle.places[number]]


class CardInfoInt(IntValue):
    """Card Info's Int outputs: cost as shown, and paid. 0 for no card."""

    __slots__ = ("card", "port")

    def __init__(self, binding: Binding, port: str) -> None:
        self.card = binding.card_input("card")
        self.port = port

    def get(self, frame: Frame) -> int:
        number = self.card.get(frame)
        if number < 0:
            return 0
        battle = frame.battle
        if self.port == "paid":
            return battle.paid[number]
        return card_cost(battle, battle.cards[number])


_KEYWORD_PORTS: Final = {
    "is_exhaust": EXHAUST,
    "is_ethereal": ETHEREAL,
    "is_retain": RETAIN,
    "is_innate": INNATE,
    "is_unplayable": UNPLAYABLE,
}


class CardInfoBool(BoolValue):
    """Card Info's Bool outputs: keywords in force, upgraded, upgradable. False for no card."""

    __slots__ = ("card", "keyword", "port")

    def __init__(self, binding: Binding, port: str) -> None:
        self.card = binding.card_input("card")
        self.port = port
        self.keyword = _KEYWORD_PORTS.get(port, 0)

    def get(self, frame: Frame) -> bool:
        number = self.card.get(frame)
        if number < 0:
            return False
        card = frame.battle.cards[number]
        if self.keyword:
            return card.keywords & self.keyword != 0
        if self.port == "upgraded":
            return card.upgraded
        return card.definition.upgrade is not None


def _card_info(binding: Binding, port: str) -> object:
    if port in ("id", "name", "type", "pile"):
        return CardInfoText(binding, port)
    if port in ("cost", "paid"):
        return CardInfoInt(binding, port)
    return CardInfoBool(binding, port)


def _matches(battle: Battle, number: int, type_: str, tag: str, card_id: str) -> bool:
    definition = battle.cards[number].definition
    if type_ and definition.type != type_:
        return False
    if tag and tag not in definition.tags:
        return False
    return not card_id or definition.id == card_id


class CardIs(BoolValue):
    """Card Is: all that is given must hold; false for no card."""

    __slots__ = ("card", "card_id", "keyword", "tag", "type")

    def __init__(self, binding: Binding, port: str) -> None:
        self.card = binding.card_input("card")
        self.type = binding.text_param("type")
        self.tag = binding.text_param("tag")
        self.card_id = binding.text_param("id")
        self.keyword = KEYWORDS.get(binding.text_param("keyword"), 0)

    def get(self, frame: Frame) -> bool:
        number = self.card.get(frame)
        if number < 0 or not _matches(frame.battle, number, self.type, self.tag, self.card_id):
            return False
        return not self.keyword or frame.battle.cards[number].keywords & self.keyword != 0


class CardVar(IntValue):
    """Card Var: one of the definition's vars; 0 where it has none of that name."""

    __slots__ = ("card", "name")

    def __init__(self, binding: Binding, port: str) -> None:
        self.card = binding.card_input("card")
        self.name = binding.text_param("name")

    def get(self, frame: Frame) -> int:
        number = self.card.get(frame)
        return frame.battle.cards[number].definition.vars.get(self.name, 0) if number >= 0 else 0


def _current_card(binding: Binding, port: str) -> CardValue:
    return CurrentCard()


class SameCard(BoolValue):
    """Same Card: the same instance; no card is the same as no card."""

    __slots__ = ("a", "b")

    def __init__(self, binding: Binding, port: str) -> None:
        self.a = binding.card_input("a")
        self.b = binding.card_input("b")

    def get(self, frame: Frame) -> bool:
        return self.a.get(frame) == self.b.get(frame)


class HasCard(BoolValue):
    """Has Card: whether there is one."""

    __slots__ = ("card",)

    def __init__(self, binding: Binding, port: str) -> None:
        self.card = binding.card_input("card")

    def get(self, frame: Frame) -> bool:
        return self.card.get(frame) >= 0


class CardsInPile(CardsValue):
    """Cards In Pile: hand from left to right, the others from the top."""

    __slots__ = ("card_id", "pile", "tag", "type")

    def __init__(self, binding: Binding, port: str) -> None:
        self.pile = PILE_NUMBERS[binding.text_param("pile")]
        self.type = binding.text_param("type")
        self.tag = binding.text_param("tag")
        self.card_id = binding.text_param("id")

    def get(self, frame: Frame) -> list[int]:
        battle = frame.battle
        cards = battle.piles[self.pile]
        ordered = cards[::-1] if self.pile else cards[:]
        if not self.type and not self.tag and not self.card_id:
            return ordered
        return [number for number in ordered if _matches(battle, number, self.type, self.tag, self.card_id)]


class CountInPile(IntValue):
    """The count of Cards In Pile."""

    __slots__ = ("cards",)

    def __init__(self, binding: Binding, port: str) -> None:
        self.cards = CardsInPile(binding, "cards")

    def get(self, frame: Frame) -> int:
        return len(self.cards.get(frame))


def _cards_in_pile(binding: Binding, port: str) -> object:
    return CountInPile(binding, port) if port == "count" else CardsInPile(binding, port)


def _node(
    type_id: str,
    name: str,
    help_text: str,
    build: Any,
    inputs: tuple[Port, ...],
    outputs: tuple[Port, ...],
    params: tuple[Param, ...] = (),
) -> NodeType:
    return NodeType(
        type=type_id,
        name=name,
        category=VALUE,
        help=help_text,
        inputs=inputs,
        outputs=outputs,
        params=params,
        build=build,
    )


_CARD: Final = (Port("card", CARD_REF, REQUIRED, "The card."),)
_PILES: Final = ("hand", "draw", "discard", "exhaust")

NODES: Final[tuple[NodeType, ...]] = (
    _node(
        "card_info",
        "Card Info",
        "What a card is now.",
        _card_info,
        _CARD,
        (
            Port("id", TEXT, help="Its asset id."),
            Port("name", TEXT, help="Its name."),
            Port("type", TEXT, help="Its type."),
            Port("cost", INT, help="Its cost as shown; x: the current energy.", asks=ASKS_COST),
            Port("paid", INT, help="What was paid for it, or its X."),
            Port("pile", TEXT, help="hand, draw, discard, exhaust, in_play or gone."),
            Port("is_exhaust", BOOL, help="Whether it exhausts on play."),
            Port("is_ethereal", BOOL, help="Whether it is ethereal."),
            Port("is_retain", BOOL, help="Whether it is retained."),
            Port("is_innate", BOOL, help="Whether it is innate."),
            Port("is_unplayable", BOOL, help="Whether it is unplayable."),
            Port("upgraded", BOOL, help="Whether Upgrade Card has upgraded it."),
            Port("upgradable", BOOL, help="Whether it has an upgrade."),
        ),
    ),
    _node(
        "card_is",
        "Card Is",
        "Whether a card fits; all that is given must hold.",
        CardIs,
        _CARD,
        value_output(BOOL),
        (
            Param("type", "text", None, help="Its type.", names="card_type"),
            Param("tag", "text", None, help="One of its tags.", names="card_tag"),
            Param("id", "card_id", None, help="Its asset id."),
            Param("keyword", "choice", None, tuple(KEYWORDS), help="A keyword in force."),
        ),
    ),
    _node(
        "card_var",
        "Card Var",
        "One of a card's vars.",
        CardVar,
        (Port("card", CARD_REF, "current", "The card."),),
        value_output(INT),
        (Param("name", "var_name", REQUIRED, help="The var's name."),),
    ),
    _node("current_card", "Current Card", "The card whose graph runs.", _current_card, (), value_output(CARD_REF)),
    _node(
        "same_card",
        "Same Card",
        "Whether two references are the same instance.",
        SameCard,
        (Port("a", CARD_REF, REQUIRED), Port("b", CARD_REF, REQUIRED)),
        value_output(BOOL),
    ),
    _node("has_card", "Has Card", "Whether a reference is a card at all.", HasCard, _CARD, value_output(BOOL)),
    _node(
        "cards_in_pile",
        "Cards In Pile",
        "The cards of a pile that fit, in order.",
        _cards_in_pile,
        (),
        (Port("cards", CARDS, help="The cards."), Port("count", INT, help="How many.")),
        (
            Param("pile", "choice", REQUIRED, _PILES, help="Which pile."),
            Param("type", "text", None, help="Only of this type.", names="card_type"),
            Param("tag", "text", None, help="Only with this tag.", names="card_tag"),
            Param("id", "card_id", None, help="Only of this asset id."),
        ),
    ),
)
