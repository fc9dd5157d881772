"""The updates of one battle, encoded: what has happened since the last one, the whole state, and events from before."""

from __future__ import annotations

from typing import Any, Final

from bridge.battles.battle_options import BattleOptions
from bridge.battles.event_window import EventWindow
from bridge.battles.packs import LoadedPack
from bridge.pb.gcs.v1 import events_pb2
from bridge.wire.encoding import Numbers, submessage
from bridge.wire.events import EventWriter, RaisedEvent
from bridge.wire.state import StateView
from runtime.battle.state import Battle

_SNAPSHOT: Final = events_pb2.Update.SNAPSHOT_FIELD_NUMBER
_CHANGE: Final = events_pb2.Update.CHANGE_FIELD_NUMBER
_BATTLE_ID: Final = events_pb2.Update.BATTLE_ID_FIELD_NUMBER
_ACTION_ID: Final = events_pb2.Update.ACTION_ID_FIELD_NUMBER
_VERSIONS: Final = Numbers(events_pb2.Update.STATE_VERSION_FIELD_NUMBER)
_FIRST_SEQUENCES: Final = Numbers(events_pb2.Update.FIRST_SEQUENCE_FIELD_NUMBER)
_LAST_SEQUENCES: Final = Numbers(events_pb2.Update.LAST_SEQUENCE_FIELD_NUMBER)
# The log's entries are dropped once they are encoded; their places stay, for they are the sequence numbers.
_READ: Final[tuple[Any, ...]] = ()


class BattleUpdates:
    """What clients are sent about one battle.

    Attributes:
        version: Version of the state that the last update led to, 1 after set-up.
    """

    __slots__ = ("_battle", "_battle_id", "_events", "_head", "_view", "_writer", "version")

    def __init__(self, battle: Battle, battle_id: str, loaded: LoadedPack, options: BattleOptions) -> None:
        """Begins before the first update.

        Args:
            battle: The battle.
            battle_id: Id of the battle.
            loaded: The pack that it was started with.
            options: What its callers may see.
        """
        self._battle = battle
        self._battle_id = battle_id
        self._view = StateView(battle, battle_id, options.open_draw_pile, options.seed_known)
        self._writer = EventWriter(battle, options.open_draw_pile, loaded.argument_types)
        self._events = EventWindow(options.events_kept, options.event_bytes)
        # How every encoded update of this battle begins.
        self._head = submessage(_BATTLE_ID, battle_id.encode())
        self.version = 0

    @property
    def last_sequence(self) -> int:
        """The number of the last event that was encoded."""
        return self._events.last

    @property
    def raised(self) -> list[RaisedEvent]:
        """The GES events that the updates tell of, to be emptied by whoever reads them."""
        return self._writer.raised

    @property
    def faults(self) -> list[events_pb2.Fault]:
        """The faults that the updates tell of, to be emptied by whoever reads them."""
        return self._writer.faults

    def advance(self, action_id: str) -> bytes:
        """Encodes what has happened since the last version, which becomes the one before.

        Args:
            action_id: The action that has brought it about, if it has an id.
        """
        log = self._battle.log
        sent = self._events.last
        last = len(log)
        self.version += 1
        parts = [self._head, _VERSIONS[self.version], _LAST_SEQUENCES[last]]
        if action_id:
            parts.append(submessage(_ACTION_ID, action_id.encode()))
        if last > sent:
            entries = log[sent:]
            events = self._writer.encode(sent + 1, entries, action_id)
            parts += (_FIRST_SEQUENCES[sent + 1], events)
            self._events.add(last, events)
            log[sent:] = [_READ] * len(entries)
        parts.append(submessage(_CHANGE, self._view.change()))
        return b"".join(parts)

    def snapshot(self, after: int | None = None) -> bytes:
        """An encoded update with the whole state.

        Args:
            after: The events after this number come with it; None: no events.

        Raises:
            CallError: Those events are not kept any more, or are still to come.
        """
        update = events_pb2.Update(
            battle_id=self._battle_id, last_sequence=self._events.last, state_version=self.version
        )
        events = b""
        if after is not None:
            first, events = self._events.after(after)
            update.first_sequence = first
        return update.SerializeToString() + events + submessage(_SNAPSHOT, self._view.snapshot())

    def repeat(self, action_id: str, first: int, last: int, full: bool) -> bytes:
        """An encoded update for an action that is done and was sent again.

        Args:
            action_id: The action.
            first: The number of its first event.
            last: The number of its last event.
            full: With its events as they were and the whole state as it is now; else with neither, for a
                client that gets every update anyway.
        """
        update = events_pb2.Update(
            battle_id=self._battle_id,
            action_id=action_id,
            last_sequence=self._events.last,
            state_version=self.version,
        )
        if not full:
            return update.SerializeToString()
        events = self._events.between(first, last)
        if events:
            update.first_sequence = first
        return update.SerializeToString() + events + submessage(_SNAPSHOT, self._view.snapshot())
