"""What became of a raise from outside, read from the battle's log."""

from __future__ import annotations

from typing import Any

from bridge.pb.gcs.v1 import ges_pb2
from runtime.battle.events import ENTRY_DISPATCHED, FAULT
from runtime.battle.state import Battle


def outcome_of(battle: Battle, before: int) -> ges_pb2.RaiseResponse:
    """The response to a raise from outside.

    Args:
        battle: The battle.
        before: How long its log was before the raise.
    """
    log: list[tuple[Any, ...]] = battle.log
    # Behind the action's own entry comes the raise, or the fault by which it was cut.
    first = before + 1
    if log[first][0] == FAULT:
        return ges_pb2.RaiseResponse(result=ges_pb2.RAISE_RESULT_ECHO)
    found = set()
    for entry in log[first + 1 :]:
        if entry[0] == ENTRY_DISPATCHED and entry[1] == first + 1:
            branch = entry[2]
            found.add((branch.owner_kind, branch.owner, entry[3], entry[4]))
    return ges_pb2.RaiseResponse(result=ges_pb2.RAISE_RESULT_DISPATCHED, receivers=len(found))
