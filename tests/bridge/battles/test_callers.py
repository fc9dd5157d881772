"""Who a caller is, raises to all of its battles, and echoes that go by way of a client."""

from __future__ import annotations

import json
from typing import Any

import grpc
import pytest

from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2
from bridge.testing.client import Client, reason_of
from bridge.testing.process import ServerProcess
from tests.bridge.local_server import payload, weather
from tests.bridge.streams import PlayStream, join
from tests.runtime.ges_packs import guid_of

# Channels of one process share a connection unless they are told not to.
APART = [("grpc.use_local_subchannel_pool", 1)]


def start(client: Client, caller: str, pack: dict[str, Any] | None = None) -> str:
    request = service_pb2.StartBattleRequest(
        pack_json=json.dumps(pack or weather()), encounter="fight", manual_clock=True, open_draw_pile=True
    )
    response = client.battles.StartBattle(request, metadata=[("gcs-caller", caller)])
    return str(response.update.battle_id)


def raised_in(client: Client, battle_id: str) -> list[str]:
    request = service_pb2.GetBattleRequest(battle_id=battle_id, last_sequence=0)
    events = client.battles.GetBattle(request).update.events
    return [event.ges_event_raised.event for event in events if event.HasField("ges_event_raised")]


def raise_to_all(client: Client, caller: str, name: str, **fields: Any) -> ges_pb2.RaiseResponse:
    request = ges_pb2.RaiseRequest(guid=guid_of(name), **fields)
    response: ges_pb2.RaiseResponse = client.ges.Raise(request, metadata=[("gcs-caller", caller)])
    return response


def test_a_raise_goes_to_all_battles_of_the_caller(gcs_client: Client) -> None:
    mine = sorted([start(gcs_client, "all-mine"), start(gcs_client, "all-mine")])
    other = start(gcs_client, "somebody-else")
    response = raise_to_all(gcs_client, "all-mine", "ping")
    assert (response.result, response.receivers) == (ges_pb2.RAISE_RESULT_DISPATCHED, 2)
    assert [(battle.battle_id, battle.result, battle.receivers) for battle in response.battles] == [
        (battle_id, ges_pb2.RAISE_RESULT_DISPATCHED, 1) for battle_id in mine
    ]
    assert [raised_in(gcs_client, battle_id) for battle_id in (*mine, other)] == [["ping"], ["ping"], []]


def test_a_caller_is_the_same_on_a_new_connection(gcs_server: ServerProcess, gcs_client: Client) -> None:
    battle_id = start(gcs_client, "reconnects")
    with Client(gcs_server.address, options=APART) as again:
        assert [battle.battle_id for battle in raise_to_all(again, "reconnects", "ping").battles] == [battle_id]


