"""Actions on HP, armor and energy: R4.5 to R4.7."""

from __future__ import annotations

from typing import Final

from runtime.battle.energy import gain_energy, lose_energy
from runtime.battle.run_nodes import decided
from runtime.battle.state import ALIVE, Battle, Unit
from runtime.battle.vitals import add_armor, after_target_hooks, change_max_hp, gain_armor, gain_hp, lose_armor
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode, Leaf
from runtime.graph.timings import ARMOR_GAIN_HOOK, ARMOR_LOSS_HOOK, HP_GAIN_HOOK, ON_ARMOR_GAINED
from runtime.graph.types import INT, UNITS, saturate
from runtime.graph.values import ACTING, NO_WORD, PLAYER, ConstantInt, OneUnit, word_of


class _AmountOnTargets(ExecNode):
    """An amount and the units that it is meant for; `one_target` where that is a single reference."""

    __slots__ = ("amount", "one_target", "target")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.amount = binding.int_input("amount")
        self.target = binding.units_input("target")
        self.one_target = self.target.unit if isinstance(self.target, OneUnit) else None

    def _after_hooks(self, frame: Frame, timing: int, port: str, value: int) -> int:
        """The amount after a dry run of the target's hooks; several targets have no say in it."""
        targets = self.target.get(frame)
        if port != "amount" or len(targets) != 1:
            return value
        cause = frame.branch.owner_kind
        return after_target_hooks(frame.battle, targets[0], timing, value, frame.card, cause, False)


class GainHp(_AmountOnTargets):
    """Gain HP (R4.5)."""

    __slots__ = ("healed_slot",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding)
        self.healed_slot = binding.slot("healed")

    def shown(self, frame: Frame, port: str, value: int) -> int:
        return self._after_hooks(frame, HP_GAIN_HOOK, port, value)

    def run(self, frame: Frame) -> ExecNode | None:
        amount = self.amount.get(frame)
        total = 0
        for target in self.target.get(frame):
            if decided(frame):
                break
            healed = gain_hp(frame.battle, target, amount, frame.card, frame.branch.owner_kind, frame.acting)
            total = saturate(total + healed)
        if self.healed_slot >= 0:
            frame.slots[self.healed_slot] = total
        return self.next


class ChangeMaxHp(_AmountOnTargets):
    """Change Max HP."""

    __slots__ = ()

    def run(self, frame: Frame) -> ExecNode | None:
        amount = self.amount.get(frame)
        for target in self.target.get(frame):
            change_max_hp(frame.battle, target, amount)
        return self.next


class GainArmor(_AmountOnTargets):
    """Gain Armor (R4.6)."""

    __slots__ = ("fixed_amount", "gained_slot", "word")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding)
        self.gained_slot = binding.slot("gained")
        # A literal needs no asking.
        self.fixed_amount = self.amount.constant if isinstance(self.amount, ConstantInt) else None
        # Then it needs no frame, either, where a word names the target.
        self.word = word_of(self.one_target) if self.fixed_amount is not None and self.gained_slot < 0 else NO_WORD

    def run_alone(self, battle: Battle, acting: Unit, chosen: Unit | None, leaf: Leaf | None) -> bool:
        word = self.word
        amount = self.fixed_amount
        if word == NO_WORD or amount is None or amount <= 0:
            return False
        target = acting if word == ACTING else battle.player if word == PLAYER else chosen
        if target is None or target.hp <= 0 or target.life != ALIVE:
            return False
        if target.listeners[ARMOR_GAIN_HOOK] or target.listeners[ON_ARMOR_GAINED]:
            return False
        add_armor(battle, target, amount)
        return True

    def shown(self, frame: Frame, port: str, value: int) -> int:
        return self._after_hooks(frame, ARMOR_GAIN_HOOK, port, value)

    def run(self, frame: Frame) -> ExecNode | None:
        amount = self.fixed_amount
        if amount is None:
            amount = self.amount.get(frame)
        if self.one_target is not None:
            one = self.one_target.get(frame)
            if one is not None:
                gained = gain_armor(frame.battle, one, amount, frame.card, frame.branch.owner_kind, frame.acting)
                if self.gained_slot >= 0:
                    frame.slots[self.gained_slot] = gained
            elif self.gained_slot >= 0:
                frame.slots[self.gained_slot] = 0
            return self.next
        total = 0
        for target in self.target.get(frame):
            if decided(frame):
                break
            gained = gain_armor(frame.battle, target, amount, frame.card, frame.branch.owner_kind, frame.acting)
            total = saturate(total + gained)
        if self.gained_slot >= 0:
            frame.slots[self.gained_slot] = total
        return self.next


