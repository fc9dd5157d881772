"""A client for scripts and tests: battles by unary calls, with asserts that show the Entry trace when they fail."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import grpc
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from google.rpc.status_pb2 import Status

from bridge.net.channel import open_channel
from bridge.pb.gcs.v1 import (
    battle_pb2,
    content_pb2_grpc,
    events_pb2,
    ges_pb2,
    ges_pb2_grpc,
    service_pb2,
    service_pb2_grpc,
)
from bridge.settings import TlsFiles
from bridge.testing.mirror import Mirror
from bridge.wire.entry_lines import entry_lines


class ActionRejectedError(Exception):
    """An action was refused.

    Attributes:
        reason: A word such as ``NOT_ENOUGH_ENERGY``.
    """

    def __init__(self, rejection: battle_pb2.Rejection) -> None:
        name = battle_pb2.RejectionReason.Name(rejection.reason)
        self.reason = name.removeprefix("REJECTION_REASON_")
        super().__init__(f"{self.reason}: {rejection.message}")


def reason_of(error: grpc.RpcError) -> str:
    """The reason in a failed call's details, such as ``UNKNOWN_BATTLE``; empty without details."""
    for detail in _details(error):
        info = ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return ""


def violations_of(error: grpc.RpcError) -> dict[str, str]:
    """The fields of the request that are wrong, with what is wrong with each."""
    for detail in _details(error):
        request = BadRequest()
        if detail.Unpack(request):
            return {violation.field: violation.description for violation in request.field_violations}
    return {}


def _details(error: Any) -> Sequence[Any]:
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            details: Sequence[Any] = Status.FromString(value).details
            return details
    return ()


class Client:
    """A connection to a server, for a with statement.

    Attributes:
        channel: The channel, for other calls.
        battles: The stub of BattleService.
        ges: The stub of GesService.
        content: The stub of ContentService.
    """

    def __init__(
        self,
        address: str,
        seconds: float = 20.0,
        options: Sequence[tuple[str, Any]] = (),
        *,
        token: str | None = None,
        trusted: bytes | None = None,
        identity: TlsFiles | None = None,
    ) -> None:
        """Connects at the first call.

        Args:
            address: ``HOST:PORT`` or ``unix:PATH``; ``grpcs://HOST:PORT`` for TLS.
            seconds: How long a call may take.
            options: Channel arguments of gRPC.
            token: What the server asks for; None: that of the environment variable ``GCS_TOKEN``.
            trusted: PEM text of the authorities that the server's certificate may be from; None: gRPC's.
            identity: The certificate to show to a server that asks for one; None: that of the environment variables
                ``GCS_TLS_CLIENT_CERT`` and ``GCS_TLS_CLIENT_KEY``.
        """
        every = [("grpc.max_receive_message_length", -1), *options]
        self.channel = open_channel(address, token=token, trusted=trusted, identity=identity, options=every)
        self.battles = service_pb2_grpc.BattleServiceStub(self.channel)
        self.ges = ges_pb2_grpc.GesServiceStub(self.channel)
        self.content = content_pb2_grpc.ContentServiceStub(self.channel)
        self.seconds = seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.channel.close()

    def start(
        self,
        pack: str | Mapping[str, Any] = "starter",
        encounter: str | Mapping[str, Any] = "first_fight",
        *,
        player: Mapping[str, Any] | None = None,
        deck: Sequence[str] = (),
        **fields: Any,
    ) -> ClientBattle:
        """Starts a battle.

        Args:
            pack: The id of a pack that the server has, or a pack object.
            encounter: The id of an encounter of the pack, or an encounter object.
            player: Fields of the encounter's player to override.
            deck: Card ids to play with instead of the encounter's deck.
            fields: Other fields of StartBattleRequest, such as ``seed`` and ``shuffle``. Time stands still, so that
                nothing depends on how long a test takes (`ClientBattle.advance_clock`); ``manual_clock=False``
                gives the server's clock.

        Raises:
            grpc.RpcError: The server refuses it.
        """
        request = service_pb2.StartBattleRequest(**{"manual_clock": True, **fields})
        if isinstance(pack, str):
            request.pack = pack
        else:
            request.pack_json = json.dumps(pack)
        if isinstance(encounter, str):
            request.encounter = encounter
        else:
            request.encounter_json = json.dumps(encounter)
        if player is not None:
            request.player.CopyFrom(service_pb2.PlayerOverride(**player))
        if deck:
            request.deck.cards.extend(deck)
        response = self.battles.StartBattle(request, timeout=self.seconds)
        return ClientBattle(self, response.update)

    def join(self, battle_id: str) -> ClientBattle:
        """Goes on with a battle that somebody has started, with all events of it that the server still keeps.

        Args:
            battle_id: Its id.

        Raises:
            grpc.RpcError: There is no such battle.
        """
        request = service_pb2.GetBattleRequest(battle_id=battle_id, last_sequence=0)
        return ClientBattle(self, self.battles.GetBattle(request, timeout=self.seconds).update)


