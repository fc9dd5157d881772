"""What plugins in the server's process see of GES: `Ges`.

Everything here belongs to the thread of the server's event loop; from another thread, go by
``loop.call_soon_threadsafe``. A plugin may raise at any time. In a listener, which runs in the middle of an
action, the raise waits until that action has ended (R6.5), and counts as an answer to what the listener heard:
an event that answers itself in this way is cut like any other.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Final, Protocol

from bridge.errors import CallError
from bridge.ges.clock import Clock, MonotonicClock
from bridge.ges.monitor import Monitor
from bridge.ges.streams import ListenStreams
from bridge.ges.values import PlainValue, payload_of, plain_value
from bridge.pb.gcs.v1 import ges_pb2
from bridge.settings import ServerLimits
from runtime.battle.ges_listeners import (
    BASIC,
    CONDITIONAL,
    PERSISTENT,
    PRIORITY,
    BattleListeners,
    GesListener,
    Heard,
    Listeners,
)
from runtime.content.guids import normalize_guid
from runtime.graph.definitions import Content

_log: Final = logging.getLogger(__name__)

ENTRY_POINT_GROUP: Final = "gcs.ges"
# The caller that plugins are.
PLUGIN: Final = "plugin"


@dataclass(frozen=True, slots=True)
class Raised:
    """A GES event as a plugin hears it.

    Attributes:
        battle_id: The battle.
        event: The event's asset id.
        guid: GUID of the event, lower case with hyphens.
        arguments: `arg` and `sender`, or the fields of a vector or struct; units, card instances and statuses
            by name, such as ``enemy0``, ``c4`` and ``poison``.
        origin: ``outside``, ``graph``, ``notice``, ``trigger`` or ``chain``.
        sequence: Number of the raise among the battle's events.
        answers: The GUIDs of the raises that it answers, outermost first.
    """

    battle_id: str
    event: str
    guid: str
    arguments: Mapping[str, PlainValue]
    origin: str
    sequence: int
    answers: Sequence[str]


class Listening:
    """A listener of a plugin."""

    def __init__(self, listeners: Listeners, listener: GesListener) -> None:
        self._listeners = listeners
        self._listener = listener

    def stop(self) -> bool:
        """Takes the listener out; False when it is out already, as its battle may be gone."""
        return self._listeners.remove(self._listener)


class RaisingBattle(Protocol):
    """A battle that events can be raised in."""

    @property
    def content(self) -> Content:
        """The compiled pack."""

    def raise_event(self, request: ges_pb2.RaiseRequest, caller: str, heard: Heard | None = None) -> bytes:
        """Raises an event from outside."""


class Ges:
    """The GES bridge of one server.

    Attributes:
        clock: The server's clock.
        streams: The `Listen` streams.
        monitor: What was seen of each event.
        listeners: The listeners, as the runtime knows them.
        inactive: The ids of the packs whose events are switched off (R6.6).
    """

    def __init__(self, limits: ServerLimits | None = None, clock: Clock | None = None) -> None:
        """Makes a bridge without battles and listeners.

        Args:
            limits: How much it takes on.
            clock: The time; by default that since now.
        """
        limits = limits or ServerLimits()
        self.clock: Clock = clock or MonotonicClock()
        self.streams = ListenStreams(limits.listen_streams, limits.queued_messages)
        self.monitor = Monitor(self.clock.now)
        self.listeners = Listeners(self.monitor.failed)
        self.listeners.began = self.monitor.began
        self.listeners.ended = self.monitor.ended
        self.inactive: set[str] = set()
        self._battles: dict[str, RaisingBattle] = {}
        self._actions = 0
        self._waiting: deque[tuple[ges_pb2.RaiseRequest, Heard | None]] = deque()
        self._hearing: list[Heard] = []

    def listen(
        self,
        call: Callable[[Raised], None],
        *,
        guid: str = "",
        battle_id: str = "",
        priority: int | None = None,
        condition: Callable[[Raised], bool] | None = None,
        persistent: bool = False,
    ) -> Listening:
        """Registers a listener. For one raise, the kinds are told in the order in which they stand here.

        - basic: neither priority nor condition nor persistent;
        - priority: with a priority, higher ones first;
        - conditional: with a condition, which decides for each raise;
        - persistent: hears all battles and outlives them; the graphs of a battle are one of priority 0.

        A listener that throws is logged; nobody else is concerned.

        Args:
            call: Called with each raise, in the middle of the battle's action: it has to be quick.
            guid: The event; empty: all.
            battle_id: The battle; its listeners go with it. Empty: all.
            priority: Of a priority or a persistent listener.
            condition: Of a conditional listener.
            persistent: Whether it is a persistent listener.

        Raises:
            ValueError: The GUID is none, or the kind is not clear.
        """
        normal = normalize_guid(guid) if guid else ""
        if normal is None:
            raise ValueError(f"{guid!r} is no GUID")
        if condition is not None and (priority is not None or persistent):
            raise ValueError("a conditional listener has no priority and is not persistent")
        if persistent and battle_id:
            raise ValueError("a persistent listener hears all battles")
        kind = BASIC
        if persistent:
            kind = PERSISTENT
        elif condition is not None:
            kind = CONDITIONAL
        elif priority is not None:
            kind = PRIORITY
        listener = self.listeners.add(
            kind,
            self._calling(call),
            normal,
            battle_id,
            priority or 0,
            None if condition is None else _asking(condition),
        )
        return Listening(self.listeners, listener)

    def raise_event(self, battle_id: str, guid: str, arg: object = None, sender: str = "") -> None:
        """Raises an event in a battle, at once or, in the middle of an action, when that has ended.

        Args:
            battle_id: The battle.
            guid: The event.
            arg: What it carries: a number, a Bool or a text; the name of a unit, card instance or status; the
                parts of a vector or colour as a sequence; the fields of a struct as a mapping.
            sender: The unit that raised it.

        Raises:
            ValueError: There is no such battle or event, or the argument is not of the event's type.
        """
        heard = self._hearing[-1] if self._hearing else None
        content = self._content_of(battle_id, heard)
        normal = normalize_guid(guid)
        event = content.events_by_guid.get(normal) if normal is not None else None
        if event is None:
            raise ValueError(f"pack {content.id!r} has no event {guid!r}")
        request = ges_pb2.RaiseRequest(battle_id=battle_id, guid=event.guid)
        if arg is not None:
            request.arg.CopyFrom(payload_of(event.argument, arg))
        if sender:
            request.sender.unit_value = sender
        if self._actions:
            self._waiting.append((request, heard))
            return
        try:
            self._battles[battle_id].raise_event(request, PLUGIN, heard)
        except CallError as error:
            raise ValueError(error.message) from error

    def is_active(self, pack: str) -> bool:
        """Whether the events of a pack are on."""
        return pack not in self.inactive

    def _content_of(self, battle_id: str, heard: Heard | None) -> Content:
        battle = self._battles.get(battle_id)
        if battle is not None:
            return battle.content
        if heard is not None and heard.battle_id == battle_id:
            # Its set-up is still running.
            return heard.battle.content
        raise ValueError(f"no battle {battle_id!r}")

    def _calling(self, call: Callable[[Raised], None]) -> Callable[[Heard], None]:
        def hear(heard: Heard) -> None:
            self._hearing.append(heard)
            try:
                call(_raised(heard))
            finally:
                self._hearing.pop()

        return hear

    def listeners_of(self, battle_id: str) -> BattleListeners:
        """The listeners as a battle that is about to start has them."""
        return BattleListeners(battle_id, self.listeners)

    def add_battle(self, battle_id: str, battle: RaisingBattle) -> None:
        """Takes in a battle that has been set up."""
        self._battles[battle_id] = battle

    def forget_battle(self, battle_id: str) -> None:
        """Drops a battle, with its listeners."""
        self._battles.pop(battle_id, None)
        self.listeners.forget_battle(battle_id)
        self.monitor.forget_battle(battle_id)

    def begin_action(self) -> None:
        """From here on raises of plugins wait; `end_action` must follow."""
        self._actions += 1

    def end_action(self) -> None:
        """An action has ended: when it was the outermost, what waits is raised, in order."""
        if self._actions == 1:
            # Still counted as an action, so that what these raises bring about waits behind them.
            while self._waiting:
                request, heard = self._waiting.popleft()
                self._raise_waiting(request, heard)
        self._actions -= 1

    def _raise_waiting(self, request: ges_pb2.RaiseRequest, heard: Heard | None) -> None:
        about = {"battle_id": request.battle_id}
        battle = self._battles.get(request.battle_id)
        if battle is None:
            _log.warning("a plugin's raise of %s is lost: the battle is gone", request.guid, extra=about)
            return
        try:
            battle.raise_event(request, PLUGIN, heard)
        except CallError as error:
            _log.error("a plugin's raise of %s: %s", request.guid, error.message, extra=about)


def _raised(heard: Heard) -> Raised:
    return Raised(
        battle_id=heard.battle_id,
        event=heard.event.id,
        guid=heard.event.guid,
        arguments={name: plain_value(heard.event, heard.arguments, name) for name in heard.arguments},
        origin=heard.origin,
        sequence=heard.sequence,
        answers=tuple([event.guid for event in heard.lineage]),
    )


def _asking(condition: Callable[[Raised], bool]) -> Callable[[Heard], bool]:
    def ask(heard: Heard) -> bool:
        return condition(_raised(heard))

    return ask


def installed_plugins() -> list[Callable[[Ges], None]]:
    """The plugins that installed packages name under ``gcs.ges``, in order of their names."""
    points = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    return [point.load() for point in points]
