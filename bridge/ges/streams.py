"""The `Listen` streams: clients that hear the GES events of battles. They are basic listeners."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Final

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, exhausted
from bridge.net.subscribers import Subscriber
from bridge.pb.gcs.v1 import ges_pb2
from bridge.wire.encoding import submessage
from bridge.wire.events import RaisedEvent

_RAISED: Final = ges_pb2.ListenResponse.RAISED_FIELD_NUMBER


@dataclass(frozen=True, slots=True)
class _Wish:
    """What one stream hears: of one battle or of all, some GUIDs or all, and whose raises not."""

    battle_id: str
    guids: frozenset[str]
    not_by: str


class ListenStreams:
    """All open streams. They are told when the action has ended, of each event once and in order."""

    def __init__(self, most: int, queued_messages: int) -> None:
        """Makes it without streams.

        Args:
            most: How many streams may be open.
            queued_messages: How many messages may wait for one stream.
        """
        self._most = most
        self._queued_messages = queued_messages
        self._streams: dict[Subscriber, _Wish] = {}

    def __bool__(self) -> bool:
        return bool(self._streams)

    def add(
        self, battle_id: str, guids: Collection[str], write: Callable[[bytes], Awaitable[None]], not_by: str = ""
    ) -> Subscriber:
        """Opens a stream.

        Args:
            battle_id: The battle to hear; empty: all.
            guids: The GUIDs to hear; empty: all.
            write: Writes one message to the client.
            not_by: The caller whose own raises are left out; empty: nobody's.

        Raises:
            CallError: Too many streams.
        """
        if len(self._streams) >= self._most:
            raise exhausted(ErrorReason.TOO_MANY_STREAMS, f"{self._most} streams listen already", self._most)
        subscriber = Subscriber(self._queued_messages, write)
        self._streams[subscriber] = _Wish(battle_id, frozenset(guids), not_by)
        return subscriber

    def of_battle(self, battle_id: str) -> list[Subscriber]:
        """The streams that hear one battle and nothing else.

        Args:
            battle_id: The battle.
        """
        return [subscriber for subscriber, wish in self._streams.items() if wish.battle_id == battle_id]

    def battles(self) -> set[str]:
        """The battles that streams have asked for by their ids; a stream that hears all battles names none."""
        return {wish.battle_id for wish in self._streams.values() if wish.battle_id}

    def remove(self, subscriber: Subscriber) -> None:
        """Closes a stream that was opened with `add`."""
        self._streams.pop(subscriber, None)

    def notify(self, battle_id: str, raised: RaisedEvent, raise_id: str, caller: str) -> None:
        """Tells all who listen to it of a raised event.

        Args:
            battle_id: The battle.
            raised: The event.
            raise_id: The id of the raise that it came from; empty for others.
            caller: Who raised it from outside; empty for others.
        """
        message = b""
        for subscriber, wish in list(self._streams.items()):
            if wish.battle_id not in ("", battle_id) or (wish.guids and raised.guid not in wish.guids):
                continue
            if caller and wish.not_by == caller:
                continue
            if not message:
                head = ges_pb2.ListenResponse(battle_id=battle_id, sequence=raised.sequence, raise_id=raise_id)
                message = head.SerializeToString() + submessage(_RAISED, raised.encoded)
            subscriber.send(message)

    def close(self, error: CallError) -> None:
        """Ends all streams with an error."""
        for subscriber in list(self._streams):
            subscriber.close(error)
