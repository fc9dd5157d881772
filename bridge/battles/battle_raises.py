"""The GES events of one battle: those that come in from outside, at once or later, and those that go out."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from bridge.battles.battle_options import BattleOptions
from bridge.battles.callers import lasting
from bridge.battles.raise_outcome import outcome_of, undispatched_for
from bridge.battles.raise_reading import RaiseReader
from bridge.battles.replay_steps import ReplaySteps
from bridge.battles.timetable import ScheduledRaise, Timetable
from bridge.error_reasons import ErrorReason
from bridge.errors import CallError, exhausted
from bridge.ges.clock import Clock, ManualClock
from bridge.ges.plugins import Ges
from bridge.net.subscribers import Subscriber
from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from bridge.store.journal import BattleJournal
from bridge.store.records import CancelRecord, DatabaseRecord, RaiseRecord, ScheduleRecord, TimeRecord
from bridge.wire.encoding import submessage
from bridge.wire.events import RaisedEvent
from runtime.battle.action_types import Advance, Raise, SwitchDatabase
from runtime.battle.actions import act, database_will_be_active
from runtime.battle.ges_listeners import Heard
from runtime.battle.legality import check
from runtime.battle.state import Battle
from runtime.graph.definitions import Content

_log: Final = logging.getLogger(__name__)

_IN_RAISE_RESPONSE: Final = ges_pb2.RaiseResponse.UPDATE_FIELD_NUMBER
_NOBODY: Final = ("", "")


class BattleRaises:
    """The way of GES events into one battle and out of it. It is used between actions, in the battle's thread."""

    def __init__(
        self,
        battle: Battle,
        battle_id: str,
        ges: Ges,
        clock: Clock,
        began: int,
        options: BattleOptions,
        steps: ReplaySteps,
        publish: Callable[[], bytes],
        journal: BattleJournal | None = None,
    ) -> None:
        """Makes it for a battle that has been set up.

        Args:
            battle: The battle.
            battle_id: Id of the battle.
            ges: The bridge that it belongs to.
            clock: Clock of the battle.
            began: When that begins, in ms on the clock.
            options: Limits of the battle.
            steps: What reached the battle, as encoded steps of a replay (R8.2); added to.
            publish: Tells everybody what has happened in the battle and returns the encoded update.
            journal: Where it is recorded, with a store.
        """
        self._battle = battle
        self._battle_id = battle_id
        self._ges = ges
        self._clock = clock
        self._options = options
        self._steps = steps
        self._publish = publish
        self._journal = journal
        # Whether it is recorded that time has passed before what is being done.
        self._time_recorded = False
        self._responses: dict[str, ges_pb2.RaiseResponse] = {}
        self._reader = RaiseReader(battle)
        self._timetable = Timetable(battle, clock, began, self._let_pass, self._raise_due, self._ring)
        # By the number of the raise from outside, counted from 1: its id and its caller, until it is told.
        self._asked = 0
        self._callers: dict[int, tuple[str, str]] = {}
        # What is told while a manual clock is advanced.
        self._updates: list[bytes] | None = None

    @property
    def content(self) -> Content:
        """The compiled pack."""
        return self._battle.content

    @property
    def clock(self) -> Clock:
        """The battle's clock."""
        return self._clock

    @property
    def now(self) -> int:
        """When what is being done is done, in ms on the battle's clock."""
        return self._timetable.now

    @property
    def listening(self) -> list[Subscriber]:
        """The `Listen` streams that hear this battle and nothing else."""
        return self._ges.streams.of_battle(self._battle_id)

    @property
    def timed(self) -> bool:
        """Whether something is due on the server's clock."""
        return not isinstance(self._clock, ManualClock) and self._timetable.waits

    def begin(self) -> None:
        """Something is about to be done with the battle: first comes what is due by now. `end` must follow.

        Raises:
            CallError: The battle is kept in a store and was dropped or given up; `end` must not follow.
        """
        if self._journal is not None:
            self._journal.require()
            self._time_recorded = False
        self._ges.begin_action()
        # A store has the time of every step.
        if self._journal is not None or not self._timetable.idle:
            self._timetable.catch_up()

    def hand_time(self) -> None:
        """Hands the battle, behind its open choice, the time until what is about to be done, which is not rejected."""
        self._timetable.hand_time()

    def end(self) -> None:
        """It is done: the clock is set for what is due next, and what plugins have asked for comes now."""
        if self._battle.choice is not None:
            self._ges.monitor.parked(self._battle_id)
        if not self._timetable.idle or self._battle.schedule is not None:
            self._timetable.arm()
        self._ges.end_action()

    def raise_event(self, request: ges_pb2.RaiseRequest, caller: str, heard: Heard | None = None) -> bytes:
        """Raises a GES event from outside (R6.4 to R6.6) and tells everybody who listens.

        Args:
            request: The raise.
            caller: Who asks for it.
            heard: What a plugin answers by it.

        Returns:
            The encoded response.

        Raises:
            CallError: The GUID is unknown or a payload is of the wrong type, or too much waits behind the open choice.
        """
        known = self._responses.get(request.raise_id) if request.raise_id else None
        if known is not None:
            return known.SerializeToString()
        most = self._options.queued_raises
        if sum(isinstance(waiting, Raise) for waiting in self._battle.waiting) >= most:
            message = f"{most} raises wait already behind the open choice of battle {self._battle_id!r}"
            raise exhausted(ErrorReason.TOO_MANY_QUEUED, message, most)
        self._steps.require_room()
        self.begin()
        try:
            return self._raise(self._reader.read(request, caller, heard))
        finally:
            self.end()

    def check(self, request: ges_pb2.RaiseRequest, caller: str) -> None:
        """Refuses a raise that is wrong, and does nothing else.

        Raises:
            CallError: The GUID is unknown or a payload is of the wrong type.
        """
        self._reader.read(request, caller, None)

    def schedule(
        self, request: ges_pb2.RaiseRequest, caller: str, delay: int, interval: int = 0, count: int = 1
    ) -> ges_pb2.RaiseResult.ValueType:
        """Schedules a raise; what it carries is captured now.

        Args:
            request: The raise.
            caller: Who asks for it.
            delay: In how many ms it comes for the first time.
            interval: How many ms lie between two of a repeating one.
            count: How often it comes; -1: endlessly.

        Returns:
            RAISE_RESULT_SCHEDULED, or why not.

        Raises:
            CallError: The raise is wrong, or too many are scheduled.
        """
        known = self._responses.get(request.raise_id)
        if known is not None:
            return known.result
        self._steps.require_room()
        scheduled = self._reader.read(request, caller, None)
        scheduled.interval = interval
        scheduled.left = count
        if self._journal is not None:
            self._journal.require()
        undispatched = undispatched_for(self._battle, scheduled.event, scheduled.arguments)
        if undispatched is not None:
            return undispatched
        repeats = interval if not isinstance(self._clock, ManualClock) else 0
        self._timetable.require_room(self._options, repeats)
        self._add(scheduled, delay)
        if self._journal is not None:
            step = ScheduleRecord(self.now, scheduled.raise_id, lasting(caller), scheduled.step, delay, interval, count)
            self._journal.record(step)
        return ges_pb2.RAISE_RESULT_SCHEDULED

    def _add(self, scheduled: ScheduledRaise, delay: int) -> None:
        self._responses[scheduled.raise_id] = ges_pb2.RaiseResponse(result=ges_pb2.RAISE_RESULT_SCHEDULED)
        self._timetable.add(scheduled, delay)
        self._timetable.arm()

    def cancel(self, raise_id: str) -> bool:
        """Cancels a scheduled raise; False when it is not to come any more.

        Raises:
            CallError: The battle is kept in a store and was dropped or given up.
        """
        if self._journal is not None:
            self._journal.require()
        found = self._timetable.cancel(raise_id)
        if found and self._journal is not None:
            self._journal.record(CancelRecord(self.now, raise_id))
        self._timetable.arm()
        return found

    def advance_clock(self, ms: int) -> bytes:
        """Lets time pass in a battle with a manual clock.

        Returns:
            The encoded AdvanceClockResponse.

        Raises:
            CallError: The battle has the server's clock; or so many raises have landed that time stands still again.
        """
        clock = self._clock
        if not isinstance(clock, ManualClock):
            message = f"battle {self._battle_id!r} goes by the server's clock: start it with manual_clock"
            raise CallError(ErrorReason.NO_MANUAL_CLOCK, message)
        if self._journal is not None:
            self._journal.require()
        updates: list[bytes] = []
        self._updates = updates
        most = self._options.advanced_raises
        asked = self._asked
        began = clock.now()
        try:
            all_passed = clock.advance(ms, lambda: self._asked - asked < most)
        finally:
            self._updates = None
        if self._journal is not None:
            self._journal.record(TimeRecord(clock.now()))
        if not all_passed:
            passed = clock.now() - began
            message = f"{most} raises have landed and time stands still after {passed} of {ms} ms; call again to go on"
            raise exhausted(ErrorReason.TOO_MANY_RAISES, message, most)
        encoded = [submessage(ges_pb2.AdvanceClockResponse.UPDATES_FIELD_NUMBER, update) for update in updates]
        return b"".join([*encoded, ges_pb2.AdvanceClockResponse(now_ms=clock.now()).SerializeToString()])

    def set_database_active(self, active: bool) -> None:
        """Switches the events of the battle's pack on or off (R6.6)."""
        self.begin()
        if database_will_be_active(self._battle) != active and check(self._battle, SwitchDatabase(active)) is None:
            if self._battle.choice is not None:
                self.hand_time()
            if self._journal is not None:
                self._journal.record(DatabaseRecord(self.now, active))
            act(self._battle, SwitchDatabase(active))
            self._steps.add(service_pb2.ReplayStep(database_active=active).SerializeToString())
        self.end()

    def notify(self, raised: list[RaisedEvent]) -> None:
        """Tells of events that the battle has raised, and empties the list."""
        for event in raised:
            self._reader.lineages.add(event.sequence, (*event.answers, event.guid))
            raise_id, caller = _NOBODY
            if not event.from_battle:
                raise_id, caller = self._callers.pop(event.asked, _NOBODY)
            if self._ges.streams:
                tell = partial(self._ges.streams.notify, self._battle_id, event, raise_id, caller)
                if self._journal is not None:
                    self._journal.hold(partial(_if_stored, tell))
                else:
                    tell()
        raised.clear()

    def close(self) -> None:
        """Nothing is to come any more."""
        self._timetable.close()

    def _raise(self, raising: ScheduledRaise, due: bool = False) -> bytes:
        """Raises an event now, or behind the open choice; returns the encoded response.

        Args:
            raising: The event.
            due: Whether it was scheduled: then it follows from the time, and is no step of its own to record.
        """
        battle = self._battle
        undispatched = undispatched_for(self._battle, raising.event, raising.arguments)
        if undispatched is not None:
            return ges_pb2.RaiseResponse(result=undispatched).SerializeToString()
        waits = battle.choice is not None
        if waits and not due:
            self.hand_time()
        if self._journal is not None and not due:
            self._journal.record(RaiseRecord(self.now, raising.raise_id, lasting(raising.caller), raising.step))
        before = len(battle.log)
        self._asked += 1
        self._callers[self._asked] = (raising.raise_id, raising.caller)
        self._steps.add(raising.step)
        act(battle, Raise(raising.event, raising.arguments, raising.answered))
        response = ges_pb2.RaiseResponse(result=ges_pb2.RAISE_RESULT_QUEUED)
        if not waits:
            response = outcome_of(battle, before)
        if raising.raise_id and raising.raise_id not in self._responses:
            self._responses[raising.raise_id] = response
        if waits:
            return response.SerializeToString()
        return response.SerializeToString() + submessage(_IN_RAISE_RESPONSE, self._publish_update())

    def _raise_due(self, scheduled: ScheduledRaise) -> None:
        self._record_time()
        self._raise(scheduled, due=True)

    def _record_time(self) -> None:
        """Records, before anything that follows from it is told, that time has passed."""
        if self._journal is not None and not self._time_recorded:
            self._time_recorded = True
            self._journal.record(TimeRecord(self.now))

    def _let_pass(self, ms: int) -> None:
        self._record_time()
        log = self._battle.log
        before = len(log)
        act(self._battle, Advance(ms))
        self._steps.add(service_pb2.ReplayStep(advance_ms=ms).SerializeToString())
        if len(log) > before:
            self._publish_update()

    def _publish_update(self) -> bytes:
        update = self._publish()
        if self._updates is not None:
            self._updates.append(update)
        return update

    def apply(self, step: RaiseRecord | ScheduleRecord | CancelRecord | TimeRecord | DatabaseRecord) -> None:
        """Does what was recorded, the clock being set to when that was, in a battle that is loaded.

        Raises:
            CallError: The step names what is not there.
        """
        if isinstance(step, RaiseRecord):
            self.begin()
            try:
                self._raise(self._reader.read_step(step))
            finally:
                self.end()
        elif isinstance(step, ScheduleRecord):
            scheduled = self._reader.read_step(step)
            scheduled.interval = step.interval
            scheduled.left = step.count
            self._add(scheduled, step.delay)
        elif isinstance(step, CancelRecord):
            self.cancel(step.raise_id)
        elif isinstance(step, DatabaseRecord):
            self.set_database_active(step.active)
        else:
            self._ring()

    def attach(self, ges: Ges, clock: Clock, journal: BattleJournal) -> None:
        """All steps are applied: what comes from now on is real.

        Args:
            ges: The bridge that the battle belongs to.
            clock: Clock of the battle, not behind that of the last step.
            journal: Where it is recorded.
        """
        self._ges = ges
        self._clock = clock
        self._journal = journal
        self._timetable.go_by(clock)
        self._timetable.arm()

    def _ring(self) -> None:
        if self._steps.full:
            _log.warning(
                "the battle keeps as many bytes as it may: its clock stops", extra={"battle_id": self._battle_id}
            )
            self._timetable.close()
            return
        self.begin()
        self.end()


def _if_stored(tell: Callable[[], None], failed: CallError | None) -> None:
    if failed is None:
        tell()
