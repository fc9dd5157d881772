"""The time of one battle: raises that callers have scheduled, and the clock that its flows are handed.

Everything is carried out in the order in which it is due, between two actions. The clock may jump: a raise
that was missed lands once, late; beats of a repeating raise that were missed are left out; and for flows a
leap counts as `MOST_LATE` at most, as if time had stood still, so that they do not rush to make up for it.
Behind an open choice, however long that stays open, one beat of a repeating raise waits; the others are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bridge.battles.battle_options import BattleOptions
from bridge.error_reasons import ErrorReason
from bridge.errors import exhausted
from bridge.ges.clock import Clock, Wake
from runtime.battle.schedule import Schedule
from runtime.battle.state import RUNNING, Battle
from runtime.graph.definitions import EventDefinition

# How late, in ms, what flows have scheduled may come before the rest counts as a jump of the clock.
MOST_LATE: Final = 1_000
ENDLESS: Final = -1


class ScheduledRaise:
    """A raise that a caller has scheduled, with all that it needs captured.

    Attributes:
        raise_id: Id of the raise.
        caller: Who asked for it.
        event: The event.
        arguments: Arguments of the event.
        answered: The raises that it answers, outermost first.
        step: It as an encoded step of a replay.
        interval: How many ms lie between two; 0: it comes once.
        left: How often it still comes; ENDLESS.
        handle: Place of the raise in the schedule.
        queued: Whether its last beat has come behind an open choice.
    """

    __slots__ = ("answered", "arguments", "caller", "event", "handle", "interval", "left", "queued", "raise_id", "step")

    def __init__(
        self,
        raise_id: str,
        caller: str,
        event: EventDefinition,
        arguments: dict[str, object],
        answered: tuple[EventDefinition, ...],
        step: bytes,
        interval: int = 0,
        left: int = 1,
    ) -> None:
        self.raise_id = raise_id
        self.caller = caller
        self.event = event
        self.arguments = arguments
        self.answered = answered
        self.step = step
        self.interval = interval
        self.left = left
        self.handle = 0
        self.queued = False


class Timetable:
    """What is due in one battle.

    Attributes:
        now: The last reading of the clock that something was decided by, in ms.
        idle: Whether nothing waits for any time. Then an action may begin without `catch_up`: the time until its end
            is handed to nobody.
    """

    def __init__(
        self,
        battle: Battle,
        clock: Clock,
        began: int,
        let_pass: Callable[[int], None],
        raise_due: Callable[[ScheduledRaise], None],
        ring: Callable[[], None],
    ) -> None:
        """Makes it empty.

        Args:
            battle: The battle.
            clock: The time.
            began: When the battle's time begins, in ms on the clock.
            let_pass: Lets ms pass in the battle.
            raise_due: Raises what a caller has scheduled.
            ring: Called when something is due; it has to call `catch_up`.
        """
        self._battle = battle
        self._clock = clock
        self._let_pass = let_pass
        self._raise_due = raise_due
        self._ring = ring
        self.now = began
        self._schedule = Schedule(self.now)
        self._scheduled: dict[str, ScheduledRaise] = {}
        # Up to when the battle has been handed the time.
        self._handed = self.now
        self._wake: Wake | None = None
        self._wake_at = -1
        self.idle = False

    def __len__(self) -> int:
        return len(self._scheduled)

    def add(self, scheduled: ScheduledRaise, delay: int) -> None:
        """Schedules a raise; `arm` has to follow.

        Args:
            scheduled: The raise.
            delay: In how many ms it comes, for the first time.
        """
        self.idle = False
        self.now = self._clock.now()
        self._schedule.advance_to(self.now)
        scheduled.handle = self._schedule.add(delay, scheduled)
        self._scheduled[scheduled.raise_id] = scheduled

    def require_room(self, options: BattleOptions, interval: int) -> None:
        """Refuses one more raise when too many are scheduled.

        Args:
            options: The limits of the battle.
            interval: How many ms lie between two beats of it on the server's clock; 0: it has none.

        Raises:
            CallError: There are too many, or repeating ones come too often.
        """
        most = options.scheduled_raises
        if len(self) >= most:
            raise exhausted(ErrorReason.TOO_MANY_SCHEDULED, f"the battle has {most} scheduled raises already", most)
        most = options.repeats_per_second
        if interval and self.repeats_per_second + 1_000 / interval > most:
            message = f"the repeating raises of the battle would come more than {most} times a second"
            raise exhausted(ErrorReason.TOO_MANY_REPEATS, message, most)

    def cancel(self, raise_id: str) -> bool:
        """Cancels a raise; False when it is not to come any more."""
        scheduled = self._scheduled.pop(raise_id, None)
        return scheduled is not None and self._schedule.cancel(scheduled.handle)

    @property
    def repeats_per_second(self) -> float:
        """How often repeating raises come in a second."""
        return sum(1_000 / scheduled.interval for scheduled in self._scheduled.values() if scheduled.interval)

    def catch_up(self) -> None:
        """Carries out all that is due by now, in order. Behind an open choice time goes on by `hand_time` alone."""
        self.idle = False
        now = self.now = self._clock.now()
        while self._battle.outcome == RUNNING:
            entry = self._schedule.take(now)
            if entry is None:
                break
            scheduled: ScheduledRaise = entry.what
            waits = self._battle.choice is not None
            left_out = waits and scheduled.queued
            scheduled.queued = waits
            if not left_out:
                self._hand_time(entry.due)
            self._go_on(scheduled, entry.due, now, left_out)
            if not left_out:
                self._raise_due(scheduled)
        if self._battle.choice is None:
            self._hand_time(now)

    def hand_time(self) -> None:
        """Hands the battle the time up to now. To be called behind an open choice for what changes the battle.

        What is rejected changes nothing: it must not leave time behind either, which would wait with all else.
        """
        self._hand_time(self.now)

    def _go_on(self, scheduled: ScheduledRaise, due: int, now: int, left_out: bool) -> None:
        """Schedules the next beat of a repeating raise: the first that is still to come."""
        if scheduled.left > 0 and not left_out:
            scheduled.left -= 1
        if not scheduled.left:
            del self._scheduled[scheduled.raise_id]
            return
        missed = (now - due) // scheduled.interval
        following = due + (missed + 1) * scheduled.interval
        scheduled.handle = self._schedule.add(following - self._schedule.now, scheduled)

    def _hand_time(self, until: int) -> None:
        """Hands the battle the time up to a moment. It needs it only while something is scheduled in it."""
        passed = until - self._handed
        if passed <= 0:
            return
        self._handed = until
        due_in = self._due_in()
        if due_in < 0 or self._battle.outcome != RUNNING:
            return
        if self._battle.choice is None:
            passed = min(passed, due_in + MOST_LATE)
        self._let_pass(passed)

    def arm(self) -> None:
        """Sets the clock for what is due next. To be called when the battle, or what is scheduled, has changed."""
        if self.idle:
            if self._due_in() < 0:
                return
            # The action that has ended has scheduled something, and had begun without a look at the clock.
            self.now = self._handed = self._clock.now()
        due = self._next_due()
        self.idle = due < 0 and self._due_in() < 0
        if due == self._wake_at:
            return
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        self._wake_at = due
        if due >= 0:
            self._wake = self._clock.call_at(due, self._woken)

    def go_by(self, clock: Clock) -> None:
        """Goes by another clock from now on, which must not be behind; `arm` has to follow."""
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        self._wake_at = -1
        self._clock = clock

    @property
    def waits(self) -> bool:
        """Whether something is due at some time."""
        return self._next_due() >= 0

    def _due_in(self) -> int:
        """In how many ms of the battle's own time its flows have something due; -1: nothing is scheduled in it."""
        schedule = self._battle.schedule
        if schedule is None or schedule.next_due() < 0:
            return -1
        return max(0, schedule.next_due() - schedule.now)

    def _woken(self) -> None:
        self._wake = None
        self._wake_at = -1
        self._ring()

    def _next_due(self) -> int:
        battle = self._battle
        if battle.outcome != RUNNING:
            return -1
        due = self._schedule.next_due()
        due_in = self._due_in()
        # Behind an open choice the flows wait: the answer brings the time up to date.
        if due_in >= 0 and battle.choice is None:
            own = self._handed + due_in
            due = own if due < 0 else min(due, own)
        return due

    def close(self) -> None:
        """Drops everything."""
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        self._scheduled.clear()
        self._schedule = Schedule(self.now)