def test_without_a_name_the_connection_is_the_caller(gcs_server: ServerProcess, gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight")
    response = gcs_client.ges.Raise(ges_pb2.RaiseRequest(guid=guid_of("ping")))
    assert battle.battle_id in [told.battle_id for told in response.battles]
    with Client(gcs_server.address, options=APART) as other:
        none = other.ges.Raise(ges_pb2.RaiseRequest(guid=guid_of("ping")))
        assert (none.result, len(none.battles)) == (ges_pb2.RAISE_RESULT_NO_BATTLE, 0)


def test_whoever_joins_a_battle_has_it_too(gcs_server: ServerProcess, gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight")
    with Client(gcs_server.address, options=APART) as other, PlayStream(other, join(battle.battle_id)) as stream:
        stream.update()
        response = other.ges.Raise(ges_pb2.RaiseRequest(guid=guid_of("ping")))
        assert [told.battle_id for told in response.battles] == [battle.battle_id]


def test_battles_that_lack_the_event_or_are_over_are_left_out(gcs_client: Client) -> None:
    pack = weather()
    pack["events"] = [event for event in pack["events"] if event["id"] != "pong"]
    pack["statuses"] = []
    pack["encounters"][0]["player"] = {"hp": 50}
    without = start(gcs_client, "mixed", pack)
    having, over = start(gcs_client, "mixed"), start(gcs_client, "mixed")
    concede = battle_pb2.Action(concede=battle_pb2.Concede())
    gcs_client.battles.Act(service_pb2.ActRequest(battle_id=over, action=concede))
    assert [told.battle_id for told in raise_to_all(gcs_client, "mixed", "pong").battles] == [having]
    assert {told.battle_id for told in raise_to_all(gcs_client, "mixed", "ping").battles} == {having, without}


def test_r6_6_what_is_wrong_for_one_is_dispatched_in_none(gcs_client: Client) -> None:
    battles = [start(gcs_client, "careful"), start(gcs_client, "careful")]
    for fields in ({"arg": payload(1)}, {"answers": 3}):
        with pytest.raises(grpc.RpcError) as refused:
            raise_to_all(gcs_client, "careful", "ping", **fields)
        assert reason_of(refused.value) == "INVALID_FIELD"
    with pytest.raises(grpc.RpcError) as unknown:
        raise_to_all(gcs_client, "careful", "nowhere")
    assert reason_of(unknown.value) == "UNKNOWN_EVENT"
    assert [raised_in(gcs_client, battle_id) for battle_id in battles] == [[], []]


def test_scheduled_in_all_battles_and_cancelled_in_all(gcs_client: Client) -> None:
    battles = [start(gcs_client, "later"), start(gcs_client, "later")]
    metadata = [("gcs-caller", "later")]
    for name in ("kept", "cancelled"):
        request = ges_pb2.RaiseRequest(guid=guid_of("ping"), raise_id=name)
        response = gcs_client.ges.RaiseDelayed(
            ges_pb2.RaiseDelayedRequest(request=request, delay_ms=10), metadata=metadata
        )
        assert (response.result, response.battle_count) == (ges_pb2.RAISE_RESULT_SCHEDULED, 2)
    cancelled = gcs_client.ges.Cancel(ges_pb2.CancelRequest(raise_id="cancelled"), metadata=metadata)
    assert cancelled.battle_count == 2
    for battle_id in battles:
        gcs_client.ges.AdvanceClock(ges_pb2.AdvanceClockRequest(battle_id=battle_id, ms=50))
        assert raised_in(gcs_client, battle_id) == ["ping"]


@pytest.mark.parametrize("name", ["", "a b", "x" * 129])
def test_a_name_that_is_none_is_refused(gcs_client: Client, name: str) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        raise_to_all(gcs_client, name, "ping")
    assert reason_of(refused.value) == "INVALID_FIELD"


def test_listening_streams_tell_origin_and_how_often_an_event_answers_itself(gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight", shuffle=False)
    hearing = gcs_client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id), timeout=20)
    hearing.initial_metadata()
    battle.raise_event(guid_of("thunder"), payload(3), raise_id="mine")
    battle.play("call")
    battle.advance_clock(150)
    heard = [next(hearing) for _ in range(7)]
    hearing.cancel()
    outside, graph = events_pb2.RAISE_ORIGIN_OUTSIDE, events_pb2.RAISE_ORIGIN_GRAPH
    trigger, chain = events_pb2.RAISE_ORIGIN_TRIGGER, events_pb2.RAISE_ORIGIN_CHAIN
    assert [(one.raised.event, one.raised.origin, one.raise_id) for one in heard] == [
        ("thunder", outside, "mine"),
        ("rain", trigger, ""),
        ("thunder", graph, ""),
        *[("flash", chain, "")] * 4,
    ]
    assert [one.sequence for one in heard] == sorted({one.sequence for one in heard})


def test_r6_5_what_a_graph_schedules_counts_from_its_action_on_however_long_nothing_waited(gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight", shuffle=False)
    battle.advance_clock(5_000)
    battle.play("call")
    told = [event.ges_event_raised.event for update in battle.advance_clock(99) for event in update.events]
    assert "flash" not in told
    told = [event.ges_event_raised.event for update in battle.advance_clock(1) for event in update.events]
    assert "flash" in told


def test_others_only_leaves_out_ones_own(gcs_server: ServerProcess, gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight")
    hearing = gcs_client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id, others_only=True), timeout=20)
    hearing.initial_metadata()
    battle.raise_event(guid_of("ping"))
    with Client(gcs_server.address, options=APART) as other:
        other.ges.Raise(ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=guid_of("pong")))
    assert next(hearing).raised.event == "pong"
    hearing.cancel()


