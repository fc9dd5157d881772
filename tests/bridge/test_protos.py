"""Every element of the protos is documented, and buf's standard lint rules hold.

buf is no Python package. These are its STANDARD rules that can be seen in descriptors.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

PROTO = Path(__file__).resolve().parents[2] / "proto"
FILES = sorted(path.relative_to(PROTO).as_posix() for path in PROTO.rglob("*.proto"))

PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*")
LOWER_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, FileDescriptorProto]:
    target = tmp_path_factory.mktemp("protos") / "set.bin"
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", f"--descriptor_set_out={target}"]
    subprocess.run([*command, "--include_source_info", *FILES], check=True)
    return {file.name: file for file in FileDescriptorSet.FromString(target.read_bytes()).file}


def _messages(
    messages: list[DescriptorProto], path: tuple[int, ...], inner: int
) -> Iterator[tuple[DescriptorProto, tuple[int, ...]]]:
    for index, message in enumerate(messages):
        if not message.options.map_entry:
            here = (*path, inner, index)
            yield message, here
            yield from _messages(list(message.nested_type), here, 3)


def _elements(file: FileDescriptorProto) -> Iterator[tuple[str, tuple[int, ...]]]:
    for message, path in _messages(list(file.message_type), (), 4):
        yield message.name, path
        for index, field in enumerate(message.field):
            yield f"{message.name}.{field.name}", (*path, 2, index)
        for index, oneof in enumerate(message.oneof_decl):
            if not oneof.name.startswith("_"):
                yield f"{message.name}.{oneof.name}", (*path, 8, index)
    for index, enum in enumerate(file.enum_type):
        yield enum.name, (5, index)
        for place, value in enumerate(enum.value):
            yield value.name, (5, index, 2, place)
    for index, service in enumerate(file.service):
        yield service.name, (6, index)
        for place, method in enumerate(service.method):
            yield f"{service.name}.{method.name}", (6, index, 2, place)


@pytest.mark.parametrize("name", FILES)
def test_every_element_is_documented(files: dict[str, FileDescriptorProto], name: str) -> None:
    file = files[name]
    comments = {tuple(place.path): place.leading_comments.strip() for place in file.source_code_info.location}
    assert [element for element, path in _elements(file) if not comments.get(path)] == []


@pytest.mark.parametrize("name", FILES)
def test_packages_and_files(files: dict[str, FileDescriptorProto], name: str) -> None:
    """PACKAGE_DEFINED, PACKAGE_DIRECTORY_MATCH, PACKAGE_VERSION_SUFFIX, FILE_LOWER_SNAKE_CASE, IMPORT_USED."""
    file = files[name]
    assert file.package == "gcs.v1"
    assert Path(name).parent.as_posix() == file.package.replace(".", "/")
    assert LOWER_SNAKE.fullmatch(Path(name).stem)
    assert not file.public_dependency
    assert not file.weak_dependency
    text = (PROTO / name).read_text(encoding="utf-8")
    assert len(re.findall(r"^import ", text, re.MULTILINE)) == len(file.dependency)


@pytest.mark.parametrize("name", FILES)
def test_names(files: dict[str, FileDescriptorProto], name: str) -> None:
    """MESSAGE_PASCAL_CASE, FIELD_LOWER_SNAKE_CASE, ONEOF_LOWER_SNAKE_CASE, ENUM_* and FIELD_NOT_REQUIRED."""
    file = files[name]
    for message, _ in _messages(list(file.message_type), (), 4):
        assert PASCAL.fullmatch(message.name)
        for field in message.field:
            assert LOWER_SNAKE.fullmatch(field.name), f"{message.name}.{field.name}"
            assert field.label != FieldDescriptorProto.LABEL_REQUIRED
        for oneof in message.oneof_decl:
            assert LOWER_SNAKE.fullmatch(oneof.name.removeprefix("_"))
    for enum in file.enum_type:
        _check_enum(enum)


def _check_enum(enum: EnumDescriptorProto) -> None:
    assert PASCAL.fullmatch(enum.name)
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
    assert enum.value[0].name == f"{prefix}UNSPECIFIED"
    assert enum.value[0].number == 0
    assert not enum.options.allow_alias
    for value in enum.value:
        assert UPPER_SNAKE.fullmatch(value.name)
        assert value.name.startswith(prefix)


def test_services(files: dict[str, FileDescriptorProto]) -> None:
    """SERVICE_SUFFIX, RPC_PASCAL_CASE, RPC_REQUEST_STANDARD_NAME and its like, RPC_REQUEST_RESPONSE_UNIQUE."""
    used: list[str] = []
    for file in files.values():
        for service in file.service:
            assert PASCAL.fullmatch(service.name)
            assert service.name.endswith("Service")
            for method in service.method:
                assert method.input_type == f".gcs.v1.{method.name}Request"
                assert method.output_type == f".gcs.v1.{method.name}Response"
                used += [method.input_type, method.output_type]
    assert len(used) == len(set(used))


def test_field_numbers_leave_no_gaps(files: dict[str, FileDescriptorProto]) -> None:
    """Nothing was ever released with another number: a gap would be a slip."""
    for file in files.values():
        for message, _ in _messages(list(file.message_type), (), 4):
            numbers = sorted(field.number for field in message.field)
            assert numbers == list(range(1, len(numbers) + 1)), message.name
