"""A server of our protocol whose Play streams break, for tests of what the client makes of it.

The encounter says how: `slow_reader` is cut off with SLOW_READER on every join, `slow_reader_once` on the first alone;
`ended` is ended right after the state, without an error; `cut_off_later` stands until an action comes and says then
that there are too many; `large` begins with an update of more than 4 MiB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import grpc

from bridge.error_reasons import ErrorReason
from bridge.errors import exhausted
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, service_pb2, service_pb2_grpc
from tests.godot.scripted_server import serve

LARGE = 5 * 1024 * 1024


class BreakingServer(service_pb2_grpc.BattleServiceServicer):
    """Starts every battle with the same small state."""

    def __init__(self) -> None:
        self._encounters: dict[str, str] = {}
        self._joins: Counter[str] = Counter()

    def GetServerInfo(  # noqa: N802 - the method's name in the proto
        self, request: service_pb2.GetServerInfoRequest, context: grpc.ServicerContext
    ) -> service_pb2.GetServerInfoResponse:
        return service_pb2.GetServerInfoResponse(version="0.0.0", protocol_major=1)

    def Play(  # noqa: N802 - the method's name in the proto
        self, requests: Iterator[service_pb2.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[service_pb2.PlayResponse]:
        join = next(requests).join
        if join.HasField("start"):
            self._encounters[join.battle_id] = join.start.encounter
        encounter = self._encounters[join.battle_id]
        self._joins[join.battle_id] += 1
        joins = self._joins[join.battle_id]
        state = battle_pb2.BattleState(
            battle_id=join.battle_id, encounter=encounter, turn=joins, outcome=battle_pb2.OUTCOME_RUNNING
        )
        if encounter == "large":
            state.variables["x" * LARGE] = 1
        yield service_pb2.PlayResponse(
            update=events_pb2.Update(battle_id=join.battle_id, state_version=1, snapshot=state)
        )
        if encounter == "slow_reader" or (encounter == "slow_reader_once" and joins == 1):
            _refuse(context, ErrorReason.SLOW_READER, "3 messages wait to be read; join again")
        if encounter == "ended":
            return
        for _request in requests:
            if encounter == "cut_off_later":
                _refuse(context, ErrorReason.TOO_MANY_ACTIONS, "more than 2 actions in a second")


def _refuse(context: grpc.ServicerContext, reason: ErrorReason, message: str) -> None:
    error = exhausted(reason, message, 3)
    context.set_trailing_metadata((("grpc-status-details-bin", error.details()),))
    context.abort(error.reason.code, error.message)


if __name__ == "__main__":
    serve(BreakingServer())
