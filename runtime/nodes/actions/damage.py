"""Actions that hurt: Deal Damage, Lose HP, Kill Unit (R4.1 to R4.4)."""

from __future__ import annotations

from typing import Final

from runtime.battle.damage import close_hit, damage_after_hooks, lose_hp, reckon_hit, resolve_hit, take_hit
from runtime.battle.run_nodes import decided, run_nodes, take_step
from runtime.battle.state import ALIVE, DEAD, Battle, Unit
from runtime.graph.bind import Binding
from runtime.graph.declare import ACTION, IN, OUT, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.program import ExecNode, Leaf
from runtime.graph.timings import DAMAGE_DEALT_HOOK, DAMAGE_TAKEN_HOOK
from runtime.graph.types import BOOL, FLOW, INT, STATUS, UNIT, UNITS, saturate
from runtime.graph.values import CHOSEN, NO_WORD, PLAYER, ConstantInt, LatchedInt, OneUnit, word_of

# No slot, nor the -1 of an output that nobody reads.
NO_SLOT: Final = -2


class DealDamage(ExecNode):
    """Deals damage: for each hit, each target of the frozen list (R4.1)."""

    __slots__ = (
        "amount",
        "amount_slot",
        "attacker",
        "attacks",
        "fixed_amount",
        "hits",
        "hp_loss_slot",
        "killed_slot",
        "latches",
        "on_kill",
        "one_target",
        "target",
        "uses_acting",
        "victim_slot",
        "word",
    )

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.amount = binding.int_input("amount")
        # A literal needs no asking.
        self.fixed_amount = self.amount.constant if isinstance(self.amount, ConstantInt) else None
        self.target = binding.units_input("target")
        self.hits = binding.int_input("hits")
        hits_once = isinstance(self.hits, ConstantInt) and self.hits.constant == 1
        self.one_target = self.target.unit if isinstance(self.target, OneUnit) and hits_once else None
        self.attacker = binding.unit_input("attacker")
        kind = binding.text_param("kind")
        # R4.3: who attacks, if anybody does.
        self.uses_acting = not binding.given("attacker")
        self.attacks = kind == "attack" or (kind == "auto" and not (binding.kind == STATUS and self.uses_acting))
        self.on_kill = binding.flow("on_kill")
        self.hp_loss_slot = binding.slot("hp_loss")
        self.killed_slot = binding.slot("killed")
        self.victim_slot = binding.slot("victim")
        self.latches = self.hp_loss_slot >= 0 or self.killed_slot >= 0
        self.amount_slot = self.amount.slot if isinstance(self.amount, LatchedInt) else NO_SLOT
        # A hit by the acting unit on a unit that a word names, as most are, needs no frame.
        self.word = word_of(self.one_target) if self.attacks and self.uses_acting and not self.latches else NO_WORD

    def attacker_of(self, frame: Frame) -> Unit | None:
        """The attacker, or None for status damage; one that is dead makes it status damage, too (R4.3)."""
        if not self.attacks:
            return None
        attacker = frame.acting if self.uses_acting else self.attacker.get(frame)
        return None if attacker is None or attacker.life >= DEAD else attacker

    def shown(self, frame: Frame, port: str, value: int) -> int:
        """The amount of one hit after hooks; several targets, or none yet, have no say in it."""
        if port != "amount":
            return value
        targets = self.target.get(frame)
        target = targets[0] if len(targets) == 1 else None
        cause = frame.branch.owner_kind
        return damage_after_hooks(frame.battle, self.attacker_of(frame), target, value, frame.card, cause, False)

    def run(self, frame: Frame) -> ExecNode | None:
        battle = frame.battle
        amount = self.fixed_amount
        if amount is None:
            amount = self.amount.get(frame)
        attacker = frame.acting if self.uses_acting else self.attacker.get(frame)
        # An attacker that is no unit or dead: status damage (R4.3).
        if not self.attacks or (battle.fallen and attacker is not None and attacker.life >= DEAD):
            attacker = None
        if self.one_target is not None:
            # One hit on one unit, as nearly always.
            one = self.one_target.get(frame)
            if one is None or one.hp <= 0 or one.life != ALIVE:
                self._latch(frame, 0, False)
                return self.next
            loss, killed = resolve_hit(battle, attacker, one, amount, frame.card, frame.branch.owner_kind)
            if killed:
                self._end_kill(frame, one)
            if self.latches:
                self._latch(frame, loss, killed)
            return self.next
        hits = self.hits.get(frame)
        targets = self.target.get(frame)
        total = 0
        any_killed = False
        for _ in range(hits):
            going_on = False
            for target in targets:
                # R2.7: hits and targets still open are dropped after the decision. R4.1: those left by a
                # dead attacker are lost.
                if decided(frame) or (attacker is not None and attacker.life >= DEAD):
                    going_on = False
                    break
                if not target.alive:
                    continue
                going_on = True
                take_step(battle)
                loss, killed = resolve_hit(battle, attacker, target, amount, frame.card, frame.branch.owner_kind)
                if killed:
                    self._end_kill(frame, target)
                total = saturate(total + loss)
                any_killed = any_killed or killed
            if not going_on:
                break
        self._latch(frame, total, any_killed)
        return self.next

    def run_alone(self, battle: Battle, acting: Unit, chosen: Unit | None, leaf: Leaf | None) -> bool:
        word = self.word
        amount = self.fixed_amount
        if amount is None and leaf is not None and leaf.fixed is not None and leaf.amount_slot == self.amount_slot:
            amount = leaf.fixed.amount
        if word == NO_WORD or amount is None or acting.hears_attacks:
            return False
        target = chosen if word == CHOSEN else battle.player if word == PLAYER else acting
        if target is None or target.hp <= 0 or target.life != ALIVE or target.hears_hits:
            return False
        if target.listeners[DAMAGE_TAKEN_HOOK] or acting.listeners[DAMAGE_DEALT_HOOK]:
            amount = reckon_hit(battle, acting, target, amount)
            if amount < 0:
                return False
        elif amount < 0:
            amount = 0
        return take_hit(battle, acting, target, amount) >= 0

    def _latch(self, frame: Frame, loss: int, killed: bool) -> None:
        if self.hp_loss_slot >= 0:
            frame.slots[self.hp_loss_slot] = loss
        if self.killed_slot >= 0:
            frame.slots[self.killed_slot] = killed

    def _end_kill(self, frame: Frame, victim: Unit) -> None:
        """The last step of a hit that killed (R4.1): `on_kill` runs before the battle can be decided."""
        if self.on_kill is not None:
            if self.victim_slot >= 0:
                frame.slots[self.victim_slot] = victim
            run_nodes(frame, self.on_kill)
            frame.node = self
        close_hit(frame.battle)


