"""The stream of a battle."""

from __future__ import annotations

import threading

import grpc
import pytest

from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.testing.client import Client, reason_of
from bridge.testing.mirror import Mirror
from bridge.testing.process import ServerProcess
from tests.bridge.packs import wire_pack
from tests.bridge.streams import PlayStream, join

END_TURN = battle_pb2.EndTurn()


def test_join_then_actions_up_and_changes_down(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["shield"] * 6)
    with PlayStream(gcs_client, join(battle.battle_id)) as stream:
        mirror = Mirror()
        mirror.take(stream.update())
        assert mirror.state == battle.state
        stream.act("one", play_card=battle_pb2.PlayCard(card=battle.hand[0].id))
        update = stream.update()
        assert (update.action_id, update.state_version) == ("one", 2)
        assert update.events[0].action_started.action_id == "one"
        mirror.take(update)
        assert mirror.state.units[0].armor == 5
        stream.act("two", play_card=battle_pb2.PlayCard(card="c99"))
        assert stream.next().rejection.action_id == "two"
        stream.send(request_snapshot=service_pb2.RequestSnapshot())
        assert stream.update().snapshot == mirror.state
        stream.close_send()
        assert stream.rest() == []
        assert stream.call.code() == grpc.StatusCode.OK


def test_start_and_join_in_one_go(gcs_client: Client) -> None:
    start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight", seed=5)
    request = service_pb2.JoinBattle(battle_id="in-one-go", start=start)
    with PlayStream(gcs_client, request) as stream:
        update = stream.update()
        assert (update.battle_id, update.snapshot.turn, update.first_sequence) == ("in-one-go", 1, 1)
    with PlayStream(gcs_client, request) as stream:
        assert stream.update() == update


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (service_pb2.PlayRequest(), "INVALID_FIELD"),
        (service_pb2.PlayRequest(request_snapshot=service_pb2.RequestSnapshot()), "INVALID_FIELD"),
        (service_pb2.PlayRequest(join=join("nowhere")), "UNKNOWN_BATTLE"),
    ],
)
def test_a_stream_that_does_not_join_is_refused(
    gcs_client: Client, request_: service_pb2.PlayRequest, reason: str
) -> None:
    call = gcs_client.battles.Play(iter([request_]))
    with pytest.raises(grpc.RpcError) as refused:
        next(call)
    assert reason_of(refused.value) == reason


def test_two_clients_see_the_same_in_the_same_order(gcs_server: ServerProcess) -> None:
    with Client(gcs_server.address) as one, Client(gcs_server.address) as two:
        battle = one.start(wire_pack(), "fight", deck=["shield"] * 6, player={"hp": 50_000})
        with PlayStream(one, join(battle.battle_id)) as first, PlayStream(two, join(battle.battle_id)) as second:
            # Both have joined before the first action: who joins later gets what came before in one update.
            assert first.update() == second.update()
            seen: list[list[bytes]] = [[], []]

            def listen(index: int, stream: PlayStream) -> None:
                seen[index] = [stream.update().SerializeToString(deterministic=True) for _ in range(40)]

            threads = [threading.Thread(target=listen, args=pair) for pair in enumerate((first, second))]
            for thread in threads:
                thread.start()
            for number in range(20):
                first.act(f"first-{number}", end_turn=END_TURN)
                second.act(f"second-{number}", end_turn=END_TURN)
            for thread in threads:
                thread.join(timeout=20)
            assert len(seen[0]) == 40
            assert seen[0] == seen[1]


def test_a_lost_stream_is_taken_up_again(gcs_client: Client) -> None:
    """Nothing missing, nothing twice: by battle id and last sequence number."""
    battle = gcs_client.start(wire_pack(), "fight", deck=["shield"] * 6, player={"hp": 5_000})
    mirror = Mirror()
    with PlayStream(gcs_client, join(battle.battle_id)) as stream:
        mirror.take(stream.update())
        stream.act("one", end_turn=END_TURN)
        update = stream.update()
        mirror.take(update)
        battle.mirror.take(update)
        stream.call.cancel()
    battle.end_turn()
    battle.end_turn()
    with PlayStream(gcs_client, join(battle.battle_id, mirror.last_sequence)) as stream:
        mirror.take(stream.update())
        assert mirror.version == 4
        stream.act("one", end_turn=END_TURN)
        repeated = stream.update()
        assert (repeated.action_id, len(repeated.events), repeated.WhichOneof("state")) == ("one", 0, None)
        stream.act("two", end_turn=END_TURN)
        mirror.take(stream.update())
    now = gcs_client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle.battle_id, last_sequence=0)).update
    assert mirror.state == now.snapshot
    assert mirror.events == list(now.events)


def test_events_that_are_gone_are_a_typed_error(tight_client: Client) -> None:
    battle = tight_client.start(battle_id="gone", player={"hp": 5_000})
    for _ in range(8):
        battle.end_turn()
    with PlayStream(tight_client, join("gone", 2)) as stream:
        with pytest.raises(grpc.RpcError) as refused:
            stream.next()
        assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.OUT_OF_RANGE, "EVENTS_GONE")
    with PlayStream(tight_client, join("gone")) as stream:
        update = stream.update()
        assert update.first_sequence > 1
        assert list(update.events) == battle.mirror.events[update.first_sequence - 1 :]


def test_more_streams_than_allowed(tight_client: Client) -> None:
    tight_client.start(battle_id="streams")
    with PlayStream(tight_client, join("streams")) as one, PlayStream(tight_client, join("streams")) as two:
        one.next()
        two.next()
        with PlayStream(tight_client, join("streams")) as three, pytest.raises(grpc.RpcError) as refused:
            three.next()
        assert reason_of(refused.value) == "TOO_MANY_STREAMS"


def test_a_killed_client_leaves_no_stream_behind(tight_server: ServerProcess) -> None:
    """Streams of one battle are counted, and those that are gone are not."""
    with Client(tight_server.address) as client:
        client.start(battle_id="killed")
    for _ in range(5):
        with Client(tight_server.address) as client:
            stream = PlayStream(client, join("killed"))
            stream.next()
            # The connection goes without a word, as it does when the process is killed.
            client.channel.close()
    with Client(tight_server.address) as client, PlayStream(client, join("killed")) as stream:
        assert stream.update().snapshot.battle_id == "killed"


def test_a_slow_reader_is_cut_off_and_holds_nobody_up(tight_server: ServerProcess) -> None:
    # A client whose window never grows takes 64 KB ahead of what it reads.
    options = [("grpc.http2.lookahead_bytes", 65_535), ("grpc.http2.bdp_probe", 0)]
    with Client(tight_server.address) as quick, Client(tight_server.address, options=options) as slow:
        battle = quick.start(battle_id="slow", player={"hp": 2_000_000_000})
        with PlayStream(slow, join("slow")) as reading:
            assert reading.update().snapshot.battle_id == "slow"
            for _ in range(400):
                battle.end_turn()
            with pytest.raises(grpc.RpcError) as refused:
                reading.rest()
        assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SLOW_READER")
        assert battle.state.turn == 401
