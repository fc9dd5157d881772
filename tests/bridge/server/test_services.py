"""The other methods of the services."""

from __future__ import annotations

import json
import threading

import grpc
import pytest

from bridge.pb.gcs.v1 import battle_pb2, content_pb2, ges_pb2, service_pb2
from bridge.testing.client import Client, reason_of
from bridge.testing.mirror import Mirror
from runtime.battle import start_battle
from runtime.bots import make_bot, play_out
from runtime.loading import encounter_of, load_content
from tests.bridge.packs import GUIDS, PAYLOADS, wire_pack


def test_an_ended_battle_is_gone(gcs_client: Client) -> None:
    """R3.8: aborted, no Entry."""
    battle = gcs_client.start(wire_pack(), "fight")
    watching = gcs_client.battles.Watch(service_pb2.WatchRequest(battle_id=battle.battle_id))
    mirror = Mirror()
    mirror.take(next(watching).update)
    last = gcs_client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id=battle.battle_id)).update
    assert last.snapshot.outcome == battle_pb2.OUTCOME_ABORTED
    update = next(watching).update
    assert [event.WhichOneof("kind") for event in update.events] == ["action_started", "battle_ended"]
    mirror.take(update)
    assert mirror.state == last.snapshot
    with pytest.raises(grpc.RpcError) as gone:
        next(watching)
    assert reason_of(gone.value) == "UNKNOWN_BATTLE"
    with pytest.raises(grpc.RpcError) as refused:
        battle.end_turn()
    assert reason_of(refused.value) == "UNKNOWN_BATTLE"


