"""Answers of calls wait for what they rest on, however the call ends."""

from __future__ import annotations

import pytest

from bridge.error_reasons import ErrorReason
from bridge.errors import CallError
from bridge.store import durable, rests_on


class Thing:
    """Something that is on disk once somebody has waited for it."""

    def __init__(self, failed: bool = False) -> None:
        self.failed = failed
        self.waits = 0

    async def stored(self) -> None:
        self.waits += 1
        if self.failed:
            raise CallError(ErrorReason.STORE_FAILED, "the disk is full")


async def test_an_answer_waits_once_for_all_that_it_rests_on() -> None:
    things = [Thing(), Thing()]

    async def call() -> str:
        for thing in (*things, *things):
            rests_on(thing)
        assert [thing.waits for thing in things] == [0, 0]
        return "done"

    assert await durable(call()) == "done"
    assert [thing.waits for thing in things] == [1, 1]


async def test_an_error_waits_as_well() -> None:
    thing = Thing()

    async def call() -> None:
        rests_on(thing)
        raise CallError(ErrorReason.TOO_MANY_RAISES, "some have landed")

    with pytest.raises(CallError) as failed:
        await durable(call())
    assert (failed.value.reason, thing.waits) == (ErrorReason.TOO_MANY_RAISES, 1)


async def test_an_answer_that_was_lost_does_not_go_out() -> None:
    async def call() -> str:
        rests_on(Thing(failed=True))
        return "done"

    with pytest.raises(CallError) as failed:
        await durable(call())
    assert failed.value.reason is ErrorReason.STORE_FAILED


async def test_what_is_noted_outside_a_call_is_nobodys() -> None:
    before = Thing()
    rests_on(before)

    async def call() -> str:
        return "done"

    assert await durable(call()) == "done"
    assert before.waits == 0
