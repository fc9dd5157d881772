"""2,000 hostile messages; nothing that a client sends takes the server down."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.pb.gcs.v1 import battle_pb2, content_pb2, ges_pb2, service_pb2
from bridge.testing.client import Client
from bridge.testing.process import ServerProcess
from tests.bridge.packs import GUIDS, wire_pack

SERVICES = [
    file.services_by_name[name]
    for file, name in (
        (service_pb2.DESCRIPTOR, "BattleService"),
        (ges_pb2.DESCRIPTOR, "GesService"),
        (content_pb2.DESCRIPTOR, "ContentService"),
    )
]
METHODS = {
    f"/{service.full_name}/{method.name}": method
    for service in SERVICES
    for method in service.methods
    if not method.client_streaming
}
# These read packs from disk, whatever they are sent.
SLOW = {"/gcs.v1.ContentService/ListPacks", "/gcs.v1.ContentService/Reload", "/gcs.v1.ContentService/GetCatalog"}
OFTEN = [method for method in METHODS if method not in SLOW] * 10 + sorted(SLOW)


@pytest.fixture(scope="module")
def gcs_server() -> Iterator[ServerProcess]:
    """A server of their own: they end battles and switch events off."""
    with ServerProcess() as server:
        yield server


NAMES = st.one_of(
    st.sampled_from(
        ["c0", "c1", "c99", "c-1", "c٣", "enemy0", "player", "enemy-1", "starter", "first_fight", "", "../x"]
    ),
    st.sampled_from(list(GUIDS.values())),
    st.text(max_size=40),
)
EXTREMES = st.sampled_from([0, 1, -1, 2**31 - 1, -(2**31), 7])


def _value(field: Any, depth: int) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return _message(field.message_type._concrete_class, depth + 1)
    if field.type == field.TYPE_STRING:
        return NAMES
    if field.type in (field.TYPE_DOUBLE, field.TYPE_FLOAT):
        return st.floats()
    if field.type == field.TYPE_BOOL:
        return st.booleans()
    if field.type == field.TYPE_UINT64:
        return st.sampled_from([0, 1, 2**63, 2**64 - 1])
    return EXTREMES


def _fill(message: Message, draw: Any, depth: int) -> None:
    for field in message.DESCRIPTOR.fields:
        if depth > 4 or not draw(st.booleans()):
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            values = field.message_type.fields_by_name["value"]
            for key in draw(st.lists(NAMES, max_size=3)):
                if values.message_type is None:
                    getattr(message, field.name)[key] = draw(_value(values, depth))
                else:
                    getattr(message, field.name)[key].CopyFrom(draw(_value(values, depth)))
        elif field.is_repeated:
            getattr(message, field.name).extend(draw(st.lists(_value(field, depth), max_size=3)))
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(draw(_value(field, depth)))
        else:
            setattr(message, field.name, draw(_value(field, depth)))


@st.composite
def _message(draw: Any, kind: type[Message], depth: int = 0) -> Message:
    message = kind()
    _fill(message, draw, depth)
    return message


@st.composite
def calls(draw: Any) -> tuple[str, bytes]:
    """A method and the bytes to call it with: a wild message, its bytes cut or altered, or plain noise."""
    method = draw(st.sampled_from(OFTEN))
    shape = draw(st.sampled_from(["message", "message", "message", "cut", "flipped", "noise"]))
    if shape == "noise":
        return method, draw(st.binary(max_size=200))
    message: Any = draw(_message(GetMessageClass(METHODS[method].input_type)))
    for target in (message, getattr(message, "request", None)):
        # Else hardly anything would come as far as a battle.
        if target is not None and "battle_id" in target.DESCRIPTOR.fields_by_name and draw(st.booleans()):
            target.battle_id = "hostile"
    data = message.SerializeToString()
    if shape == "cut":
        return method, data[: draw(st.integers(0, len(data)))]
    if shape == "flipped" and data:
        place = draw(st.integers(0, len(data) - 1))
        return method, data[:place] + struct.pack("B", data[place] ^ draw(st.integers(1, 255))) + data[place + 1 :]
    return method, data


def _ensure_battle(client: Client) -> None:
    start = service_pb2.StartBattleRequest(battle_id="hostile", encounter="fight", seed=1, pack_json=_PACK)
    update = client.battles.StartBattle(start).update
    if update.snapshot.outcome != battle_pb2.OUTCOME_RUNNING:
        client.battles.EndBattle(service_pb2.EndBattleRequest(battle_id="hostile"))
        client.battles.StartBattle(start)


_PACK = json.dumps(wire_pack())


@settings(max_examples=1_500, deadline=None, suppress_health_check=list(HealthCheck))
@given(call=calls())
def test_hostile_calls(gcs_client: Client, call: tuple[str, bytes]) -> None:
    method, data = call
    _ensure_battle(gcs_client)
    code = _code_of(lambda: _answer(gcs_client, method, data))
    assert code not in {
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }, (method, data)


def _answer(client: Client, method: str, data: bytes) -> None:
    """Calls a method; of a stream, which may have no end, the first message is enough."""
    if not METHODS[method].server_streaming:
        client.channel.unary_unary(method)(data, timeout=20)
        return
    stream = client.channel.unary_stream(method)(data, timeout=20)
    try:
        if method.endswith("Listen"):
            # It may hear nothing at all.
            stream.initial_metadata()
        else:
            next(stream)
    finally:
        stream.cancel()


def _code_of(call: Callable[[], object]) -> grpc.StatusCode:
    try:
        call()
    except grpc.RpcError as error:
        return error.code()
    return grpc.StatusCode.OK


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    messages=st.lists(
        st.one_of(
            st.binary(max_size=60),
            _message(service_pb2.PlayRequest).map(lambda message: message.SerializeToString()),
            _message(battle_pb2.Action).map(lambda action: service_pb2.PlayRequest(action=action).SerializeToString()),
        ),
        max_size=6,
    )
)
def test_hostile_streams(gcs_client: Client, messages: list[bytes]) -> None:
    _ensure_battle(gcs_client)
    first = service_pb2.PlayRequest(join=service_pb2.JoinBattle(battle_id="hostile")).SerializeToString()
    call = gcs_client.channel.stream_stream("/gcs.v1.BattleService/Play")(iter([first, *messages]), timeout=20)
    code = _code_of(lambda: [service_pb2.PlayResponse.FromString(data) for data in call])
    assert code in {grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT}, messages


def test_every_method_is_attacked() -> None:
    called = {name.rpartition("/")[2] for name in OFTEN}
    assert called | {"Play"} == {method.name for service in SERVICES for method in service.methods}


def test_the_server_of_these_tests_saw_no_error_of_its_own(gcs_client: Client, gcs_server: ServerProcess) -> None:
    """Runs behind the others: whatever they sent, the log holds no traceback."""
    _ensure_battle(gcs_client)
    assert "Traceback" not in gcs_server.output
