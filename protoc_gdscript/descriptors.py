"""Descriptors into the plain data of `model`. Nothing after this looks at a descriptor again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    ServiceDescriptorProto,
)

from protoc_gdscript.comments import Comments
from protoc_gdscript.model import EnumType, Field, File, Kind, Message, Method, Oneof, Presence, Service, Type
from protoc_gdscript.names import (
    CLIENT_LOCALS,
    MESSAGE_LOCALS,
    MESSAGE_MEMBERS,
    Scope,
    enum_value,
    file_class,
    output_path,
    pascal,
    snake,
)


class UnsupportedProtoError(Exception):
    """A `.proto` file uses what the generator does not offer; the message names file, element and reason."""


_SCALARS: dict[int, tuple[Kind, str, str]] = {
    FieldDescriptorProto.TYPE_DOUBLE: (Kind.DOUBLE, "float", "0.0"),
    FieldDescriptorProto.TYPE_FLOAT: (Kind.FLOAT, "float", "0.0"),
    FieldDescriptorProto.TYPE_INT64: (Kind.INT64, "int", "0"),
    FieldDescriptorProto.TYPE_UINT64: (Kind.UINT64, "int", "0"),
    FieldDescriptorProto.TYPE_INT32: (Kind.INT32, "int", "0"),
    FieldDescriptorProto.TYPE_FIXED64: (Kind.FIXED64, "int", "0"),
    FieldDescriptorProto.TYPE_FIXED32: (Kind.FIXED32, "int", "0"),
    FieldDescriptorProto.TYPE_BOOL: (Kind.BOOL, "bool", "false"),
    FieldDescriptorProto.TYPE_STRING: (Kind.STRING, "String", '""'),
    FieldDescriptorProto.TYPE_BYTES: (Kind.BYTES, "PackedByteArray", "PackedByteArray()"),
    FieldDescriptorProto.TYPE_UINT32: (Kind.UINT32, "int", "0"),
    FieldDescriptorProto.TYPE_SFIXED32: (Kind.SFIXED32, "int", "0"),
    FieldDescriptorProto.TYPE_SFIXED64: (Kind.SFIXED64, "int", "0"),
    FieldDescriptorProto.TYPE_SINT32: (Kind.SINT32, "int", "0"),
    FieldDescriptorProto.TYPE_SINT64: (Kind.SINT64, "int", "0"),
}


@dataclass(slots=True)
class _Names:
    """The GDScript types of everything in a request, by full proto name with the leading dot."""

    classes: dict[str, str] = field(default_factory=dict)
    """Per file path, its global class."""
    types: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """Public name, inner class (empty for an enum) and full type."""
    enum_defaults: dict[str, str] = field(default_factory=dict)
    scopes: dict[str, Scope] = field(default_factory=dict)
    """Per message, the members taken so far."""
    members: dict[str, list[str]] = field(default_factory=dict)
    """Per message, the property of each field."""


def read(request: CodeGeneratorRequest) -> list[File]:
    """Reads the files that a request asks for.

    Args:
        request: What protoc sends; all files it names or imports are in it.

    Returns:
        The files to generate, in the request's order.

    Raises:
        UnsupportedProtoError: A file is not proto3, or two files would share one global class or output path.
    """
    names = _Names()
    owners: dict[str, str] = {}
    for file in request.proto_file:
        class_name = file_class(file.package, file.name)
        if file.syntax == "proto3":
            other = owners.setdefault(class_name, file.name)
            if other != file.name:
                raise UnsupportedProtoError(
                    f"{file.name} and {other} would both be class {class_name}; rename one of the files"
                )
        names.classes[file.name] = class_name
        _name_file(names, file, class_name)
    wanted = set(request.file_to_generate)
    by_path = {file.name: file for file in request.proto_file}
    for path in sorted(wanted):
        if by_path[path].syntax != "proto3":
            found = by_path[path].syntax or "proto2"
            raise UnsupportedProtoError(f'{path}: syntax is {found}; GDScript is generated from syntax = "proto3" only')
    return [_file(names, by_path[path]) for path in request.file_to_generate]


def _name_file(names: _Names, file: FileDescriptorProto, class_name: str) -> None:
    scope = Scope([class_name])
    prefix = f".{file.package}" if file.package else ""
    for message in file.message_type:
        _name_message(names, message, f"{prefix}.{message.name}", class_name, scope)
    for enum in file.enum_type:
        _name_enum(names, enum, f"{prefix}.{enum.name}", class_name, scope)
    for service in file.service:
        key = f"{prefix}.{service.name}"
        name = scope.claim(f"{service.name}Client")
        names.types[key] = (name, scope.claim_private(f"_{name}"), f"{class_name}.{name}")


def _name_message(names: _Names, message: DescriptorProto, key: str, outer: str, scope: Scope) -> None:
    name = scope.claim(message.name)
    inner = scope.claim_private(f"_{name}")
    full = f"{outer}.{name}"
    names.types[key] = (name, inner, full)
    own = Scope([*MESSAGE_MEMBERS, *MESSAGE_LOCALS, outer.partition(".")[0], inner])
    names.scopes[key] = own
    # Fields claim their names first: what is written most stays as it is in the .proto file.
    names.members[key] = [own.claim(member.name) for member in message.field]
    for nested in message.nested_type:
        if not nested.options.map_entry:
            _name_message(names, nested, f"{key}.{nested.name}", full, own)
    for enum in message.enum_type:
        _name_enum(names, enum, f"{key}.{enum.name}", full, own)


def _name_enum(names: _Names, enum: EnumDescriptorProto, key: str, outer: str, scope: Scope) -> None:
    name = scope.claim(enum.name)
    full = f"{outer}.{name}"
    names.types[key] = (name, "", full)
    first = next(value.name for value in enum.value)
    names.enum_defaults[key] = f"{full}.{enum_value(first)}"


def _file(names: _Names, file: FileDescriptorProto) -> File:
    comments = Comments(file)
    prefix = f".{file.package}" if file.package else ""
    return File(
        path=file.name,
        output=output_path(file.name),
        class_name=names.classes[file.name],
        messages=tuple(
            _message(names, message, f"{prefix}.{message.name}", comments, (4, index))
            for index, message in enumerate(file.message_type)
        ),
        enums=tuple(
            _enum(names, enum, f"{prefix}.{enum.name}", comments, (5, index))
            for index, enum in enumerate(file.enum_type)
        ),
        services=tuple(
            _service(names, service, f"{prefix}.{service.name}", comments, (6, index))
            for index, service in enumerate(file.service)
        ),
        comment=comments.of_file(),
    )


def _enum(names: _Names, enum: EnumDescriptorProto, key: str, comments: Comments, path: Sequence[int]) -> EnumType:
    name, _, full = names.types[key]
    values = tuple(
        (enum_value(value.name), value.number, comments.at((*path, 2, index))) for index, value in enumerate(enum.value)
    )
    return EnumType(name=name, type=full, values=values, comment=comments.at(path))


def _message(names: _Names, message: DescriptorProto, key: str, comments: Comments, path: Sequence[int]) -> Message:
    name, inner, full = names.types[key]
    scope = names.scopes[key]
    entries = {f"{key}.{nested.name}": nested for nested in message.nested_type if nested.options.map_entry}
    real = _real_oneofs(message)
    oneofs: dict[int, Oneof] = {}
    for index in real:
        oneofs[index] = _oneof(message.oneof_decl[index].name, full, scope, comments.at((*path, 8, index)))
    cases = {index: Scope([oneof.not_set]) for index, oneof in oneofs.items()}
    fields = []
    for index, (descriptor, member) in enumerate(zip(message.field, names.members[key], strict=True)):
        oneof = oneofs.get(descriptor.oneof_index) if descriptor.HasField("oneof_index") else None
        case = cases[descriptor.oneof_index].claim(descriptor.name.upper()) if oneof is not None else ""
        documentation = comments.at((*path, 2, index))
        fields.append(_field(names, descriptor, member, entries, scope, oneof, case, documentation))
    return Message(
        full_name=key[1:],
        name=name,
        inner=inner,
        type=full,
        fields=tuple(fields),
        oneofs=tuple(oneofs.values()),
        messages=tuple(
            _message(names, nested, f"{key}.{nested.name}", comments, (*path, 3, index))
            for index, nested in enumerate(message.nested_type)
            if not nested.options.map_entry
        ),
        enums=tuple(
            _enum(names, enum, f"{key}.{enum.name}", comments, (*path, 4, index))
            for index, enum in enumerate(message.enum_type)
        ),
        comment=comments.at(path),
    )


def _real_oneofs(message: DescriptorProto) -> list[int]:
    """The oneofs that were written as such; `optional` fields have a synthetic one each."""
    used = {item.oneof_index for item in message.field if item.HasField("oneof_index") and not item.proto3_optional}
    return sorted(used)


def _oneof(name: str, message: str, scope: Scope, comment: tuple[str, ...]) -> Oneof:
    case_enum = scope.claim(f"{pascal(name)}Case")
    return Oneof(
        name=name,
        slot=scope.claim_private(f"_{name}"),
        case_slot=scope.claim_private(f"_{name}_case"),
        case_member=scope.claim(f"{name}_case"),
        case_enum=case_enum,
        case_type=f"{message}.{case_enum}",
        not_set="NOT_SET",
        clear=scope.claim(f"clear_{name}"),
        comment=comment,
    )


def _field(
    names: _Names,
    descriptor: FieldDescriptorProto,
    member: str,
    entries: dict[str, DescriptorProto],
    scope: Scope,
    oneof: Oneof | None,
    case: str,
    comment: tuple[str, ...],
) -> Field:
    key: Type | None = None
    repeated = descriptor.label == FieldDescriptorProto.LABEL_REPEATED
    entry = entries.get(descriptor.type_name)
    if entry is not None:
        key, value = (_type(names, item) for item in entry.field)
        presence = Presence.MAP
    else:
        value = _type(names, descriptor)
        if repeated:
            presence = Presence.REPEATED
        elif oneof is not None:
            presence = Presence.ONEOF
        elif value.kind is Kind.MESSAGE:
            presence = Presence.MESSAGE
        elif descriptor.proto3_optional:
            presence = Presence.EXPLICIT
        else:
            presence = Presence.IMPLICIT
    tells = presence in (Presence.EXPLICIT, Presence.MESSAGE, Presence.ONEOF)
    packable = presence is Presence.REPEATED and value.kind.wire_type != 2
    return Field(
        name=descriptor.name,
        member=member,
        number=descriptor.number,
        type=value,
        key=key,
        presence=presence,
        packed=packable and (descriptor.options.packed or not descriptor.options.HasField("packed")),
        has=scope.claim(f"has_{descriptor.name}") if tells else "",
        clear=scope.claim(f"clear_{descriptor.name}") if tells else "",
        flag=scope.claim_private(f"_has_{descriptor.name}") if presence is Presence.EXPLICIT else "",
        reader=scope.claim_private(f"_decode_{descriptor.name}") if presence is Presence.MAP else "",
        oneof=oneof,
        case=case,
        comment=comment,
    )


def _type(names: _Names, descriptor: FieldDescriptorProto) -> Type:
    if descriptor.type == FieldDescriptorProto.TYPE_MESSAGE:
        return Type(Kind.MESSAGE, names.types[descriptor.type_name][2], "null")
    if descriptor.type == FieldDescriptorProto.TYPE_ENUM:
        return Type(Kind.ENUM, names.types[descriptor.type_name][2], names.enum_defaults[descriptor.type_name])
    return Type(*_SCALARS[descriptor.type])


def _service(
    names: _Names, service: ServiceDescriptorProto, key: str, comments: Comments, path: Sequence[int]
) -> Service:
    name, inner, _ = names.types[key]
    scope = Scope(CLIENT_LOCALS)
    methods = tuple(
        Method(
            name=scope.claim(snake(method.name)),
            path=f"/{key[1:]}/{method.name}",
            request=names.types[method.input_type][2],
            response=names.types[method.output_type][2],
            client_streams=method.client_streaming,
            server_streams=method.server_streaming,
            comment=comments.at((*path, 2, index)),
        )
        for index, method in enumerate(service.method)
    )
    return Service(full_name=key[1:], name=name, inner=inner, methods=methods, comment=comments.at(path))
