"""Values that inputs have without a wire to a node: literals, unit words, Entry ports, latched outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runtime.graph.frame import DeathPorts, HookPorts, SpawnPorts, StatusPorts
from runtime.graph.program import (
    BoolValue,
    CardsValue,
    CardValue,
    IntValue,
    StatusValue,
    TextValue,
    UnitsValue,
    UnitValue,
)
from runtime.graph.types import BOOL, CARD_REF, CARDS, INT, STATUS_REF, TEXT, UNIT, UNITS

if TYPE_CHECKING:
    from runtime.battle.state import Unit
    from runtime.graph.definitions import StatusDefinition
    from runtime.graph.frame import Frame


class ConstantInt(IntValue):
    """A literal Int."""

    __slots__ = ("constant",)

    def __init__(self, constant: int) -> None:
        self.constant = constant

    def get(self, frame: Frame) -> int:
        return self.constant


class ConstantBool(BoolValue):
    """A literal Bool."""

    __slots__ = ("constant",)

    def __init__(self, constant: bool) -> None:
        self.constant = constant

    def get(self, frame: Frame) -> bool:
        return self.constant


class ConstantText(TextValue):
    """A literal Text."""

    __slots__ = ("constant",)

    def __init__(self, constant: str) -> None:
        self.constant = constant

    def get(self, frame: Frame) -> str:
        return self.constant


class ConstantStatus(StatusValue):
    """A status named by its id."""

    __slots__ = ("constant",)

    def __init__(self, constant: StatusDefinition) -> None:
        self.constant = constant

    def get(self, frame: Frame) -> StatusDefinition | None:
        return self.constant


class ActingUnit(UnitValue):
    """The acting unit: the player, the enemy or the holder, by the kind of graph."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        return frame.acting


class PlayerUnit(UnitValue):
    """The player."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        return frame.battle.player


class ChosenUnit(UnitValue):
    """The target that the player chose."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        return frame.chosen


# The words by number, for nodes that tell their target without a frame (`ExecNode.run_alone`).
NO_WORD: Final = 0
ACTING: Final = 1
PLAYER: Final = 2
CHOSEN: Final = 3


def word_of(unit: UnitValue | None) -> int:
    """The number of the word that names a unit; NO_WORD where none does."""
    if isinstance(unit, ActingUnit):
        return ACTING
    if isinstance(unit, PlayerUnit):
        return PLAYER
    return CHOSEN if isinstance(unit, ChosenUnit) else NO_WORD


class CurrentCard(CardValue):
    """The card whose graph runs."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        return frame.card


class OneUnit(UnitsValue):
    """A single unit as a list; empty for no unit."""

    __slots__ = ("unit",)

    def __init__(self, unit: UnitValue) -> None:
        self.unit = unit

    def get(self, frame: Frame) -> list[Unit]:
        unit = self.unit.get(frame)
        return [] if unit is None else [unit]


class OneCard(CardsValue):
    """A single card as a list; empty for no card."""

    __slots__ = ("card",)

    def __init__(self, card: CardValue) -> None:
        self.card = card

    def get(self, frame: Frame) -> list[int]:
        card = self.card.get(frame)
        return [] if card < 0 else [card]


class AllEnemies(UnitsValue):
    """The living enemies by slot."""

    __slots__ = ()

    def get(self, frame: Frame) -> list[Unit]:
        return [unit for unit in frame.battle.units if unit.number and unit.hp > 0 and unit.life == 0]


class AllUnits(UnitsValue):
    """The player and the enemies that are living."""

    __slots__ = ()

    def get(self, frame: Frame) -> list[Unit]:
        return [unit for unit in frame.battle.units if unit.hp > 0 and unit.life == 0]


# Latched outputs of flow nodes. The compiler gives each a slot that only ever holds its own type.


class LatchedInt(IntValue):
    """A latched Int."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> int:
        value: int = frame.slots[self.slot]
        return value


class LatchedBool(BoolValue):
    """A latched Bool."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> bool:
        value: bool = frame.slots[self.slot]
        return value


class LatchedText(TextValue):
    """A latched Text."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> str:
        value: str = frame.slots[self.slot]
        return value


