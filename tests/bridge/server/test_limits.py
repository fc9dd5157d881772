"""Every limit can be set; going beyond it is a typed error or, for a cache, costs time (issue 4, point 6).

Elsewhere: battles, message size, node budget and actions per second in `test_server.py`, whom actions are counted for
in `test_callers.py`; streams of one battle, kept events and slow readers in `test_play.py`; scheduled raises in
`tests/bridge/battles/test_scheduled_raises.py`; inline packs that are not allowed in `test_battle_service.py`.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from bridge.battles.battle_setup import resolve_setup
from bridge.battles.battles import Battles
from bridge.battles.packs import P, PackLibrary, T
from bridge.cli.serve import serve
from bridge.errors import CallError
from bridge.ges import Ges, ManualClock
from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, service_pb2
from bridge.server.rate import RateLimit
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import ActionRejectedError, Client, reason_of, violations_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.local_server import local_server
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.streams import PlayStream, join

PACK = json.dumps(wire_pack())
PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("limit", [field.name for field in dataclasses.fields(ServerLimits)])
def test_every_limit_is_an_option_of_serve(limit: str) -> None:
    parameter = inspect.signature(serve).parameters[limit]
    assert parameter.default == getattr(ServerLimits(), limit)
    assert f"| `--{limit.replace('_', '-')}` |" in PAGE


async def test_a_battle_that_nobody_asks_for_is_dropped() -> None:
    clock = ManualClock()
    async with local_server(clock, idle_seconds=60.0) as (server, client):
        for name in ("idle", "asked", "watched", "heard"):
            await client.start(PACK, name)
        # Whoever hears all battles asks for none of them.
        listening = [client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle_id)) for battle_id in ("heard", "")]
        for stream in listening:
            await stream.initial_metadata()
        watch = client.battles.Watch(service_pb2.WatchRequest(battle_id="watched"))
        await watch.read()
        clock.advance(50_000)
        await client.variables("asked")
        clock.advance(20_000)
        assert [session.battle_id for session in server.battles] == ["asked", "watched", "heard"]
        with pytest.raises(grpc.RpcError) as gone:
            await client.variables("idle")
        assert (gone.value.code(), reason_of(gone.value)) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BATTLE")
        assert server.calls.counters.battles_dropped["idle"] == 1
        # What counts is how long nobody has listened, not how long ago the stream was opened.
        clock.advance(600_000)
        assert [session.battle_id for session in server.battles] == ["watched", "heard"]
        watch.cancel()
        listening[0].cancel()
        open_streams = server.calls.counters.open_streams
        while open_streams["Watch"] or open_streams["Listen"] > 1:
            await client.variables("watched")
        clock.advance(50_000)
        assert [session.battle_id for session in server.battles] == ["watched", "heard"]
        clock.advance(30_000)
        assert not len(server.battles)


async def test_who_asks_for_all_its_battles_asks_for_each() -> None:
    clock = ManualClock()
    battles = Battles(ServerSettings(limits=ServerLimits(idle_seconds=60.0)), PackLibrary(), Ges(clock=clock))
    for name, caller in (("mine", "caller/me"), ("other", "caller/you")):
        request = service_pb2.StartBattleRequest(battle_id=name, encounter="fight", pack_json=PACK)
        battles.start(request).add_caller(caller)
    clock.advance(50_000)
    battles.drop_idle()
    await battles.of_caller("caller/me")
    clock.advance(20_000)
    assert battles.drop_idle() == 1
    assert [session.battle_id for session in battles] == ["mine"]


def test_a_jump_of_the_clock_drops_no_battle() -> None:
    """A machine that has slept for a day: its clients slept as well, and come back."""
    clock = ManualClock()
    settings = ServerSettings(limits=ServerLimits(idle_seconds=120.0))
    battles = Battles(settings, PackLibrary(), Ges(clock=clock))
    battles.start(service_pb2.StartBattleRequest(battle_id="slept", encounter="fight", pack_json=PACK))
    battles.drop_idle()
    clock.jump(86_400_000)
    assert battles.drop_idle() == 0
    for _ in range(5):
        clock.advance(10_000)
        assert battles.drop_idle() == 0
    for _ in range(2):
        clock.advance(10_000)
        battles.drop_idle()
    assert len(battles) == 0


def test_more_cards_than_allowed() -> None:
    """A deck of the client's or of the encounter's own, and the most that is allowed by default."""
    with ServerProcess(ServerSettings(address=FREE_PORT)) as server, Client(server.address) as client:
        most = client.start(deck=["strike"] * 5_000, open_draw_pile=True)
        assert len(most.state.cards) == 5_000
        for deck in (["strike"] * 5_001, ["unknown"] * 50_000):
            with pytest.raises(grpc.RpcError) as refused:
                client.start(deck=deck)
            assert (refused.value.code(), reason_of(refused.value)) == (
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "TOO_MANY_CARDS",
            )
            assert refused.value.details() == f"the deck has {len(deck)} cards, more than 5000"
        pack = wire_pack()
        pack["decks"][0]["cards"] = ["shield"] * 5_001
        with pytest.raises(grpc.RpcError) as refused:
            client.start(pack, "fight")
        assert reason_of(refused.value) == "TOO_MANY_CARDS"
        assert client.start(pack, "fight", deck=["shield"]).state.cards


@pytest.mark.parametrize(("cards", "apart"), [(500, 0), (501, 1)])
async def test_a_large_deck_is_read_apart(cards: int, apart: int) -> None:
    class Counting(PackLibrary):
        count = 0

        async def apart(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
            self.count += 1
            return await super().apart(work, *args, **kwargs)

    library = Counting()
    library.require("starter")
    request = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight")
    request.deck.cards.extend(["mallet"] * cards)
    beginning = await resolve_setup(request, library, ServerSettings())
    assert (len(beginning.encounter.cards), library.count) == (cards, apart)


async def test_more_listeners_than_allowed() -> None:
    async with local_server(listen_streams=2) as (_, client):
        listening = [client.ges.Listen(ges_pb2.ListenRequest()) for _ in range(2)]
        for stream in listening:
            await stream.initial_metadata()
        with pytest.raises(grpc.RpcError) as refused:
            await client.ges.Listen(ges_pb2.ListenRequest()).read()
        assert (refused.value.code(), reason_of(refused.value)) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "TOO_MANY_STREAMS",
        )
        listening[0].cancel()


async def test_more_simulated_battles_than_allowed() -> None:
    async with local_server(simulated_battles=5) as (_, client):
        start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight", seed=1)
        with pytest.raises(grpc.RpcError) as refused:
            await client.battles.Simulate(service_pb2.SimulateRequest(start=start, bot="random", battle_count=6)).read()
        assert violations_of(refused.value) == {"battle_count": "expected a number from 1 to 5, got 6"}
        stream = client.battles.Simulate(service_pb2.SimulateRequest(start=start, bot="random", battle_count=5))
        assert [response.total async for response in stream][-1] == 5


def test_only_so_many_inline_packs_stay_compiled() -> None:
    library = PackLibrary(inline_kept=2)
    texts = [PACK + " " * number for number in range(3)]
    first, second = [library.inline(text) for text in texts[:2]]
    assert library.inline(texts[0]) is first
    third = library.inline(texts[2])
    # The one that was asked for longest ago is compiled anew, and its content is the same.
    assert library.inline(texts[0]) is first
    assert library.inline(texts[2]) is third
    again = library.inline(texts[1])
    assert again is not second
    assert again.content.hash == second.content.hash


def test_the_rate_comes_back_with_time_and_is_each_clients_own() -> None:
    now = [0.0]
    rate = RateLimit(3, lambda: now[0])
    for _ in range(3):
        rate.take("one")
    with pytest.raises(CallError) as refused:
        rate.take("one")
    assert (refused.value.reason.name, refused.value.metadata) == ("TOO_MANY_ACTIONS", {"limit": "3"})
    rate.take("other")
    now[0] += 0.34
    rate.take("one")
    with pytest.raises(CallError):
        rate.take("one")
    # Whoever is counted for two has no more than the one with less, and a refusal takes from neither.
    now[0] += 10
    rate.take("one")
    for _ in range(2):
        rate.take("one", "other")
    for _ in range(5):
        with pytest.raises(CallError):
            rate.take("one", "other")
    rate.take("other")
    now[0] += 0.34
    rate.take("one")
    with pytest.raises(CallError):
        rate.take("one")
    # A clock that jumps back gives nothing, and takes nothing for long.
    now[0] -= 1_000
    with pytest.raises(CallError):
        rate.take("one")
    now[0] += 0.34
    rate.take("one")


def test_an_action_id_has_a_length(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    end_turn = battle_pb2.EndTurn()
    battle.act(battle_pb2.Action(action_id="x" * 128, end_turn=end_turn))
    with pytest.raises(ActionRejectedError, match="INVALID_ACTION: expected an action_id of at most 128 characters"):
        battle.act(battle_pb2.Action(action_id="x" * 129, end_turn=end_turn))
    with PlayStream(gcs_client, join(battle.battle_id, battle.mirror.last_sequence)) as stream:
        stream.next()
        stream.act("x" * 1_000, end_turn=end_turn)
        assert stream.next().rejection.reason == battle_pb2.REJECTION_REASON_INVALID_ACTION
        stream.act("x" * 127, end_turn=end_turn)
        assert stream.update().state_version == 3


@pytest.mark.parametrize("battle_id", ["", "given"])
def test_a_raise_id_has_a_length(gcs_client: Client, battle_id: str) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    request = ges_pb2.RaiseRequest(guid=GUIDS["none"], battle_id=battle.battle_id if battle_id else "")
    request.raise_id = "x" * 128
    gcs_client.ges.Raise(request)
    request.raise_id = "x" * 129
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.ges.Raise(request)
    assert violations_of(refused.value) == {"raise_id": "expected at most 128 characters, got 129"}
