"""One battle on the server: its actions one after the other, its updates to everybody who listens."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any, Final

import grpc

from bridge.convert.actions import INVALID_ACTION, action_of, rejection_of
from bridge.convert.events import EventWriter
from bridge.convert.names import OUTCOME_NAMES, OUTCOMES, REASON_NAMES, REASONS, card_number, find_unit
from bridge.convert.state import StateView
from bridge.errors import CallError, exhausted, invalid
from bridge.ges.battle_raises import BattleRaises
from bridge.ges.clock import ManualClock
from bridge.ges.plugins import Ges
from bridge.kept_events import KeptEvents
from bridge.library import LoadedPack
from bridge.operation.counters import DONE, Counters
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, service_pb2
from bridge.subscribers import Subscriber
from bridge.wire import Numbers, submessage
from runtime.battle.actions import Abort, PlayCard, Rejection, act, check
from runtime.battle.costs import INVALID_TARGET, STALE_STATE, card_cost, in_hand, targets_of
from runtime.battle.setting import SettingError
from runtime.battle.state import Battle
from runtime.battle.texts import card_text

_log: Final = logging.getLogger(__name__)

# Where an update stands in the responses that hold one.
_IN_RESPONSE: Final = 1
_SNAPSHOT: Final = events_pb2.Update.SNAPSHOT_FIELD_NUMBER
_ACTION_STEP: Final = service_pb2.ReplayStep.ACTION_FIELD_NUMBER
_CHANGE: Final = events_pb2.Update.CHANGE_FIELD_NUMBER
_BATTLE_ID: Final = events_pb2.Update.BATTLE_ID_FIELD_NUMBER
_ACTION_ID: Final = events_pb2.Update.ACTION_ID_FIELD_NUMBER
_VERSIONS: Final = Numbers(events_pb2.Update.STATE_VERSION_FIELD_NUMBER)
_FIRST_SEQUENCES: Final = Numbers(events_pb2.Update.FIRST_SEQUENCE_FIELD_NUMBER)
_LAST_SEQUENCES: Final = Numbers(events_pb2.Update.LAST_SEQUENCE_FIELD_NUMBER)
_MOST_CALLERS: Final = 64
_MOST_ACTION_ID: Final = 128
# Faults of one action that are logged; a graph may bring about thousands.
_MOST_LOGGED: Final = 10
# Steps of a fault's chain that are logged, from its beginning and from its end.
_LOGGED_STEPS: Final = 6
# The log's entries are dropped once they are encoded; their places stay, for they are the sequence numbers.
_READ: Final[tuple[Any, ...]] = ()


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What a battle is told and allowed beside its rules.

    Attributes:
        open_draw_pile: Whether the order of the draw pile may be told.
        seed_known: Whether the client chose the seed.
        allow_set_state: Whether state may be written.
        events_kept: How many events are kept for clients that come back.
        streams: How many streams may be open.
        queued_messages: How many messages may wait for one stream.
        scheduled_raises: How many raises callers may have scheduled.
        manual_clock: Whether its time stands still but for `BattleRaises.advance_clock`.
        database_inactive: Whether the pack's GES events were off when it was started.
    """

    open_draw_pile: bool = False
    seed_known: bool = False
    allow_set_state: bool = False
    events_kept: int = 20_000
    streams: int = 32
    queued_messages: int = 512
    scheduled_raises: int = 1_000
    manual_clock: bool = False
    database_inactive: bool = False


