"""What was seen of each GES event: how often, how long it took, what it carried, and what looks wrong."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from runtime.battle.event_arguments import StructArguments
from runtime.battle.ges_listeners import KINDS, GesListener, Heard
from runtime.battle.state import DRAW, Battle, Unit
from runtime.graph.definitions import EventDefinition, StatusDefinition

_log: Final = logging.getLogger(__name__)

LOOP: Final = "loop"
RATE: Final = "rate"
LISTENER: Final = "listener"

# More raises of one event than this in a second get a warning.
MOST_PER_SECOND: Final = 60
_SECOND: Final = 1_000
_SLOT: Final = 100
_SLOTS: Final = _SECOND // _SLOT
# Events that are watched; inline packs may bring any number.
_MOST_EVENTS: Final = 2_000

# An argument as it is told: its name, its kind and its value; a card by asset id.
Argument = tuple[str, str, object]


class EventStats:
    """What was seen of one event.

    Attributes:
        event: Id of the event in the pack that raised it.
        count: How often it was raised.
        timed: How many raises the times are of: one that waited for a player's answer has none.
        total_ns: How long they took together, with all that followed at once.
        max_ns: How long the longest took.
        last_arguments: What the last one carried.
        warnings: By kind, how often it was seen and what happened last.
    """

    __slots__ = (
        "_counts",
        "_slot",
        "_times",
        "count",
        "event",
        "last_arguments",
        "max_ns",
        "timed",
        "total_ns",
        "warnings",
    )

    def __init__(self, event: str) -> None:
        self.event = event
        self.count = 0
        self.timed = 0
        self.total_ns = 0
        self.max_ns = 0
        self.last_arguments: tuple[Argument, ...] = ()
        self.warnings: dict[str, tuple[int, str]] = {}
        # When the last raises were, to see more than MOST_PER_SECOND; and raises by tenths of a second.
        self._times: deque[int] = deque(maxlen=MOST_PER_SECOND + 1)
        self._counts = [0] * _SLOTS
        self._slot = 0

    @property
    def mean_ns(self) -> float:
        """How long a raise took on average."""
        return self.total_ns / self.timed if self.timed else 0.0

    def add(self, now: int) -> bool:
        """Counts a raise.

        Args:
            now: The time in ms.

        Returns:
            Whether there were more than MOST_PER_SECOND within the last second.
        """
        self.count += 1
        self._turn(now)
        self._counts[self._slot % _SLOTS] += 1
        times = self._times
        times.append(now)
        return len(times) > MOST_PER_SECOND and times[-1] - times[0] < _SECOND

    def per_second(self, now: int) -> int:
        """How many raises there were in the last second, to a tenth of it."""
        self._turn(now)
        return sum(self._counts)

    def _turn(self, now: int) -> None:
        slot = now // _SLOT
        for passed in range(self._slot + 1, min(slot, self._slot + _SLOTS) + 1):
            self._counts[passed % _SLOTS] = 0
        self._slot = max(slot, self._slot)

    def warn(self, kind: str, message: str) -> bool:
        """Notes that something looks wrong; True the first time."""
        seen, _ = self.warnings.get(kind, (0, ""))
        self.warnings[kind] = (seen + 1, message)
        return not seen


class Monitor:
    """What was seen of all events."""

    def __init__(self, now: Callable[[], int], measure: Callable[[], int] = time.perf_counter_ns) -> None:
        """Has seen nothing yet.

        Args:
            now: The time in ms, for rates.
            measure: Nanoseconds, for how long a raise takes.
        """
        self._now = now
        self._measure = measure
        self._events: dict[tuple[str, str], EventStats] = {}
        # When the running action of a battle last stopped to wait for an answer.
        self._parked: dict[str, int] = {}

    def get(self, pack: str, guid: str) -> EventStats | None:
        """What was seen of an event; None when it was never raised."""
        return self._events.get((pack, guid))

    def all(self) -> Iterator[tuple[str, str, EventStats]]:
        """What was seen of all events: the pack's id, the GUID, and what was seen."""
        for (pack, guid), stats in self._events.items():
            yield pack, guid, stats

    def per_second(self, stats: EventStats) -> int:
        """How many raises there were in the last second."""
        return stats.per_second(self._now())

    def began(self, heard: Heard) -> None:
        """A raise begins."""
        event = heard.event
        stats = self._stats(heard)
        if stats.add(self._now()):
            self._warn(stats, heard, RATE, f"more than {MOST_PER_SECOND} raises in a second")
        if event in heard.lineage:
            names = [raised.id for raised in (*heard.lineage[-7:], event)]
            self._warn(stats, heard, LOOP, f"it answers itself: {' → '.join(names)}")
        stats.last_arguments = plain_arguments(heard.battle, event, heard.arguments)
        heard.started = self._measure()

    def ended(self, heard: Heard) -> None:
        """All that followed at once from a raise is done."""
        ended = self._measure()
        if self._parked.get(heard.battle_id, -1) >= heard.started:
            return
        stats = self._stats(heard)
        took = ended - heard.started
        stats.timed += 1
        stats.total_ns += took
        stats.max_ns = max(stats.max_ns, took)

    def failed(self, listener: GesListener, heard: Heard, error: BaseException) -> None:
        """A listener threw; nobody else is concerned."""
        message = f"a {KINDS[listener.kind]} listener threw {type(error).__name__}: {error}"
        self._stats(heard).warn(LISTENER, message)
        _log.error("GES event %s: %s", heard.event.id, message, exc_info=error, extra={"battle_id": heard.battle_id})

    def parked(self, battle_id: str) -> None:
        """The running action of a battle waits for an answer: the time until then is the player's."""
        self._parked[battle_id] = self._measure()

    def forget_battle(self, battle_id: str) -> None:
        """A battle is gone."""
        self._parked.pop(battle_id, None)

    def _stats(self, heard: Heard) -> EventStats:
        key = (heard.battle.content.id, heard.event.guid)
        stats = self._events.get(key)
        if stats is None:
            if len(self._events) >= _MOST_EVENTS:
                del self._events[next(iter(self._events))]
            stats = self._events[key] = EventStats(heard.event.id)
        return stats

    def _warn(self, stats: EventStats, heard: Heard, kind: str, message: str) -> None:
        if stats.warn(kind, message):
            _log.warning("GES event %s: %s", heard.event.id, message, extra={"battle_id": heard.battle_id})


def plain_arguments(battle: Battle, event: EventDefinition, arguments: dict[str, object]) -> tuple[Argument, ...]:
    """What a raise carries, as plain values that do not keep the battle alive."""
    cards: frozenset[str] = frozenset()
    if isinstance(arguments, StructArguments):
        cards = arguments.cards
    elif event.argument == "card":
        cards = frozenset({"arg"})
    elif event.argument == "struct":
        # A struct that no client sent is a notice's.
        cards = frozenset({"card"})
    return tuple([_plain(battle, name, value, name in cards) for name, value in arguments.items()])


def _plain(battle: Battle, name: str, value: object, is_card: bool) -> Argument:
    if is_card and isinstance(value, int):
        # In what order cards lie in a draw pile is told to nobody.
        known = 0 <= value < len(battle.cards) and battle.places[value] != DRAW
        return name, "card", battle.cards[value].definition.id if known else ""
    if isinstance(value, bool):
        return name, "bool", value
    if isinstance(value, int):
        return name, "int", value
    if isinstance(value, float):
        return name, "float", value
    if isinstance(value, str):
        return name, "text", value
    if isinstance(value, StatusDefinition):
        return name, "status", value.id
    return name, "unit", value.name if isinstance(value, Unit) else ""