class LatchedUnit(UnitValue):
    """A latched UnitRef."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> Unit | None:
        value: Unit | None = frame.slots[self.slot]
        return value


class LatchedUnits(UnitsValue):
    """A latched UnitList."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> list[Unit]:
        value: list[Unit] = frame.slots[self.slot]
        return list(value)


class LatchedCard(CardValue):
    """A latched CardRef."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> int:
        value: int = frame.slots[self.slot]
        return value


class LatchedCards(CardsValue):
    """A latched CardList."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> list[int]:
        value: list[int] = frame.slots[self.slot]
        return list(value)


class LatchedStatus(StatusValue):
    """A latched StatusRef."""

    __slots__ = ("slot",)

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def get(self, frame: Frame) -> StatusDefinition | None:
        value: StatusDefinition | None = frame.slots[self.slot]
        return value


# What a slot holds before its node has run: the type's default (content.md, "Graphs").
SLOT_DEFAULTS: dict[str, object] = {
    INT: 0,
    BOOL: False,
    TEXT: "",
    UNIT: None,
    UNITS: (),
    CARD_REF: -1,
    CARDS: (),
    STATUS_REF: None,
}

LATCHED: dict[str, Any] = {
    INT: LatchedInt,
    BOOL: LatchedBool,
    TEXT: LatchedText,
    UNIT: LatchedUnit,
    UNITS: LatchedUnits,
    CARD_REF: LatchedCard,
    CARDS: LatchedCards,
    STATUS_REF: LatchedStatus,
}

EMPTY: dict[str, Any] = {
    INT: IntValue,
    BOOL: BoolValue,
    TEXT: TextValue,
    UNIT: UnitValue,
    UNITS: UnitsValue,
    CARD_REF: CardValue,
    CARDS: CardsValue,
    STATUS_REF: StatusValue,
}


# Data outputs of Entries and hooks, as captured at dispatch (R2.3).


class PortAmount(IntValue):
    """The Entry's or hook's amount."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        return frame.ports.amount


class PortStacks(IntValue):
    """The Entry's stacks."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        ports = frame.ports
        assert isinstance(ports, StatusPorts)
        return ports.stacks


class PortWasKill(BoolValue):
    """E30's was_kill."""

    __slots__ = ()

    def get(self, frame: Frame) -> bool:
        ports = frame.ports
        assert isinstance(ports, DeathPorts)
        return ports.was_kill


class PortIsAttack(BoolValue):
    """A hook's is_attack."""

    __slots__ = ()

    def get(self, frame: Frame) -> bool:
        ports = frame.ports
        assert isinstance(ports, HookPorts)
        return ports.is_attack


class PortCause(TextValue):
    """A hook's cause."""

    __slots__ = ()

    def get(self, frame: Frame) -> str:
        ports = frame.ports
        assert isinstance(ports, HookPorts)
        return ports.cause


class PortSource(UnitValue):
    """The Entry's or hook's source."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        return frame.ports.source


class PortTarget(UnitValue):
    """The Entry's or hook's target."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        return frame.ports.target


class PortUnit(UnitValue):
    """E29's unit."""

    __slots__ = ()

    def get(self, frame: Frame) -> Unit | None:
        ports = frame.ports
        assert isinstance(ports, SpawnPorts)
        return ports.unit


class PortCard(CardValue):
    """The Entry's or hook's card."""

    __slots__ = ()

    def get(self, frame: Frame) -> int:
        return frame.ports.card


class PortStatus(StatusValue):
    """The Entry's or hook's status."""

    __slots__ = ()

    def get(self, frame: Frame) -> StatusDefinition | None:
        ports = frame.ports
        assert isinstance(ports, (StatusPorts, HookPorts))
        return ports.status


PORT_VALUES: dict[str, Any] = {
    "amount": PortAmount,
    "stacks": PortStacks,
    "was_kill": PortWasKill,
    "is_attack": PortIsAttack,
    "cause": PortCause,
    "source": PortSource,
    "target": PortTarget,
    "unit": PortUnit,
    "card": PortCard,
    "status": PortStatus,
}