class Session:
    """One battle, with who listens to it and what they may still have to hear.

    Everything happens in one thread and no method waits, so one action is carried out at a time.

    Attributes:
        battle_id: Its id.
        battle: Its state.
        loaded: The pack that it was started with, whatever has been reloaded since.
        version: The version of the state, 1 after set-up.
        raises: The way of its GES events in and out.
        callers: Who has started or joined it (`bridge.callers`); the oldest are forgotten.
        request: The request that it was started with, encoded; it tells whether a repeated one is the same.
    """

    def __init__(
        self,
        battle_id: str,
        battle: Battle,
        loaded: LoadedPack,
        options: SessionOptions,
        request: bytes,
        ges: Ges,
        counters: Counters,
    ) -> None:
        """Takes over a battle that has just been set up.

        Args:
            battle_id: Its id.
            battle: The battle; nobody else may change it.
            loaded: The pack it was started with.
            options: What it is told and allowed.
            request: The request that it was started with, encoded.
            ges: The bridge to GES.
            counters: What its actions and faults are counted in.
        """
        self.battle_id = battle_id
        self.battle = battle
        self.loaded = loaded
        self.request = request
        self.version = 0
        self.options = options
        self._view = StateView(battle, battle_id, options.open_draw_pile, options.seed_known)
        self._writer = EventWriter(battle, options.open_draw_pile, loaded.argument_types)
        self._events = KeptEvents(options.events_kept)
        # The sequence numbers of the first and the last event of each action that a client gave an id.
        self._done: dict[str, tuple[int, int]] = {}
        self._subscribers: list[Subscriber] = []
        # How every encoded update of this battle begins.
        self._head = submessage(_BATTLE_ID, battle_id.encode())
        # What reached the battle, as encoded steps of a replay (R8.2).
        self._steps: list[bytes] = []
        self.callers: dict[str, None] = {}
        clock = ManualClock() if options.manual_clock else ges.clock
        self._ges = ges
        self._counters = counters
        self._told_over = False
        self.raises = BattleRaises(battle, battle_id, ges, clock, options.scheduled_raises, self._steps, self._publish)
        ges.add_battle(battle_id, self.raises)
        self.raises.begin()
        self._advance("")
        self.raises.end()

    @property
    def running(self) -> bool:
        """Whether the battle goes on."""
        return not self.battle.over

    @property
    def last_sequence(self) -> int:
        """The number of the last event."""
        return self._events.last

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._subscribers)

    def is_done(self, action_id: str) -> bool:
        """Whether an action of this id has been carried out; the empty id is none."""
        return action_id in self._done

    def add_caller(self, caller: str) -> None:
        """Notes that somebody has started or joined the battle."""
        self.callers.pop(caller, None)
        self.callers[caller] = None
        if len(self.callers) > _MOST_CALLERS:
            del self.callers[next(iter(self.callers))]

    def act(self, action: battle_pb2.Action) -> bytes | battle_pb2.Rejection:
        """Carries out an action that is not done yet and tells everybody who listens.

        Returns:
            The encoded update, or the refusal.
        """
        began = perf_counter_ns()
        self.raises.begin()
        try:
            done = self._act(action)
        finally:
            self.raises.end()
        counters = self._counters
        counters.action_durations.add(perf_counter_ns() - began)
        kind = action.WhichOneof("kind") or "none"
        if isinstance(done, bytes):
            counters.actions[kind, DONE] += 1
        else:
            reason = REASON_NAMES[done.reason]
            counters.actions[kind, reason] += 1
            if _log.isEnabledFor(logging.DEBUG):
                _log.debug("%s refused: %s", kind, reason, extra=self._ids(action.action_id[:_MOST_ACTION_ID]))
        return done

    def _act(self, action: battle_pb2.Action) -> bytes | battle_pb2.Rejection:
        action_id = action.action_id
        if len(action_id) > _MOST_ACTION_ID:
            message = f"expected an action_id of at most {_MOST_ACTION_ID} characters"
            return rejection_of(action, Rejection(INVALID_ACTION, message))
        if action.state_version and action.state_version != self.version:
            message = f"the action was made for version {action.state_version}, the state has version {self.version}"
            return rejection_of(action, Rejection(STALE_STATE, message))
        asked = action_of(self.battle, action, self.options.allow_set_state)
        try:
            rejection = asked if isinstance(asked, Rejection) else act(self.battle, asked)
        except SettingError as error:
            rejection = Rejection(INVALID_ACTION, str(error))
        if rejection is not None:
            return rejection_of(action, rejection)
        first = self._events.last + 1
        update = self._advance(action_id)
        if action_id:
            self._done[action_id] = (first, self._events.last)
        self._steps.append(submessage(_ACTION_STEP, action.SerializeToString()))
        self._tell(update)
        return update

    def abort(self) -> None:
        """Ends a running battle from outside, without any Entry (R3.8), and tells everybody who listens."""
        self.raises.begin()
        if act(self.battle, Abort()) is None:
            self._publish()
        self.raises.end()

    def _publish(self) -> bytes:
        """Tells everybody what has happened since the last update."""
        update = self._advance("")
        self._tell(update)
        return update

    def snapshot(self, after: int | None = None) -> bytes:
        """An encoded update with the whole state.

        Args:
            after: The events after this number come with it; None: no events.

        Raises:
            CallError: Those events are not kept any more, or are still to come.
        """
        update = events_pb2.Update(
            battle_id=self.battle_id, last_sequence=self._events.last, state_version=self.version
        )
        events = b""
        if after is not None:
            first, events = self._events.after(after)
            update.first_sequence = first
        return update.SerializeToString() + events + submessage(_SNAPSHOT, self._view.snapshot())

    def replay(self) -> service_pb2.GetReplayResponse:
        """What the battle was made of (R8.2).

        Raises:
            CallError: It runs, and its seed would tell the order of the hidden draw pile.
        """
        options = self.options
        if self.running and not options.open_draw_pile and not options.seed_known:
            message = "the seed tells the order of the draw pile, which is hidden until the battle is over"
            raise CallError(grpc.StatusCode.FAILED_PRECONDITION, "BATTLE_RUNNING", message)
        start = service_pb2.StartBattleRequest.FromString(self.request)
        start.battle_id = self.battle_id
        start.seed = self.battle.seed
        start.rules = battle_pb2.RULES_EXTENDED if self.battle.extended else battle_pb2.RULES_DOCUMENTED
        replay = service_pb2.GetReplayResponse(
            start=start, content_hash=self.battle.content.hash, database_inactive=options.database_inactive
        )
        for step in self._steps:
            replay.steps.add().MergeFromString(step)
        return replay

    def preview(self, request: service_pb2.PreviewRequest) -> service_pb2.PreviewResponse:
        """What a card in hand would cost and do, after a dry run of all hooks (R4.9).

        Raises:
            CallError: No such card is in hand, or no such unit is there.
        """
        battle = self.battle
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

    def summary(self) -> service_pb2.BattleSummary:
        """The battle in short."""
        battle = self.battle
        return service_pb2.BattleSummary(
            battle_id=self.battle_id,
            pack=battle.content.id,
            encounter=battle.encounter.id,
            turn=battle.turn,
            outcome=OUTCOMES[battle.outcome],
            state_version=self.version,
            last_sequence=self._events.last,
            streams=len(self._subscribers),
        )

    def subscribe(self, after: int | None, write: Callable[[bytes], Awaitable[None]]) -> Subscriber:
        """Opens a stream; its first message is the whole state, with the events after a number.

        Args:
            after: The number; None: no events.
            write: Writes one message to the client.

        Raises:
            CallError: Too many streams, or those events are not there.
        """
        if len(self._subscribers) >= self.options.streams:
            limit = self.options.streams
            raise exhausted("TOO_MANY_STREAMS", f"battle {self.battle_id!r} has {limit} streams already", limit)
        first = submessage(_IN_RESPONSE, self.snapshot(after))
        subscriber = Subscriber(self.options.queued_messages, write)
        subscriber.send(first)
        self._subscribers.append(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Closes a stream that was opened with `subscribe`."""
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)

    def close(self, error: CallError) -> None:
        """Ends all streams with an error."""
        for subscriber in self._subscribers:
            subscriber.close(error)
        self._subscribers.clear()
        self.raises.close()

    def _tell(self, update: bytes) -> None:
        if not self._subscribers:
            return
        message = submessage(_IN_RESPONSE, update)
        for subscriber in self._subscribers:
            subscriber.send(message)
        if any(subscriber.closed for subscriber in self._subscribers):
            self._subscribers = [subscriber for subscriber in self._subscribers if not subscriber.closed]

    def _advance(self, action_id: str) -> bytes:
        """Encodes what has happened since the last version, which becomes the one before."""
        battle = self.battle
        log = battle.log
        told = self._events.last
        entries = log[told:]
        self.version += 1
        events = b""
        head = self._head + _VERSIONS[self.version]
        if action_id:
            head += submessage(_ACTION_ID, action_id.encode())
        if entries:
            head += _FIRST_SEQUENCES[told + 1]
            events = self._writer.encode(told + 1, entries, action_id)
            self.raises.tell(self._writer.raised)
            if self._writer.faults:
                self._log_faults(action_id)
            if battle.over and not self._told_over:
                self._told_over = True
                outcome = OUTCOME_NAMES[OUTCOMES[battle.outcome]]
                self._counters.battles_over[outcome] += 1
                _log.info("battle over: %s in turn %d", outcome, battle.turn, extra=self._ids(action_id))
            self._events.add(len(log), events)
            log[told:] = [_READ] * len(entries)
        return head + _LAST_SEQUENCES[self._events.last] + events + submessage(_CHANGE, self._view.change())

    def _log_faults(self, action_id: str) -> None:
        faults = self._writer.faults
        for fault in faults:
            self._counters.faults[fault.kind] += 1
        for fault in faults[:_MOST_LOGGED]:
            fields = {**self._ids(action_id), "kind": fault.kind, "chain": _shortened(fault.chain)}
            _log.warning("fault: %s", fault.message, extra=fields)
        if len(faults) > _MOST_LOGGED:
            _log.warning("%d more faults", len(faults) - _MOST_LOGGED, extra=self._ids(action_id))
        faults.clear()

    def _ids(self, action_id: str) -> dict[str, str]:
        """What a line of the log is about."""
        return {"battle_id": self.battle_id, "action_id": action_id} if action_id else {"battle_id": self.battle_id}

    def repeat(self, action_id: str, full: bool) -> bytes:
        """An encoded update for an action that is done and was sent again.

        Args:
            action_id: The action.
            full: With its events as they were and the whole state as it is now; else with neither, for a
                client that gets every update anyway.
        """
        self._counters.repeated_actions += 1
        first, last = self._done[action_id]
        update = events_pb2.Update(
            battle_id=self.battle_id,
            action_id=action_id,
            last_sequence=self._events.last,
            state_version=self.version,
        )
        if not full:
            return update.SerializeToString()
        events = self._events.between(first, last)
        if events:
            update.first_sequence = first
        return update.SerializeToString() + events + submessage(_SNAPSHOT, self._view.snapshot())


def _shortened(chain: Sequence[str]) -> str:
    """A fault's chain in one line of bounded length; clients are told all of it."""
    left_out = len(chain) - 2 * _LOGGED_STEPS
    if left_out <= 0:
        return " > ".join(chain)
    return " > ".join([*chain[:_LOGGED_STEPS], f"({left_out} more)", *chain[-_LOGGED_STEPS:]])
