"""A battle behind gRPC, played with unary calls."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar, cast

import grpc
import msgspec

from bridge.net.call_failures import failure_of
from bridge.net.channel import open_channel
from bridge.pb.gcs.v1 import battle_pb2 as pb
from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from bridge.pb.gcs.v1.ges_pb2_grpc import GesServiceStub
from bridge.pb.gcs.v1.service_pb2_grpc import BattleServiceStub
from bridge.scenario.driver import (
    Action,
    Answer,
    BattleSpec,
    Concede,
    DriverError,
    EndTurn,
    PlayCard,
    RaiseEvent,
    SetState,
)
from bridge.scenario.format import INVALID_ARGUMENT
from bridge.scenario.packs import event_named, pack_object
from bridge.scenario.payloads import PayloadError, payload_of
from bridge.scenario.views import BattleView, CardView, ChoiceView, Happening, RewardView, UnitView
from bridge.scenario.wire_happenings import happening_of, intent_view, word
from runtime.battle.rejections import BATTLE_OVER, Rejection
from runtime.content.assets import Pack

# Seconds for one call; a server that takes longer is as good as gone.
CALL_LIMIT: Final = 30.0
_PILES: Final = (pb.PILE_HAND, pb.PILE_DRAW, pb.PILE_DISCARD, pb.PILE_EXHAUST)
_RULES: Final = {"": pb.RULES_UNSPECIFIED, "documented": pb.RULES_DOCUMENTED, "extended": pb.RULES_EXTENDED}

Response = TypeVar("Response")


class GrpcDriver:
    """Drives a battle of a server; see `bridge.scenario.driver.Driver`.

    The pack goes over the wire as its contents, never as a path. The draw pile is asked for openly, so that the
    state is the same as in process.
    """

    view: BattleView

    def __init__(self, address: str) -> None:
        """A driver without a battle.

        Args:
            address: ``HOST:PORT`` or ``unix:PATH`` of a server.
        """
        self.happenings: list[Happening] = []
        self._address = address
        # One action may do very much; the server bounds what it sends.
        self._channel = open_channel(address, options=[("grpc.max_receive_message_length", -1)])
        self._battles = BattleServiceStub(self._channel)
        self._ges = GesServiceStub(self._channel)
        self._battle_id = ""
        self._pack: Pack | None = None
        self._state = pb.BattleState()

    def start(self, spec: BattleSpec) -> None:
        """Starts the battle; see `Driver.start`. A server that refuses its content gives a `DriverError`."""
        self._pack = spec.pack
        response = self._call(self._battles.StartBattle, start_request(spec))
        self._battle_id = response.update.battle_id
        self._look()

    def act(self, action: Action) -> Rejection | None:
        """Carries out an action; see `Driver.act`."""
        rejected = self._raise(action) if isinstance(action, RaiseEvent) else self._act(action)
        if rejected is None:
            self._look()
        return rejected

    def close(self) -> None:
        """Ends the battle, so that it takes no room on the server any longer, and closes the connection."""
        if self._battle_id:
            # What the battle has shown stands, whether or not the server can be reached once more or has dropped it.
            with suppress(grpc.RpcError):
                self._battles.EndBattle(service_pb2.EndBattleRequest(battle_id=self._battle_id), timeout=CALL_LIMIT)
        self._channel.close()

    def _act(self, action: Action) -> Rejection | None:
        request = service_pb2.ActRequest(battle_id=self._battle_id, action=_wire_action(action))
        response = self._call(self._battles.Act, request)
        if response.WhichOneof("result") != "rejection":
            return None
        rejection = response.rejection
        return Rejection(word(pb.RejectionReason, "REJECTION_REASON_", rejection.reason).upper(), rejection.message)

    def _raise(self, action: RaiseEvent) -> Rejection | None:
        event = event_named(self._pack, action.event) if self._pack is not None else None
        request = ges_pb2.RaiseRequest(battle_id=self._battle_id, guid=event.guid if event else action.event)
        try:
            arg = payload_of(event.argument if event else "none", action.arg, self._find_card)
            sender = payload_of("unit", action.sender, str)
        except PayloadError as error:
            return Rejection(INVALID_ARGUMENT, str(error))
        if arg is not None:
            request.arg.CopyFrom(arg)
        if sender is not None:
            request.sender.CopyFrom(sender)
        try:
            response = self._ges.Raise(request, timeout=CALL_LIMIT)
        except grpc.RpcError as error:
            if _call_of(error).code() == grpc.StatusCode.INVALID_ARGUMENT:
                return Rejection(INVALID_ARGUMENT, _call_of(error).details())
            raise DriverError(failure_of(error, self._address)) from error
        if response.result == ges_pb2.RAISE_RESULT_NO_BATTLE:
            return Rejection(BATTLE_OVER, "the battle is over")
        return None

    def _find_card(self, name: str) -> str:
        """The instance of that name, or the first card of an asset id in the order of R6.1; else the name as it is."""
        cards = {card.id: card.card_id for card in self._state.cards}
        if name in cards:
            return name
        piles = {pile.pile: pile.cards for pile in self._state.piles}
        for pile in _PILES:
            for instance in piles.get(pile, ()):
                if cards.get(instance) == name:
                    return instance
        return name

    def _look(self) -> None:
        """Asks for the events since the last look and the whole state; a raise that waited is in it, too."""
        last = self.happenings[-1].sequence if self.happenings else 0
        request = service_pb2.GetBattleRequest(battle_id=self._battle_id, last_sequence=last)
        update = self._call(self._battles.GetBattle, request).update
        self._state = update.snapshot
        cards = {card.id: card.card_id for card in self._state.cards}
        self.happenings += [happening_of(event, cards) for event in update.events]
        self.view = view_of(self._state)

    def _call(self, method: Callable[..., Response], request: Any) -> Response:
        try:
            return method(request, timeout=CALL_LIMIT)
        except grpc.RpcError as error:
            raise DriverError(failure_of(error, self._address)) from error


def _call_of(error: grpc.RpcError) -> grpc.Call:
    # The error of a unary call is the call itself, which only the documentation says.
    return cast(grpc.Call, error)


def start_request(spec: BattleSpec) -> service_pb2.StartBattleRequest:
    """The request for a battle, its pack as contents.

    Raises:
        DriverError: A field of the player is none of a request.
    """
    request = service_pb2.StartBattleRequest(
        seed=spec.seed,
        rules=_RULES[spec.rules],
        shuffle=spec.shuffle,
        open_draw_pile=True,
        # As in process: nothing that is delayed lands by itself.
        manual_clock=True,
    )
    request.pack_json = msgspec.json.encode(pack_object(spec.pack)).decode()
    if isinstance(spec.encounter, str):
        request.encounter = spec.encounter
    else:
        request.encounter_json = msgspec.json.encode(spec.encounter).decode()
    if spec.player is not None:
        _override(request.player, spec.player)
    if spec.deck is not None:
        request.deck.cards.extend(spec.deck)
    return request


def _override(message: service_pb2.PlayerOverride, player: Any) -> None:
    try:
        message.MergeFrom(service_pb2.PlayerOverride(**player))
    except (TypeError, ValueError) as error:
        raise DriverError(f"player: {error}") from error


def _wire_action(action: Action) -> pb.Action:
    match action:
        case PlayCard(card, target):
            return pb.Action(play_card=pb.PlayCard(card=card, target=target))
        case Answer(cards, option):
            answer = pb.AnswerChoice(option=option) if option >= 0 else pb.AnswerChoice(cards=cards)
            return pb.Action(answer_choice=answer)
        case EndTurn():
            return pb.Action(end_turn=pb.EndTurn())
        case Concede():
            return pb.Action(concede=pb.Concede())
        case SetState(values):
            return pb.Action(set_state=pb.SetState(values=dict(values)))
    raise DriverError(f"{action!r} is no action of a player")


def view_of(state: pb.BattleState) -> BattleView:
    """A battle's state on the wire as it looks from outside."""
    cards = {card.id: card for card in state.cards}
    piles = {pile.pile: [cards[instance] for instance in pile.cards if instance in cards] for pile in state.piles}
    return BattleView(
        turn=state.turn,
        phase=word(pb.Phase, "PHASE_", state.phase),
        outcome=word(pb.Outcome, "OUTCOME_", state.outcome),
        energy=state.energy,
        max_energy=state.max_energy,
        units=tuple(_unit_view(unit) for unit in state.units),
        hand=tuple(_card_view(card) for card in piles.get(pb.PILE_HAND, ())),
        draw=tuple(card.card_id for card in piles.get(pb.PILE_DRAW, ())),
        discard=tuple(card.card_id for card in piles.get(pb.PILE_DISCARD, ())),
        exhaust=tuple(card.card_id for card in piles.get(pb.PILE_EXHAUST, ())),
        variables=dict(state.variables),
        choice=_choice_view(state, cards),
        reward=_reward_view(state),
        seed=state.seed,
    )