class ClientBattle:
    """A battle on the server.

    Attributes:
        battle_id: Its id.
        mirror: Its state, and its events as far as they were told.
    """

    def __init__(self, client: Client, update: events_pb2.Update) -> None:
        """Takes over a battle from an update with a snapshot."""
        self._client = client
        self.battle_id = update.battle_id
        self.mirror = Mirror()
        self.mirror.take(update)
        self._shown_from = 0

    @property
    def state(self) -> battle_pb2.BattleState:
        """Its state after the last action."""
        return self.mirror.state

    @property
    def hand(self) -> list[battle_pb2.CardState]:
        """The cards in hand, left to right."""
        pile = next(pile for pile in self.state.piles if pile.pile == battle_pb2.PILE_HAND)
        cards = {card.id: card for card in self.state.cards}
        return [cards[name] for name in pile.cards]

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.state.outcome == battle_pb2.OUTCOME_RUNNING

    def act(self, action: battle_pb2.Action) -> events_pb2.Update:
        """Carries out an action.

        Raises:
            ActionRejectedError: It is refused.
        """
        request = service_pb2.ActRequest(battle_id=self.battle_id, action=action)
        response = self._client.battles.Act(request, timeout=self._client.seconds)
        if response.HasField("rejection"):
            raise ActionRejectedError(response.rejection)
        self._take(response.update)
        return response.update

    def _take(self, update: events_pb2.Update) -> None:
        self._shown_from = len(self.mirror.events)
        if update.state_version > self.mirror.version + 1:
            # Somebody else has acted, or something has become due, since the last action.
            request = service_pb2.GetBattleRequest(battle_id=self.battle_id, last_sequence=self.mirror.last_sequence)
            update = self._client.battles.GetBattle(request, timeout=self._client.seconds).update
        self.mirror.take(update)

    def play(self, card: str, target: str = "") -> events_pb2.Update:
        """Plays the first card of an asset id in hand, or an instance such as ``c4``.

        Raises:
            ActionRejectedError: It is refused.
        """
        instance = next((held.id for held in self.hand if card in (held.card_id, held.id)), card)
        return self.act(battle_pb2.Action(play_card=battle_pb2.PlayCard(card=instance, target=target)))

    def end_turn(self) -> events_pb2.Update:
        """Ends the player's turn.

        Raises:
            ActionRejectedError: It is refused.
        """
        return self.act(battle_pb2.Action(end_turn=battle_pb2.EndTurn()))

    def choose(self, *cards: str, option: int | None = None) -> events_pb2.Update:
        """Answers the open choice: of cards with their instances, of options with an index.

        Raises:
            ActionRejectedError: It is refused.
        """
        return self.act(battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(cards=cards, option=option)))

    def concede(self) -> events_pb2.Update:
        """Gives the battle up.

        Raises:
            ActionRejectedError: It is refused.
        """
        return self.act(battle_pb2.Action(concede=battle_pb2.Concede()))

    def end(self) -> events_pb2.Update:
        """Ends the battle, aborted if it still runs (R3.8). The server forgets it, and makes room for another.

        Raises:
            grpc.RpcError: The server has it no more.
        """
        request = service_pb2.EndBattleRequest(battle_id=self.battle_id)
        update = self._client.battles.EndBattle(request, timeout=self._client.seconds).update
        self._shown_from = len(self.mirror.events)
        self.mirror.take(update)
        return update

    def set_state(self, values: Mapping[str, int]) -> events_pb2.Update:
        """Writes state without any Entry; the server must allow it.

        Raises:
            ActionRejectedError: It is refused.
        """
        return self.act(battle_pb2.Action(set_state=battle_pb2.SetState(values=values)))

    def raise_event(
        self, guid: str, arg: ges_pb2.Payload | None = None, sender: ges_pb2.Payload | None = None, raise_id: str = ""
    ) -> ges_pb2.RaiseResponse:
        """Raises a GES event.

        Raises:
            grpc.RpcError: The GUID is unknown or a payload is of the wrong type.
        """
        request = ges_pb2.RaiseRequest(battle_id=self.battle_id, guid=guid, arg=arg, sender=sender, raise_id=raise_id)
        response = self._client.ges.Raise(request, timeout=self._client.seconds)
        if response.HasField("update"):
            self._take(response.update)
        return response

    def advance_clock(self, ms: int) -> list[events_pb2.Update]:
        """Lets time pass in a battle whose time stands still; tells what landed.

        Args:
            ms: How many milliseconds.

        Raises:
            grpc.RpcError: The battle goes by the server's clock.
        """
        request = ges_pb2.AdvanceClockRequest(battle_id=self.battle_id, ms=ms)
        updates = list(self._client.ges.AdvanceClock(request, timeout=self._client.seconds).updates)
        shown_from = len(self.mirror.events)
        for update in updates:
            self.mirror.take(update)
        self._shown_from = shown_from
        return updates

    def entries(self) -> list[str]:
        """The Entry trace of what the last action did, one line a dispatch; before the first one, of all until then."""
        return entry_lines(self.mirror.events[self._shown_from :])

    def all_entries(self) -> list[str]:
        """The Entry trace of the whole battle, or of what of it the server still kept when it was joined."""
        return entry_lines(self.mirror.events)

    def assert_entries(self, *expected: str) -> None:
        """Checks that the last action dispatched exactly these Entries.

        Raises:
            AssertionError: It did not; the message shows both traces.
        """
        actual = self.entries()
        if actual != list(expected):
            raise AssertionError(_both("the Entries are others", expected, actual))

    def assert_entries_contain(self, *expected: str) -> None:
        """Checks that the last action dispatched these Entries in this order, with others between them.

        Raises:
            AssertionError: It did not; the message shows both traces.
        """
        actual = self.entries()
        left = iter(actual)
        for line in expected:
            if line not in left:
                raise AssertionError(_both(f"{line!r} is missing", expected, actual))


def _both(what: str, expected: Sequence[str], actual: Sequence[str]) -> str:
    lines = [what, "expected:", *(f"  {line}" for line in expected), "dispatched:", *(f"  {line}" for line in actual)]
    return "\n".join(lines)
