"""Actions on cards: drawing, making, moving, playing, changing (R3.2, R3.4, R5.4)."""

from __future__ import annotations

from typing import Final

from runtime.battle.card import UNTIL, Card
from runtime.battle.card_changes import set_card_cost, set_card_keyword, upgrade_card
from runtime.battle.cards import POSITIONS, TOP, add_card, lies_in_a_pile, move_card, new_card, shuffle_draw_pile
from runtime.battle.hand import draw_cards
from runtime.battle.legality import is_valid_target, needs_target, targets_of
from runtime.battle.playing import play
from runtime.battle.run_nodes import decided, take_step
from runtime.battle.state import DISCARD, DRAW, EXHAUST_PILE, HAND, PILE_NUMBERS
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.definitions import KEYWORDS, UNPLAYABLE, CardDefinition
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import BOOL, CARD_REF, INT, UNIT


class DrawCards(ExecNode):
    """Draw Cards (R3.2)."""

    __slots__ = ("count", "drawn_slot")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.count = binding.int_input("count")
        self.drawn_slot = binding.slot("drawn")

    def run(self, frame: Frame) -> ExecNode | None:
        drawn = draw_cards(frame.battle, self.count.get(frame))
        if self.drawn_slot >= 0:
            frame.slots[self.drawn_slot] = drawn
        return self.next


class ShuffleDrawPile(ExecNode):
    """Shuffle Draw Pile (E7)."""

    __slots__ = ()

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())

    def run(self, frame: Frame) -> ExecNode | None:
        shuffle_draw_pile(frame.battle)
        return self.next


class AddCard(ExecNode):
    """Makes new cards in a pile, one by one, each with its Entry (R5.4)."""

    __slots__ = ("card_slot", "count", "definition", "like", "pile", "pool", "position")

    def __init__(self, binding: Binding, pile: int) -> None:
        super().__init__(binding.id, binding.flow())
        self.pile = pile
        self.count = binding.int_input("count")
        self.like = binding.card_input("like")
        self.definition = binding.card_definition("card")
        pool = binding.param("pool")
        self.pool: list[CardDefinition] = _pool(binding, pool) if isinstance(pool, dict) else []
        self.position = POSITIONS[binding.text_param("position")] if pile == DRAW else TOP
        self.card_slot = binding.slot("card")

    def run(self, frame: Frame) -> ExecNode | None:
        battle = frame.battle
        like = self.like.get(frame)
        last = -1
        for _ in range(self.count.get(frame)):
            if decided(frame):
                break
            take_step(battle)
            definition = self.definition
            if definition is None and self.pool:
                definition = self.pool[battle.effects.below(len(self.pool))]
            if definition is not None:
                card = new_card(battle, definition)
            elif like >= 0:
                card = new_card(battle, battle.cards[like].definition)
                card = _copy_of(battle.cards[like], card)
                battle.cards[card.number] = card
            else:
                break
            add_card(battle, card, self.pile, self.position)
            last = card.number
        if self.card_slot >= 0:
            frame.slots[self.card_slot] = last
        return self.next


def _copy_of(model: Card, card: Card) -> Card:
    """A new instance with all that its model has at this moment, but what it remembers."""
    copy = model.altered()
    copy.number = card.number
    copy.ports = card.ports
    copy.once = None
    return copy


def _pool(binding: Binding, pool: dict[str, object]) -> list[CardDefinition]:
    """The cards of the pack that fit a pool, by id."""
    found: list[CardDefinition] = []
    for _, definition in sorted(binding.content.cards.items()):
        if "type" in pool and definition.type != pool["type"]:
            continue
        if "rarity" in pool and definition.rarity != pool["rarity"]:
            continue
        if "tag" in pool and pool["tag"] not in definition.tags:
            continue
        found.append(definition)
    return found


def _add_to_hand(binding: Binding) -> ExecNode:
    return AddCard(binding, HAND)


def _add_to_draw_pile(binding: Binding) -> ExecNode:
    return AddCard(binding, DRAW)


def _add_to_discard_pile(binding: Binding) -> ExecNode:
    return AddCard(binding, DISCARD)


