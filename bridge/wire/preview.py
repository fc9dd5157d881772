"""What a card would cost and do, as it is told."""

from __future__ import annotations

from bridge.errors import invalid
from bridge.pb.gcs.v1 import service_pb2
from bridge.wire.names import REASONS, card_number, find_unit
from runtime.battle.action_types import PlayCard
from runtime.battle.energy import card_cost
from runtime.battle.legality import check, in_hand, targets_of
from runtime.battle.rejections import INVALID_TARGET
from runtime.battle.state import Battle
from runtime.battle.texts import card_text


def preview_of(battle: Battle, request: service_pb2.PreviewRequest) -> service_pb2.PreviewResponse:
    """What a card in hand would cost and do, after a dry run of all hooks (R4.9).

    Args:
        battle: The battle.
        request: The card, and who is aimed at.

    Raises:
        CallError: No such card is in hand, or no such unit is there.
    """
    number = card_number(request.card)
    if not in_hand(battle, number):
        raise invalid("card", "the instance of a card in hand", request.card)
    card = battle.cards[number]
    target = find_unit(battle, request.target) if request.target else None
    if request.target and target is None:
        raise invalid("target", "a unit of the battle, such as enemy0", request.target)
    response = service_pb2.PreviewResponse(cost=card_cost(battle, card), text=card_text(battle, number, target))
    refused = check(battle, PlayCard(number, target.number if target is not None else -1))
    if refused is not None and target is None and refused.reason == INVALID_TARGET and targets_of(battle, card):
        # It can be played once somebody is chosen.
        refused = None
    response.playable = refused is None
    if refused is not None:
        response.unplayable_reason = REASONS[refused.reason]
        response.message = refused.message
    return response
