"""Large packs are read beside the battles that go on, and a battle is started once however often it is asked for."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import grpc
import pytest

from bridge.pb.gcs.v1 import battle_pb2, content_pb2, service_pb2
from bridge.settings import ServerLimits, ServerSettings
from bridge.testing.client import Client, ClientBattle, reason_of, violations_of
from bridge.testing.process import FREE_PORT, ServerProcess
from tests.bridge.local_server import local_server
from tests.bridge.packs import wire_pack


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    settings = ServerSettings(address=FREE_PORT, limits=ServerLimits(battles=3))
    with ServerProcess(settings) as server, Client(server.address, seconds=60) as client:
        yield client


def _large_pack(name: str) -> str:
    """A few hundred kilobytes, which take a while; each name gives another pack."""
    pack = wire_pack()
    card = pack["cards"][0]
    for number in range(600):
        twin = copy.deepcopy(card)
        twin.update(id=f"{name}_{number}", upgrade=None)
        pack["cards"].append(twin)
    return json.dumps(pack)


def _acts_while(battle: ClientBattle, call: Any) -> int:
    """How many actions are answered until a call has ended."""
    acted = 0
    while not call.done():
        battle.end_turn()
        acted += 1
    return acted


@pytest.fixture(scope="module")
def battle(client: Client) -> ClientBattle:
    return client.start(wire_pack(), "fight", player={"hp": 2_000_000_000}, battle_id="others")


def test_others_play_while_a_large_pack_is_checked(client: Client, battle: ClientBattle) -> None:
    call = client.content.Check.future(content_pb2.CheckRequest(pack_json=_large_pack("checked")), timeout=60)
    assert _acts_while(battle, call) >= 3
    assert not call.result().problems


def test_others_play_while_a_battle_starts_with_a_large_pack_and_it_starts_once(
    client: Client, battle: ClientBattle
) -> None:
    request = service_pb2.StartBattleRequest(battle_id="large", encounter="fight", pack_json=_large_pack("started"))
    calls = [client.battles.StartBattle.future(request, timeout=60) for _ in range(3)]
    assert _acts_while(battle, calls[0]) >= 3
    updates = [call.result().update for call in calls]
    # Without a seed of its own, each battle would have drawn another one.
    assert updates[0] == updates[1] == updates[2]
    listed = client.battles.ListBattles(service_pb2.ListBattlesRequest()).battles
    assert [one.battle_id for one in listed] == ["large", "others"]
    client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id="large"))


def test_two_battles_that_start_under_one_id(client: Client) -> None:
    """Whichever comes second is refused although the first was not there yet when it came."""
    requests = [
        service_pb2.StartBattleRequest(battle_id="one-id", encounter="fight", pack_json=_large_pack(name))
        for name in ("first", "second")
    ]
    calls = [client.battles.StartBattle.future(request, timeout=60) for request in requests]
    assert sorted([reason_of(call.exception()) if call.exception() else "" for call in calls]) == ["", "BATTLE_EXISTS"]
    client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id="one-id"))


def test_the_limit_of_battles_holds_for_those_that_are_being_started(client: Client, battle: ClientBattle) -> None:
    calls = [
        client.battles.StartBattle.future(
            service_pb2.StartBattleRequest(battle_id=f"full-{number}", encounter="fight", pack_json=_large_pack("full"))
        )
        for number in range(4)
    ]
    reasons = [reason_of(call.exception()) if call.exception() else "" for call in calls]
    assert sorted(reasons) == ["", "", "TOO_MANY_BATTLES", "TOO_MANY_BATTLES"]
    for number, reason in enumerate(reasons):
        if not reason:
            client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=f"full-{number}"))


def test_a_large_pack_with_problems_is_a_typed_error(client: Client) -> None:
    pack = json.loads(_large_pack("wrong"))
    pack["cards"][7]["cost"] = "much"
    request = service_pb2.StartBattleRequest(encounter="fight", pack_json=json.dumps(pack))
    with pytest.raises(grpc.RpcError) as refused:
        client.battles.StartBattle(request)
    assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.INVALID_ARGUMENT, "BAD_CONTENT")
    assert len(violations_of(refused.value)) == 1


def test_a_client_that_does_not_wait_disturbs_nobody(client: Client, battle: ClientBattle) -> None:
    request = service_pb2.StartBattleRequest(battle_id="given-up", encounter="fight", pack_json=_large_pack("given"))
    call = client.battles.StartBattle.future(request)
    battle.end_turn()
    call.cancel()
    battle.end_turn()
    update = client.battles.StartBattle(request).update
    assert update.snapshot.outcome == battle_pb2.OUTCOME_RUNNING


async def test_battles_share_the_pack_that_clients_have_sent() -> None:
    text = json.dumps(wire_pack())
    async with local_server() as (server, local):
        for battle_id in ("one", "two"):
            await local.start(text, battle_id, seed=1)
        assert await local.start(text, "one", seed=1) == "one"
        with pytest.raises(grpc.RpcError) as refused:
            await local.start(f"{text} ", "one", seed=1)
        assert reason_of(refused.value) == "BATTLE_EXISTS"
        one, two = (server.battles.get(battle_id) for battle_id in ("one", "two"))
        assert one.loaded is two.loaded
        assert text.encode() not in one.recorded_start._request
        assert [session.replay().start.pack_json for session in (one, two)] == [text, text]