def _add_to_exhaust_pile(binding: Binding) -> ExecNode:
    return AddCard(binding, EXHAUST_PILE)


class MoveCard(ExecNode):
    """Move Card: no Entry (R3.4)."""

    __slots__ = ("card", "pile", "position")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.card = binding.card_input("card")
        self.pile = PILE_NUMBERS[binding.text_param("to")]
        self.position = POSITIONS[binding.text_param("position")]

    def run(self, frame: Frame) -> ExecNode | None:
        number = self.card.get(frame)
        if number >= 0:
            move_card(frame.battle, number, self.pile, self.position)
        return self.next


class PlayCardNode(ExecNode):
    """Play Card: T3 without paying, from any pile."""

    __slots__ = ("card", "picks_target", "played_slot", "target", "x")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.card = binding.card_input("card")
        self.target = binding.unit_input("target")
        self.picks_target = not binding.given("target")
        self.x = binding.int_input("x")
        self.played_slot = binding.slot("played")

    def run(self, frame: Frame) -> ExecNode | None:
        played = self._play(frame)
        if self.played_slot >= 0:
            frame.slots[self.played_slot] = played
        return self.next

    def _play(self, frame: Frame) -> bool:
        battle = frame.battle
        number = self.card.get(frame)
        if not lies_in_a_pile(battle, number):
            return False
        card = battle.cards[number]
        if card.keywords & UNPLAYABLE:
            return False
        target = self.target.get(frame)
        if needs_target(card):
            if self.picks_target:
                valid = targets_of(battle, card)
                target = valid[battle.effects.below(len(valid))] if valid else None
            if target is None or not is_valid_target(card, target):
                return False
        # R4.10: X is the input; nothing is paid.
        battle.paid[number] = max(0, self.x.get(frame)) if card.costs_x else 0
        play(battle, number, target.number if target is not None else -1, False)
        return True


