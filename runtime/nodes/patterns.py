"""Pattern nodes and Leaf Intent: how an enemy plans (R5.6)."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, Final

from runtime.battle.state import Battle, Unit
from runtime.graph.bind import Binding
from runtime.graph.declare import IN, LEAF, OUT, PATTERN, REQUIRED, NodeType, Param, Port
from runtime.graph.frame import Frame
from runtime.graph.intent import Intent
from runtime.graph.program import ExecNode, Leaf, PatternNode
from runtime.graph.types import BOOL, ENEMY, FLOW, INT
from runtime.graph.values import ConstantInt

INTENT_KINDS: Final = ("attack", "attack_defend", "defend", "buff", "debuff", "summon", "special", "none")


def _memory(unit: Unit) -> dict[str, int]:
    """What the pattern nodes of an enemy remember."""
    if unit.pattern is None:
        unit.pattern = {}
    return unit.pattern


class PatternSequence(PatternNode):
    """Pattern Sequence: its steps in turn; each enemy has its own place."""

    __slots__ = ("key", "loop", "steps")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.key = binding.key
        self.steps = [binding.flow(f"step_{index}") for index in range(binding.int_param("count"))]
        self.loop = bool(binding.param("loop"))

    def choose(self, battle: Battle, unit: Unit) -> ExecNode | None:
        memory = _memory(unit)
        place = memory.get(self.key, 0)
        following = place + 1
        if following >= len(self.steps):
            following = 0 if self.loop else len(self.steps) - 1
        memory[self.key] = following
        return self.steps[place]


class PatternRandom(PatternNode):
    """Pattern Random: a step by weight; one at its limit in a row is left out of the draw."""

    __slots__ = ("key", "last_key", "max_in_a_row", "others", "steps", "sums")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.key = binding.key + "#row"
        self.last_key = binding.key + "#last"
        weights: list[int] = list(binding.param("weights"))
        self.steps = [binding.flow(f"step_{index}") for index in range(len(weights))]
        self.max_in_a_row = binding.int_param("max_in_a_row")
        self.sums = list(accumulate(weights))
        # The sums with one step out of the draw, by that step; the only one there is stays in it.
        self.others = [self.sums]
        if len(weights) > 1:
            self.others = [list(accumulate(_without(weights, index))) for index in range(len(weights))]

    def choose(self, battle: Battle, unit: Unit) -> ExecNode | None:
        if not self.max_in_a_row:
            return self.steps[battle.intents.weighted_of(self.sums)]
        memory = unit.pattern
        if memory is None:
            memory = _memory(unit)
        last = memory.get(self.last_key, -1)
        row = memory.get(self.key, 0)
        sums = self.others[last] if row >= self.max_in_a_row else self.sums
        step = battle.intents.weighted_of(sums)
        memory[self.key] = row + 1 if step == last else 1
        memory[self.last_key] = step
        return self.steps[step]


def _without(weights: list[int], index: int) -> list[int]:
    return [*weights[:index], 0, *weights[index + 1 :]]


class PatternBranch(ExecNode):
    """Pattern Branch: one way or the other."""

    __slots__ = ("condition", "if_false", "if_true")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.condition = binding.bool_input("condition")
        self.if_true = binding.flow("true")
        self.if_false = binding.flow("false")

    def run(self, frame: Frame) -> ExecNode | None:
        return self.if_true if self.condition.get(frame) else self.if_false


class PatternOpening(PatternNode):
    """Pattern Opening: `first` once per enemy, then `then`."""

    __slots__ = ("first", "key", "then")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.key = binding.key
        self.first = binding.flow("first")
        self.then = binding.flow("then")

    def choose(self, battle: Battle, unit: Unit) -> ExecNode | None:
        memory = _memory(unit)
        if memory.get(self.key, 0):
            return self.then
        memory[self.key] = 1
        return self.first


class PatternPhase(PatternNode):
    """Pattern Phase: below when HP × 100 < max HP × percent."""

    __slots__ = ("above", "below", "hp_percent")

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding.id, None)
        self.above = binding.flow("above")
        self.below = binding.flow("below")
        self.hp_percent = binding.int_param("hp_percent")

    def choose(self, battle: Battle, unit: Unit) -> ExecNode | None:
        return self.below if unit.hp * 100 < unit.max_hp * self.hp_percent else self.above


def _leaf(binding: Binding) -> ExecNode:
    kind = binding.text_param("kind")
    text = binding.text_param("text")
    icon = binding.text_param("icon")
    amount = binding.int_input("amount")
    hits = binding.int_input("hits")
    fixed = None
    if isinstance(amount, ConstantInt) and isinstance(hits, ConstantInt):
        fixed = Intent(kind, amount.constant, hits.constant, text, icon)
    return Leaf(
        binding.id,
        binding.flow(),
        kind,
        amount,
        hits,
        text,
        icon,
        binding.slot("amount"),
        binding.slot("hits"),
        fixed,
    )


def _pattern(type_id: str, name: str, help_text: str, build: Any, **fields: Any) -> NodeType:
    inputs = (IN, *fields.pop("inputs", ()))
    return NodeType(
        type=type_id,
        name=name,
        category=PATTERN,
        help=help_text,
        kinds=(ENEMY,),
        inputs=inputs,
        build=build,
        rule="R5.6",
        **fields,
    )


NODES: Final[tuple[NodeType, ...]] = (
    _pattern(
        "pattern_sequence",
        "Pattern Sequence",
        "Its steps in turn.",
        PatternSequence,
        params=(
            Param("count", "int", REQUIRED, minimum=1, maximum=256, help="How many: step_0, step_1, …"),
            Param("loop", "bool", True, help="False: it stays on the last step."),
        ),
        indexed_outputs=("step_", "count"),
    ),
    _pattern(
        "pattern_random",
        "Pattern Random",
        "A step by weight.",
        PatternRandom,
        params=(
            Param("weights", "weights", REQUIRED, help="A weight for each: step_0, step_1, …"),
            Param("max_in_a_row", "int", 0, minimum=0, help="How often one step may follow itself; 0: no limit."),
        ),
        indexed_outputs=("step_", "weights"),
    ),
    _pattern(
        "pattern_branch",
        "Pattern Branch",
        "Goes one way or the other.",
        PatternBranch,
        inputs=(Port("condition", BOOL, REQUIRED, "What decides."),),
        outputs=(Port("true", FLOW, help="If it holds."), Port("false", FLOW, help="If it does not.")),
    ),
    _pattern(
        "pattern_opening",
        "Pattern Opening",
        "One way the first time, another from then on.",
        PatternOpening,
        outputs=(Port("first", FLOW, help="Once per enemy."), Port("then", FLOW, help="From then on.")),
    ),
    _pattern(
        "pattern_phase",
        "Pattern Phase",
        "Goes by the enemy's HP.",
        PatternPhase,
        outputs=(Port("above", FLOW, help="At that percentage or above."), Port("below", FLOW, help="Below it.")),
        params=(Param("hp_percent", "int", REQUIRED, minimum=0, maximum=100, help="The percentage of maximum HP."),),
    ),
    NodeType(
        type="leaf_intent",
        name="Leaf Intent",
        category=LEAF,
        help="What the enemy is going to do, as it is shown; what it does stands behind it.",
        kinds=(ENEMY,),
        inputs=(
            IN,
            Port("amount", INT, 0, "The amount shown, before hooks."),
            Port("hits", INT, 1, "The hits shown."),
        ),
        outputs=(
            OUT,
            Port("amount", INT, help="The amount, for what stands behind it."),
            Port("hits", INT, help="The hits, for what stands behind it."),
        ),
        params=(
            Param("kind", "choice", REQUIRED, INTENT_KINDS, help="What kind of intent."),
            Param("text", "text", "", help="Free text for the scene."),
            Param("icon", "text", "", help="Free icon name for the scene."),
        ),
        build=_leaf,
        rule="R5.6",
    ),
)
