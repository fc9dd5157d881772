"""Starting battles and playing them by unary calls; typed refusals."""

from __future__ import annotations

import grpc
import pytest

from bridge.pb.gcs.v1 import battle_pb2, service_pb2
from bridge.testing.client import ActionRejectedError, Client, ClientBattle, reason_of, violations_of
from bridge.testing.mirror import Mirror
from runtime.battle import EndTurn, PlayCard, act, entry_lines, read_events, start_battle
from runtime.loading import encounter_of, load_content
from tests.bridge.conftest import TIGHT
from tests.bridge.packs import wire_pack


def test_server_info_tells_versions_and_what_is_allowed(gcs_client: Client, tight_client: Client) -> None:
    info = gcs_client.battles.GetServerInfo(service_pb2.GetServerInfoRequest())
    assert (info.protocol_major, info.allow_inline_packs, info.allow_set_state) == (1, True, True)
    assert "starter" in info.packs
    tight = tight_client.battles.GetServerInfo(service_pb2.GetServerInfoRequest())
    assert (tight.allow_inline_packs, tight.allow_set_state) == (False, False)


def test_a_battle_over_grpc_has_the_entry_trace_of_the_runtime(gcs_client: Client) -> None:
    content = load_content("starter")
    battle = start_battle(content, encounter_of(content, "first_fight"), seed=11)
    remote = gcs_client.start(seed=11)
    for _ in range(4):
        for card in list(remote.hand):
            if remote.running and card.playable:
                number = int(card.id[1:])
                current = next((held for held in remote.hand if held.id == card.id), None)
                if current is None or not current.playable:
                    continue
                target = "enemy0" if card.targets else ""
                remote.play(card.id, target)
                assert act(battle, PlayCard(number, 1 if target else -1)) is None
        if remote.running:
            remote.end_turn()
            assert act(battle, EndTurn()) is None
    assert remote.all_entries() == entry_lines(read_events(battle), [unit.name for unit in battle.units])
    assert remote.state.units[1].hp == battle.units[1].hp


def test_an_inline_pack_and_overrides(gcs_client: Client) -> None:
    battle = gcs_client.start(
        wire_pack(),
        {"enemies": ["dummy"], "deck": "deck", "player": {"hp": 20}},
        player={"hp": 9, "armor": 4, "statuses": {"listener": 2}, "variables": {"luck": 3}},
        deck=["hit", "shield"],
        shuffle=False,
    )
    player = battle.state.units[0]
    assert (player.hp, player.armor, player.variables["luck"]) == (9, 4, 3)
    assert [(status.id, status.stacks) for status in player.statuses] == [("listener", 2)]
    assert [card.card_id for card in battle.hand] == ["hit", "shield"]


def test_cards_in_hand_tell_cost_reason_targets_keywords_and_live_text(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["hit", "stir", "burn"], shuffle=False)
    hit, stir, burn = battle.hand
    assert (hit.cost, hit.playable, list(hit.targets), hit.text) == (1, True, ["enemy0", "enemy1"], "Deal 6 damage.")
    assert (stir.playable, stir.unplayable_reason) == (False, battle_pb2.REJECTION_REASON_UNPLAYABLE)
    assert (list(burn.keywords), list(burn.targets)) == (["exhaust"], [])
    battle.set_state({"player.energy": 0})
    assert battle.hand[0].unplayable_reason == battle_pb2.REJECTION_REASON_NOT_ENOUGH_ENERGY


def test_a_start_sent_again_gives_the_same_battle(gcs_client: Client) -> None:
    first = gcs_client.start(battle_id="again-1", seed=3)
    first.end_turn()
    second = gcs_client.start(battle_id="again-1", seed=3)
    assert second.state == first.state
    assert second.mirror.events == first.mirror.events
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.start(battle_id="again-1", seed=4)
    assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.ALREADY_EXISTS, "BATTLE_EXISTS")


