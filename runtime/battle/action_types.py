"""What can be asked of a battle from outside, and the refusal of it; `runtime.battle.actions` carries it out."""

from __future__ import annotations

from runtime.battle.choices import CARD_CHOICE
from runtime.battle.state import Unit
from runtime.graph.definitions import EventDefinition, StatusDefinition


class Action:
    """Something done to a battle from outside."""

    __slots__ = ()

    def values(self) -> tuple[object, ...]:
        """Its fields, in order."""
        return ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and type(other) is type(self) and other.values() == self.values()

    def __hash__(self) -> int:
        return hash((type(self).__name__, self.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.values()!r}"


class PlayCard(Action):
    """Plays a card from the hand.

    Attributes:
        card: The card's number.
        target: The target's unit number, or -1 for none.
    """

    __slots__ = ("card", "target")

    def __init__(self, card: int, target: int = -1) -> None:
        self.card = card
        self.target = target

    def values(self) -> tuple[object, ...]:
        """Its fields, in order."""
        return (self.card, self.target)


class EndTurn(Action):
    """Ends the player's turn."""

    __slots__ = ()


class Answer(Action):
    """Answers the open choice.

    Attributes:
        picks: Card numbers, or the index of an option.
        kind: What they are, ``card`` or ``option``: an answer of the other kind is rejected (R5.10).
    """

    __slots__ = ("kind", "picks")

    def __init__(self, picks: list[int], kind: str = CARD_CHOICE) -> None:
        self.picks = picks
        self.kind = kind

    def values(self) -> tuple[object, ...]:
        """Its fields, in order."""
        return (self.kind, tuple(self.picks))


class Concede(Action):
    """Gives the battle up (R3.8)."""

    __slots__ = ()


class Abort(Action):
    """Ends the battle from outside: no Entry (R3.8)."""

    __slots__ = ()


class Raise(Action):
    """Raises a GES event from outside.

    Attributes:
        event: The event.
        arguments: Its arguments: `arg` and `sender`, or the fields of a vector or struct.
        answered: The raises that it answers, outermost first: one that answers itself too often is cut.
    """

    __slots__ = ("answered", "arguments", "event")

    def __init__(
        self, event: EventDefinition, arguments: dict[str, object], answered: tuple[EventDefinition, ...] = ()
    ) -> None:
        self.event = event
        self.arguments = arguments
        self.answered = answered

    def values(self) -> tuple[object, ...]:
        """Its fields, in order; units and statuses by name, which is the same in every copy of a battle."""
        arguments = tuple(sorted([(name, _named(value)) for name, value in self.arguments.items()], key=str))
        if self.answered:
            return (self.event.guid, arguments, tuple([event.guid for event in self.answered]))
        return (self.event.guid, arguments)


def _named(value: object) -> object:
    if isinstance(value, Unit):
        return value.name
    return value.id if isinstance(value, StatusDefinition) else value


class Advance(Action):
    """Lets time pass: scheduled raises of GES events that become due land, each between two actions (R6.5).

    A battle has no clock of its own; this is how its owner hands one in.

    Attributes:
        ms: How many milliseconds pass, at least 0.
    """

    __slots__ = ("ms",)

    def __init__(self, ms: int) -> None:
        if ms < 0:
            raise ValueError(f"ms: expected 0 or more, got {ms}")
        self.ms = ms

    def values(self) -> tuple[object, ...]:
        """Its fields, in order."""
        return (self.ms,)


class SwitchDatabase(Action):
    """Switches the GES events of the battle's pack on or off (R6.6). One that changes nothing is not recorded.

    Attributes:
        active: Whether they are on.
    """

    __slots__ = ("active",)

    def __init__(self, active: bool) -> None:
        self.active = active

    def values(self) -> tuple[object, ...]:
        """Its fields, in order."""
        return (self.active,)


class SetState(Action):
    """Writes state without any Entry, for tests (content.md, "Scenario files").

    Attributes:
        changes: State paths and the values to write.
    """

    __slots__ = ("changes",)

    def __init__(self, changes: dict[str, int]) -> None:
        self.changes = changes

    def values(self) -> tuple[object, ...]:
        """Its fields, in order."""
        return tuple(sorted(self.changes.items()))
