"""Every text, list and map that a client can send has its largest size, in one place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.unknown_fields import UnknownFieldSet

from bridge.errors import CallError
from bridge.pb.gcs.v1 import battle_pb2, content_pb2, ges_pb2, service_pb2
from bridge.server.rpc import read
from bridge.wire.sizes import SIZES, SMALL

HEALTH = "grpc.health.v1.HealthCheckRequest.service"


def growing(message: Descriptor, seen: set[str]) -> Iterator[FieldDescriptor]:
    """The fields of a message, and of those in it, that can be of any size."""
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        if field.is_repeated or field.type in (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES):
            yield field
        inner = field.message_type
        if inner is None:
            continue
        if inner.GetOptions().map_entry:
            inner = inner.fields_by_name["value"].message_type
        if inner is not None:
            yield from growing(inner, seen)


def test_each_text_list_and_map_of_a_request_has_a_size() -> None:
    seen: set[str] = set()
    files = (service_pb2.DESCRIPTOR, ges_pb2.DESCRIPTOR, content_pb2.DESCRIPTOR)
    methods = [method for file in files for service in file.services_by_name.values() for method in service.methods]
    fields = [field for method in methods for field in growing(method.input_type, seen)]
    assert {field.full_name for field in fields} | {HEALTH} == set(SIZES)
    assert all(bool(SIZES[field.full_name].entries) == field.is_repeated for field in fields)


def test_what_is_small_is_within_all_sizes() -> None:
    for size in SIZES.values():
        assert not size.characters or size.characters >= SMALL
        assert not size.entries or size.entries >= SMALL


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (service_pb2.GetBattleRequest(battle_id="b" * 1_001), "battle_id"),
        (service_pb2.ActRequest(action=battle_pb2.Action(action_id="a" * 1_001)), "action.action_id"),
        (ges_pb2.ListenRequest(guids=["g"] * 10_001), "guids"),
        (ges_pb2.ListenRequest(guids=["g" * 1_001]), "guids"),
        (
            ges_pb2.RaiseRequest(
                arg=ges_pb2.Payload(struct_value=ges_pb2.StructValue(fields={"f" * 1_001: ges_pb2.Payload()}))
            ),
            "arg.struct_value.fields",
        ),
        (
            ges_pb2.RaiseRequest(
                arg=ges_pb2.Payload(
                    struct_value=ges_pb2.StructValue(fields={"f": ges_pb2.Payload(text_value="t" * 100_001)})
                )
            ),
            "arg.struct_value.fields[].text_value",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_too_large_is_told_by_its_field(message: service_pb2.ActRequest, field: str) -> None:
    with pytest.raises(CallError) as failed:
        read(type(message), message.SerializeToString())
    assert (failed.value.reason.name, failed.value.metadata["field"]) == ("INVALID_FIELD", field)


def test_what_the_server_does_not_know_is_not_kept() -> None:
    # Field 999, length-delimited: 100 bytes that nobody asked for, in the action and in the request around it.
    unknown = b"\xba\x3e\x64" + b"x" * 100
    action = battle_pb2.Action.FromString(battle_pb2.Action(action_id="a").SerializeToString() + unknown)
    request = service_pb2.ActRequest(battle_id="b", action=action)
    assert len(UnknownFieldSet(request.action)) == 1
    kept = read(service_pb2.ActRequest, request.SerializeToString() + unknown)
    assert (len(UnknownFieldSet(kept)), len(UnknownFieldSet(kept.action))) == (0, 0)
    assert kept.action.action_id == "a"