@pytest.mark.parametrize(
    ("fields", "code", "reason"),
    [
        ({"pack": "nowhere", "encounter": "x"}, grpc.StatusCode.NOT_FOUND, "UNKNOWN_PACK"),
        ({"pack": "../starter", "encounter": "x"}, grpc.StatusCode.NOT_FOUND, "UNKNOWN_PACK"),
        ({"pack": "starter", "encounter": "nowhere"}, grpc.StatusCode.NOT_FOUND, "UNKNOWN_ENCOUNTER"),
        ({"encounter": "first_fight"}, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
        ({"pack": "starter"}, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
        ({"pack_json": "{", "encounter": "x"}, grpc.StatusCode.INVALID_ARGUMENT, "BAD_CONTENT"),
        ({"pack": "starter", "encounter_json": "[]"}, grpc.StatusCode.INVALID_ARGUMENT, "BAD_CONTENT"),
        ({"battle_id": "a b", "pack": "starter"}, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
        ({"battle_id": "a" * 129, "pack": "starter"}, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
    ],
)
def test_a_wrong_start_is_refused_with_a_reason(
    gcs_client: Client, fields: dict[str, str], code: grpc.StatusCode, reason: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.battles.StartBattle(service_pb2.StartBattleRequest(**fields))
    assert (refused.value.code(), reason_of(refused.value)) == (code, reason)


@pytest.mark.parametrize(
    ("pack", "encounter", "message"),
    [
        ("startr", "first_fight", "no pack 'startr'; did you mean \"starter\"?"),
        ("nowhere", "first_fight", 'no pack \'nowhere\'; there is "reference" or "starter"'),
        ("starter", "first_fite", "no encounter 'first_fite' in the pack starter; did you mean \"first_fight\"?"),
        ("reference", "x", "no encounter 'x' in the pack reference; there is \"reference\""),
    ],
)
def test_an_unknown_name_is_told_with_those_that_there_are(
    gcs_client: Client, pack: str, encounter: str, message: str
) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.battles.StartBattle(service_pb2.StartBattleRequest(pack=pack, encounter=encounter))
    assert refused.value.details() == message


@pytest.mark.parametrize(
    ("fields", "violated"),
    [
        ({"rules": 77}, "rules"),
        ({"limits": service_pb2.Limits(depth=-1)}, "limits.depth"),
        ({"limits": service_pb2.Limits(nodes=10**9)}, "limits.nodes"),
        ({"player": {"hp": 0}}, "player.hp"),
        ({"player": {"statuses": {"nowhere": 1}}}, "player.statuses.nowhere"),
        ({"deck": ["strike", "nowhere"]}, "deck.cards[1]"),
    ],
)
def test_a_wrong_field_is_named(gcs_client: Client, fields: dict[str, object], violated: str) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.start(**fields)  # type: ignore[arg-type]
    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert violated in violations_of(refused.value)


def test_every_problem_of_an_inline_pack_is_told(gcs_client: Client) -> None:
    pack = wire_pack()
    pack["cards"][0]["cost"] = -1
    pack["cards"][1]["colour"] = "red"
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.start(pack, "fight")
    assert {"pack_json.cards[0].cost", "pack_json.cards[1].colour"} <= set(violations_of(refused.value))


def test_thousands_of_problems_fit_into_the_trailer(gcs_client: Client) -> None:
    pack = wire_pack()
    pack["cards"] += [{"id": f"bad{number}", "cost": -number - 1, "target": "none"} for number in range(3000)]
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.start(pack, "fight")
    assert reason_of(refused.value) == "BAD_CONTENT"
    assert "more problems" in "".join(violations_of(refused.value).values())


def _act(client: Client, battle_id: str, **fields: object) -> service_pb2.ActResponse:
    action = battle_pb2.Action(**fields)  # type: ignore[arg-type]
    return client.battles.Act(service_pb2.ActRequest(battle_id=battle_id, action=action))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "INVALID_ACTION"),
        ({"play_card": battle_pb2.PlayCard(card="c99")}, "UNKNOWN_CARD"),
        ({"play_card": battle_pb2.PlayCard(card="elephant")}, "UNKNOWN_CARD"),
        ({"play_card": battle_pb2.PlayCard(card="c0")}, "INVALID_TARGET"),
        ({"play_card": battle_pb2.PlayCard(card="c0", target="enemy9")}, "INVALID_TARGET"),
        ({"play_card": battle_pb2.PlayCard(card="c1")}, "UNPLAYABLE"),
        ({"answer_choice": battle_pb2.AnswerChoice(option=0)}, "NO_CHOICE_PENDING"),
        ({"set_state": battle_pb2.SetState(values={"player.wings": 2})}, "INVALID_ACTION"),
        ({"end_turn": battle_pb2.EndTurn(), "state_version": 7}, "STALE_STATE"),
    ],
)
def test_refusals_are_typed_and_change_nothing(gcs_client: Client, fields: dict[str, object], reason: str) -> None:
    """T3: a refused action changes nothing."""
    battle = gcs_client.start(wire_pack(), "fight", deck=["hit", "stir"], shuffle=False)
    response = _act(gcs_client, battle.battle_id, action_id="a", **fields)
    assert response.rejection.action_id == "a"
    assert battle_pb2.RejectionReason.Name(response.rejection.reason) == f"REJECTION_REASON_{reason}"
    assert response.rejection.message
    again = gcs_client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle.battle_id)).update
    assert (again.snapshot, again.state_version) == (battle.state, 1)


