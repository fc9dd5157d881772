"""Chance, picks and choices, and the end of the turn (R5.7)."""

from __future__ import annotations

from typing import Any, Final

from runtime.battle.choices import CARD_CHOICE, OPTION_CHOICE, Choice, ask
from runtime.battle.state import PLAYER_PHASE, Unit
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.types import CARD_REF, CARDS, INT, UNIT, UNITS


class RollRandom(ExecNode):
    """Roll Random: both ends included; effects stream."""

    __slots__ = ("maximum", "minimum", "value_slot")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.minimum = binding.int_input("min")
        self.maximum = binding.int_input("max")
        self.value_slot = binding.slot("value")

    def run(self, frame: Frame) -> ExecNode | None:
        value = frame.battle.effects.between(self.minimum.get(frame), self.maximum.get(frame))
        if self.value_slot >= 0:
            frame.slots[self.value_slot] = value
        return self.next


class PickUnit(ExecNode):
    """Pick Unit: one of a list."""

    __slots__ = ("how", "unit_slot", "units")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.units = binding.units_input("units")
        self.how = binding.text_param("how")
        self.unit_slot = binding.slot("unit")

    def run(self, frame: Frame) -> ExecNode | None:
        unit = self._pick(frame, self.units.get(frame))
        if self.unit_slot >= 0:
            frame.slots[self.unit_slot] = unit
        return self.next

    def _pick(self, frame: Frame, units: list[Unit]) -> Unit | None:
        if not units:
            return None
        if self.how == "random":
            return units[frame.battle.effects.below(len(units))]
        if self.how == "last":
            return units[-1]
        picked = units[0]
        for unit in units:
            if (self.how == "lowest_hp" and unit.hp < picked.hp) or (self.how == "highest_hp" and unit.hp > picked.hp):
                picked = unit
        return picked


class PickCard(ExecNode):
    """Pick Card: one of a list."""

    __slots__ = ("card_slot", "cards", "how")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.cards = binding.cards_input("cards")
        self.how = binding.text_param("how")
        self.card_slot = binding.slot("card")

    def run(self, frame: Frame) -> ExecNode | None:
        cards = self.cards.get(frame)
        picked = -1
        if cards:
            if self.how == "random":
                picked = cards[frame.battle.effects.below(len(cards))]
            else:
                picked = cards[-1] if self.how == "last" else cards[0]
        if self.card_slot >= 0:
            frame.slots[self.card_slot] = picked
        return self.next


class ChooseCard(ExecNode):
    """Choose Card: the player picks (R5.7)."""

    __slots__ = ("card_slot", "cards", "cards_slot", "maximum", "minimum", "prompt")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        binding.content.has_choices = True
        self.cards = binding.cards_input("cards")
        self.minimum = binding.int_input("min")
        self.maximum = binding.int_input("max")
        self.prompt = binding.text_param("prompt")
        self.cards_slot = binding.slot("cards")
        self.card_slot = binding.slot("card")

    def run(self, frame: Frame) -> ExecNode | None:
        # A card may be named twice by the wires; it is one candidate all the same.
        candidates = list(dict.fromkeys(self.cards.get(frame)))
        least = max(0, self.minimum.get(frame))
        most = min(max(least, self.maximum.get(frame)), len(candidates))
        if len(candidates) <= least or most <= 0:
            picked = candidates if len(candidates) <= least else []
        else:
            picked = ask(frame.battle, Choice(CARD_CHOICE, self.prompt, candidates, [], least, most))
        if self.cards_slot >= 0:
            frame.slots[self.cards_slot] = picked
        if self.card_slot >= 0:
            frame.slots[self.card_slot] = picked[0] if picked else -1
        return self.next


class ChooseOption(ExecNode):
    """Choose Option: the player picks one of some texts (R5.7)."""

    __slots__ = ("index_slot", "options", "prompt")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        binding.content.has_choices = True
        self.options: list[str] = list(binding.param("options"))
        self.prompt = binding.text_param("prompt")
        self.index_slot = binding.slot("index")

    def run(self, frame: Frame) -> ExecNode | None:
        index = 0
        if len(self.options) > 1:
            index = ask(frame.battle, Choice(OPTION_CHOICE, self.prompt, [], self.options, 1, 1))[0]
        if self.index_slot >= 0:
            frame.slots[self.index_slot] = index
        return self.next


class EndTurnNode(ExecNode):
    """End Turn: when the running action is done; nothing in the enemy phase."""

    __slots__ = ()

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())

    def run(self, frame: Frame) -> ExecNode | None:
        battle = frame.battle
        if battle.phase == PLAYER_PHASE:
            battle.end_turn_asked = True
        return self.next


def _node(type_id: str, name: str, help_text: str, build: Any, **fields: Any) -> NodeType:
    inputs = (IN, *fields.pop("inputs", ()))
    outputs = (OUT, *fields.pop("outputs", ()))
    return NodeType(
        type=type_id,
        name=name,
        category=ACTION,
        help=help_text,
        inputs=inputs,
        outputs=outputs,
        build=build,
        changes_state=True,
        **fields,
    )


_PROMPT: Final = Param("prompt", "text", "", help="What the player reads.")

NODES: Final[tuple[NodeType, ...]] = (
    _node(
        "roll_random",
        "Roll Random",
        "A random Int, both ends included.",
        RollRandom,
        inputs=(Port("min", INT, 0, "The least."), Port("max", INT, REQUIRED, "The most.")),
        outputs=(Port("value", INT, help="The number rolled."),),
    ),
    _node(
        "pick_unit",
        "Pick Unit",
        "Picks one of some units.",
        PickUnit,
        inputs=(Port("units", UNITS, REQUIRED, "The candidates."),),
        outputs=(Port("unit", UNIT, help="The one picked; no unit of none."),),
        params=(
            Param(
                "how",
                "choice",
                "random",
                ("random", "lowest_hp", "highest_hp", "first", "last"),
                help="How; of equals the first.",
            ),
        ),
    ),
    _node(
        "pick_card",
        "Pick Card",
        "Picks one of some cards.",
        PickCard,
        inputs=(Port("cards", CARDS, REQUIRED, "The candidates."),),
        outputs=(Port("card", CARD_REF, help="The one picked; no card of none."),),
        params=(Param("how", "choice", "random", ("random", "first", "last"), help="How."),),
    ),
    _node(
        "choose_card",
        "Choose Card",
        "Lets the player pick among cards.",
        ChooseCard,
        inputs=(
            Port("cards", CARDS, REQUIRED, "The candidates."),
            Port("min", INT, 1, "The fewest; no more candidates than this are taken unasked."),
            Port("max", INT, 1, "The most."),
        ),
        outputs=(
            Port("cards", CARDS, help="The cards picked."),
            Port("card", CARD_REF, help="The first of them."),
        ),
        params=(_PROMPT,),
        rule="R5.7",
    ),
    _node(
        "choose_option",
        "Choose Option",
        "Lets the player pick one of some texts.",
        ChooseOption,
        outputs=(Port("index", INT, help="The one picked, from 0."),),
        params=(Param("options", "texts", REQUIRED, help="The texts."), _PROMPT),
        rule="R5.7",
    ),
    _node(
        "end_turn",
        "End Turn",
        "Ends the player's turn when the running action is done.",
        EndTurnNode,
    ),
)
