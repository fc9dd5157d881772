"""What operators hear of one battle: counts, and lines of the log with its id."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from bridge.battles.counters import DONE, Counters
from bridge.errors import CallError
from bridge.pb.gcs.v1 import battle_pb2, events_pb2
from bridge.wire.names import OUTCOME_NAMES, REASON_NAMES

_log: Final = logging.getLogger(__name__)

# A longer action_id is rejected; the log names its beginning.
_MOST_ACTION_ID: Final = 128
# Faults of one action that are logged; a graph may bring about thousands.
_MOST_LOGGED: Final = 10
# Steps of a fault's chain that are logged, from its beginning and from its end.
_LOGGED_STEPS: Final = 6


class BattleTelemetry:
    """Counts and logs what happens in one battle."""

    __slots__ = ("_battle_id", "_counters")

    def __init__(self, battle_id: str, counters: Counters) -> None:
        self._battle_id = battle_id
        self._counters = counters

    def acted(
        self, action: battle_pb2.Action, kind: str | None, done: bytes | battle_pb2.Rejection, nanoseconds: int
    ) -> None:
        """An action was carried out or rejected.

        Args:
            action: The action.
            kind: Which of its fields says what is done.
            done: Its update, or the rejection.
            nanoseconds: How long it took.
        """
        kind = kind or "none"
        if isinstance(done, bytes):
            self._counters.acted(kind, DONE, nanoseconds)
            return
        reason = REASON_NAMES[done.reason]
        self._counters.acted(kind, reason, nanoseconds)
        if _log.isEnabledFor(logging.DEBUG):
            _log.debug("%s rejected: %s", kind, reason, extra=self._ids(action.action_id))

    def repeated(self) -> None:
        """An action that is done was sent again."""
        self._counters.repeated_actions += 1

    def over(
        self, outcome: battle_pb2.Outcome.ValueType, turn: int, action_id: str, failed: CallError | None = None
    ) -> None:
        """The battle has come to its end.

        Args:
            outcome: How.
            turn: In which turn.
            action_id: The action that has ended it, if it has an id.
            failed: Why the store has failed to take that: then it goes on, and nothing is told.
        """
        if failed is None:
            name = OUTCOME_NAMES[outcome]
            self._counters.battles_over[name] += 1
            _log.info("battle over: %s in turn %d", name, turn, extra=self._ids(action_id))

    def failed(self, faults: Sequence[events_pb2.Fault], action_id: str) -> None:
        """Faults have happened.

        Args:
            faults: All of one action.
            action_id: The action, if it has an id.
        """
        for fault in faults:
            self._counters.faults[fault.kind] += 1
        for fault in faults[:_MOST_LOGGED]:
            fields = {**self._ids(action_id), "kind": fault.kind, "chain": _shortened(fault.chain)}
            _log.warning("fault: %s", fault.message, extra=fields)
        if len(faults) > _MOST_LOGGED:
            _log.warning("%d more faults", len(faults) - _MOST_LOGGED, extra=self._ids(action_id))

    def _ids(self, action_id: str) -> dict[str, str]:
        """What a line of the log is about."""
        ids = {"battle_id": self._battle_id}
        if action_id:
            ids["action_id"] = action_id[:_MOST_ACTION_ID]
        return ids


def _shortened(chain: Sequence[str]) -> str:
    """A fault's chain in one line of bounded length; clients are told all of it."""
    left_out = len(chain) - 2 * _LOGGED_STEPS
    if left_out <= 0:
        return " > ".join(chain)
    return " > ".join([*chain[:_LOGGED_STEPS], f"({left_out} more)", *chain[-_LOGGED_STEPS:]])