@pytest.mark.parametrize(
    "answer",
    [
        battle_pb2.AnswerChoice(),
        battle_pb2.AnswerChoice(cards=["c1"]),
        battle_pb2.AnswerChoice(cards=["c1"], option=0),
    ],
)
def test_r5_10_cards_answer_no_choice_of_options(gcs_client: Client, answer: battle_pb2.AnswerChoice) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["vote", "hit"], shuffle=False)
    battle.play("vote")
    with pytest.raises(ActionRejectedError, match="INVALID_CHOICE"):
        battle.act(battle_pb2.Action(answer_choice=answer))
    assert battle.state.HasField("choice")
    battle.choose(option=0)


def test_r5_10_an_option_answers_no_choice_of_cards(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["seek", *["hit"] * 9], shuffle=False, open_draw_pile=True)
    battle.play("seek")
    choice = battle.state.choice
    with pytest.raises(ActionRejectedError, match="INVALID_CHOICE"):
        battle.choose(option=0)
    with pytest.raises(ActionRejectedError, match="INVALID_CHOICE"):
        battle.choose(*choice.cards[: choice.min], option=0)
    assert battle.state.choice == choice
    battle.choose(*choice.cards[: choice.min])


def test_refusals_in_the_order_of_t3(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["vote", "hit"], shuffle=False)
    battle.play("vote")
    with pytest.raises(ActionRejectedError, match="CHOICE_PENDING"):
        battle.play("c99")
    with pytest.raises(ActionRejectedError, match="INVALID_CHOICE"):
        battle.choose(option=5)
    battle.choose(option=1)
    battle.concede()
    with pytest.raises(ActionRejectedError, match="BATTLE_OVER"):
        battle.play("c99")


def test_an_action_sent_again_counts_once(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["shield"] * 5)
    first = _act(gcs_client, battle.battle_id, action_id="x", end_turn=battle_pb2.EndTurn()).update
    battle.mirror.take(first)
    battle.play("shield")
    again = _act(gcs_client, battle.battle_id, action_id="x", end_turn=battle_pb2.EndTurn()).update
    assert list(again.events) == list(first.events)
    assert again.snapshot == battle.state
    assert again.state_version == battle.mirror.version == 3


def test_events_after_a_number(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight", deck=["shield"] * 5)
    battle.end_turn()
    for after in (0, 3, len(battle.mirror.events) - 1, len(battle.mirror.events)):
        request = service_pb2.GetBattleRequest(battle_id=battle.battle_id, last_sequence=after)
        update = gcs_client.battles.GetBattle(request).update
        assert list(update.events) == battle.mirror.events[after:]
        assert update.first_sequence == (after + 1 if update.events else 0)
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id=battle.battle_id, last_sequence=9999))
    assert reason_of(refused.value) == "UNKNOWN_SEQUENCE"


def test_an_unknown_battle_is_not_found(gcs_client: Client) -> None:
    with pytest.raises(grpc.RpcError) as refused:
        gcs_client.battles.GetBattle(service_pb2.GetBattleRequest(battle_id="nowhere"))
    assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_BATTLE")


