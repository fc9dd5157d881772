"""Functions outside of the battle that hear its GES events, and their order.

For one raise: basic listeners → priority listeners (higher first) → conditional listeners → persistent
listeners. The graphs of the battle (E33) count as one persistent listener of priority 0 that was there first;
flows come after all of them.

A listener cannot change the battle: what it raises waits until the running action has ended (R6.5). So a battle
plays the same whoever listens to it. Listeners are those of a process; a copy of a battle has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from runtime.graph.definitions import EventDefinition

if TYPE_CHECKING:
    from runtime.battle.state import Battle

BASIC: Final = 0
PRIORITY: Final = 1
CONDITIONAL: Final = 2
PERSISTENT: Final = 3
KINDS: Final = ("basic", "priority", "conditional", "persistent")


class Heard:
    """One raise as listeners hear it.

    Attributes:
        battle_id: The battle, as its owner calls it.
        battle: The battle itself, to be read.
        event: The event.
        arguments: Its arguments: `arg` and `sender`, or the fields of a vector or struct.
        origin: Who raised it (`runtime.battle.ges_raising`).
        sequence: Its number among the battle's events; 0 in a battle that logs none.
        lineage: The raises that it answers, outermost first.
        started: For whoever measures: when it began.
    """

    __slots__ = ("arguments", "battle", "battle_id", "event", "lineage", "origin", "sequence", "started")

    def __init__(
        self,
        battle_id: str,
        battle: Battle,
        event: EventDefinition,
        arguments: dict[str, object],
        origin: str,
        sequence: int,
        lineage: tuple[EventDefinition, ...],
    ) -> None:
        self.battle_id = battle_id
        self.battle = battle
        self.event = event
        self.arguments = arguments
        self.origin = origin
        self.sequence = sequence
        self.lineage = lineage
        self.started = 0


class GesListener:
    """A function that hears GES events.

    Attributes:
        kind: BASIC, PRIORITY, CONDITIONAL or PERSISTENT.
        call: Called with each raise.
        guid: The event; empty: all.
        battle_id: The battle; empty: all.
        priority: Higher ones are called first; for PRIORITY and PERSISTENT.
        condition: Whether a raise is heard; for CONDITIONAL.
        active: Whether it is still registered.
    """

    __slots__ = ("active", "battle_id", "call", "condition", "guid", "kind", "number", "priority")

    def __init__(
        self,
        number: int,
        kind: int,
        call: Callable[[Heard], None],
        guid: str,
        battle_id: str,
        priority: int,
        condition: Callable[[Heard], bool] | None,
    ) -> None:
        self.number = number
        self.kind = kind
        self.call = call
        self.guid = guid
        self.battle_id = battle_id
        self.priority = priority
        self.condition = condition
        self.active = True


_NOBODY: Final[tuple[list[GesListener], list[GesListener]]] = ([], [])


class Listeners:
    """All listeners of a process.

    Attributes:
        failed: Told of a listener that threw; the raise goes on as if it had returned.
        began: Told of every raise before anybody hears it, or None.
        ended: Told of every raise when all that followed from it at once is done, or None.
    """

    __slots__ = ("_listeners", "_next", "_tables", "began", "ended", "failed")

    def __init__(self, failed: Callable[[GesListener, Heard, BaseException], None]) -> None:
        self.failed = failed
        self.began: Callable[[Heard], None] | None = None
        self.ended: Callable[[Heard], None] | None = None
        self._listeners: list[GesListener] = []
        # By GUID: who hears it before the graphs, and who after them.
        self._tables: dict[str, tuple[list[GesListener], list[GesListener]]] = {}
        self._next = 0

    def add(
        self,
        kind: int,
        call: Callable[[Heard], None],
        guid: str = "",
        battle_id: str = "",
        priority: int = 0,
        condition: Callable[[Heard], bool] | None = None,
    ) -> GesListener:
        """Registers a listener; it hears the next raise.

        Args:
            kind: BASIC, PRIORITY, CONDITIONAL or PERSISTENT.
            call: Called with each raise.
            guid: The event, normalized; empty: all.
            battle_id: The battle; empty: all.
            priority: Higher ones are called first.
            condition: Whether a raise is heard.
        """
        listener = GesListener(self._next, kind, call, guid, battle_id, priority, condition)
        self._next += 1
        self._listeners.append(listener)
        self._tables = {}
        return listener

    def remove(self, listener: GesListener) -> bool:
        """Takes a listener out, also in the middle of a raise; False when it is not there any more."""
        if not listener.active:
            return False
        listener.active = False
        self._listeners.remove(listener)
        self._tables = {}
        return True

    def forget_battle(self, battle_id: str) -> None:
        """Takes out the listeners of one battle, which is gone."""
        for listener in [listener for listener in self._listeners if listener.battle_id == battle_id]:
            self.remove(listener)

    def frozen(self, guid: str) -> tuple[list[GesListener], list[GesListener]]:
        """Who hears a raise that begins now: those before the graphs and those after them.

        Whoever is added in the middle of the raise hears the next one.
        """
        return self._table(guid) if self._listeners else _NOBODY

    def tell(self, listeners: list[GesListener], heard: Heard) -> None:
        """Tells some listeners of a raise, in order; those stopped meanwhile, and of other battles, do not hear it."""
        for listener in listeners:
            if not listener.active or listener.battle_id not in ("", heard.battle_id):
                continue
            try:
                condition = listener.condition
                if condition is None or condition(heard):
                    listener.call(heard)
            except KeyboardInterrupt:
                # It comes from whoever sits at the terminal, not from the listener.
                raise
            except BaseException as error:  # noqa: BLE001 - whatever it throws is its own fault
                self.failed(listener, heard, error)

    def _table(self, guid: str) -> tuple[list[GesListener], list[GesListener]]:
        table = self._tables.get(guid)
        if table is None:
            chosen = [listener for listener in self._listeners if listener.guid in ("", guid)]
            chosen.sort(key=_order)
            before = [listener for listener in chosen if listener.kind != PERSISTENT or listener.priority > 0]
            after = [listener for listener in chosen if listener.kind == PERSISTENT and listener.priority <= 0]
            table = (before, after)
            self._tables[guid] = table
        return table


def _order(listener: GesListener) -> tuple[int, int, int]:
    """By kind, then by priority where the kind has one, then as registered."""
    priority = listener.priority if listener.kind in (PRIORITY, PERSISTENT) else 0
    return (listener.kind, -priority, listener.number)


class BattleListeners:
    """The listeners as one battle has them: under the name that its owner gave it.

    Attributes:
        battle_id: The battle's name.
        all: The listeners of the process.
    """

    __slots__ = ("all", "battle_id")

    def __init__(self, battle_id: str, listeners: Listeners) -> None:
        self.battle_id = battle_id
        self.all = listeners