def test_watchers_see_what_the_player_does(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", player={"hp": 5_000})
    request = service_pb2.WatchRequest(battle_id=battle.battle_id)
    watching = [gcs_client.battles.Watch(request) for _ in range(3)]
    mirrors = [Mirror() for _ in watching]
    for mirror, stream in zip(mirrors, watching, strict=True):
        mirror.take(next(stream).update)
    for _ in range(5):
        battle.end_turn()
        for mirror, stream in zip(mirrors, watching, strict=True):
            mirror.take(next(stream).update)
            assert mirror.state == battle.state
            assert mirror.events == battle.mirror.events
    for stream in watching:
        stream.cancel()


def test_battles_are_listed_page_by_page(gcs_client: Client) -> None:
    started = {gcs_client.start(battle_id=f"listed-{number}").battle_id for number in range(5)}
    found: list[service_pb2.BattleSummary] = []
    token = ""
    while True:
        page = gcs_client.battles.ListBattles(service_pb2.ListBattlesRequest(page_size=2, page_token=token))
        assert len(page.battles) <= 2
        found += page.battles
        token = page.next_page_token
        if not token:
            break
    ids = [battle.battle_id for battle in found]
    assert ids == sorted(set(ids))
    assert started <= set(ids)
    listed = next(battle for battle in found if battle.battle_id == "listed-3")
    assert (listed.pack, listed.encounter, listed.turn, listed.state_version) == ("starter", "first_fight", 1, 1)


def test_a_replay_holds_what_reached_the_battle(gcs_client: Client) -> None:
    """R8.2: seed, rules, overrides and every accepted action and raise, in order."""
    battle = gcs_client.start(wire_pack(), "fight", seed=21, deck=["vote", "shield", "hit"], shuffle=False)
    battle.play("vote")
    with pytest.raises(Exception, match="CHOICE_PENDING"):
        battle.play("shield")
    battle.raise_event(GUIDS["struct"], PAYLOADS["struct"])
    battle.choose(option=1)
    battle.end_turn()
    replay = gcs_client.battles.GetReplay(service_pb2.GetReplayRequest(battle_id=battle.battle_id))
    kinds = [step.WhichOneof("kind") for step in replay.steps]
    assert kinds == ["action", "raise_event", "action", "action"]
    assert (replay.start.seed, replay.start.rules) == (21, battle_pb2.RULES_DOCUMENTED)
    replay.start.battle_id = ""
    again = gcs_client.battles.StartBattle(replay.start).update
    for step in replay.steps:
        if step.WhichOneof("kind") == "action":
            act = service_pb2.ActRequest(battle_id=again.battle_id, action=step.action)
            assert not gcs_client.battles.Act(act).HasField("rejection")
        else:
            raised = step.raise_event
            gcs_client.ges.Raise(ges_pb2.RaiseRequest(battle_id=again.battle_id, guid=raised.guid, arg=raised.arg))
    request = service_pb2.GetBattleRequest(battle_id=again.battle_id, last_sequence=0)
    replayed = gcs_client.battles.GetBattle(request).update
    assert list(replayed.events) == battle.mirror.events
    replayed.snapshot.battle_id = battle.battle_id
    assert replayed.snapshot == battle.state


def test_a_preview_tells_cost_text_and_reason(gcs_client: Client) -> None:
    """R4.9: a dry run of the hooks, and nothing has changed."""
    battle = gcs_client.start("starter", "first_fight", deck=["mallet", "strike", "strike"], shuffle=False)

    def preview(card: str, target: str = "") -> service_pb2.PreviewResponse:
        request = service_pb2.PreviewRequest(battle_id=battle.battle_id, card=card, target=target)
        return gcs_client.battles.Preview(request)

    mallet, strike, _ = battle.hand
    assert (preview(strike.id).text, preview(strike.id).playable) == ("Deal 6 damage.", True)
    battle.play(mallet.id, "enemy0")
    assert preview(strike.id, "enemy0").text == "Deal 9 damage."
    before = battle.state.units[1].hp
    battle.play(strike.id, "enemy0")
    assert before - battle.state.units[1].hp == 9
    last = preview(battle.hand[0].id, "enemy0")
    assert (last.playable, last.unplayable_reason) == (False, battle_pb2.REJECTION_REASON_NOT_ENOUGH_ENERGY)
    assert last.cost == 1
    assert last.message
    for card, target in (("c99", ""), (battle.hand[0].id, "enemy9")):
        with pytest.raises(grpc.RpcError) as refused:
            preview(card, target)
        assert reason_of(refused.value) == "INVALID_FIELD"


@pytest.mark.parametrize(("bot", "battles"), [("random", 40), ("greedy", 3)])
def test_simulated_battles_go_as_in_process(gcs_client: Client, bot: str, battles: int) -> None:
    start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight", seed=2**64 - 2)
    request = service_pb2.SimulateRequest(start=start, bot=bot, battle_count=battles)
    played: list[service_pb2.SimulatedBattle] = []
    for progress in gcs_client.battles.Simulate(request):
        played += progress.battles
        assert (progress.done, progress.total) == (len(played), battles)
    content = load_content("starter")
    encounter = encounter_of(content, "first_fight")
    for index in (0, 1, 2, battles - 1):
        seed = (2**64 - 2 + index) % 2**64
        player = make_bot(bot, seed)
        battle = start_battle(content, encounter, seed=seed, agent=player, logging=False)
        play_out(battle, player)
        result = played[index]
        assert (result.seed, result.turns, result.hp) == (seed, battle.turn, battle.player.hp)


@pytest.mark.parametrize(("bot", "battles"), [("clever", 1), ("random", 0), ("random", 10**9)])
def test_a_wrong_simulation_is_refused(gcs_client: Client, bot: str, battles: int) -> None:
    start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight")
    with pytest.raises(grpc.RpcError) as refused:
        list(gcs_client.battles.Simulate(service_pb2.SimulateRequest(start=start, bot=bot, battle_count=battles)))
    assert reason_of(refused.value) == "INVALID_FIELD"


def test_clients_are_served_while_battles_are_simulated(gcs_client: Client) -> None:
    start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight")
    request = service_pb2.SimulateRequest(start=start, bot="greedy", battle_count=100_000)
    call = gcs_client.battles.Simulate(request)
    next(call)
    battle = gcs_client.start(player={"hp": 5_000})
    for _ in range(5):
        battle.end_turn()
    assert next(call).done >= 2
    call.cancel()


def test_listeners_hear_what_is_raised_with_its_origin(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["shout", "vote"], shuffle=False)
    other = gcs_client.start(wire_pack(), "fight")
    hearing = gcs_client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id, guids=[GUIDS["int"].upper()]))
    hearing_all = gcs_client.ges.Listen(ges_pb2.ListenRequest())
    for call in (hearing, hearing_all):
        call.initial_metadata()
    other.raise_event(GUIDS["bool"], PAYLOADS["bool"], raise_id="elsewhere")
    battle.raise_event(GUIDS["none"], raise_id="not-heard")
    battle.play("shout")
    battle.play("vote")
    battle.raise_event(GUIDS["int"], PAYLOADS["int"], raise_id="queued")
    battle.choose(option=0)
    first, second = next(hearing), next(hearing)
    assert (first.raised.from_battle, first.raise_id, first.raised.arguments[0].value.int_value) == (True, "", 3)
    assert (second.raised.from_battle, second.raise_id) == (False, "queued")
    assert second.sequence > first.sequence
    event = battle.mirror.events[first.sequence - 1]
    assert event.ges_event_raised == first.raised
    heard = [next(hearing_all) for _ in range(4)]
    assert [one.raise_id for one in heard] == ["elsewhere", "not-heard", "", "queued"]
    assert [one.battle_id for one in heard] == [other.battle_id, *[battle.battle_id] * 3]
    for call in (hearing, hearing_all):
        call.cancel()


