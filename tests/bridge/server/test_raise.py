"""R6.4 to R6.6 over gRPC: raising GES events from outside."""

from __future__ import annotations

import grpc
import pytest

from bridge.pb.gcs.v1 import battle_pb2, ges_pb2
from bridge.testing.client import Client, reason_of
from tests.bridge.packs import GUIDS, PAYLOADS, wire_pack


@pytest.mark.parametrize("kind", list(GUIDS))
def test_each_payload_type_reaches_the_graphs(gcs_client: Client, kind: str) -> None:
    """R6.4."""
    battle = gcs_client.start(wire_pack(), "fight", deck=["hit"] * 3)
    response = battle.raise_event(GUIDS[kind], PAYLOADS[kind])
    assert (response.result, response.receivers) == (ges_pb2.RAISE_RESULT_DISPATCHED, 1)
    assert battle.state.variables[kind] == 1
    raised = next(event.ges_event_raised for event in response.update.events if event.HasField("ges_event_raised"))
    assert (raised.guid, raised.event, raised.from_battle) == (GUIDS[kind], f"{kind}_event", False)
    if kind == "int":
        assert battle.state.variables["int_arg"] == 7
        assert raised.arguments[0].value.int_value == 7
    if kind == "float":
        assert battle.state.variables["float_arg"] == 2
        assert raised.arguments[0].value.float_value == 2.5


@pytest.mark.parametrize("kind", list(GUIDS))
def test_every_other_payload_type_is_refused(gcs_client: Client, kind: str) -> None:
    """R6.6: a typed error, nothing dispatched."""
    battle = gcs_client.start(wire_pack(), "fight")
    for other, payload in PAYLOADS.items():
        if other == kind:
            continue
        with pytest.raises(grpc.RpcError) as refused:
            battle.raise_event(GUIDS[kind], payload)
        assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert battle.raise_event(GUIDS[kind], PAYLOADS[kind]).update.state_version == 2


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("unit", ges_pb2.Payload(unit_value="enemy7")),
        ("card", ges_pb2.Payload(card_value="c999")),
        ("card", ges_pb2.Payload(card_value="c-1")),
        ("status", ges_pb2.Payload(status_value="nowhere")),
        ("float", ges_pb2.Payload(float_value=float("nan"))),
        ("vector2", ges_pb2.Payload(vector2_value=ges_pb2.Vector2Value(x=float("inf")))),
        ("text", ges_pb2.Payload(text_value="x" * 20_000)),
        ("struct", ges_pb2.Payload(struct_value=ges_pb2.StructValue(fields={"a": ges_pb2.Payload()}))),
        ("struct", ges_pb2.Payload(struct_value=ges_pb2.StructValue(fields={"a": PAYLOADS["color"]}))),
    ],
)
def test_a_payload_that_names_nothing_is_refused(gcs_client: Client, kind: str, payload: ges_pb2.Payload) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    with pytest.raises(grpc.RpcError) as refused:
        battle.raise_event(GUIDS[kind], payload)
    assert reason_of(refused.value) == "INVALID_FIELD"


def test_the_guid_in_any_spelling(gcs_client: Client) -> None:
    """R6.4: with or without hyphens, any case."""
    battle = gcs_client.start(wire_pack(), "fight")
    for spelling in (GUIDS["int"].replace("-", ""), GUIDS["int"].upper()):
        assert battle.raise_event(spelling, PAYLOADS["int"]).receivers == 1


@pytest.mark.parametrize(
    ("guid", "reason"),
    [("00000000-0000-4000-8000-ffffffffffff", "UNKNOWN_EVENT"), ("thunder", "INVALID_FIELD"), ("", "INVALID_FIELD")],
)
def test_an_unknown_guid_is_refused(gcs_client: Client, guid: str, reason: str) -> None:
    """R6.6."""
    battle = gcs_client.start(wire_pack(), "fight")
    with pytest.raises(grpc.RpcError) as refused:
        battle.raise_event(guid)
    assert (refused.value.code(), reason_of(refused.value)) == (grpc.StatusCode.INVALID_ARGUMENT, reason)


