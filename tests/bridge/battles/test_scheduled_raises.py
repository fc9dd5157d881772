"""Delayed and repeating raises over gRPC, on a clock that the test drives."""

from __future__ import annotations

import json
import time

import grpc
import pytest

from bridge.battles.battles import Battles
from bridge.battles.packs import PackLibrary
from bridge.errors import CallError
from bridge.ges import Ges, ManualClock
from bridge.pb.gcs.v1 import battle_pb2, events_pb2, ges_pb2, service_pb2
from bridge.settings import ServerSettings
from bridge.testing.client import Client, ClientBattle, reason_of
from tests.bridge.local_server import local_server, payload, weather
from tests.runtime.ges_packs import guid_of

SCHEDULED = ges_pb2.RAISE_RESULT_SCHEDULED
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


def begin(client: Client, **fields: object) -> ClientBattle:
    return client.start(weather(), "fight", shuffle=False, **fields)  # type: ignore[arg-type]


def request_of(
    battle: ClientBattle, name: str, raise_id: str, arg: ges_pb2.Payload | None = None
) -> ges_pb2.RaiseRequest:
    return ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=guid_of(name), arg=arg, raise_id=raise_id)


def delay(client: Client, request: ges_pb2.RaiseRequest, ms: int) -> ges_pb2.RaiseDelayedResponse:
    response: ges_pb2.RaiseDelayedResponse = client.ges.RaiseDelayed(
        ges_pb2.RaiseDelayedRequest(request=request, delay_ms=ms)
    )
    return response


def repeat(client: Client, request: ges_pb2.RaiseRequest, ms: int, count: int) -> ges_pb2.RaiseRepeatingResponse:
    response: ges_pb2.RaiseRepeatingResponse = client.ges.RaiseRepeating(
        ges_pb2.RaiseRepeatingRequest(request=request, interval_ms=ms, count=count)
    )
    return response


def cancel(client: Client, battle: ClientBattle, raise_id: str) -> int:
    response = client.ges.Cancel(ges_pb2.CancelRequest(battle_id=battle.battle_id, raise_id=raise_id))
    return int(response.battle_count)


def told(updates: list[events_pb2.Update]) -> list[str]:
    return [
        event.ges_event_raised.event
        for update in updates
        for event in update.events
        if event.HasField("ges_event_raised")
    ]