class UpgradeCard(ExecNode):
    """Upgrade Card."""

    __slots__ = ("card",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.card = binding.card_input("card")

    def run(self, frame: Frame) -> ExecNode | None:
        number = self.card.get(frame)
        if number >= 0:
            upgrade_card(frame.battle, number)
        return self.next


class SetCardCost(ExecNode):
    """Set Card Cost."""

    __slots__ = ("card", "cost", "until")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.card = binding.card_input("card")
        self.cost = binding.int_input("cost")
        self.until = UNTIL[binding.text_param("until")]

    def run(self, frame: Frame) -> ExecNode | None:
        number = self.card.get(frame)
        if number >= 0:
            set_card_cost(frame.battle, number, self.cost.get(frame), self.until)
        return self.next


class SetCardKeyword(ExecNode):
    """Set Card Keyword."""

    __slots__ = ("card", "keyword", "until", "value")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.card = binding.card_input("card")
        self.keyword = KEYWORDS[binding.text_param("keyword")]
        self.value = bool(binding.param("value"))
        self.until = UNTIL[binding.text_param("until")]

    def run(self, frame: Frame) -> ExecNode | None:
        number = self.card.get(frame)
        if number >= 0:
            set_card_keyword(frame.battle, number, self.keyword, self.value, self.until)
        return self.next


_CARD: Final = Port("card", CARD_REF, REQUIRED, "The card.")
_PILES: Final = ("hand", "draw", "discard", "exhaust")
_UNTIL: Final = Param("until", "choice", "turn", ("turn", "played", "battle"), help="How long it lasts.")


def _add_card(type_id: str, name: str, help_text: str, build: object, rule: str, *more: Param) -> NodeType:
    return NodeType(
        type=type_id,
        name=name,
        category=ACTION,
        help=help_text,
        inputs=(
            IN,
            Port("count", INT, 1, "How many."),
            Port("like", CARD_REF, None, "An instance to copy."),
        ),
        outputs=(OUT, Port("card", CARD_REF, help="The last new card.")),
        params=(
            Param("card", "card_id", None, help="The card to make."),
            Param("pool", "card_pool", None, help="A random card of this type, tag and rarity."),
            *more,
        ),
        build=build,  # type: ignore[arg-type]
        exactly_one=("card", "like", "pool"),
        changes_state=True,
        rule=rule,
    )


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="draw_cards",
        name="Draw Cards",
        category=ACTION,
        help="Draws cards one by one.",
        inputs=(IN, Port("count", INT, 1, "How many.")),
        outputs=(OUT, Port("drawn", INT, help="How many came into the hand.")),
        build=DrawCards,
        changes_state=True,
        rule="R3.2",
    ),
    NodeType(
        type="shuffle_draw_pile",
        name="Shuffle Draw Pile",
        category=ACTION,
        help="Shuffles the draw pile; its cards react.",
        inputs=(IN,),
        outputs=(OUT,),
        build=ShuffleDrawPile,
        changes_state=True,
        rule="E7",
    ),
    _add_card(
        "add_card_to_hand",
        "Add Card To Hand",
        "Makes new cards in the hand; with a full hand they lie in the discard pile.",
        _add_to_hand,
        "R5.4 E13",
    ),
    _add_card(
        "add_card_to_draw_pile",
        "Add Card To Draw Pile",
        "Makes new cards in the draw pile.",
        _add_to_draw_pile,
        "R5.4 E14",
        Param("position", "choice", "top", ("top", "bottom", "random"), help="Where in the pile."),
    ),
    _add_card(
        "add_card_to_discard_pile",
        "Add Card To Discard Pile",
        "Makes new cards in the discard pile. No Entry.",
        _add_to_discard_pile,
        "R5.4",
    ),
    _add_card(
        "add_card_to_exhaust_pile",
        "Add Card To Exhaust Pile",
        "Makes new cards in the exhaust pile. No Entry.",
        _add_to_exhaust_pile,
        "R5.4",
    ),
    NodeType(
        type="move_card",
        name="Move Card",
        category=ACTION,
        help="Moves a card to another pile. No Entry. Into a full hand it stays where it is.",
        inputs=(IN, _CARD),
        outputs=(OUT,),
        params=(
            Param("to", "choice", REQUIRED, _PILES, help="Which pile."),
            Param("position", "choice", "top", ("top", "bottom", "random"), help="Where in the pile."),
        ),
        build=MoveCard,
        changes_state=True,
        rule="R3.4",
    ),
    NodeType(
        type="play_card",
        name="Play Card",
        category=ACTION,
        help="Plays a card from any pile without paying.",
        inputs=(
            IN,
            _CARD,
            Port("target", UNIT, None, "Its target; unset: a random valid one."),
            Port("x", INT, 0, "X, for a card that costs x."),
        ),
        outputs=(OUT, Port("played", BOOL, help="False when it is unplayable or has no target.")),
        build=PlayCardNode,
        changes_state=True,
        rule="T3 R4.10",
    ),
    NodeType(
        type="upgrade_card",
        name="Upgrade Card",
        category=ACTION,
        help="Turns a card into its upgrade for the rest of the battle.",
        inputs=(IN, _CARD),
        outputs=(OUT,),
        build=UpgradeCard,
        changes_state=True,
    ),
    NodeType(
        type="set_card_cost",
        name="Set Card Cost",
        category=ACTION,
        help="Sets what a card costs before hooks.",
        inputs=(IN, _CARD, Port("cost", INT, REQUIRED, "The cost, at least 0.")),
        outputs=(OUT,),
        params=(_UNTIL,),
        build=SetCardCost,
        changes_state=True,
        rule="R4.10",
    ),
    NodeType(
        type="set_card_keyword",
        name="Set Card Keyword",
        category=ACTION,
        help="Gives a card a keyword or takes it away.",
        inputs=(IN, _CARD),
        outputs=(OUT,),
        params=(
            Param(
                "keyword", "choice", REQUIRED, ("exhaust", "ethereal", "retain", "unplayable"), help="Which keyword."
            ),
            Param("value", "bool", True, help="True gives it, false takes it away."),
            _UNTIL,
        ),
        build=SetCardKeyword,
        changes_state=True,
    ),
)
