"""What a player does, from the wire into the runtime."""

from __future__ import annotations

from typing import Final, Literal

from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.wire.names import REASONS, card_number, find_unit
from runtime.battle.action_types import Action, Answer, Concede, EndTurn, PlayCard, SetState
from runtime.battle.choices import OPTION_CHOICE
from runtime.battle.rejections import INVALID_CHOICE, UNKNOWN_CARD, Rejection
from runtime.battle.state import Battle

# The field of an action that says what is done.
ActionKind = Literal["play_card", "end_turn", "answer_choice", "concede", "set_state"]

INVALID_ACTION: Final = "INVALID_ACTION"
NOT_ALLOWED: Final = "NOT_ALLOWED"

_END_TURN: Final = EndTurn()
_CONCEDE: Final = Concede()
_MOST_VALUES: Final = 1_000


def action_of(battle: Battle, action: pb.Action, kind: ActionKind | None, allow_set_state: bool) -> Action | Rejection:
    """An action as the runtime takes it, or its refusal.

    Names of cards and units that are not there become -1: which refusal they lead to depends on the
    battle, and the order of refusals is the runtime's (T3).

    Args:
        battle: The battle that it is meant for.
        action: The action.
        kind: Which of its fields says what is done.
        allow_set_state: Whether state may be written.
    """
    if kind == "play_card":
        play = action.play_card
        unit = find_unit(battle, play.target) if play.target else None
        return PlayCard(card_number(play.card), unit.number if unit is not None else -1)
    if kind == "end_turn":
        return _END_TURN
    if kind == "answer_choice":
        answer = action.answer_choice
        if answer.HasField("option"):
            if answer.cards:
                return Rejection(INVALID_CHOICE, "expected cards or an option, got both")
            return Answer([answer.option], OPTION_CHOICE)
        return Answer([card_number(card) for card in answer.cards])
    if kind == "concede":
        return _CONCEDE
    if kind == "set_state":
        if not allow_set_state:
            return Rejection(NOT_ALLOWED, "this server does not allow set_state: start it with --allow-set-state")
        if len(action.set_state.values) > _MOST_VALUES:
            return Rejection(INVALID_ACTION, f"expected at most {_MOST_VALUES} values")
        # A map has no order on the wire; a battle must not depend on one (R8.1).
        return SetState({path: action.set_state.values[path] for path in sorted(action.set_state.values)})
    return Rejection(INVALID_ACTION, "the action says nothing to do")


def rejection_of(action: pb.Action, rejection: Rejection) -> pb.Rejection:
    """The refusal of an action as it is told."""
    message = rejection.message
    if rejection.reason == UNKNOWN_CARD:
        # The runtime knows numbers alone; the name may have been none of its cards' names.
        message = f"no card {action.play_card.card[:40]!r} is in hand"
    return pb.Rejection(action_id=action.action_id, reason=REASONS[rejection.reason], message=message)
