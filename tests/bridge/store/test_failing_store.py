"""A store that cannot be written: the action is refused, and memory does not run ahead of the disk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import grpc
import pytest
from grpc import aio

from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, ges_pb2_grpc, service_pb2, service_pb2_grpc
from bridge.server.server import Server
from bridge.settings import ServerSettings
from bridge.store import SqliteStore, StoreError
from bridge.store.records import Change, StoredBattle
from bridge.testing.client import reason_of
from bridge.testing.process import FREE_PORT

END_TURN = battle_pb2.EndTurn()


class UnreliableStore(SqliteStore):
    """A store on a disk that a test can fill, break or slow down."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.fails = False
        self.unreadable = False
        self.goes_on = threading.Event()
        self.goes_on.set()
        self.writing = threading.Event()

    def write(self, changes: Sequence[Change]) -> None:
        self.writing.set()
        self.goes_on.wait()
        if self.fails:
            raise StoreError("disk I/O error")
        super().write(changes)

    def load(self, battle_id: str) -> StoredBattle | None:
        if self.unreadable:
            raise StoreError("disk I/O error")
        return super().load(battle_id)


class Here:
    """A server in this process, with its store and stubs for it."""

    def __init__(self, store: UnreliableStore, server: Server, channel: aio.Channel) -> None:
        self.store = store
        self.server = server
        self.battles: Any = service_pb2_grpc.BattleServiceStub(channel)
        self.ges: Any = ges_pb2_grpc.GesServiceStub(channel)

    async def start(self, battle_id: str, pack: str = "reference", encounter: str = "reference") -> Self:
        request = service_pb2.StartBattleRequest(battle_id=battle_id, pack=pack, encounter=encounter, seed=1)
        await self.battles.StartBattle(request)
        return self

    async def act(self, battle_id: str, action_id: str) -> Any:
        action = battle_pb2.Action(action_id=action_id, end_turn=END_TURN)
        return await self.battles.Act(service_pb2.ActRequest(battle_id=battle_id, action=action))

    async def look(self, battle_id: str) -> Any:
        request = service_pb2.GetBattleRequest(battle_id=battle_id, last_sequence=0)
        return (await self.battles.GetBattle(request)).update

    async def refused(self, call: Any) -> str:
        with pytest.raises(grpc.RpcError) as error:
            await call
        assert error.value.code() == grpc.StatusCode.UNAVAILABLE  # type: ignore[attr-defined]
        return reason_of(error.value)


@asynccontextmanager
async def served(path: Path) -> AsyncIterator[Here]:
    store = UnreliableStore(path)
    server = Server(ServerSettings(address=FREE_PORT), store=store)
    await server.start()
    try:
        async with aio.insecure_channel(server.address) as channel:
            yield Here(store, server, channel)
    finally:
        store.fails = False
        store.goes_on.set()
        await server.stop()


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Here]:
    async with served(tmp_path / "battles.db") as found:
        await found.start("one")
        yield found


async def test_what_is_on_disk_is_not_kept_in_memory_as_well(here: Here) -> None:
    """Each battle knows the last batch that it was part of, and would hold a pack, or another battle, by it."""
    await here.start("two")
    await asyncio.gather(here.act("one", "a"), here.act("two", "b"))
    for battle_id in ("one", "two"):
        journal = here.server.battles.get(battle_id).journal
        assert journal is not None
        batch = journal._batch
        assert batch is not None
        assert batch.done
        assert (batch.changes, batch.journals, batch.held) == ([], {}, [])


async def test_nothing_is_told_before_it_is_on_disk(here: Here) -> None:
    watch = here.battles.Watch(service_pb2.WatchRequest(battle_id="one"))
    first = await watch.read()
    here.store.goes_on.clear()
    here.store.writing.clear()
    acting = asyncio.ensure_future(here.act("one", "a"))
    watching = asyncio.ensure_future(watch.read())
    await asyncio.to_thread(here.store.writing.wait)
    # Not before: it might overtake the action, and tell of the state as it was.
    looking = asyncio.ensure_future(here.look("one"))
    # The other calls are not held up, and tell of nothing that could still be lost.
    for _ in range(3):
        await here.battles.GetServerInfo(service_pb2.GetServerInfoRequest())
    assert not any(task.done() for task in (acting, watching, looking))
    here.store.goes_on.set()
    done = await acting
    told = await watching
    assert told.update.events == done.update.events
    assert told.update.first_sequence == first.update.last_sequence + 1
    assert (await looking).state_version == 2


async def test_actions_meanwhile_are_written_together(here: Here) -> None:
    await asyncio.gather(*(here.start(f"b{number}") for number in range(20)))
    written = []
    write = here.store.write

    def counted(changes: Sequence[Change]) -> None:
        written.append(len(changes))
        write(changes)

    here.store.write = counted  # type: ignore[method-assign]
    here.store.goes_on.clear()
    here.store.writing.clear()
    first = asyncio.ensure_future(here.act("one", "a"))
    await asyncio.to_thread(here.store.writing.wait)
    others = [asyncio.ensure_future(here.act(f"b{number}", "a")) for number in range(20)]
    while any(here.server.battles.get(f"b{number}").version == 1 for number in range(20)):
        await here.battles.GetServerInfo(service_pb2.GetServerInfoRequest())
    here.store.goes_on.set()
    await asyncio.gather(first, *others)
    assert len(written) == 2


