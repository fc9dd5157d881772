"""What a compiled graph is made of: values that are read, flow nodes that run, branches that hold them.

Every branch of a graph is compiled to a tree of these objects with all inputs bound, so that nothing
is looked up by name while a battle runs. Each type of value has its own base class with a `get` of its
own result type, which keeps calls monomorphic for mypyc.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from runtime.battle.state import Battle, Unit
    from runtime.graph.definitions import StatusDefinition
    from runtime.graph.frame import Frame
    from runtime.graph.hook_rules import HookRule
    from runtime.graph.intent import Intent


class IntValue:
    """Something that gives an Int."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        """The value now."""
        return 0

    def hook_rule(self) -> HookRule | None:
        """What a hook that leaves this value comes to, where it is plain arithmetic; else None."""
        return None


class BoolValue:
    """Something that gives a Bool."""

    __slots__ = ()

    def get(self, frame: Frame) -> bool:
        """The value now."""
        return False


class TextValue:
    """Something that gives a Text."""

    __slots__ = ()

    def get(self, frame: Frame) -> str:
        """The value now."""
        return ""


class UnitValue:
    """Something that gives a UnitRef: a unit or no unit."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        """The unit now."""
        return None


class UnitsValue:
    """Something that gives a UnitList."""

    __slots__ = ()

    def get(self, frame: Frame) -> list[Unit]:
        """The units now, as a list of the reader's own."""
        return []


class CardValue:
    """Something that gives a CardRef: the number of a card instance, or -1 for none."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        """The card's number now."""
        return -1


class CardsValue:
    """Something that gives a CardList: numbers of card instances."""

    __slots__ = ()

    def get(self, frame: Frame) -> list[int]:
        """The cards' numbers now, as a list of the reader's own."""
        return []


class StatusValue:
    """Something that gives a StatusRef: a status' definition, or none."""

    __slots__ = ()

    def get(self, frame: Frame) -> StatusDefinition | None:
        """The status now."""
        return None


class ExecNode:
    """A node that control flows through.

    `run` does its work and returns the node to run next, or None at the end of the branch.

    Attributes:
        id: The node's id in its graph.
        next: The node behind ``out``, or None.
        rule: What a hook comes to that begins with this node, where it is plain arithmetic; else None.
    """

    __slots__ = ("id", "next", "rule")

    def __init__(self, node_id: str, following: ExecNode | None) -> None:
        self.id = node_id
        self.next = following
        self.rule: HookRule | None = None

    def run(self, frame: Frame) -> ExecNode | None:
        """Runs the node in a frame and returns the node that follows."""
        return self.next

    def shown(self, frame: Frame, port: str, value: int) -> int:
        """What a card's text shows for an Int input: the value after a dry run of the hooks that apply to it."""
        return value

    def run_alone(self, battle: Battle, acting: Unit, chosen: Unit | None, leaf: Leaf | None) -> bool:
        """Does what `run` does, without a frame: at the start of a root, where nobody answers and nobody dies.

        Most cards are like that. A node that cannot tell, or that is answered now, does nothing.

        Args:
            battle: The battle.
            acting: The acting unit.
            chosen: The target that the player chose, or None.
            leaf: The leaf that the root began behind, its numbers literals; None in a card's.

        Returns:
            Whether it has been done.
        """
        return False


class PatternNode(ExecNode):
    """A node of an enemy's planning that goes by the enemy and the random streams alone: it needs no frame."""

    __slots__ = ()

    def choose(self, battle: Battle, unit: Unit) -> ExecNode | None:
        """The node that follows in the planning of the unit's intent."""
        return self.next

    def run(self, frame: Frame) -> ExecNode | None:
        """Chooses for the unit of a frame."""
        return self.choose(frame.battle, frame.acting)


