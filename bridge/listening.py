"""Who outside hears the GES events that battles raise."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from bridge.errors import CallError, exhausted
from bridge.pb.gcs.v1 import events_pb2, ges_pb2
from bridge.subscribers import Subscriber


class Listeners:
    """The open `Listen` streams. Each hears the events of one battle or of all, of some GUIDs or of all.

    Attributes:
        inactive: The packs whose events are switched off: nothing comes in from outside, nothing goes out
            (R6.6).
    """

    def __init__(self, most: int, queued_messages: int) -> None:
        """Makes it without listeners.

        Args:
            most: How many streams may be open.
            queued_messages: How many messages may wait for one stream.
        """
        self.inactive: set[str] = set()
        self._most = most
        self._queued_messages = queued_messages
        self._listeners: dict[Subscriber, tuple[str, Collection[str]]] = {}

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def add(self, battle_id: str, guids: Collection[str], write: Callable[[bytes], Awaitable[None]]) -> Subscriber:
        """Opens a stream.

        Args:
            battle_id: The battle to hear; empty: all.
            guids: The GUIDs to hear; empty: all.
            write: Writes one message to the client.

        Raises:
            CallError: Too many streams.
        """
        if len(self._listeners) >= self._most:
            raise exhausted("TOO_MANY_STREAMS", f"{self._most} streams listen already", self._most)
        subscriber = Subscriber(self._queued_messages, write)
        self._listeners[subscriber] = (battle_id, frozenset(guids))
        return subscriber

    def remove(self, subscriber: Subscriber) -> None:
        """Closes a stream that was opened with `add`."""
        self._listeners.pop(subscriber, None)

    def tell(self, battle_id: str, pack: str, sequence: int, raised: events_pb2.GesEventRaised, raise_id: str) -> None:
        """Tells all who listen to it of a raised event.

        Args:
            battle_id: The battle.
            pack: The battle's pack.
            sequence: The event's number in the battle.
            raised: The event.
            raise_id: The id of the raise that it came from; empty for others.
        """
        if pack in self.inactive:
            return
        message = b""
        for subscriber, (wanted, guids) in list(self._listeners.items()):
            if wanted not in ("", battle_id) or (guids and raised.guid not in guids):
                continue
            if not message:
                response = ges_pb2.ListenResponse(
                    battle_id=battle_id, sequence=sequence, raised=raised, raise_id=raise_id
                )
                message = response.SerializeToString()
            subscriber.send(message)

    def close(self, error: CallError) -> None:
        """Ends all streams with an error."""
        for subscriber in list(self._listeners):
            subscriber.close(error)
