"""One battle on the server: its actions one after the other, its updates to everybody who listens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from bridge.battles.battle_options import BattleOptions
from bridge.battles.battle_raises import BattleRaises
from bridge.battles.battle_updates import BattleUpdates
from bridge.battles.callers import lasting
from bridge.battles.packs import LoadedPack
from bridge.battles.recorded_start import RecordedStart
from bridge.battles.replay_steps import ReplaySteps
from bridge.battles.telemetry import BattleTelemetry
from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, exhausted
from bridge.ges.clock import ManualClock
from bridge.ges.plugins import Ges
from bridge.net.subscribers import Subscriber, close_all, send_to_all
from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.store.records import ActRecord, CallerRecord, Overview
from bridge.wire.actions import INVALID_ACTION, ActionKind, action_of, rejection_of
from bridge.wire.encoding import submessage
from bridge.wire.names import OUTCOMES
from runtime.battle.action_types import Abort, Answer
from runtime.battle.actions import act
from runtime.battle.legality import check
from runtime.battle.rejections import STALE_STATE, Rejection
from runtime.battle.setting import SettingError
from runtime.battle.state import Battle

if TYPE_CHECKING:
    from bridge.ges import Clock
    from bridge.store.journal import BattleJournal, Held

# Where an update stands in the responses that hold one.
_IN_RESPONSE: Final = 1
_ACTION_STEP: Final = service_pb2.ReplayStep.ACTION_FIELD_NUMBER
_MOST_CALLERS: Final = 64
_MOST_ACTION_ID: Final = 128


class Session:
    """One battle, with who listens to it and what they may still have to hear.

    Everything happens in one thread and no method that does something waits, so one action is carried out at
    a time. With a store, whatever is sent about the battle is held until what it rests on is on disk;
    the answers of calls wait for that as well (`bridge.store.durability`).

    Attributes:
        battle_id: Id of the battle.
        battle: State of the battle.
        loaded: The pack that it was started with, whatever has been reloaded since.
        raises: The way of its GES events in and out.
        callers: Who has started or joined it (`bridge.server.callers`); the oldest are forgotten.
        recorded_start: The request that it was started with.
        journal: Where it is recorded; None without a store.
    """

    def __init__(
        self,
        battle_id: str,
        battle: Battle,
        loaded: LoadedPack,
        options: BattleOptions,
        request: bytes,
        ges: Ges,
        telemetry: BattleTelemetry | None,
        journal: BattleJournal | None = None,
        began: int | None = None,
    ) -> None:
        """Takes over a battle that has just been set up.

        Args:
            battle_id: Id of the battle.
            battle: The battle; nobody else may change it.
            loaded: The pack it was started with.
            options: What it is told and allowed.
            request: The request that it was started with, encoded.
            ges: The bridge to GES.
            telemetry: What is counted and logged of it; None while it is loaded from a store: all of that was.
            journal: Where it is recorded, with a store.
            began: When its time begins, in ms on the server's clock; None: now. One with a manual clock begins at 0.
        """
        self.battle_id = battle_id
        self.battle = battle
        self.loaded = loaded
        self.recorded_start = RecordedStart(request)
        self.options = options
        self._updates = BattleUpdates(battle, battle_id, loaded, options)
        # The sequence numbers of the first and the last event of each action that a client gave an id.
        self._done: dict[str, tuple[int, int]] = {}
        self._subscribers: list[Subscriber] = []
        # What reached the battle, as encoded steps of a replay (R8.2).
        # One that is restored has been within its bounds.
        self._steps = ReplaySteps(options.battle_bytes if telemetry is not None else 0)
        self.callers: dict[str, None] = {}
        clock = ManualClock() if options.manual_clock else ges.clock
        if began is None or options.manual_clock:
            began = clock.now()
        self.journal = journal
        if journal is not None:
            journal.describe = self.overview
        self._telemetry = telemetry
        self._over_counted = False
        self.raises = BattleRaises(battle, battle_id, ges, clock, began, options, self._steps, self._publish, journal)
        ges.add_battle(battle_id, self.raises)
        ges.begin_action()
        self._advance("")
        self.raises.end()

    @property
    def running(self) -> bool:
        """Whether the battle goes on."""
        return not self.battle.over

    @property
    def version(self) -> int:
        """The version of the state, 1 after set-up."""
        return self._updates.version

    @property
    def last_sequence(self) -> int:
        """The number of the last event."""
        return self._updates.last_sequence

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
        if self.journal is not None and lasting(caller):
            self.journal.record(CallerRecord(self.raises.now, caller))

    def act(self, action: battle_pb2.Action) -> bytes | battle_pb2.Rejection:
        """Carries out an action that is not done yet and tells everybody who listens.

        Returns:
            The encoded update, or the rejection.

        Raises:
            CallError: The battle keeps as many bytes as it may, or was dropped or given up.
        """
        began = perf_counter_ns()
        kind = action.WhichOneof("kind")
        self._steps.require_room()
        self.raises.begin()
        try:
            done = self._act(action, kind)
        finally:
            self.raises.end()
        if self._telemetry is not None:
            self._telemetry.acted(action, kind, done, perf_counter_ns() - began)
        return done

    def _act(self, action: battle_pb2.Action, kind: ActionKind | None) -> bytes | battle_pb2.Rejection:
        action_id = action.action_id
        if len(action_id) > _MOST_ACTION_ID:
            message = f"expected an action_id of at most {_MOST_ACTION_ID} characters"
            return rejection_of(action, Rejection(INVALID_ACTION, message))
        if action.state_version and action.state_version != self.version:
            message = f"the action was made for version {action.state_version}, the state has version {self.version}"
            return rejection_of(action, Rejection(STALE_STATE, message))
        asked = action_of(self.battle, action, kind, self.options.allow_set_state)
        if isinstance(asked, Answer) and check(self.battle, asked) is None:
            self.raises.hand_time()
        try:
            rejection = asked if isinstance(asked, Rejection) else act(self.battle, asked)
        except SettingError as error:
            rejection = Rejection(INVALID_ACTION, str(error))
        if rejection is not None:
            return rejection_of(action, rejection)
        first = self._updates.last_sequence + 1
        encoded = action.SerializeToString()
        self._steps.add(submessage(_ACTION_STEP, encoded))
        if self.journal is not None:
            self.journal.record(ActRecord(self.raises.now, encoded))
        update = self._advance(action_id)
        if action_id:
            self._done[action_id] = (first, self._updates.last_sequence)
        self._send_to_all(update)
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
        self._send_to_all(update)
        return update

    def snapshot(self, after: int | None = None) -> bytes:
        """An encoded update with the whole state.

        Args:
            after: The events after this number come with it; None: no events.

        Raises:
            CallError: Those events are not kept any more, or are still to come.
        """
        return self._updates.snapshot(after)

    def replay(self) -> service_pb2.GetReplayResponse:
        """What the battle was made of (R8.2).

        Raises:
            CallError: It runs, and its seed would tell the order of the hidden draw pile.
        """
        options = self.options
        if self.running and not options.open_draw_pile and not options.seed_known:
            message = "the seed tells the order of the draw pile, which is hidden until the battle is over"
            raise CallError(ErrorReason.BATTLE_RUNNING, message)
        return self.recorded_start.replay(self.battle_id, self.battle, self.loaded, options, self._steps)

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
            last_sequence=self._updates.last_sequence,
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
            raise exhausted(
                ErrorReason.TOO_MANY_STREAMS, f"battle {self.battle_id!r} has {limit} streams already", limit
            )
        first = submessage(_IN_RESPONSE, self.snapshot(after))
        subscriber = Subscriber(self.options.queued_messages, write)
        self.send(subscriber, first)
        self._subscribers.append(subscriber)
        return subscriber

    def send(self, subscriber: Subscriber, message: bytes) -> None:
        """Sends something about the battle to one stream."""
        if self.journal is None:
            subscriber.send(message)
        else:
            self.journal.hold(partial(send_to_all, (subscriber,), message))

    def when_stored(self, deliver: Held) -> None:
        """Tells something of the battle as it is now: at once, or with a store once that is on disk or lost."""
        if self.journal is not None:
            self.journal.hold(deliver)
        else:
            deliver(None)

    def unstored(self) -> asyncio.Future[None] | None:
        """What to wait for before anybody is told of the battle as it is now; None when there is nothing.

        Raises:
            CallError: The store has failed, and the battle was given up.
        """
        return self.journal.unstored() if self.journal is not None else None

    async def stored(self) -> None:
        """Waits until the battle as it is now is on disk, if it is kept in a store.

        Raises:
            CallError: The store has failed, and the battle was given up.
        """
        if self.journal is not None:
            await self.journal.stored()

    def overview(self) -> Overview:
        """What has to be known of the battle before it is loaded."""
        summary = self.summary()
        summary.ClearField("streams")
        return Overview(
            summary=summary.SerializeToString(),
            running=self.running,
            callers=tuple([caller for caller in self.callers if lasting(caller)]),
            timed=self.raises.timed,
        )

    def attach(
        self, ges: Ges, clock: Clock, allow_set_state: bool, telemetry: BattleTelemetry, journal: BattleJournal
    ) -> None:
        """The battle was loaded: what comes from now on is real.

        Args:
            ges: The bridge that it belongs to.
            clock: The server's time; one with a manual clock keeps its own.
            allow_set_state: Whether state may be written from now on.
            telemetry: What is counted and logged of it.
            journal: Where it is recorded.
        """
        self.options = replace(self.options, allow_set_state=allow_set_state)
        if self.battle.listeners is not None:
            # Exchanged inside, for a raise in the middle of which the battle waits for an answer.
            self.battle.listeners.all = ges.listeners
        if self.battle.choice is not None:
            ges.monitor.parked(self.battle_id)
        self._telemetry = telemetry
        self._steps.most_bytes = self.options.battle_bytes
        self.journal = journal
        journal.describe = self.overview
        self.raises.attach(ges, self.raises.clock if self.options.manual_clock else clock, journal)
        ges.add_battle(self.battle_id, self.raises)

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Closes a stream that was opened with `subscribe`."""
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)

    def close(self, error: CallError) -> None:
        """Ends all streams with an error, `Listen` to this battle included, behind what they are still to be told."""
        closing = partial(close_all, (*self._subscribers, *self.raises.listening), error)
        self._subscribers.clear()
        self.raises.close()
        self.when_stored(closing)

    def _send_to_all(self, update: bytes) -> None:
        if not self._subscribers:
            return
        message = submessage(_IN_RESPONSE, update)
        if self.journal is not None:
            # Whoever joins meanwhile is told of it by the state that they get first.
            self.journal.hold(partial(send_to_all, tuple(self._subscribers), message))
        else:
            for subscriber in self._subscribers:
                subscriber.send(message)
        if any(subscriber.closed for subscriber in self._subscribers):
            self._subscribers = [subscriber for subscriber in self._subscribers if not subscriber.closed]

    def _advance(self, action_id: str) -> bytes:
        """Encodes what has happened since the last version, which becomes the one before."""
        updates = self._updates
        sent = updates.last_sequence
        update = updates.advance(action_id)
        if updates.last_sequence == sent:
            return update
        self._steps.count_events(updates.last_sequence - sent)
        if updates.raised:
            self.raises.notify(updates.raised)
        if updates.faults:
            if self._telemetry is not None:
                self._telemetry.failed(updates.faults, action_id)
            updates.faults.clear()
        battle = self.battle
        if battle.over and not self._over_counted:
            self._over_counted = True
            if self._telemetry is not None:
                self.when_stored(partial(self._telemetry.over, OUTCOMES[battle.outcome], battle.turn, action_id))
        return update

    def repeat(self, action_id: str, full: bool) -> bytes:
        """An encoded update for an action that is done and was sent again.

        Args:
            action_id: The action.
            full: With its events as they were and the whole state as it is now; else with neither, for a
                client that gets every update anyway.
        """
        if self._telemetry is not None:
            self._telemetry.repeated()
        first, last = self._done[action_id]
        return self._updates.repeat(action_id, first, last, full)
