"""The `_decode` method of a message: one cursor over one array, everything that is hot written out in place.

The shapes were chosen by measurement (docs/protobuf-for-gdscript.md): a call of a script function costs as much as ten
simple statements, and `match` several times an `if` chain. A message reads its tag and, for a varint or a length, the
varint behind it in one place; the branch of a field then has little to do. The array is padded, so bounds are checked
once for each length and once at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gdscript.model import Field, Kind, Message, Presence, Type
from protoc_gdscript.writer import Writer

_INT32 = "((_value & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000"

_VARINTS = {
    Kind.INT32: _INT32,
    Kind.INT64: "_value",
    Kind.UINT32: "_value & 0xFFFFFFFF",
    Kind.UINT64: "_value",
    Kind.SINT32: "((_value & 0xFFFFFFFF) >> 1) ^ -(_value & 1)",
    Kind.SINT64: "((_value >> 1) & 0x7FFFFFFFFFFFFFFF) ^ -(_value & 1)",
    Kind.BOOL: "_value != 0",
}

_FIXED = {
    Kind.DOUBLE: ("_data.decode_double(_pos)", 8),
    Kind.FIXED64: ("_data.decode_s64(_pos)", 8),
    Kind.SFIXED64: ("_data.decode_s64(_pos)", 8),
    Kind.FLOAT: ("_data.decode_float(_pos)", 4),
    Kind.FIXED32: ("_data.decode_u32(_pos)", 4),
    Kind.SFIXED32: ("_data.decode_s32(_pos)", 4),
}

_PARAMETERS = "(_data: PackedByteArray, _pos: int, _end: int, _depth: int) -> bool"

# A chain of more branches than this is split in two by the tag.
_CHAIN = 16

_Branch = tuple[int, Callable[[], None]]


def emit_decode(writer: Writer, message: Message) -> None:
    """Writes `_decode`, and a reader for the entries of each map."""
    fields = sorted(message.fields, key=lambda field: field.number)
    branches = [branch for field in fields for branch in _branches(writer, field)]
    _reader(writer, "_decode", branches, lambda: _keep_unknown(writer))
    for field in fields:
        if field.key is not None:
            writer.gap()
            _map_reader(writer, field, field.key)


def _reader(
    writer: Writer,
    name: str,
    branches: Sequence[_Branch],
    otherwise: Callable[[], None],
    before: Sequence[str] = (),
    after: Sequence[str] = (),
) -> None:
    """Writes a function that reads fields up to `_end`."""
    with writer.block(f"func {name}{_PARAMETERS}:"):
        with writer.block("if _depth > MAX_DEPTH:"):
            writer.line('return _fail("", ProtoWire.TOO_DEEP)')
        writer.lines(before)
        with writer.block("while _pos < _end:"):
            _tag_and_value(writer)
            _dispatch(writer, branches, otherwise)
        with writer.block("if _pos != _end:"):
            writer.line('return _fail("", ProtoWire.CUT_OFF)')
        writer.lines(after)
        writer.line("return true")


def _tag_and_value(writer: Writer) -> None:
    """Reads a tag, and the varint behind it where the wire type has one."""
    writer.line("var _start: int = _pos")
    writer.line("var _tag: int = _data[_pos]")
    writer.line("_pos += 1")
    with writer.block("if _tag > 127:"):
        writer.line("_tag = (_tag & 127) | (_data[_pos] << 7)")
        writer.line("_pos += 1")
        with writer.block("if _tag > 16383:"):
            writer.line("_tag = ProtoWire.varint(_data, _start)")
            writer.line("_pos = ProtoWire.after_tag(_data, _start)")
            with writer.block("if _pos < 0:"):
                writer.line('return _fail("", ProtoWire.MALFORMED)')
    writer.line("var _value: int = 0")
    with writer.block("if _tag & 5 == 0:"):
        _varint(writer)
        with writer.block("if _tag & 2 != 0 and (_value < 0 or _value > _end - _pos):"):
            writer.line('return _fail("", ProtoWire.CUT_OFF)')


def _varint(writer: Writer) -> None:
    """Reads a varint into `_value`."""
    writer.line("_value = _data[_pos]")
    writer.line("_pos += 1")
    with writer.block("if _value > 127:"):
        writer.line("_value &= 127")
        writer.line("var _shift: int = 7")
        writer.line("var _byte: int = 128")
        with writer.block("while _byte > 127:"):
            with writer.block("if _shift > 63:"):
                writer.line('return _fail("", ProtoWire.BAD_VARINT)')
            writer.line("_byte = _data[_pos]")
            writer.line("_pos += 1")
            writer.line("_value |= (_byte & 127) << _shift")
            writer.line("_shift += 7")


def _dispatch(writer: Writer, branches: Sequence[_Branch], otherwise: Callable[[], None]) -> None:
    """Chooses the branch of `_tag`: a chain of comparisons, halved by a comparison first when it is long."""
    if len(branches) > _CHAIN:
        middle = len(branches) // 2
        with writer.block(f"if _tag < {branches[middle][0]}:"):
            _dispatch(writer, branches[:middle], otherwise)
        with writer.block("else:"):
            _dispatch(writer, branches[middle:], otherwise)
        return
    word = "if"
    for tag, body in branches:
        with writer.block(f"{word} _tag == {tag}:"):
            body()
        word = "elif"
    with writer.block("else:"):
        otherwise()


def _keep_unknown(writer: Writer) -> None:
    writer.line("_pos = _keep(_data, _start, _tag, _value, _pos, _end)")
    with writer.block("if _pos < 0:"):
        writer.line("return false")


def _skip_unknown(writer: Writer) -> None:
    writer.line("_pos = ProtoWire.skip(_data, _tag, _value, _pos, _end)")
    with writer.block("if _pos < 0:"):
        writer.line('return _fail("", ProtoWire.MALFORMED)')


def _branches(writer: Writer, field: Field) -> list[_Branch]:
    """One branch for most fields; two for a list that may come packed or not, in the order of their tags."""
    if field.presence is Presence.MAP:
        return [(field.tag, lambda: _map_entry(writer, field))]
    if field.presence is not Presence.REPEATED:
        return [(field.tag, lambda: _single(writer, field))]
    wire_type = field.type.kind.wire_type
    branches: list[_Branch] = [(field.number << 3 | wire_type, lambda: _element(writer, field))]
    if wire_type != 2:
        branches.append((field.number << 3 | 2, lambda: _packed(writer, field)))
    return sorted(branches, key=lambda branch: branch[0])


def _single(writer: Writer, field: Field) -> None:
    kind = field.type.kind
    if kind is not Kind.MESSAGE:
        _scalar(writer, field.type, field.name, lambda value: _store(writer, field, value))
    elif field.oneof is None:
        with writer.block(f"if {field.member} == null:"):
            writer.line(f"{field.member} = {field.type.name}.new()")
        _message_body(writer, field.name, field.member)
    else:
        case = f"{field.oneof.case_slot} == {field.oneof.case_type}.{field.case}"
        writer.line(f"var _item: {field.type.name} = {field.oneof.slot} if {case} else null")
        with writer.block("if _item == null:"):
            writer.line(f"_item = {field.type.name}.new()")
            _store(writer, field, "_item")
        _message_body(writer, field.name, "_item")


def _store(writer: Writer, field: Field, value: str) -> None:
    if field.oneof is None:
        writer.line(f"{field.member} = {value}")
    else:
        writer.line(f"{field.oneof.slot} = {value}")
        writer.line(f"{field.oneof.case_slot} = {field.oneof.case_type}.{field.case}")


def _element(writer: Writer, field: Field) -> None:
    if field.type.kind is Kind.MESSAGE:
        writer.line(f"var _item: {field.type.name} = {field.type.name}.new()")
        _message_body(writer, field.name, "_item")
        writer.line(f"{field.member}.append(_item)")
    else:
        _scalar(writer, field.type, field.name, lambda value: writer.line(f"{field.member}.append({value})"))


def _packed(writer: Writer, field: Field) -> None:
    writer.line("var _stop: int = _pos + _value")
    with writer.block("while _pos < _stop:"):
        if field.type.kind.wire_type == 0:
            _varint(writer)
        _scalar(writer, field.type, field.name, lambda value: writer.line(f"{field.member}.append({value})"))
    with writer.block("if _pos != _stop:"):
        writer.line(f'return _fail("{field.name}", ProtoWire.CUT_OFF)')


def _scalar(writer: Writer, of: Type, name: str, store: Callable[[str], None]) -> None:
    """Stores one value that is no message and moves the cursor behind it."""
    if of.kind is Kind.STRING:
        with writer.block("if not ProtoWire.is_text(_data, _pos, _value):"):
            writer.line(f'return _fail("{name}", ProtoWire.BAD_TEXT)')
        store("_data.slice(_pos, _pos + _value).get_string_from_utf8()")
        writer.line("_pos += _value")
    elif of.kind is Kind.BYTES:
        store("_data.slice(_pos, _pos + _value)")
        writer.line("_pos += _value")
    elif of.kind is Kind.ENUM:
        store(f"({_INT32}) as {of.name}")
    elif of.kind in _FIXED:
        expression, size = _FIXED[of.kind]
        store(expression)
        writer.line(f"_pos += {size}")
    else:
        store(_VARINTS[of.kind])


def _message_body(writer: Writer, name: str, variable: str) -> None:
    with writer.block(f"if not {variable}._decode(_data, _pos, _pos + _value, _depth + 1):"):
        writer.line(f'return _fail_inside("{name}", {variable})')
    writer.line("_pos += _value")


def _map_entry(writer: Writer, field: Field) -> None:
    with writer.block(f"if not {field.reader}(_data, _pos, _pos + _value, _depth + 1):"):
        writer.line("return false")
    writer.line("_pos += _value")


def _map_reader(writer: Writer, field: Field, key: Type) -> None:
    """Reads an entry: on the wire a message of key (field 1) and value (field 2), either of which may be left out."""
    value = field.type
    empty = f"{value.name}.new()" if value.kind is Kind.MESSAGE else value.default

    def read_key() -> None:
        _scalar(writer, key, field.name, lambda expression: writer.line(f"_key = {expression}"))

    def read_value() -> None:
        if value.kind is Kind.MESSAGE:
            _message_body(writer, field.name, "_item")
        else:
            _scalar(writer, value, field.name, lambda expression: writer.line(f"_item = {expression}"))

    _reader(
        writer,
        field.reader,
        [(1 << 3 | key.kind.wire_type, read_key), (2 << 3 | value.kind.wire_type, read_value)],
        lambda: _skip_unknown(writer),
        before=(f"var _key: {key.name} = {key.default}", f"var _item: {value.name} = {empty}"),
        after=(f"{field.member}[_key] = _item",),
    )
