"""A battle comes back from the store beside those that go on: nobody waits for it but who asks for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Generator
from pathlib import Path
from typing import TypeVar

import grpc
import pytest

from bridge.battles.session import Session
from bridge.battles.slices import Slices
from bridge.errors import CallError
from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, service_pb2
from bridge.server.server import STOPPING
from bridge.testing.client import reason_of
from tests.bridge.battles.test_restoring import Kept, broken
from tests.bridge.packs import GUIDS
from tests.bridge.store.test_failing_store import Here, served
from tests.bridge.store.test_operation import Operated, ServersClock

T = TypeVar("T")

END_TURN = battle_pb2.Action(end_turn=battle_pb2.EndTurn())


class HeldSlices(Slices):
    """Stops in the middle of the work until a test lets it go on, then does one step in a turn of the loop."""

    def __init__(self) -> None:
        super().__init__(slice_ns=0)
        self.begun = asyncio.Event()
        self.goes_on = asyncio.Event()

    async def reached(self) -> None:
        """Waits until it stands in the middle."""
        await asyncio.wait_for(self.begun.wait(), 20)

    async def work_off(self, work: Generator[None, None, T]) -> T:
        next(work)
        self.begun.set()
        await self.goes_on.wait()
        return await super().work_off(work)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> HeldSlices:
    """How battles of stores that are opened from now on are worked off."""
    slices = HeldSlices()
    monkeypatch.setattr("bridge.battles.stored_battles.Slices", lambda: slices)
    return slices


@pytest.fixture
async def here(tmp_path: Path, held: HeldSlices) -> AsyncIterator[Here]:
    """A server on a store with the battle `one`, which it does not have in memory, and `two`, which it has."""
    async with served(tmp_path / "battles.db") as before:
        await before.start("one")
        await before.act("one", "a")
    async with served(tmp_path / "battles.db") as found:
        yield await found.start("two")
        held.goes_on.set()


async def kept_with_steps(path: Path, steps: int) -> Kept:
    """A battle `one` on disk that has reached some steps, and that nobody has asked for."""
    kept = Kept(path)
    kept.start(seed=1)
    for _ in range(steps):
        kept.session.act(END_TURN)
    await kept.restart()
    return kept


async def test_its_steps_are_spread_over_turns_of_the_loop(tmp_path: Path, held: HeldSlices) -> None:
    kept = await kept_with_steps(tmp_path / "battles.db", 12)
    (before,), _ = kept.battles.page("", 10)
    coming = asyncio.create_task(kept.battles.load("one"))
    await held.reached()
    held.goes_on.set()
    turns = 0
    while not (coming.done() or [*kept.battles]):
        # Until all of it is there, nobody sees any of it.
        assert kept.battles.page("", 10) == ([before], False)
        await asyncio.sleep(0)
        turns += 1
    assert turns >= 12
    assert (await coming).summary() == before
    assert [*kept.battles] == [await coming]
    await kept.restart()


async def test_others_are_answered_meanwhile_and_who_asks_for_it_shares_the_work(
    here: Here, held: HeldSlices, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bridge")
    given_up, look, again = [asyncio.create_task(here.look("one")) for _ in range(3)]
    await held.reached()
    await here.act("two", "a")
    await here.start("three")
    listed = (await here.battles.ListBattles(service_pb2.ListBattlesRequest())).battles
    assert [(battle.battle_id, battle.state_version) for battle in listed] == [("one", 2), ("three", 1), ("two", 2)]
    given_up.cancel()
    act = asyncio.create_task(here.act("one", "b"))
    await here.look("two")
    assert not any(call.done() for call in (look, again, act))
    held.goes_on.set()
    # Either may have come before the action.
    assert {(await look).state_version, (await again).state_version} <= {2, 3}
    assert (await act).update.state_version == 3
    back = [record for record in caplog.records if record.getMessage() == "battle loaded"]
    assert [vars(record)["battle_id"] for record in back] == ["one"]


async def test_two_callers_get_the_same_session(tmp_path: Path, held: HeldSlices) -> None:
    kept = await kept_with_steps(tmp_path / "battles.db", 2)
    first, second = [asyncio.create_task(kept.battles.load("one")) for _ in range(2)]
    await held.reached()
    held.goes_on.set()
    assert (await first) is (await second) is kept.session
    await kept.restart()


async def test_ends_while_it_comes_back(here: Here, held: HeldSlices) -> None:
    request = service_pb2.EndBattleRequest(battle_id="one")
    ends = asyncio.gather(*[here.battles.EndBattle(request) for _ in range(2)], return_exceptions=True)
    await held.reached()
    held.goes_on.set()
    done = await ends
    (refused,) = [answer for answer in done if isinstance(answer, BaseException)]
    (answer,) = [answer for answer in done if not isinstance(answer, BaseException)]
    assert reason_of(refused) == "UNKNOWN_BATTLE"
    assert answer.update.snapshot.outcome == battle_pb2.OUTCOME_ABORTED
    assert here.store.load("one") is None


@pytest.mark.parametrize("anew", [False, True])
async def test_what_was_dropped_meanwhile_does_not_come_back(tmp_path: Path, held: HeldSlices, anew: bool) -> None:
    """Another battle may have been started under its id by then."""
    kept = await kept_with_steps(tmp_path / "battles.db", 2)
    coming = asyncio.create_task(kept.battles.load("one"))
    await held.reached()
    kept.battles.end("one")
    if anew:
        kept.start(seed=2)
    held.goes_on.set()
    if anew:
        assert (await coming) is kept.session
        assert (kept.session.battle.seed, kept.session.version) == (2, 1)
    else:
        with pytest.raises(CallError) as refused:
            await coming
        assert refused.value.reason.name == "UNKNOWN_BATTLE"
    await kept.restart()
    assert [battle.battle_id for battle in kept.battles.page("", 10)[0]] == (["one"] if anew else [])
    await kept.restart()


async def test_idle_time_does_not_take_what_somebody_waits_for(tmp_path: Path, held: HeldSlices) -> None:
    kept = await kept_with_steps(tmp_path / "battles.db", 2)
    coming = asyncio.create_task(kept.battles.load("one"))
    await held.reached()
    for _ in range(100):
        kept.clock.advance(60_000)
        assert not kept.battles.drop_idle()
    held.goes_on.set()
    assert (await coming).version == 3
    await kept.restart()


async def test_all_who_wait_hear_why_it_cannot_come_back(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = await broken(tmp_path / "battles.db", "DELETE FROM steps WHERE battle = 'one'")
    calls = [kept.battles.load("one"), kept.battles.load("one"), kept.battles.load_or_start(_request("one"))]
    with caplog.at_level(logging.ERROR):
        told = await asyncio.gather(*calls, return_exceptions=True)
    assert [isinstance(error, CallError) and error.reason.name for error in told] == ["BATTLE_NOT_RESTORED"] * 3
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    (line,) = [record for record in errors if record.name.startswith("bridge.")]
    assert vars(line)["battle_id"] == "one"
    # Who ends it wants to be rid of it.
    await kept.battles.load_and_end("one")
    await kept.restart()
    assert [battle.battle_id for battle in kept.battles.page("", 10)[0]] == ["two"]
    await kept.restart()


def _request(battle_id: str) -> service_pb2.StartBattleRequest:
    return service_pb2.StartBattleRequest(battle_id=battle_id, pack="reference", encounter="reference")


async def test_what_is_due_by_itself_comes_back_beside_others(tmp_path: Path, held: HeldSlices) -> None:
    """What becomes due meanwhile comes, too."""
    first = Operated(tmp_path / "battles.db")
    await first.start("timed")
    raising = ges_pb2.RaiseRequest(battle_id="timed", guid=GUIDS["none"], raise_id="r")
    first.battles.get("timed").raises.schedule(raising, "caller/me", 500)
    before = first.battles.get("timed").last_sequence
    await first.battles.close_store()
    kept = Operated(tmp_path / "battles.db")
    clock = kept.ges.clock
    assert isinstance(clock, ServersClock)
    waking = asyncio.create_task(kept.battles.wake())
    await held.reached()
    kept.battles.start(_request("two"))
    clock.advance(600)
    held.goes_on.set()
    await waking
    assert [session.battle_id for session in kept.battles] == ["two", "timed"]
    clock.advance(0)
    assert kept.battles.get("timed").last_sequence > before
    await kept.battles.close_store()


async def test_a_server_that_stops_does_not_wait_for_it(here: Here, held: HeldSlices) -> None:
    look = asyncio.create_task(here.look("one"))
    listen = here.ges.Listen(ges_pb2.ListenRequest(battle_id="one"))
    await held.reached()
    await here.look("two")
    here.server.battles.close(STOPPING)
    for call in (look, listen.read()):
        with pytest.raises(grpc.RpcError) as refused:
            await asyncio.wait_for(call, 20)
        assert reason_of(refused.value) == "SERVER_STOPPING"
    # It is as it was.
    assert here.store.load("one") is not None


async def test_slices_of_two_take_turns() -> None:
    done: list[str] = []

    def work(name: str, steps: int) -> Generator[None, None, str]:
        for _ in range(steps):
            done.append(name)
            yield
        return name

    def wrong() -> Generator[None, None, Session]:
        yield
        raise ValueError("wrong")

    slices = Slices(slice_ns=0)
    told = await asyncio.gather(slices.work_off(work("long", 4)), slices.work_off(work("short", 2)))
    assert told == ["long", "short"]
    assert done == ["long", "short", "long", "short", "long", "long"]
    with pytest.raises(ValueError, match="wrong"):
        await slices.work_off(wrong())
    assert await slices.work_off(work("after", 0)) == "after"