async def test_what_cannot_be_written_is_refused_and_did_not_happen(here: Here) -> None:
    await here.start("two")
    before = await here.look("one")
    watch = here.battles.Watch(service_pb2.WatchRequest(battle_id="one"))
    await watch.read()
    here.store.fails = True
    assert await here.refused(here.act("one", "a")) == "STORE_FAILED"
    # Who watches is told to join again, and has heard nothing of it.
    assert await here.refused(watch.read()) == "STORE_FAILED"
    assert await here.look("one") == before
    here.store.fails = False
    # Sent again, it counts once.
    done = await here.act("one", "a")
    assert done.update.state_version == 2
    assert (await here.act("one", "a")).update.events == done.update.events
    # The other battle was not concerned: its stream would have ended.
    assert (await here.look("two")).state_version == 1


async def test_a_stream_ends_and_is_taken_up_again(here: Here) -> None:
    play = here.battles.Play()
    joined = service_pb2.PlayRequest(join=service_pb2.JoinBattle(battle_id="one"))
    await play.write(joined)
    first = (await play.read()).update
    here.store.fails = True
    action = battle_pb2.Action(action_id="a", end_turn=END_TURN)
    await play.write(service_pb2.PlayRequest(action=action))
    assert await here.refused(play.read()) == "STORE_FAILED"
    here.store.fails = False
    play = here.battles.Play()
    joined.join.last_sequence = first.last_sequence
    await play.write(joined)
    assert (await play.read()).update.state_version == first.state_version
    await play.write(service_pb2.PlayRequest(action=action))
    assert (await play.read()).update.first_sequence == first.last_sequence + 1
    await play.done_writing()


async def test_a_battle_whose_start_cannot_be_written_has_not_started(here: Here) -> None:
    here.store.fails = True
    assert await here.refused(here.start("two")) == "STORE_FAILED"
    here.store.fails = False
    listed = await here.battles.ListBattles(service_pb2.ListBattlesRequest())
    assert [battle.battle_id for battle in listed.battles] == ["one"]
    await here.start("two")
    assert (await here.look("two")).state_version == 1


async def test_a_battle_that_cannot_be_dropped_is_still_there(here: Here) -> None:
    before = await here.look("one")
    end = service_pb2.EndBattleRequest(battle_id="one")
    watch = here.battles.Watch(service_pb2.WatchRequest(battle_id="one"))
    await watch.read()
    listen = here.ges.Listen(ges_pb2.ListenRequest(battle_id="one"))
    await listen.initial_metadata()
    here.store.fails = True
    assert await here.refused(here.battles.EndBattle(end)) == "STORE_FAILED"
    assert await here.refused(watch.read()) == "STORE_FAILED"
    assert await here.refused(listen.read()) == "STORE_FAILED"
    here.store.fails = False
    assert await here.look("one") == before
    ended = await here.battles.EndBattle(end)
    assert ended.update.snapshot.outcome == battle_pb2.OUTCOME_ABORTED


async def test_raises_and_schedules_are_refused_as_well(here: Here) -> None:
    events = (await here.ges.ListEvents(ges_pb2.ListEventsRequest(pack="starter"))).events
    guid = next(event.guid for event in events if event.id == "thunder")
    request = ges_pb2.RaiseRequest(battle_id="two", guid=guid, arg=ges_pb2.Payload(int_value=3), raise_id="r")
    delayed = ges_pb2.RaiseDelayedRequest(request=request, delay_ms=80_000_000)
    await here.start("two", "starter", "first_fight")
    before = await here.look("two")
    here.store.fails = True
    assert await here.refused(here.ges.Raise(request)) == "STORE_FAILED"
    assert await here.refused(here.ges.RaiseDelayed(delayed)) == "STORE_FAILED"
    here.store.fails = False
    assert (await here.ges.RaiseDelayed(delayed)).result == ges_pb2.RAISE_RESULT_SCHEDULED
    here.store.fails = True
    cancel = ges_pb2.CancelRequest(battle_id="two", raise_id="r")
    assert await here.refused(here.ges.Cancel(cancel)) == "STORE_FAILED"
    here.store.fails = False
    assert (await here.ges.Cancel(cancel)).battle_count == 1
    assert await here.look("two") == before


async def test_a_store_that_cannot_be_read_now_can_be_later(here: Here) -> None:
    here.store.fails = here.store.unreadable = True
    assert await here.refused(here.act("one", "a")) == "STORE_FAILED"
    assert await here.refused(here.look("one")) == "STORE_FAILED"
    here.store.fails = here.store.unreadable = False
    assert (await here.look("one")).state_version == 1


async def test_a_full_disk(here: Here) -> None:
    """SQLite's own error, and its own way back."""
    connection = here.store._writing
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")

    async def fill() -> None:
        for number in range(200):
            await here.start(f"b{number}")

    with pytest.raises(grpc.RpcError, match="full") as refused:
        await fill()
    assert reason_of(refused.value) == "STORE_FAILED"
    assert (await here.look("one")).state_version == 1
    connection.execute("PRAGMA max_page_count = 1000000")
    await here.start("b200")
    assert (await here.act("one", "a")).update.state_version == 2
