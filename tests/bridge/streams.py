"""A `Play` stream under a test's control: what goes up is given one by one, what comes down is read one by one."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.testing.client import Client


class PlayStream:
    """One open stream, for a with statement."""

    def __init__(self, client: Client, join: service_pb2.JoinBattle) -> None:
        self._up: queue.Queue[service_pb2.PlayRequest | None] = queue.Queue()
        self._up.put(service_pb2.PlayRequest(join=join))
        self.call: Any = client.battles.Play(self._requests(), timeout=client.seconds)

    def _requests(self) -> Iterator[service_pb2.PlayRequest]:
        while (request := self._up.get()) is not None:
            yield request

    def send(self, **kind: Any) -> None:
        self._up.put(service_pb2.PlayRequest(**kind))

    def act(self, action_id: str = "", **kind: Any) -> None:
        self.send(action=battle_pb2.Action(action_id=action_id, **kind))

    def close_send(self) -> None:
        self._up.put(None)

    def next(self) -> service_pb2.PlayResponse:
        response: service_pb2.PlayResponse = next(self.call)
        return response

    def update(self) -> Any:
        response = self.next()
        assert response.WhichOneof("kind") == "update", response
        return response.update

    def rest(self) -> list[service_pb2.PlayResponse]:
        return list(self.call)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._up.put(None)
        self.call.cancel()


def join(battle_id: str, last_sequence: int = 0) -> service_pb2.JoinBattle:
    """Joins a battle that is there."""
    return service_pb2.JoinBattle(battle_id=battle_id, last_sequence=last_sequence)