def test_a_choice_is_asked_and_answered(gcs_client: Client) -> None:
    """R5.7."""
    battle = gcs_client.start(wire_pack(), "fight", deck=["vote", "hit"], shuffle=False)
    update = battle.play("vote")
    assert list(battle.state.choice.options) == ["armor", "nothing"]
    assert update.events[-1].choice_requested.choice == battle.state.choice
    assert battle.hand[0].unplayable_reason == battle_pb2.REJECTION_REASON_CHOICE_PENDING
    update = battle.choose(option=1)
    assert update.change.choice_closed
    assert not battle.state.HasField("choice")
    assert battle.state.units[0].armor == 1


def test_a_won_battle_tells_its_result(gcs_client: Client) -> None:
    """R3.7."""
    battle = gcs_client.start(wire_pack(), "fight", deck=["hit"] * 5)
    battle.set_state({"enemies.0.hp": 1, "enemies.1.hp": 1})
    battle.play("hit", "enemy0")
    update = battle.play("hit", "enemy1")
    result = battle.state.result
    assert (result.outcome, result.hp, list(result.reward.cards)) == (battle_pb2.OUTCOME_WON, 50, ["hit", "burn"])
    assert [event.battle_ended.result for event in update.events if event.HasField("battle_ended")] == [result]


def test_a_client_goes_on_from_a_snapshot_without_events(gcs_client: Client) -> None:
    begun = gcs_client.start(wire_pack(), "fight", deck=["shield"] * 5)
    begun.end_turn()
    request = service_pb2.GetBattleRequest(battle_id=begun.battle_id)
    battle = ClientBattle(gcs_client, gcs_client.battles.GetBattle(request).update)
    assert battle.mirror.last_sequence == begun.mirror.last_sequence
    assert battle.entries() == []
    played = battle.play("shield")
    assert battle.mirror.events == list(played.events)
    begun.end_turn()
    # What another client did comes with the next action.
    battle.end_turn()
    assert battle.mirror.events[0].sequence == played.first_sequence
    assert len(battle.mirror.events) == battle.mirror.last_sequence - played.first_sequence + 1


def test_a_battle_is_joined_by_its_id(gcs_client: Client) -> None:
    begun = gcs_client.start(wire_pack(), "fight", deck=["shield"] * 5)
    begun.play("shield")
    battle = gcs_client.join(begun.battle_id)
    assert (battle.state, battle.mirror.events) == (begun.state, begun.mirror.events)
    assert battle.all_entries() == begun.all_entries()
    battle.end_turn()
    assert battle.state.turn == 2
    with pytest.raises(grpc.RpcError) as unknown:
        gcs_client.join("nobody-knows-it")
    assert reason_of(unknown.value) == "UNKNOWN_BATTLE"


def test_a_battle_is_joined_whose_first_events_are_gone(tight_client: Client) -> None:
    begun = tight_client.start(battle_id="long", player={"hp": 2_000_000_000})
    while begun.mirror.last_sequence <= TIGHT.events_kept * 2:
        begun.end_turn()
    battle = tight_client.join("long")
    assert battle.mirror.events[0].sequence > 1
    assert battle.mirror.events == begun.mirror.events[-len(battle.mirror.events) :]
    battle.end_turn()
    battle.end()


def test_a_battle_is_ended(gcs_client: Client) -> None:
    """R3.8: from outside it is aborted without any Entry."""
    battle = gcs_client.start(wire_pack(), "fight")
    assert gcs_client.join(battle.battle_id).end_turn()
    battle.end()
    assert battle.state.outcome == battle_pb2.OUTCOME_ABORTED
    assert battle.entries() == []
    with pytest.raises(grpc.RpcError) as gone:
        battle.end()
    assert reason_of(gone.value) == "UNKNOWN_BATTLE"
    over = gcs_client.start(wire_pack(), "fight")
    over.concede()
    over.end()
    assert over.state.outcome == battle_pb2.OUTCOME_LOST


def test_the_mirror_refuses_what_does_not_follow(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    first = battle.end_turn()
    with pytest.raises(Exception, match="came after"):
        battle.mirror.take(first)
    assert isinstance(battle.mirror, Mirror)