def test_a_delayed_raise_lands_once_when_its_time_has_come(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    assert delay(gcs_client, request_of(battle, "ping", "p"), 250).result == SCHEDULED
    assert battle.advance_clock(249) == []
    assert told(battle.advance_clock(1)) == ["ping"]
    assert battle.advance_clock(10_000) == []
    assert battle.state.variables["ping"] == 1


def test_what_a_delayed_raise_carries_is_captured_at_the_call(gcs_client: Client) -> None:
    battle = begin(gcs_client, player={"hp": 50})
    target = ges_pb2.Payload(unit_value="enemy0")
    delay(gcs_client, request_of(battle, "strike", "s", target), 100)
    battle.play("call")
    battle.end_turn()
    battle.advance_clock(100)
    assert battle.state.units[1].hp == 93


def test_a_wrong_raise_is_refused_at_the_call(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    for request in (request_of(battle, "ping", "x", payload(1)), request_of(battle, "nowhere", "x")):
        with pytest.raises(grpc.RpcError) as refused:
            delay(gcs_client, request, 10)
        assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert battle.advance_clock(100) == []


def test_a_repeating_raise_waits_one_interval_and_its_count_is_the_total(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    assert repeat(gcs_client, request_of(battle, "ping", "r"), 100, 3).result == SCHEDULED
    landed = [told(battle.advance_clock(50)) for _ in range(10)]
    assert landed == [[], ["ping"], [], ["ping"], [], ["ping"], [], [], [], []]
    assert cancel(gcs_client, battle, "r") == 0


def test_minus_one_is_endless_until_it_is_cancelled(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    repeat(gcs_client, request_of(battle, "ping", "r"), 10, -1)
    assert told(battle.advance_clock(2_000)) == ["ping"] * 200
    assert cancel(gcs_client, battle, "r") == 1
    assert cancel(gcs_client, battle, "r") == 0
    assert battle.advance_clock(1_000) == []


def test_a_call_sent_again_counts_once(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    request = request_of(battle, "ping", "p")
    assert [delay(gcs_client, request, 100).result for _ in range(3)] == [SCHEDULED] * 3
    assert told(battle.advance_clock(1_000)) == ["ping"]
    assert delay(gcs_client, request, 100).result == SCHEDULED
    assert battle.advance_clock(1_000) == []


def test_flows_and_callers_land_in_order_of_time(gcs_client: Client) -> None:
    """The chain's flashes come 100 and 150 ms after the thunder."""
    battle = begin(gcs_client)
    delay(gcs_client, request_of(battle, "ping", "p"), 120)
    delay(gcs_client, request_of(battle, "pong", "q"), 100)
    battle.raise_event(guid_of("thunder"), payload(3))
    updates = battle.advance_clock(500)
    assert told(updates) == ["flash", "pong", "ping", "flash"]
    assert battle.state.variables["flash"] == 2


def test_r6_5_it_waits_behind_an_open_choice_in_order_of_arrival(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    delay(gcs_client, request_of(battle, "ping", "p"), 100)
    battle.play("ask")
    battle.raise_event(guid_of("pong"))
    assert battle.advance_clock(100) == []
    battle.raise_event(guid_of("rain"), payload(1))
    assert battle.state.variables["ping"] == 0
    assert told([battle.choose(option=0)]) == ["pong", "ping", "rain"]


def test_r6_5_one_beat_waits_behind_an_open_choice_and_the_count_stays_the_total(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    repeat(gcs_client, request_of(battle, "ping", "r"), 10, 3)
    battle.play("ask")
    began = time.monotonic()
    assert battle.advance_clock(86_400_000 // 1_000) == []
    assert time.monotonic() - began < 10
    assert told([battle.choose(option=0)]) == ["ping"]
    assert told(battle.advance_clock(1_000)) == ["ping"] * 2


def test_what_flows_have_scheduled_has_its_time_after_beats_that_were_left_out(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    battle.raise_event(guid_of("thunder"), payload(3))
    battle.play("ask")
    repeat(gcs_client, request_of(battle, "ping", "r"), 10, -1)
    battle.advance_clock(120)
    assert told([battle.choose(option=0)]) == ["ping", "flash"]
    cancel(gcs_client, battle, "r")
    assert told(battle.advance_clock(30)) == ["flash"]


def test_what_is_refused_behind_an_open_choice_leaves_no_time_behind() -> None:
    """A refusal changes nothing, however often it comes while something is scheduled."""
    clock = ManualClock()
    settings = ServerSettings()
    battles = Battles(settings, PackLibrary((), settings.limits.inline_packs), Ges(settings.limits, clock))
    request = service_pb2.StartBattleRequest(pack_json=json.dumps(weather()), encounter="fight", shuffle=False)
    session = battles.start(request)
    session.raises.raise_event(ges_pb2.RaiseRequest(guid=guid_of("thunder"), arg=payload(3)), "anybody")
    cards = session.battle.cards
    ask = next(number for number in session.battle.piles[0] if cards[number].definition.id == "ask")
    session.act(battle_pb2.Action(play_card=battle_pb2.PlayCard(card=f"c{ask}")))
    steps = len(session._steps)
    for _ in range(120):
        clock.advance(1)
        assert not isinstance(session.act(battle_pb2.Action(end_turn=battle_pb2.EndTurn())), bytes)
        assert not isinstance(session.act(battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(option=9))), bytes)
        with pytest.raises(CallError):
            session.raises.raise_event(ges_pb2.RaiseRequest(guid=guid_of("thunder")), "anybody")
    assert (session.battle.waiting, len(session._steps)) == ([], steps)
    update = session.act(battle_pb2.Action(answer_choice=battle_pb2.AnswerChoice(option=0)))
    assert isinstance(update, bytes)
    assert told([events_pb2.Update.FromString(update)]) == ["flash"]


async def test_raises_behind_an_open_choice_are_limited() -> None:
    async with local_server(queued_raises=2) as (_, client):
        battle_id = await client.start(json.dumps(weather()))
        hand = (await client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle_id))).update.snapshot.cards
        card = next(card.id for card in hand if card.card_id == "ask")
        action = battle_pb2.Action(play_card=battle_pb2.PlayCard(card=card))
        await client.battles.Act(service_pb2.ActRequest(battle_id=battle_id, action=action))
        request = ges_pb2.RaiseRequest(battle_id=battle_id, guid=guid_of("ping"))
        results = [(await client.ges.Raise(request)).result for _ in range(2)]
        assert results == [ges_pb2.RAISE_RESULT_QUEUED] * 2
        with pytest.raises(grpc.RpcError) as refused:
            await client.ges.Raise(request)
        assert (refused.value.code(), reason_of(refused.value)) == (EXHAUSTED, "TOO_MANY_QUEUED")


async def test_one_advance_of_the_clock_is_limited_and_the_next_goes_on() -> None:
    async with local_server(advanced_raises=100) as (_, client):
        battle_id = await client.start(json.dumps(weather()), manual_clock=True)
        request = ges_pb2.RaiseRequest(battle_id=battle_id, guid=guid_of("ping"), raise_id="r")
        await client.ges.RaiseRepeating(ges_pb2.RaiseRepeatingRequest(request=request, interval_ms=1, count=-1))
        advance = ges_pb2.AdvanceClockRequest(battle_id=battle_id, ms=86_400_000)
        with pytest.raises(grpc.RpcError) as refused:
            await client.ges.AdvanceClock(advance)
        assert (refused.value.code(), reason_of(refused.value)) == (EXHAUSTED, "TOO_MANY_RAISES")
        assert (await client.variables(battle_id))["ping"] == 100
        advance.ms = 50
        advanced = await client.ges.AdvanceClock(advance)
        assert (len(advanced.updates), advanced.now_ms) == (50, 150)


async def test_repeating_raises_on_the_servers_clock_are_limited_together() -> None:
    async with local_server(repeats_per_second=150) as (_, client):
        battle_id = await client.start(json.dumps(weather()))
        request = ges_pb2.RaiseRequest(battle_id=battle_id, guid=guid_of("ping"))
        for interval, raise_id in ((10, "a"), (20, "b")):
            request.raise_id = raise_id
            await client.ges.RaiseRepeating(
                ges_pb2.RaiseRepeatingRequest(request=request, interval_ms=interval, count=-1)
            )
        request.raise_id = "c"
        third = ges_pb2.RaiseRepeatingRequest(request=request, interval_ms=1_000, count=-1)
        with pytest.raises(grpc.RpcError) as refused:
            await client.ges.RaiseRepeating(third)
        assert (refused.value.code(), reason_of(refused.value)) == (EXHAUSTED, "TOO_MANY_REPEATS")
        await client.ges.Cancel(ges_pb2.CancelRequest(battle_id=battle_id, raise_id="b"))
        assert (await client.ges.RaiseRepeating(third)).result == SCHEDULED


def test_r6_6_the_battle_is_over(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    delay(gcs_client, request_of(battle, "ping", "p"), 100)
    battle.concede()
    assert battle.advance_clock(1_000) == []
    assert delay(gcs_client, request_of(battle, "ping", "q"), 1).result == ges_pb2.RAISE_RESULT_NO_BATTLE


def test_r8_2_a_replay_over_the_wire_holds_what_landed(gcs_client: Client) -> None:
    battle = begin(gcs_client, seed=5)
    battle.raise_event(guid_of("thunder"), payload(4))
    delay(gcs_client, request_of(battle, "ping", "p"), 120)
    battle.advance_clock(400)
    battle.end_turn()
    replay = gcs_client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=battle.battle_id))
    kinds = [step.WhichOneof("kind") for step in replay.steps]
    assert kinds == ["raise_event", "advance_ms", "advance_ms", "raise_event", "advance_ms", "action"]
    again = begin(gcs_client, seed=5)
    for step in replay.steps:
        kind = step.WhichOneof("kind")
        if kind == "raise_event":
            raised = step.raise_event
            again.raise_event(raised.guid, raised.arg)
        elif kind == "advance_ms":
            again.advance_clock(step.advance_ms)
        else:
            again.act(step.action)
    assert again.mirror.events == battle.mirror.events


@pytest.mark.parametrize(
    ("delay_ms", "interval", "count", "raise_id", "field"),
    [
        (-1, None, None, "x", "delay_ms"),
        (86_400_001, None, None, "x", "delay_ms"),
        (1, None, None, "", "request.raise_id"),
        (1, None, None, "x" * 129, "request.raise_id"),
        (None, 0, 1, "x", "interval_ms"),
        (None, 1, 0, "x", "count"),
        (None, 1, -2, "x", "count"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(
    gcs_client: Client, delay_ms: int | None, interval: int | None, count: int | None, raise_id: str, field: str
) -> None:
    request = request_of(begin(gcs_client), "ping", raise_id)

    def call() -> None:
        if delay_ms is not None:
            delay(gcs_client, request, delay_ms)
        else:
            repeat(gcs_client, request, interval or 0, count or 0)

    with pytest.raises(grpc.RpcError) as refused:
        call()
    assert reason_of(refused.value) == "INVALID_FIELD"
    assert field in str(refused.value)


def test_only_so_many_can_be_scheduled(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    for number in range(1_000):
        delay(gcs_client, request_of(battle, "ping", f"p{number}"), 86_400_000)
    with pytest.raises(grpc.RpcError) as refused:
        delay(gcs_client, request_of(battle, "ping", "one more"), 1)
    assert (refused.value.code(), reason_of(refused.value)) == (
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        "TOO_MANY_SCHEDULED",
    )
    assert cancel(gcs_client, battle, "p7") == 1
    assert delay(gcs_client, request_of(battle, "ping", "one more"), 1).result == SCHEDULED


def test_the_real_clock_cannot_be_advanced(gcs_client: Client) -> None:
    battle = gcs_client.start(weather(), "fight", manual_clock=False)
    with pytest.raises(grpc.RpcError) as refused:
        battle.advance_clock(1)
    assert (refused.value.code(), reason_of(refused.value)) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "NO_MANUAL_CLOCK",
    )


def test_with_the_real_clock_it_lands_by_itself(gcs_client: Client) -> None:
    """Whoever watches is told; nobody has to do anything."""
    battle = gcs_client.start(weather(), "fight", manual_clock=False)
    watching = gcs_client.battles.Watch(service_pb2.WatchRequest(battle_id=battle.battle_id), timeout=20)
    next(watching)
    battle.raise_event(guid_of("thunder"), payload(1))
    delay(gcs_client, request_of(battle, "ping", "p"), 1)
    repeat(gcs_client, request_of(battle, "pong", "q"), 1, 3)
    seen: list[str] = []
    while len(seen) < 7:
        seen += told([next(watching).update])
    watching.cancel()
    assert sorted(seen) == ["flash", "flash", "ping", "pong", "pong", "pong", "thunder"]


def test_an_action_made_for_the_state_before_a_landing_is_stale(gcs_client: Client) -> None:
    battle = begin(gcs_client)
    delay(gcs_client, request_of(battle, "ping", "p"), 10)
    version = battle.mirror.version
    battle.advance_clock(10)
    with pytest.raises(Exception, match="STALE_STATE"):
        battle.act(battle_pb2.Action(end_turn=battle_pb2.EndTurn(), state_version=version))


def test_a_unary_client_takes_in_what_came_between_its_actions(gcs_client: Client) -> None:
    """Between two calls something may become due, or somebody else may act: the next update is not the next version."""
    battle = begin(gcs_client)
    delay(gcs_client, request_of(battle, "ping", "p"), 100)
    gcs_client.ges.AdvanceClock(ges_pb2.AdvanceClockRequest(battle_id=battle.battle_id, ms=100))
    battle.end_turn()
    assert battle.state.variables["ping"] == 1
    now = gcs_client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle.battle_id, last_sequence=0)).update
    assert (battle.state, battle.mirror.events) == (now.snapshot, list(now.events))
