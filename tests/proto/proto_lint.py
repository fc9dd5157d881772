"""buf's STANDARD lint rules over descriptors, so that they hold on machines that cannot get buf.

Each rule of buf's list is a function here that yields what breaks it. Files are compiled with protoc, whose complaints
stand for the two rules that descriptors do not show: IMPORT_USED and SYNTAX_SPECIFIED.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

PASCAL: Final = re.compile(r"[A-Z][A-Za-z0-9]*")
LOWER_SNAKE: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
UPPER_SNAKE: Final = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
VERSION: Final = re.compile(r"v[1-9]\d*(test.*|(p[1-9]\d*)?(alpha|beta)[1-9]\d*)?")


@dataclass(frozen=True, slots=True)
class Protos:
    """Compiled `.proto` files.

    Attributes:
        files: Those that were named, without what they import from elsewhere.
        warnings: What protoc said of them.
    """

    files: list[FileDescriptorProto]
    warnings: str


def compiled(folder: Path) -> Protos:
    """Compiles every `.proto` file of a folder."""
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch, "set.bin")
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", f"--descriptor_set_out={target}"]
        done = subprocess.run(
            [*command, "--include_source_info", *names], check=True, capture_output=True, encoding="utf-8"
        )
        return Protos(list(FileDescriptorSet.FromString(target.read_bytes()).file), done.stderr)


def messages_of(file: FileDescriptorProto) -> Iterator[tuple[str, DescriptorProto]]:
    """Every message of a file, nested ones included, with its name; those that stand for maps left out."""
    yield from _nested("", list(file.message_type))


def enums_of(file: FileDescriptorProto) -> Iterator[tuple[str, EnumDescriptorProto]]:
    """Every enum of a file, nested ones included, with its name."""
    yield from ((enum.name, enum) for enum in file.enum_type)
    for name, message in messages_of(file):
        yield from ((f"{name}.{enum.name}", enum) for enum in message.enum_type)


def _nested(prefix: str, messages: list[DescriptorProto]) -> Iterator[tuple[str, DescriptorProto]]:
    for message in messages:
        if not message.options.map_entry:
            yield prefix + message.name, message
            yield from _nested(f"{prefix}{message.name}.", list(message.nested_type))


def _fields(protos: Protos) -> Iterator[tuple[str, FieldDescriptorProto]]:
    for file in protos.files:
        for name, message in messages_of(file):
            yield from ((f"{name}.{field.name}", field) for field in message.field)


def _enums(protos: Protos) -> Iterator[tuple[str, EnumDescriptorProto]]:
    for file in protos.files:
        yield from enums_of(file)


def _services(protos: Protos) -> Iterator[ServiceDescriptorProto]:
    for file in protos.files:
        yield from file.service


def _methods(protos: Protos) -> Iterator[tuple[str, MethodDescriptorProto]]:
    for service in _services(protos):
        yield from ((service.name, method) for method in service.method)


def directory_same_package(protos: Protos) -> Iterator[str]:
    """Files of a folder have one package."""
    yield from _differing(protos, lambda file: str(Path(file.name).parent), lambda file: file.package)


def package_same_directory(protos: Protos) -> Iterator[str]:
    """Files of a package lie in one folder."""
    yield from _differing(protos, lambda file: file.package, lambda file: str(Path(file.name).parent))


def package_defined(protos: Protos) -> Iterator[str]:
    """Every file has a package."""
    yield from (file.name for file in protos.files if not file.package)


def package_directory_match(protos: Protos) -> Iterator[str]:
    """The folder is that of the package."""
    for file in protos.files:
        if Path(file.name).parent.as_posix() != (file.package.replace(".", "/") or "."):
            yield file.name


def package_no_import_cycle(protos: Protos) -> Iterator[str]:
    """Packages do not import each other in a ring."""
    package = {file.name: file.package for file in protos.files}
    imports: dict[str, set[str]] = {name: set() for name in package.values()}
    for file in protos.files:
        imports[file.package] |= {package[name] for name in file.dependency if name in package} - {file.package}
    for start, first in imports.items():
        reached: set[str] = set()
        waiting = list(first)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += imports[name]
        if start in reached:
            yield start


def package_lower_snake_case(protos: Protos) -> Iterator[str]:
    """Packages are lower_snake.case."""
    for file in protos.files:
        if file.package and not all(LOWER_SNAKE.fullmatch(part) for part in file.package.split(".")):
            yield file.package


def package_version_suffix(protos: Protos) -> Iterator[str]:
    """The last part of a package is its version."""
    for file in protos.files:
        if file.package and not VERSION.fullmatch(file.package.rpartition(".")[2]):
            yield file.package


def same_option(option: str) -> Callable[[Protos], Iterator[str]]:
    """Files of a package agree on an option of another language, or none of them sets it."""

    def value_of(file: FileDescriptorProto) -> str:
        return repr(getattr(file.options, option)) if file.options.HasField(option) else ""

    return lambda protos: _differing(protos, lambda file: file.package, value_of)


def _differing(
    protos: Protos, key: Callable[[FileDescriptorProto], str], value: Callable[[FileDescriptorProto], str]
) -> Iterator[str]:
    seen: dict[str, str] = {}
    for file in protos.files:
        if seen.setdefault(key(file), value(file)) != value(file):
            yield file.name


def enum_first_value_zero(protos: Protos) -> Iterator[str]:
    """An enum begins with 0."""
    yield from (name for name, enum in _enums(protos) if enum.value[0].number != 0)


def enum_no_allow_alias(protos: Protos) -> Iterator[str]:
    """No number has two names."""
    yield from (name for name, enum in _enums(protos) if enum.options.allow_alias)


def enum_pascal_case(protos: Protos) -> Iterator[str]:
    """Enums are PascalCase."""
    yield from (name for name, enum in _enums(protos) if not PASCAL.fullmatch(enum.name))


def enum_value_upper_snake_case(protos: Protos) -> Iterator[str]:
    """Values are UPPER_SNAKE_CASE."""
    yield from (
        value.name for _, enum in _enums(protos) for value in enum.value if not UPPER_SNAKE.fullmatch(value.name)
    )


def enum_value_prefix(protos: Protos) -> Iterator[str]:
    """Values begin with the name of the enum."""
    for _, enum in _enums(protos):
        prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
        yield from (value.name for value in enum.value if not value.name.startswith(prefix))


def enum_zero_value_suffix(protos: Protos) -> Iterator[str]:
    """0 means unspecified."""
    for _, enum in _enums(protos):
        yield from (value.name for value in enum.value if value.number == 0 and not value.name.endswith("_UNSPECIFIED"))


def field_lower_snake_case(protos: Protos) -> Iterator[str]:
    """Fields are lower_snake_case."""
    yield from (name for name, field in _fields(protos) if not LOWER_SNAKE.fullmatch(field.name))


def field_not_required(protos: Protos) -> Iterator[str]:
    """No field is required."""
    yield from (name for name, field in _fields(protos) if field.label == FieldDescriptorProto.LABEL_REQUIRED)


def file_lower_snake_case(protos: Protos) -> Iterator[str]:
    """File names are lower_snake_case."""
    yield from (file.name for file in protos.files if not LOWER_SNAKE.fullmatch(Path(file.name).stem))


def import_no_public(protos: Protos) -> Iterator[str]:
    """No import is public."""
    yield from (file.name for file in protos.files if file.public_dependency)


def import_used(protos: Protos) -> Iterator[str]:
    """Every import is used."""
    yield from re.findall(r"Import (\S+) is unused", protos.warnings)


def message_pascal_case(protos: Protos) -> Iterator[str]:
    """Messages are PascalCase."""
    for file in protos.files:
        yield from (name for name, message in messages_of(file) if not PASCAL.fullmatch(message.name))


def oneof_lower_snake_case(protos: Protos) -> Iterator[str]:
    """Oneofs are lower_snake_case. Those with an underscore in front stand for `optional`."""
    for file in protos.files:
        for name, message in messages_of(file):
            for oneof in message.oneof_decl:
                if not LOWER_SNAKE.fullmatch(oneof.name.removeprefix("_")):
                    yield f"{name}.{oneof.name}"


def protovalidate(protos: Protos) -> Iterator[str]:
    """Rules of protovalidate are valid. We use none, so none may be imported."""
    yield from (file.name for file in protos.files if any(name.startswith("buf/validate/") for name in file.dependency))


def rpc_pascal_case(protos: Protos) -> Iterator[str]:
    """Methods are PascalCase."""
    yield from (method.name for _, method in _methods(protos) if not PASCAL.fullmatch(method.name))


def rpc_request_response_unique(protos: Protos) -> Iterator[str]:
    """No two methods share a request or response, and none has one message for both."""
    seen: set[str] = set()
    for _, method in _methods(protos):
        for name in (method.input_type, method.output_type):
            if name in seen:
                yield name
            seen.add(name)


def rpc_request_standard_name(protos: Protos) -> Iterator[str]:
    """The request is named after its method."""
    yield from _nonstandard(protos, lambda method: method.input_type, "Request")


def rpc_response_standard_name(protos: Protos) -> Iterator[str]:
    """The response is named after its method."""
    yield from _nonstandard(protos, lambda method: method.output_type, "Response")


def _nonstandard(protos: Protos, kind: Callable[[MethodDescriptorProto], str], suffix: str) -> Iterator[str]:
    for service, method in _methods(protos):
        name = kind(method).rpartition(".")[2]
        if name not in (f"{method.name}{suffix}", f"{service}{method.name}{suffix}"):
            yield f"{service}.{method.name}"


def service_pascal_case(protos: Protos) -> Iterator[str]:
    """Services are PascalCase."""
    yield from (service.name for service in _services(protos) if not PASCAL.fullmatch(service.name))


def service_suffix(protos: Protos) -> Iterator[str]:
    """Services end in Service."""
    yield from (service.name for service in _services(protos) if not service.name.endswith("Service"))


def syntax_specified(protos: Protos) -> Iterator[str]:
    """Every file says its syntax."""
    yield from re.findall(r"No (?:edition or )?syntax specified for the proto file: ([^.]+\.proto)", protos.warnings)


_OPTIONS: Final = (
    "csharp_namespace",
    "go_package",
    "java_multiple_files",
    "java_package",
    "php_namespace",
    "ruby_package",
    "swift_prefix",
)

STANDARD: Final[dict[str, Callable[[Protos], Iterator[str]]]] = {
    rule.__name__.upper(): rule
    for rule in (
        directory_same_package,
        enum_first_value_zero,
        enum_no_allow_alias,
        enum_pascal_case,
        enum_value_prefix,
        enum_value_upper_snake_case,
        enum_zero_value_suffix,
        field_lower_snake_case,
        field_not_required,
        file_lower_snake_case,
        import_no_public,
        import_used,
        message_pascal_case,
        oneof_lower_snake_case,
        package_defined,
        package_directory_match,
        package_lower_snake_case,
        package_no_import_cycle,
        package_same_directory,
        package_version_suffix,
        protovalidate,
        rpc_pascal_case,
        rpc_request_response_unique,
        rpc_request_standard_name,
        rpc_response_standard_name,
        service_pascal_case,
        service_suffix,
        syntax_specified,
    )
} | {f"PACKAGE_SAME_{option.upper()}": same_option(option) for option in _OPTIONS}
"""Every rule of buf's category STANDARD (`buf config ls-lint-rules`), by its id."""