class Leaf(ExecNode):
    """A Leaf Intent: where the planning of an enemy's intent ends (R5.6).

    Attributes:
        kind: attack, attack_defend, defend, buff, debuff, summon, special or none.
        amount: The amount shown.
        hits: The hits shown.
        text: Free text.
        icon: Free icon name.
        amount_slot: Where the branch behind it reads the amount, or -1.
        hits_slot: Where the branch behind it reads the hits, or -1.
        fixed: The intent, where amount and hits are literals; else None.
    """

    __slots__ = ("amount", "amount_slot", "fixed", "hits", "hits_slot", "icon", "kind", "text")

    def __init__(
        self,
        node_id: str,
        following: ExecNode | None,
        kind: str,
        amount: IntValue,
        hits: IntValue,
        text: str,
        icon: str,
        amount_slot: int,
        hits_slot: int,
        fixed: Intent | None,
    ) -> None:
        super().__init__(node_id, following)
        self.kind = kind
        self.amount = amount
        self.hits = hits
        self.text = text
        self.icon = icon
        self.amount_slot = amount_slot
        self.hits_slot = hits_slot
        self.fixed = fixed

    def latch(self, frame: Frame) -> None:
        """Fills in its outputs, when the enemy acts."""
        if self.amount_slot >= 0:
            frame.slots[self.amount_slot] = self.amount.get(frame)
        if self.hits_slot >= 0:
            frame.slots[self.hits_slot] = self.hits.get(frame)


class NodeShape:
    """How a flow node is declared and bound in its branch: what a trace tells of it.

    Attributes:
        type: The node's type id.
        params: The params that the graph gives it, beside those that are inputs: name, type (a text) and text.
        inputs: Its data inputs: name, port type and the value object that is read.
        outputs: Its data outputs that somebody reads: name, port type and slot.
    """

    __slots__ = ("inputs", "outputs", "params", "type")

    def __init__(
        self,
        node_type: str,
        params: list[tuple[str, str, str]],
        inputs: list[tuple[str, str, Any]],
        outputs: list[tuple[str, str, int]],
    ) -> None:
        self.type = node_type
        self.params = params
        self.inputs = inputs
        self.outputs = outputs


class Branch:
    """What one Entry or hook node starts: the Entry trace has a line for each dispatch of one.

    Attributes:
        timing: The number of the Entry or hook (`runtime.graph.timings`).
        entry: The Entry's type id.
        node: The Entry node's id in its graph.
        owner_kind: ``card``, ``status`` or ``enemy``.
        owner: The asset id of the graph's owner.
        first: The first node, behind ``out``.
        defaults: What the latched outputs hold before their nodes have run (content.md, "Graphs").
        phase: A hook's phase (R4.9).
        rule: What a hook comes to where it is plain arithmetic; else None.
        posthumous: Whether it runs on when its acting unit is dead (R2.8).
        at_end: Whether it runs when the battle is decided: an E2 branch, or a hook, which E2 may ask (R2.7).
        nodes: Its flow nodes by id.
        shapes: How they are declared and bound, by id.
    """

    __slots__ = (
        "at_end",
        "defaults",
        "entry",
        "first",
        "node",
        "nodes",
        "owner",
        "owner_kind",
        "phase",
        "port_names",
        "posthumous",
        "rule",
        "shapes",
        "timing",
    )

    def __init__(self, timing: int, entry: str, node: str, owner_kind: str, owner: str, phase: int) -> None:
        self.timing = timing
        self.entry = entry
        self.node = node
        self.owner_kind = owner_kind
        self.owner = owner
        self.phase = phase
        self.first: ExecNode | None = None
        self.rule: HookRule | None = None
        self.defaults: list[Any] = []
        self.posthumous = False
        self.at_end = False
        self.port_names: tuple[str, ...] = ()
        self.nodes: dict[str, ExecNode] = {}
        self.shapes: dict[str, NodeShape] = {}


NO_BRANCHES: Final[tuple[Branch, ...]] = ()


class Behavior:
    """All branches of one graph.

    Attributes:
        branches: Branches by timing; E32 and E33 are in the tables below instead.
        timings: The timings that have a branch.
        hears_hits: Whether a hit that the holder takes is among them (`runtime.graph.timings`).
        hears_attacks: Whether a hit that it deals is.
        hears_plays: Whether the playing of cards is.
        hears_turns: Whether a phase of a turn is.
        internal: Branches of On Internal Event by event name.
        ges: Branches of On GES Event by GUID.
    """

    __slots__ = (
        "branches",
        "ges",
        "hears_attacks",
        "hears_hits",
        "hears_plays",
        "hears_turns",
        "internal",
        "timings",
    )

    def __init__(self, timing_count: int) -> None:
        self.branches: list[tuple[Branch, ...]] = [NO_BRANCHES] * timing_count
        self.timings: tuple[int, ...] = ()
        self.hears_hits = False
        self.hears_attacks = False
        self.hears_plays = False
        self.hears_turns = False
        self.internal: dict[str, tuple[Branch, ...]] = {}
        self.ges: dict[str, tuple[Branch, ...]] = {}
