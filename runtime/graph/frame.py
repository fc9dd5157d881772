"""The frame of a running branch, and the values that its Entry gave it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runtime.graph.program import Branch, ExecNode

if TYPE_CHECKING:
    from runtime.battle.state import Battle, Status, Unit
    from runtime.graph.definitions import StatusDefinition


class Ports:
    """An Entry's data outputs, captured when its timing begins (R2.3). One object serves all receivers.

    The subclasses add what only some timings have. Ports and frames have no __init__ but are made by
    functions, `new_ports`, `new_frame` and so on: CPython takes four times as long to call an __init__, and
    these are what a battle makes most.
    """

    __slots__ = ("amount", "card", "source", "target")

    amount: int
    source: Unit | None
    target: Unit | None
    card: int


def new_ports(amount: int = 0, source: Unit | None = None, target: Unit | None = None, card: int = -1) -> Ports:
    """The outputs of most Entries."""
    ports = Ports()
    ports.amount = amount
    ports.source = source
    ports.target = target
    ports.card = card
    return ports


_CARD_PORTS: Final[list[Ports]] = []


def card_ports(card: int) -> Ports:
    """The outputs of an Entry that has only a card. They never change, so all battles share them."""
    while card >= len(_CARD_PORTS):
        _CARD_PORTS.append(new_ports(0, None, None, len(_CARD_PORTS)))
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
        self.amount = 0
        self.source = None
        self.target = None
        self.card = -1
        self.unit = unit


class DeathPorts(Ports):
    """Outputs of On Unit Died, E30."""

    __slots__ = ("was_kill",)

    def __init__(self, was_kill: bool, source: Unit | None, target: Unit) -> None:
        self.amount = 0
        self.source = source
        self.target = target
        self.card = -1
        self.was_kill = was_kill


class HookPorts(Ports):
    """Outputs of hooks; `amount` is what the hook before it left."""

    __slots__ = ("cause", "is_attack", "status")

    cause: str
    is_attack: bool
    status: StatusDefinition | None


def new_hook_ports(
    amount: int,
    source: Unit | None = None,
    target: Unit | None = None,
    card: int = -1,
    cause: str = "",
    is_attack: bool = False,
    status: StatusDefinition | None = None,
) -> HookPorts:
    """The outputs of a hook."""
    ports = HookPorts()
    ports.amount = amount
    ports.source = source
    ports.target = target
    ports.card = card
    ports.cause = cause
    ports.is_attack = is_attack
    ports.status = status
    return ports


class Frame:
    """One run of one branch, made by `new_frame`.

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
        amount: In a hook, the amount it leaves.
        spend: In a hook, the stacks that a real use takes off the hook's own status (R4.9).
    """

    # No class of its own for hooks: CPython's shortcuts to attributes hold for one class at a time.
    __slots__ = (
        "acting",
        "amount",
        "battle",
        "branch",
        "card",
        "chosen",
        "node",
        "ports",
        "slots",
        "spend",
        "status",
    )

    battle: Battle
    branch: Branch
    acting: Unit
    status: Status | None
    card: int
    chosen: Unit | None
    ports: Ports
    slots: list[Any]
    node: ExecNode | None
    amount: int
    spend: int


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


def new_hook_frame(
    battle: Battle, branch: Branch, acting: Unit, status: Status | None, card: int, ports: HookPorts
) -> Frame:
    """A frame to run a hook branch in; the amount starts as that of the ports."""
    frame = Frame()
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