def _unit_view(unit: pb.UnitState) -> UnitView:
    return UnitView(
        id=unit.id,
        enemy=unit.enemy,
        hp=unit.hp,
        max_hp=unit.max_hp,
        armor=unit.armor,
        alive=unit.alive,
        statuses={status.id: status.stacks for status in unit.statuses},
        variables=dict(unit.variables),
        intent=intent_view(unit.intent),
    )


def _card_view(card: pb.CardState) -> CardView:
    reason = word(pb.RejectionReason, "REJECTION_REASON_", card.unplayable_reason).upper()
    return CardView(
        id=card.id,
        card_id=card.card_id,
        cost=card.cost,
        is_x=card.is_x,
        unplayable_reason="" if card.playable else reason,
        text=card.text,
        targets=tuple(card.targets),
    )


def _choice_view(state: pb.BattleState, cards: dict[str, pb.CardState]) -> ChoiceView | None:
    if not state.HasField("choice"):
        return None
    choice = state.choice
    return ChoiceView(
        kind=choice.kind,
        prompt=choice.prompt,
        instances=tuple(choice.cards),
        cards=tuple(cards[instance].card_id for instance in choice.cards),
        options=tuple(choice.options),
        min=choice.min,
        max=choice.max,
    )


def _reward_view(state: pb.BattleState) -> RewardView | None:
    if not state.HasField("result") or not state.result.HasField("reward"):
        return None
    return RewardView(tuple(state.result.reward.cards), state.result.reward.choose)
