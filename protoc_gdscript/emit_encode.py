"""The `_encode` method of a message: fields in the order of their numbers, appended to one array."""

from __future__ import annotations

from protoc_gdscript.model import Field, Kind, Message, Presence, Type
from protoc_gdscript.writer import Writer

_PUT = {
    Kind.DOUBLE: "put_double",
    Kind.FLOAT: "put_float",
    Kind.FIXED64: "put_fixed64",
    Kind.SFIXED64: "put_fixed64",
    Kind.FIXED32: "put_fixed32",
    Kind.SFIXED32: "put_sfixed32",
    Kind.INT32: "put_int32",
    Kind.ENUM: "put_int32",
    Kind.UINT32: "put_uint32",
    Kind.INT64: "put_varint",
    Kind.UINT64: "put_varint",
    Kind.SINT32: "put_sint32",
    Kind.SINT64: "put_sint64",
    Kind.STRING: "put_text",
    Kind.BYTES: "put_bytes",
    Kind.MESSAGE: "put_message",
}

# Where one byte 0..127 stands for itself; it is written without a call.
_PLAIN_VARINTS = frozenset({Kind.INT32, Kind.INT64, Kind.UINT32, Kind.UINT64, Kind.ENUM})


def emit_encode(writer: Writer, message: Message) -> None:
    """Writes `_encode`."""
    with writer.block("func _encode(_out: PackedByteArray) -> void:"):
        for field in sorted(message.fields, key=lambda field: field.number):
            _field(writer, field)
        writer.line("super(_out)")


def _field(writer: Writer, field: Field) -> None:
    if field.presence is Presence.MAP:
        _map(writer, field)
    elif field.presence is Presence.REPEATED:
        _list(writer, field)
    else:
        with writer.block(f"if {_condition(field)}:"):
            if field.oneof is not None:
                writer.line(f"var _item: {field.type.name} = {field.oneof.slot}")
            _tag(writer, "_out", field.tag)
            _value(writer, "_out", field.type, field.member if field.oneof is None else "_item", field.presence)


def _condition(field: Field) -> str:
    if field.presence is Presence.MESSAGE:
        return f"{field.member} != null"
    if field.presence is Presence.EXPLICIT:
        return field.flag
    if field.oneof is not None:
        return f"{field.oneof.case_slot} == {field.oneof.case_type}.{field.case}"
    if field.type.kind is Kind.BOOL:
        return field.member
    if field.type.kind in (Kind.STRING, Kind.BYTES):
        return f"not {field.member}.is_empty()"
    if field.type.kind in (Kind.FLOAT, Kind.DOUBLE):
        return f"not ProtoWire.is_positive_zero({field.member})"
    return f"{field.member} != 0"


def _list(writer: Writer, field: Field) -> None:
    if field.packed:
        with writer.block(f"if not {field.member}.is_empty():"):
            writer.line("var _entry: PackedByteArray = PackedByteArray()")
            with writer.block(f"for _item: {field.type.name} in {field.member}:"):
                _value(writer, "_entry", field.type, "_item", field.presence)
            _tag(writer, "_out", field.tag)
            writer.line("ProtoWire.put_bytes(_out, _entry)")
    else:
        with writer.block(f"for _item: {field.type.name} in {field.member}:"):
            _tag(writer, "_out", field.tag)
            _value(writer, "_out", field.type, "_item", field.presence)


def _map(writer: Writer, field: Field) -> None:
    key, value = field.key, field.type
    if key is None:
        raise ValueError(f"{field.name} is no map")
    with writer.block(f"for _key: {key.name} in {field.member}:"):
        writer.line(f"var _item: {value.name} = {field.member}[_key]")
        writer.line("var _entry: PackedByteArray = PackedByteArray()")
        _tag(writer, "_entry", 1 << 3 | key.kind.wire_type)
        _value(writer, "_entry", key, "_key", field.presence)
        _tag(writer, "_entry", 2 << 3 | value.kind.wire_type)
        _value(writer, "_entry", value, "_item", field.presence)
        _tag(writer, "_out", field.tag)
        writer.line("ProtoWire.put_bytes(_out, _entry)")


def _tag(writer: Writer, out: str, tag: int) -> None:
    while tag > 127:
        writer.line(f"{out}.append({tag & 127 | 128})")
        tag >>= 7
    writer.line(f"{out}.append({tag})")


def _value(writer: Writer, out: str, of: Type, expression: str, presence: Presence) -> None:
    if of.kind is Kind.BOOL:
        # A field without presence is only written when it is true.
        writer.line(f"{out}.append({'1' if presence is Presence.IMPLICIT else f'1 if {expression} else 0'})")
        return
    put = f"ProtoWire.{_PUT[of.kind]}({out}, {expression})"
    if of.kind not in _PLAIN_VARINTS:
        writer.line(put)
        return
    with writer.block(f"if {expression} & -128 == 0:"):
        writer.line(f"{out}.append({expression})")
    with writer.block("else:"):
        writer.line(put)
