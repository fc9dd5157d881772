"""What becomes of a raise from outside: whether it is dispatched, and to whom, read from the battle's log."""

from __future__ import annotations

from typing import Any

from bridge.pb.gcs.v1 import ges_pb2
from runtime.battle.action_types import Raise
from runtime.battle.actions import database_will_be_active
from runtime.battle.events import ENTRY_DISPATCHED, FAULT
from runtime.battle.legality import check
from runtime.battle.rejections import BATTLE_OVER
from runtime.battle.state import Battle
from runtime.graph.definitions import EventDefinition


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


def undispatched_for(
    battle: Battle, event: EventDefinition, arguments: dict[str, object]
) -> ges_pb2.RaiseResult.ValueType | None:
    """Why a raise would not be dispatched now (R6.6); None when it would.

    Args:
        battle: The battle.
        event: The event.
        arguments: What it carries.
    """
    rejection = check(battle, Raise(event, arguments))
    if rejection is not None and rejection.reason == BATTLE_OVER:
        return ges_pb2.RAISE_RESULT_NO_BATTLE
    if not database_will_be_active(battle):
        return ges_pb2.RAISE_RESULT_DATABASE_INACTIVE
    return None
