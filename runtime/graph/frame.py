"""The frame of a running branch, and the values that its Entry gave it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runtime.graph.program import Branch, FlowNode

if TYPE_CHECKING:
    from runtime.battle.state import Battle, Status, Unit
    from runtime.graph.definitions import StatusDefinition


class Ports:
    """An Entry's data outputs, captured when its timing begins (R2.3). One object serves all receivers.

    The subclasses add what only some timings have: making one is on the path of every hit.
    """

    __slots__ = ("amount", "card", "source", "target")

    def __init__(self, amount: int = 0, source: Unit | None = None, target: Unit | None = None, card: int = -1) -> None:
        self.amount = amount
        self.source = source
        self.target = target
        self.card = card


_CARD_PORTS: Final[list[Ports]] = []


def card_ports(card: int) -> Ports:
    """The outputs of an Entry that has only a card. They never change, so all battles share them."""
    while card >= len(_CARD_PORTS):
        _CARD_PORTS.append(Ports(0, None, None, len(_CARD_PORTS)))
    return _CARD_PORTS[card]


class StatusPorts(Ports):
    """Outputs of the status Entries, E24 to E28."""

    __slots__ = ("stacks", "status")

    def __init__(self, status: StatusDefinition, stacks: int, source: Unit | None, target: Unit) -> None:
        self.amount = 0
        self.source = source
        self.target = target
        self.card = -1
        self.status = status
        self.stacks = stacks


class SpawnPorts(Ports):
    """Outputs of On Unit Spawned, E29."""

    __slots__ = ("unit",)

    def __init__(self, unit: Unit) -> None:
        super().__init__()
        self.unit = unit


class DeathPorts(Ports):
    """Outputs of On Unit Died, E30."""

    __slots__ = ("was_kill",)

    def __init__(self, was_kill: bool, source: Unit | None, target: Unit) -> None:
        super().__init__(0, source, target)
        self.was_kill = was_kill


class HookPorts(Ports):
    """Outputs of hooks; `amount` is what the hook before it left."""

    __slots__ = ("cause", "is_attack", "status")

    def __init__(
        self,
        amount: int,
        source: Unit | None = None,
        target: Unit | None = None,
        card: int = -1,
        cause: str = "",
        is_attack: bool = False,
        status: StatusDefinition | None = None,
    ) -> None:
        # Written out: a hook is asked for nearly every hit, and `super` costs as much as all of this.
        self.amount = amount
        self.source = source
        self.target = target
        self.card = card
        self.cause = cause
        self.is_attack = is_attack
        self.status = status


class Frame:
    """One run of one branch, made by `new_frame`.

    It has no __init__: CPython calls one at four times the price of a function that fills in a new object,
    and frames are what a battle makes most.

    Attributes:
        battle: The battle.
        branch: The branch.
        acting: The acting unit: the player in a Card graph, the enemy in an Enemy graph, the holder in
            a Status graph.
        status: The status whose graph runs, or None.
        card: The number of the card whose graph runs, or -1.
        chosen: The target that the player chose, or None.
        ports: The Entry's data outputs.
        slots: Latched outputs of flow nodes.
        node: The flow node that runs, for the chain that a fault tells (R2.5).
    """

    __slots__ = ("acting", "battle", "branch", "card", "chosen", "node", "ports", "slots", "status")

    battle: Battle
    branch: Branch
    acting: Unit
    status: Status | None
    card: int
    chosen: Unit | None
    ports: Ports
    slots: list[Any]
    node: FlowNode | None


def new_frame(
    battle: Battle, branch: Branch, acting: Unit, status: Status | None, card: int, chosen: Unit | None, ports: Ports
) -> Frame:
    """A frame to run a branch in from its start."""
    frame = Frame()
    frame.battle = battle
    frame.branch = branch
    frame.acting = acting
    frame.status = status
    frame.card = card
    frame.chosen = chosen
    frame.ports = ports
    defaults = branch.defaults
    frame.slots = defaults[:] if defaults else defaults
    frame.node = None
    return frame


class HookFrame(Frame):
    """One run of a hook branch, made by `new_hook_frame`.

    Attributes:
        amount: The amount it leaves.
        spend: The stacks that a real use takes off the hook's own status (R4.9).
    """

    __slots__ = ("amount", "spend")

    amount: int
    spend: int


def new_hook_frame(
    battle: Battle, branch: Branch, acting: Unit, status: Status | None, card: int, ports: HookPorts
) -> HookFrame:
    """A frame to run a hook branch in; the amount starts as that of the ports."""
    frame = HookFrame()
    frame.battle = battle
    frame.branch = branch
    frame.acting = acting
    frame.status = status
    frame.card = card
    frame.chosen = None
    frame.ports = ports
    defaults = branch.defaults
    frame.slots = defaults[:] if defaults else defaults
    frame.node = None
    frame.amount = ports.amount
    frame.spend = 0
    return frame