class LoseArmor(_AmountOnTargets):
    """Lose Armor (R4.6)."""

    __slots__ = ()

    def shown(self, frame: Frame, port: str, value: int) -> int:
        return self._after_hooks(frame, ARMOR_LOSS_HOOK, port, value)

    def run(self, frame: Frame) -> ExecNode | None:
        amount = self.amount.get(frame)
        for target in self.target.get(frame):
            if decided(frame):
                break
            lose_armor(frame.battle, target, amount, frame.card, frame.branch.owner_kind, frame.acting)
        return self.next


class GainEnergy(ExecNode):
    """Gain Energy (R4.7)."""

    __slots__ = ("amount",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.amount = binding.int_input("amount")

    def run(self, frame: Frame) -> ExecNode | None:
        gain_energy(frame.battle, self.amount.get(frame))
        return self.next


class LoseEnergy(ExecNode):
    """Lose Energy (R4.7)."""

    __slots__ = ("amount",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.amount = binding.int_input("amount")

    def run(self, frame: Frame) -> ExecNode | None:
        lose_energy(frame.battle, self.amount.get(frame))
        return self.next


def _on_targets(amount: str, target: str) -> tuple[Port, ...]:
    return (IN, Port("amount", INT, REQUIRED, amount), Port("target", UNITS, "acting", target))


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="gain_hp",
        name="Gain HP",
        category=ACTION,
        help="Heals, up to maximum HP.",
        inputs=_on_targets("HP to gain, before HP Gain Hooks.", "Who is healed."),
        outputs=(OUT, Port("healed", INT, help="The sum of HP restored.")),
        build=GainHp,
        changes_state=True,
        rule="R4.5",
    ),
    NodeType(
        type="change_max_hp",
        name="Change Max HP",
        category=ACTION,
        help="Changes maximum HP, to at least 1; HP is clamped, never raised. No Entry.",
        inputs=_on_targets("What is added; negative takes away.", "Whose maximum changes."),
        outputs=(OUT,),
        build=ChangeMaxHp,
        changes_state=True,
    ),
    NodeType(
        type="gain_armor",
        name="Gain Armor",
        category=ACTION,
        help="Adds armor.",
        inputs=_on_targets("Armor to gain, before Armor Gain Hooks.", "Who gains armor."),
        outputs=(OUT, Port("gained", INT, help="The sum of armor added.")),
        build=GainArmor,
        changes_state=True,
        rule="R4.6",
    ),
    NodeType(
        type="lose_armor",
        name="Lose Armor",
        category=ACTION,
        help="Takes armor away, down to 0.",
        inputs=_on_targets("Armor to lose, before Armor Loss Hooks.", "Who loses armor."),
        outputs=(OUT,),
        build=LoseArmor,
        changes_state=True,
        rule="R4.6",
    ),
    NodeType(
        type="gain_energy",
        name="Gain Energy",
        category=ACTION,
        help="Adds to the player's energy, above its maximum, too.",
        inputs=(IN, Port("amount", INT, REQUIRED, "Energy to gain.")),
        outputs=(OUT,),
        build=GainEnergy,
        changes_state=True,
        rule="R4.7",
    ),
    NodeType(
        type="lose_energy",
        name="Lose Energy",
        category=ACTION,
        help="Takes from the player's energy, down to 0.",
        inputs=(IN, Port("amount", INT, REQUIRED, "Energy to lose.")),
        outputs=(OUT,),
        build=LoseEnergy,
        changes_state=True,
        rule="R4.7",
    ),
)