def test_the_events_of_a_pack_are_listed(gcs_client: Client) -> None:
    events = gcs_client.ges.ListEvents(ges_pb2.ListEventsRequest(pack="starter")).events
    thunder = next(event for event in events if event.id == "thunder")
    assert (thunder.guid, thunder.argument) == ("2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b", "int")


def test_a_pack_tells_what_a_scene_draws(gcs_client: Client) -> None:
    pack = gcs_client.content.GetPack(content_pb2.GetPackRequest(pack="starter"))
    content = load_content("starter")
    assert pack.content_hash == content.hash
    assert [card.id for card in pack.cards] == list(content.cards)
    strike = next(card for card in pack.cards if card.id == "strike")
    assert (strike.text, strike.cost, strike.target, strike.upgrade) == ("Deal 6 damage.", 1, "enemy", "strike_plus")
    assert json.loads(strike.extra_json) == content.cards["strike"].asset.extra
    worm = next(enemy for enemy in pack.enemies if enemy.id == "lugworm")
    assert 0 < worm.hp_low <= worm.hp_high
    assert {encounter.id for encounter in pack.encounters} == set(content.pack.encounters)
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.content.GetPack(content_pb2.GetPackRequest(pack="nowhere"))
    assert reason_of(refused.value) == "UNKNOWN_PACK"


def test_packs_are_listed_and_read_anew(gcs_client: Client) -> None:
    packs = gcs_client.content.ListPacks(content_pb2.ListPacksRequest()).packs
    starter = next(pack for pack in packs if pack.id == "starter")
    assert (starter.error_count, starter.content_hash) == (0, load_content("starter").hash)
    assert "first_fight" in starter.encounters
    again = gcs_client.content.Reload(content_pb2.ReloadRequest(pack="starter")).packs
    assert list(again) == [starter]


def test_the_catalog_lists_all_nodes(gcs_client: Client) -> None:
    catalog = json.loads(gcs_client.content.GetCatalog(content_pb2.GetCatalogRequest()).catalog_json)
    nodes = {node["type"]: node for node in catalog["nodes"]}
    assert {"on_card_played", "deal_damage", "leaf_intent"} <= set(nodes)
    assert {"type", "name", "kinds", "inputs", "outputs", "params"} <= set(nodes["deal_damage"])


def test_every_problem_of_a_pack_is_a_response(gcs_client: Client, tight_client: Client) -> None:
    pack = wire_pack()
    pack["cards"][0]["cost"] = -1
    pack["cards"][1]["colour"] = "red"
    response = gcs_client.content.Check(content_pb2.CheckRequest(pack_json=json.dumps(pack)))
    found = {(problem.severity, problem.path) for problem in response.problems}
    assert {
        (content_pb2.SEVERITY_ERROR, "$.cards[0].cost"),
        (content_pb2.SEVERITY_ERROR, "$.cards[1].colour"),
    } <= found
    starter = gcs_client.content.Check(content_pb2.CheckRequest(pack="starter"))
    assert not [problem for problem in starter.problems if problem.severity == content_pb2.SEVERITY_ERROR]
    with pytest.raises(grpc.RpcError) as refused:
        tight_client.content.Check(content_pb2.CheckRequest(pack_json="{}"))
    assert reason_of(refused.value) == "INLINE_PACKS_NOT_ALLOWED"


def test_several_clients_at_once(gcs_client: Client) -> None:
    """One action of a battle at a time, whoever sends it."""
    battle = gcs_client.start(wire_pack(), "fight", player={"hp": 50_000})
    request = service_pb2.ActRequest(
        battle_id=battle.battle_id, action=battle_pb2.Action(end_turn=battle_pb2.EndTurn())
    )
    updates: list[object] = []

    def play() -> None:
        updates.extend(gcs_client.battles.Act(request).update for _ in range(10))

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    mirror = battle.mirror
    for update in sorted(updates, key=lambda update: update.state_version):  # type: ignore[attr-defined]
        mirror.take(update)  # type: ignore[arg-type]
    assert (mirror.state.turn, mirror.version) == (41, 41)
