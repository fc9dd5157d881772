"""Every element of the protos is documented, and field numbers leave no gaps. For style see test_proto_lint.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

from tests.proto.proto_lint import Protos, compiled, messages_of

PROTO = Path(__file__).resolve().parents[2] / "proto"
FILES = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))

ElementPath = tuple[int, ...]


@pytest.fixture(scope="module")
def protos() -> Protos:
    return compiled(PROTO)


def _elements(file: FileDescriptorProto) -> Iterator[tuple[str, ElementPath]]:
    """Everything that wants a comment, with its place in the file's source info."""
    for index, message in enumerate(file.message_type):
        yield from _of_message(message, (4, index))
    for index, enum in enumerate(file.enum_type):
        yield enum.name, (5, index)
        for place, value in enumerate(enum.value):
            yield value.name, (5, index, 2, place)
    for index, service in enumerate(file.service):
        yield service.name, (6, index)
        for place, method in enumerate(service.method):
            yield f"{service.name}.{method.name}", (6, index, 2, place)


def _of_message(message: DescriptorProto, path: ElementPath) -> Iterator[tuple[str, ElementPath]]:
    if message.options.map_entry:
        return
    yield message.name, path
    for index, field in enumerate(message.field):
        yield f"{message.name}.{field.name}", (*path, 2, index)
    for index, oneof in enumerate(message.oneof_decl):
        if not oneof.name.startswith("_"):
            yield f"{message.name}.{oneof.name}", (*path, 8, index)
    for index, nested in enumerate(message.nested_type):
        yield from _of_message(nested, (*path, 3, index))
    for index, enum in enumerate(message.enum_type):
        yield enum.name, (*path, 4, index)
        for place, value in enumerate(enum.value):
            yield value.name, (*path, 4, index, 2, place)


@pytest.mark.parametrize("name", FILES)
def test_every_element_is_documented(protos: Protos, name: str) -> None:
    file = next(file for file in protos.files if file.name == name)
    comments = {tuple(place.path): place.leading_comments.strip() for place in file.source_code_info.location}
    assert [element for element, path in _elements(file) if not comments.get(path)] == []


def test_field_numbers_leave_no_gaps(protos: Protos) -> None:
    """Nothing was ever released with another number: a gap would be a slip."""
    for file in protos.files:
        for name, message in messages_of(file):
            numbers = sorted(field.number for field in message.field)
            assert numbers == list(range(1, len(numbers) + 1)), name