def test_r2_5_a_client_that_answers_an_event_with_itself_is_cut(gcs_client: Client) -> None:
    """It answers every ping with a pong and every pong with a ping, as two scripts in an engine might."""
    battle = gcs_client.start(weather(), "fight", limits=service_pb2.Limits(echo=3))
    hearing = gcs_client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id), timeout=20)
    hearing.initial_metadata()
    answers = {"ping": "pong", "pong": "ping"}
    battle.raise_event(guid_of("ping"))
    results = []
    echoes = []
    while True:
        heard = next(hearing)
        echoes.append(heard.raised.echoes)
        request = ges_pb2.RaiseRequest(
            battle_id=battle.battle_id, guid=guid_of(answers[heard.raised.event]), answers=heard.sequence
        )
        response = gcs_client.ges.Raise(request)
        results.append(response.result)
        if response.result != ges_pb2.RAISE_RESULT_DISPATCHED:
            break
    hearing.cancel()
    assert results == [ges_pb2.RAISE_RESULT_DISPATCHED] * 5 + [ges_pb2.RAISE_RESULT_ECHO]
    assert echoes == [0, 0, 1, 1, 2, 2]
    assert [event.fault.kind for event in response.update.events if event.HasField("fault")] == ["echo"]
    assert raised_in(gcs_client, battle.battle_id) == ["ping", "pong"] * 3


def test_an_answer_to_no_event_is_refused(gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight")
    request = ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=guid_of("ping"), answers=1)
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.ges.Raise(request)
    assert reason_of(refused.value) == "INVALID_FIELD"


def test_an_answer_to_an_event_of_long_ago_is_refused(gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight")
    battle.raise_event(guid_of("ping"))
    first = next(event.sequence for event in battle.mirror.events if event.HasField("ges_event_raised"))
    repeating = ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=guid_of("pong"), raise_id="many")
    gcs_client.ges.RaiseRepeating(ges_pb2.RaiseRepeatingRequest(request=repeating, interval_ms=1, count=1_000))
    battle.advance_clock(1_000)
    request = ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=guid_of("ping"), answers=first)
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.ges.Raise(request)
    assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.OUT_OF_RANGE, "RAISE_GONE")


def test_r6_6_an_inactive_database_is_that_of_running_battles_and_of_those_to_come(gcs_client: Client) -> None:
    pack = weather(id="switched")
    battle = gcs_client.start(pack, "fight", shuffle=False)

    def switch(active: bool) -> bool:
        request = ges_pb2.SetDatabaseActiveRequest(pack="switched", active=active)
        return bool(gcs_client.ges.SetDatabaseActive(request).was_active)

    battle.raise_event(guid_of("thunder"), payload(1))
    assert switch(False)
    inactive = ges_pb2.RAISE_RESULT_DATABASE_INACTIVE
    assert battle.raise_event(guid_of("ping")).result == inactive
    battle.play("call")
    assert (battle.state.variables["thunder"], battle.state.variables["told"]) == (1, 0)
    assert battle.advance_clock(1_000) != []
    assert battle.state.variables["flash"] == 0
    later = ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=guid_of("ping"), raise_id="later")
    delayed = ges_pb2.RaiseDelayedRequest(request=later, delay_ms=1)
    assert gcs_client.ges.RaiseDelayed(delayed).result == inactive
    begun = gcs_client.start(pack, "fight", shuffle=False, deck=["call"], seed=1)
    begun.play("call")
    assert raised_in(gcs_client, begun.battle_id) == []
    replay = gcs_client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=begun.battle_id))
    assert replay.database_inactive
    assert not switch(True)
    for each in (battle, begun):
        assert each.raise_event(guid_of("ping")).result == ges_pb2.RAISE_RESULT_DISPATCHED


def test_listening_to_a_battle_ends_with_it_behind_all_that_was_raised(gcs_client: Client) -> None:
    battle, other = gcs_client.start(weather(), "fight"), gcs_client.start(weather(), "fight")
    one = gcs_client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id), timeout=20)
    everything = gcs_client.ges.Listen(ges_pb2.ListenRequest(), timeout=20)
    for hearing in (one, everything):
        hearing.initial_metadata()
    battle.raise_event(guid_of("ping"))
    gcs_client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battle.battle_id))
    assert next(one).raised.event == "ping"
    with pytest.raises(grpc.RpcError) as ended:
        next(one)
    assert (ended.value.code(), reason_of(ended.value)) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BATTLE")
    # Who hears all battles goes on.
    other.raise_event(guid_of("pong"))
    assert [next(everything).raised.event for _ in range(2)] == ["ping", "pong"]
    everything.cancel()
