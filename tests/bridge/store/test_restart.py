"""Issue "The process", 5: what a restarted server still has. It is killed each time, never stopped."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest

from bridge.pb.gcs.v1 import battle_pb2, ges_pb2, service_pb2
from bridge.testing.client import Client, reason_of
from bridge.testing.mirror import Mirror
from tests.bridge.packs import GUIDS, wire_pack
from tests.bridge.store.servers import KeptServer
from tests.bridge.streams import PlayStream, join

END_TURN = battle_pb2.EndTurn()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "battles.db"


def look(client: Client, battle_id: str, after: int = 0) -> Any:
    request = service_pb2.GetBattleRequest(battle_id=battle_id, last_sequence=after)
    return client.battles.GetBattle(request, timeout=client.seconds).update


def act(client: Client, battle_id: str, action_id: str, **kind: Any) -> Any:
    action = battle_pb2.Action(action_id=action_id, **kind)
    return client.battles.Act(service_pb2.ActRequest(battle_id=battle_id, action=action), timeout=client.seconds)


def listed(client: Client) -> dict[str, service_pb2.BattleSummary]:
    request = service_pb2.ListBattlesRequest()
    return {one.battle_id: one for one in client.battles.ListBattles(request, timeout=client.seconds).battles}


def test_a_battle_is_what_it_was(path: Path) -> None:
    """State, versions, events and the seed that the server drew; the battle is listed before it is loaded."""
    with KeptServer(path) as server:
        battle = server.client.start("starter", "first_fight", player={"max_hp": 500, "hp": 500})
        battle.end_turn()
        battle.end_turn()
        before = look(server.client, battle.battle_id)
        summary = listed(server.client)
        server.kill()
    with KeptServer(path) as server:
        assert listed(server.client) == summary
        assert look(server.client, battle.battle_id) == before
        assert look(server.client, battle.battle_id, before.last_sequence - 3).events == before.events[-3:]
        act(server.client, battle.battle_id, "", concede=battle_pb2.Concede())
        replay = server.client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=battle.battle_id))
        actions = [step.action.WhichOneof("kind") for step in replay.steps if step.HasField("action")]
        assert actions == ["end_turn", "end_turn", "concede"]
        over = look(server.client, battle.battle_id)
        server.kill()
    # Also one that is over, until it is dropped.
    with KeptServer(path) as server:
        assert look(server.client, battle.battle_id) == over


def test_r5_7_an_open_choice_waits_for_its_answer(path: Path) -> None:
    with KeptServer(path) as server:
        battle = server.client.start(wire_pack(), "fight", deck=["seek"] + ["hit"] * 9, shuffle=False)
        battle.play("seek")
        # Behind the choice.
        queued = battle.raise_event(GUIDS["int"], ges_pb2.Payload(int_value=4), raise_id="r1")
        assert queued.result == ges_pb2.RAISE_RESULT_QUEUED
        before = look(server.client, battle.battle_id)
        assert before.snapshot.choice.kind == "card"
        server.kill()
    with KeptServer(path) as server:
        assert look(server.client, battle.battle_id) == before
        picked = before.snapshot.choice.cards[0]
        answer = battle_pb2.AnswerChoice(cards=[picked])
        update = act(server.client, battle.battle_id, "answer", answer_choice=answer).update
        kinds = [event.WhichOneof("kind") for event in update.events]
        assert kinds.index("choice_answered") < kinds.index("ges_event_raised")
        state = look(server.client, battle.battle_id).snapshot
        assert [card.pile for card in state.cards if card.id == picked] == [battle_pb2.PILE_HAND]
        assert state.variables["int"] == 1


def test_an_action_and_a_raise_sent_again_count_once(path: Path) -> None:
    with KeptServer(path) as server:
        battle = server.client.start(wire_pack(), "fight", battle_id="again")
        done = act(server.client, "again", "one", end_turn=END_TURN)
        raised = battle.raise_event(GUIDS["int"], ges_pb2.Payload(int_value=4), raise_id="r1")
        before = look(server.client, "again")
        server.kill()
    with KeptServer(path) as server:
        repeated = act(server.client, "again", "one", end_turn=END_TURN).update
        assert repeated.events == done.update.events
        assert repeated.state_version == before.state_version
        request = ges_pb2.RaiseRequest(
            battle_id="again", guid=GUIDS["int"], arg=ges_pb2.Payload(int_value=4), raise_id="r1"
        )
        answered = server.client.ges.Raise(request, timeout=server.client.seconds)
        assert (answered.result, answered.receivers) == (raised.result, raised.receivers)
        # A start sent again starts no second battle, and another one of its id is refused.
        same = server.client.start(wire_pack(), "fight", battle_id="again")
        assert same.mirror.state == before.snapshot
        with pytest.raises(grpc.RpcError) as refused:
            server.client.start(wire_pack(), "fight", battle_id="again", seed=1)
        assert reason_of(refused.value) == "BATTLE_EXISTS"
        assert look(server.client, "again") == before


def test_a_stream_is_taken_up_by_its_last_sequence(path: Path) -> None:
    with KeptServer(path) as server:
        battle = server.client.start(wire_pack(), "fight", deck=["shield"] * 8)
        with PlayStream(server.client, join(battle.battle_id)) as stream:
            mirror = Mirror()
            mirror.take(stream.update())
            stream.act("one", end_turn=END_TURN)
            mirror.take(stream.update())
            # Done, and not heard of by this client.
            act(server.client, battle.battle_id, "two", end_turn=END_TURN)
            server.kill()
    with (
        KeptServer(path) as server,
        PlayStream(server.client, join(battle.battle_id, mirror.last_sequence)) as stream,
    ):
        mirror.take(stream.update())
        stream.act("two", end_turn=END_TURN)
        assert not stream.update().events
        stream.act("three", end_turn=END_TURN)
        mirror.take(stream.update())
        whole = look(server.client, battle.battle_id)
        assert mirror.events == list(whole.events)
        assert mirror.state == whole.snapshot


def test_the_order_of_the_draw_pile_stays_hidden(path: Path) -> None:
    with KeptServer(path) as server:
        hidden = server.client.start("starter", "first_fight")
        opened = server.client.start("starter", "first_fight", open_draw_pile=True)
        shown = look(server.client, opened.battle_id)
        server.kill()
    with KeptServer(path) as server:
        with pytest.raises(grpc.RpcError) as refused:
            server.client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=hidden.battle_id))
        assert reason_of(refused.value) == "BATTLE_RUNNING"
        state = look(server.client, hidden.battle_id).snapshot
        assert not state.seed
        draw = next(pile for pile in state.piles if pile.pile == battle_pb2.PILE_DRAW)
        assert draw.size == 5
        assert not draw.cards
        assert look(server.client, opened.battle_id) == shown


def test_a_battle_keeps_the_content_that_it_was_started_with(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(Path(__file__).parents[3] / "packs" / "reference", folder)
    info = msgspec.json.decode((folder / "pack.json").read_bytes())
    (folder / "pack.json").write_bytes(msgspec.json.encode({**info, "id": "mine"}))
    strike = folder / "cards" / "strike.json"
    with KeptServer(path, packs=(folder,)) as server:
        battle = server.client.start("mine", "reference")
        before = look(server.client, battle.battle_id)
        server.kill()
    changed = msgspec.json.decode(strike.read_bytes())
    changed["cost"] = 3
    strike.write_bytes(msgspec.json.encode(changed))
    with KeptServer(path, packs=(folder,)) as server:
        assert look(server.client, battle.battle_id) == before
        costs = [card.cost for card in server.client.start("mine", "reference").hand if card.card_id == "strike"]
        assert set(costs) == {3}
        server.kill()
    # And when it is not there at all.
    with KeptServer(path) as server:
        assert look(server.client, battle.battle_id) == before


def test_r6_6_events_that_are_switched_off_stay_off(path: Path) -> None:
    with KeptServer(path) as server:
        battle = server.client.start(wire_pack(), "fight")
        request = ges_pb2.SetDatabaseActiveRequest(pack="wire", active=False)
        assert server.client.ges.SetDatabaseActive(request).was_active
        server.kill()
    raised = ges_pb2.RaiseRequest(battle_id=battle.battle_id, guid=GUIDS["none"])
    with KeptServer(path) as server:
        # Before the battle is loaded, and after.
        assert not server.client.ges.SetDatabaseActive(request).was_active
        assert server.client.ges.Raise(raised).result == ges_pb2.RAISE_RESULT_DATABASE_INACTIVE
        on = ges_pb2.SetDatabaseActiveRequest(pack="wire", active=True)
        assert not server.client.ges.SetDatabaseActive(on).was_active
        server.kill()
    with KeptServer(path) as server:
        assert server.client.ges.Raise(raised).result == ges_pb2.RAISE_RESULT_DISPATCHED
        server.client.ges.SetDatabaseActive(request)
        server.kill()
    with KeptServer(path) as server:
        # Switched while nobody has asked for the battle.
        server.client.ges.SetDatabaseActive(on)
        assert server.client.ges.Raise(raised).result == ges_pb2.RAISE_RESULT_DISPATCHED


def test_a_caller_that_names_itself_still_has_its_battles(path: Path) -> None:
    mine = [("gcs-caller", "me")]
    start = service_pb2.StartBattleRequest(battle_id="mine", pack_json=msgspec.json.encode(wire_pack()).decode())
    start.encounter = "fight"
    with KeptServer(path) as server:
        server.client.battles.StartBattle(start, metadata=mine)
        server.client.start(wire_pack(), "fight", battle_id="anothers")
        server.kill()
    with KeptServer(path) as server:
        request = ges_pb2.RaiseRequest(guid=GUIDS["int"], arg=ges_pb2.Payload(int_value=4))
        response = server.client.ges.Raise(request, metadata=mine)
        assert [one.battle_id for one in response.battles] == ["mine"]


def test_an_ended_battle_is_gone_for_good(path: Path) -> None:
    with KeptServer(path) as server:
        battle = server.client.start("starter", "first_fight")
        server.client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battle.battle_id))
        server.kill()
    with KeptServer(path) as server:
        assert not listed(server.client)
        with pytest.raises(grpc.RpcError) as refused:
            look(server.client, battle.battle_id)
        assert reason_of(refused.value) == "UNKNOWN_BATTLE"