class LoseHp(ExecNode):
    """Lose HP: past armor, no attacker (R4.4)."""

    __slots__ = ("amount", "lost_slot", "target")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.amount = binding.int_input("amount")
        self.target = binding.units_input("target")
        self.lost_slot = binding.slot("lost")

    def run(self, frame: Frame) -> ExecNode | None:
        amount = self.amount.get(frame)
        total = 0
        for target in self.target.get(frame):
            if decided(frame):
                break
            total = saturate(total + lose_hp(frame.battle, target, amount, frame.branch.owner_kind))
        if self.lost_slot >= 0:
            frame.slots[self.lost_slot] = total
        return self.next


class KillUnit(ExecNode):
    """Kill Unit: Lose HP of all HP, without hooks."""

    __slots__ = ("target",)

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, binding.flow())
        self.target = binding.units_input("target")

    def run(self, frame: Frame) -> ExecNode | None:
        for target in self.target.get(frame):
            if decided(frame):
                break
            lose_hp(frame.battle, target, target.hp, frame.branch.owner_kind, hooked=False)
        return self.next


NODES: Final[tuple[NodeType, ...]] = (
    NodeType(
        type="deal_damage",
        name="Deal Damage",
        category=ACTION,
        help="Damage to each target, hit by hit: hooks, armor, HP, reactions, death.",
        inputs=(
            IN,
            Port("amount", INT, REQUIRED, "Damage of one hit before hooks; read once."),
            Port("target", UNITS, "subject", "Who is hit; frozen at the start."),
            Port("attacker", UNIT, None, "Who attacks, if not the acting unit."),
            Port("hits", INT, 1, "How many hits."),
        ),
        outputs=(
            OUT,
            Port("hp_loss", INT, help="The sum of losses after armor and hooks."),
            Port("killed", BOOL, help="Whether any target was killed by it."),
            Port("on_kill", FLOW, help="Runs once per target killed, within the hit."),
            Port("victim", UNIT, help="In on_kill: who was killed."),
        ),
        params=(
            Param(
                "kind",
                "choice",
                "auto",
                ("auto", "attack", "status"),
                help="Attack, or status damage without an attacker; auto decides by graph kind and attacker.",
            ),
        ),
        build=DealDamage,
        changes_state=True,
        rule="R4.1 R4.2 R4.3",
    ),
    NodeType(
        type="lose_hp",
        name="Lose HP",
        category=ACTION,
        help="Direct loss of HP: armor is ignored, nobody is credited.",
        inputs=(
            IN,
            Port("amount", INT, REQUIRED, "HP to lose, before HP Loss Hooks."),
            Port("target", UNITS, "acting", "Who loses HP."),
        ),
        outputs=(OUT, Port("lost", INT, help="The sum of what was lost.")),
        build=LoseHp,
        changes_state=True,
        rule="R4.4",
    ),
    NodeType(
        type="kill_unit",
        name="Kill Unit",
        category=ACTION,
        help="Takes all HP without hooks: On HP Lost, then death.",
        inputs=(IN, Port("target", UNITS, "acting", "Who is killed.")),
        outputs=(OUT,),
        build=KillUnit,
        changes_state=True,
        rule="R4.8",
    ),
)
