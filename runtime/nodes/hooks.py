"""Hook nodes: branches that change an amount before it is used (R4.9)."""

from __future__ import annotations

from typing import Final

from runtime.graph.bind import Binding
from runtime.graph.declare import HOOK, HOOK_RESULT, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode
from runtime.graph.timings import (
    ARMOR_GAIN_HOOK,
    ARMOR_LOSS_HOOK,
    ARMOR_RESET_HOOK,
    CARD_COST_HOOK,
    DAMAGE_DEALT_HOOK,
    DAMAGE_TAKEN_HOOK,
    DRAW_COUNT_HOOK,
    ENERGY_REFILL_HOOK,
    HP_GAIN_HOOK,
    HP_LOSS_HOOK,
    PLAY_COUNT_HOOK,
    STATUS_STACKS_HOOK,
)
from runtime.graph.types import BOOL, CARD, CARD_REF, INT, STATUS, STATUS_REF, TEXT, UNIT


class SetHookAmount(ExecNode):
    """Set Hook Amount: what the hook leaves, and what it spends (R4.9)."""

    __slots__ = ("amount", "spend")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.amount = binding.int_input("amount")
        self.spend = binding.int_param("spend")
        if not self.spend:
            self.rule = self.amount.hook_rule()

    def run(self, frame: Frame) -> ExecNode | None:
        frame.amount = self.amount.get(frame)
        frame.spend = self.spend
        return None


_SOURCE: Final = Port("source", UNIT, help="Who acts, or no unit.")
_TARGET: Final = Port("target", UNIT, help="Who is affected.")
_CARD: Final = Port("card", CARD_REF, help="The card in question; no card where none acts.")
_CAUSE: Final = Port("cause", TEXT, help="The kind of graph that acts: card, status or enemy.")
_IS_ATTACK: Final = Port("is_attack", BOOL, help="Whether it is an attack.")
_STATUS: Final = Port("status", STATUS_REF, help="The status to be applied.")


def _hook(
    timing: int, type_id: str, name: str, help_text: str, *outputs: Port, kinds: tuple[str, ...] = (STATUS,)
) -> NodeType:
    return NodeType(
        type=type_id,
        name=name,
        category=HOOK,
        help=help_text,
        kinds=kinds,
        outputs=(OUT, Port("amount", INT, help="The amount so far."), *outputs),
        params=(Param("phase", "int", 0, help="Low phases are asked first."),),
        timing=timing,
        rule="R4.9",
    )


NODES: Final[tuple[NodeType, ...]] = (
    _hook(
        DAMAGE_DEALT_HOOK,
        "damage_dealt_hook",
        "Damage Dealt Hook",
        "Attacks of the holder.",
        _SOURCE,
        _TARGET,
        _CARD,
        _CAUSE,
    ),
    _hook(
        DAMAGE_TAKEN_HOOK,
        "damage_taken_hook",
        "Damage Taken Hook",
        "Attack and status damage on the holder, before armor.",
        _SOURCE,
        _TARGET,
        _CARD,
        _CAUSE,
        _IS_ATTACK,
    ),
    _hook(
        HP_LOSS_HOOK,
        "hp_loss_hook",
        "HP Loss Hook",
        "What the holder is about to lose, after armor, and by Lose HP.",
        _SOURCE,
        _TARGET,
        _CAUSE,
        _IS_ATTACK,
    ),
    _hook(HP_GAIN_HOOK, "hp_gain_hook", "HP Gain Hook", "Gain HP on the holder.", _TARGET, _CARD, _CAUSE),
    _hook(ARMOR_GAIN_HOOK, "armor_gain_hook", "Armor Gain Hook", "Gain Armor on the holder.", _TARGET, _CARD, _CAUSE),
    _hook(ARMOR_LOSS_HOOK, "armor_loss_hook", "Armor Loss Hook", "Lose Armor on the holder.", _TARGET, _CARD, _CAUSE),
    _hook(
        CARD_COST_HOOK,
        "card_cost_hook",
        "Card Cost Hook",
        "What a card costs: player statuses, then the card.",
        _CARD,
        kinds=(CARD, STATUS),
    ),
    _hook(
        STATUS_STACKS_HOOK,
        "status_stacks_hook",
        "Status Stacks Hook",
        "Stacks about to be applied to the holder; 0 or less stops it.",
        _STATUS,
        _SOURCE,
        _TARGET,
        _CAUSE,
    ),
    _hook(DRAW_COUNT_HOOK, "draw_count_hook", "Draw Count Hook", "Cards of the normal and the opening draw."),
    _hook(ENERGY_REFILL_HOOK, "energy_refill_hook", "Energy Refill Hook", "Energy at the refill, the first included."),
    _hook(
        ARMOR_RESET_HOOK,
        "armor_reset_hook",
        "Armor Reset Hook",
        "Armor about to be taken off at a turn's start; 0 keeps it all.",
        _TARGET,
    ),
    _hook(PLAY_COUNT_HOOK, "play_count_hook", "Play Count Hook", "How often On Card Played runs; 1 so far.", _CARD),
    NodeType(
        type="set_hook_amount",
        name="Set Hook Amount",
        category=HOOK_RESULT,
        help="Ends a hook with the amount it leaves.",
        kinds=(CARD, STATUS),
        inputs=(IN, Port("amount", INT, REQUIRED, "The amount.")),
        params=(
            Param(
                "spend",
                "int",
                0,
                minimum=0,
                help="Stacks that the hook's own status loses in a real use that changed the amount.",
            ),
        ),
        build=SetHookAmount,
        rule="R4.9",
    ),
)