def test_a_sender_only_where_the_event_declares_one(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    enemy = ges_pb2.Payload(unit_value="enemy1")
    raised = battle.raise_event(GUIDS["int"], PAYLOADS["int"], enemy).update.events[1].ges_event_raised
    assert {port.name: port.value.unit_value for port in raised.arguments if port.name == "sender"} == {
        "sender": "enemy1"
    }
    for guid, sender in ((GUIDS["none"], enemy), (GUIDS["int"], PAYLOADS["int"])):
        with pytest.raises(grpc.RpcError) as refused:
            battle.raise_event(guid, PAYLOADS["int"] if guid == GUIDS["int"] else None, sender)
        assert reason_of(refused.value) == "INVALID_FIELD"


def test_a_raise_waits_behind_an_open_choice(gcs_client: Client) -> None:
    """R6.5: it lands when the action has ended, in arrival order."""
    battle = gcs_client.start(wire_pack(), "fight", deck=["vote", "hit"], shuffle=False)
    battle.play("vote")
    for value in (1, 2, 3):
        response = battle.raise_event(GUIDS["int"], ges_pb2.Payload(int_value=value))
        assert (response.result, response.receivers) == (ges_pb2.RAISE_RESULT_QUEUED, 0)
        assert not response.HasField("update")
    update = battle.choose(option=0)
    raised = [
        event.ges_event_raised.arguments[0].value.int_value
        for event in update.events
        if event.HasField("ges_event_raised")
    ]
    assert raised == [1, 2, 3]
    assert battle.state.variables["int"] == 3


def test_a_raise_sent_again_counts_once(gcs_client: Client) -> None:
    battle = gcs_client.start(wire_pack(), "fight")
    first = battle.raise_event(GUIDS["int"], PAYLOADS["int"], raise_id="r1")
    again = battle.raise_event(GUIDS["int"], PAYLOADS["int"], raise_id="r1")
    assert (again.result, again.receivers, again.HasField("update")) == (first.result, first.receivers, False)
    assert battle.state.variables["int"] == 1


def test_no_battle_running(gcs_client: Client) -> None:
    """R6.6: nothing is dispatched and the reply says so."""
    battle = gcs_client.start(wire_pack(), "fight")
    battle.concede()
    assert battle.raise_event(GUIDS["none"]).result == ges_pb2.RAISE_RESULT_NO_BATTLE
    assert battle.state.outcome == battle_pb2.OUTCOME_LOST


def test_an_inactive_database(tight_client: Client) -> None:
    """R6.6: nothing is dispatched and the reply says so."""
    thunder = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
    arg = ges_pb2.Payload(int_value=3)
    battle = tight_client.start(battle_id="inactive")

    def switch(active: bool) -> bool:
        request = ges_pb2.SetDatabaseActiveRequest(pack="starter", active=active)
        return tight_client.ges.SetDatabaseActive(request).was_active

    hearing = tight_client.ges.Listen(ges_pb2.ListenRequest(battle_id=battle.battle_id, guids=[thunder]))
    hearing.initial_metadata()
    assert switch(False)
    assert not switch(False)
    response = battle.raise_event(thunder, arg, raise_id="off")
    assert (response.result, response.HasField("update")) == (ges_pb2.RAISE_RESULT_DATABASE_INACTIVE, False)
    assert not switch(True)
    assert battle.raise_event(thunder, arg, raise_id="on").result == ges_pb2.RAISE_RESULT_DISPATCHED
    assert next(hearing).raise_id == "on"
    hearing.cancel()
    with pytest.raises(grpc.RpcError) as refused:
        tight_client.ges.SetDatabaseActive(ges_pb2.SetDatabaseActiveRequest(pack="nowhere"))
    assert reason_of(refused.value) == "UNKNOWN_PACK"


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ({"a": ges_pb2.Payload(int_value=1)}, "arg.struct_value.fields['a']", ""),
        ({"amuont": ges_pb2.Payload(int_value=1)}, "arg.struct_value.fields['amuont']", 'did you mean "amount"?'),
        ({"amount": ges_pb2.Payload(text_value="1")}, "arg.struct_value.fields['amount']", "int_value"),
    ],
)
def test_r6_6_a_struct_has_the_fields_that_its_event_declares(
    gcs_client: Client, fields: dict[str, ges_pb2.Payload], field: str, expected: str
) -> None:
    pack = wire_pack()
    event = next(event for event in pack["events"] if event["guid"] == GUIDS["struct"])
    event["fields"] = {"amount": "int", "who": "unit"}
    battle = gcs_client.start(pack, "fight")
    with pytest.raises(grpc.RpcError) as rejected:
        battle.raise_event(GUIDS["struct"], ges_pb2.Payload(struct_value=ges_pb2.StructValue(fields=fields)))
    assert rejected.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert field in str(rejected.value.details())
    assert expected in str(rejected.value.details())
    right = {"amount": ges_pb2.Payload(int_value=1), "who": ges_pb2.Payload(unit_value="enemy0")}
    battle.raise_event(GUIDS["struct"], ges_pb2.Payload(struct_value=ges_pb2.StructValue(fields=right)))
    assert battle.raise_event(GUIDS["struct"], ges_pb2.Payload(struct_value=ges_pb2.StructValue())).update.state_version


@pytest.mark.parametrize("named", ["int_event", "An Int", "an int"])
def test_a_client_may_name_an_event_by_its_id_or_its_name(gcs_client: Client, named: str) -> None:
    pack = wire_pack()
    next(event for event in pack["events"] if event["id"] == "int_event")["name"] = "An Int"
    battle = gcs_client.start(pack, "fight")
    raised = battle.raise_event(named, PAYLOADS["int"]).update.events
    assert any(event.ges_event_raised.guid == GUIDS["int"] for event in raised)


def test_a_name_that_two_events_have_names_neither(gcs_client: Client) -> None:
    pack = wire_pack()
    for event in pack["events"][:2]:
        event["name"] = "Twin"
    battle = gcs_client.start(pack, "fight")
    for named, hint in (("twin", "there is"), ("int_evnt", 'did you mean "int_event"?')):
        with pytest.raises(grpc.RpcError) as rejected:
            battle.raise_event(named)
        assert reason_of(rejected.value) == "INVALID_FIELD"
        assert hint in str(rejected.value.details())
