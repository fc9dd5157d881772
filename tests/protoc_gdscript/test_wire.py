"""The generated codec in a real Godot against Python's protobuf: the same bytes, the same refusals."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

import pytest
from google.protobuf import text_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from tests.protoc_gdscript.conftest import Answer, Roundtrip
from tests.protoc_gdscript.messages import TYPES, message_class, random_message


def canonical(message: Message) -> bytes:
    """Bytes that are the same for equal messages, NaN included."""
    return message.SerializeToString(deterministic=True)


def same(left: Message, right: Message) -> bool:
    """Whether two messages are equal, unknown fields included.

    A NaN may have lost its payload: Godot's floats are doubles, and widening makes a signalling NaN of 32 bits quiet.
    """
    if canonical(left) == canonical(right):
        return True
    texts = [text_format.MessageToString(message, print_unknown_fields=True) for message in (left, right)]
    return texts[0] == texts[1] and "nan" in texts[0]


def parsed(name: str, data: bytes) -> Message | None:
    message = message_class(name)()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return None
    return message


def test_10_000_random_messages_survive_both_ways(roundtrip: Roundtrip) -> None:
    rng = random.Random(20261129)
    sent = [random_message(rng.choice(TYPES), rng, depth=3) for _ in range(10_000)]
    answers = roundtrip([(message.DESCRIPTOR.full_name, message.SerializeToString()) for message in sent])
    for index, (message, answer) in enumerate(zip(sent, answers, strict=True)):
        assert answer.accepted, (message, answer.data)
        back = parsed(message.DESCRIPTOR.full_name, answer.data)
        assert back is not None
        assert canonical(back) == canonical(message), message
        if index % 5 == 0:  # Python's parser of texts takes longest of all
            read = text_format.Parse(answer.text, message_class(message.DESCRIPTOR.full_name)())
            assert canonical(read) == canonical(message), answer.text


def test_fields_are_written_as_other_libraries_write_them(roundtrip: Roundtrip) -> None:
    rng = random.Random(3)
    sent = [random_message("wire_test.v1.Singular", rng) for _ in range(500)]
    answers = roundtrip([("wire_test.v1.Singular", message.SerializeToString()) for message in sent])
    assert [answer.data for answer in answers] == [message.SerializeToString() for message in sent]


def test_packed_and_unpacked_lists_are_read_alike(roundtrip: Roundtrip) -> None:
    rng = random.Random(4)
    sent = [random_message("wire_test.v1.Lists", rng) for _ in range(300)]
    packed = [message.SerializeToString() for message in sent]
    unpacked = [message_class("wire_test.v1.UnpackedLists").FromString(data).SerializeToString() for data in packed]
    assert packed != unpacked
    crossed = roundtrip(
        [("wire_test.v1.Lists", data) for data in unpacked] + [("wire_test.v1.UnpackedLists", data) for data in packed]
    )
    assert [answer.data for answer in crossed] == packed + unpacked


def test_unknown_fields_are_kept_at_every_level(roundtrip: Roundtrip) -> None:
    rng = random.Random(5)
    sent = [random_message("wire_test.v1.Everything", rng) for _ in range(300)]
    answers = roundtrip([("wire_test.v1.Older", message.SerializeToString()) for message in sent])
    for message, answer in zip(sent, answers, strict=True):
        back = parsed("wire_test.v1.Everything", answer.data)
        assert back is not None
        assert canonical(back) == canonical(message)


def test_damaged_messages_are_refused_as_python_refuses_them(roundtrip: Roundtrip) -> None:
    rng = random.Random(6)
    damaged = [damage(rng) for _ in range(20_000)]
    verdicts = {True: 0, False: 0}
    for (name, data), answer in zip(damaged, roundtrip(damaged), strict=True):
        expected = parsed(name, data)
        if expected is not None and has_zero_in_text(expected):
            assert not answer.accepted, "a Godot String cannot hold U+0000"
            continue
        assert answer.accepted == (expected is not None), (name, data.hex(), answer.data)
        verdicts[answer.accepted] += 1
        if expected is not None and not has_odd_map_entry(expected):
            back = parsed(name, answer.data)
            assert back is not None
            assert same(back, expected), (name, data.hex())
    assert min(verdicts.values()) > 2_000, "the damage should leave some messages whole and break others"


def damage(rng: random.Random) -> tuple[str, bytes]:
    """A random message, cut off or with some bits turned, or plain random bytes."""
    name = rng.choice(TYPES)
    data = bytearray(random_message(name, rng, depth=2).SerializeToString())
    way = rng.randrange(4)
    if way == 0:
        return name, bytes(data[: rng.randrange(len(data) + 1)])
    if way == 1:
        return name, rng.randbytes(rng.randrange(24))
    for _ in range(rng.choice((1, 1, 2, 5)) if data else 0):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    if way == 2 and data:
        at = rng.randrange(len(data))
        data[at:at] = rng.randbytes(rng.randrange(1, 12))
    return name, bytes(data)


def parts(message: Message) -> Iterator[Message | str]:
    """Everything in a message that is a message or a text, itself first."""
    yield message
    for field, value in message.ListFields():
        if isinstance(value, Mapping):
            found: Iterable[object] = [*value.keys(), *value.values()]
        else:
            found = value if field.is_repeated else [value]
        for item in found:
            if isinstance(item, Message):
                yield from parts(item)
            elif isinstance(item, str):
                yield item


def has_zero_in_text(message: Message) -> bool:
    return any("\0" in part for part in parts(message) if isinstance(part, str))


def has_odd_map_entry(message: Message) -> bool:
    """Whether a map's entry has a third field.

    Python then takes the whole entry for an unknown field; C++ and Java drop the third field, and so do we.
    """
    return any(
        unknown.wire_type == 2 and is_map(part.DESCRIPTOR.fields_by_number.get(unknown.field_number))
        for part in parts(message)
        if isinstance(part, Message)
        for unknown in UnknownFieldSet(part)
    )


def is_map(field: FieldDescriptor | None) -> bool:
    return field is not None and field.message_type is not None and field.message_type.GetOptions().map_entry


NESTING = {99: True, 100: True, 101: False, 5_000: False}


@pytest.fixture
def nested(roundtrip: Roundtrip) -> dict[int, Answer]:
    return dict(zip(NESTING, roundtrip([("wire_test.v1.Older", nest(depth)) for depth in NESTING]), strict=True))


def nest(depth: int) -> bytes:
    """`depth` messages inside the outermost one."""
    data = b""
    for _ in range(depth):
        size = len(data)
        length = bytearray()
        while size > 127:
            length.append(size & 127 | 128)
            size >>= 7
        length.append(size)
        data = b"\x82\x80\x01" + bytes(length) + data
    return data


def test_nesting_is_bounded(nested: dict[int, Answer]) -> None:
    assert {depth: answer.accepted for depth, answer in nested.items()} == NESTING
    assert nested[101].data.endswith(b"nested deeper than 100 messages")


VECTORS: dict[str, tuple[str, str, bool, str]] = {
    "nothing": ("Singular", "", True, ""),
    "uint64 above 2^63": ("Singular", "20ffffffffffffffffff01", True, "uint64_field: 18446744073709551615\n"),
    "int64 -1": ("Singular", "18ffffffffffffffffff01", True, "int64_field: -1\n"),
    "int32 minimum": ("Singular", "2880808080f8ffffffff01", True, "int32_field: -2147483648\n"),
    "int32 cut from 64 bits": ("Singular", "28ffffffff0f", True, "int32_field: -1\n"),
    "sint32 minimum": ("Singular", "8801ffffffff0f", True, "sint32_field: -2147483648\n"),
    "sint64 minimum": ("Singular", "9001ffffffffffffffffff01", True, "sint64_field: -9223372036854775808\n"),
    "sint64 maximum": ("Singular", "9001feffffffffffffffff01", True, "sint64_field: 9223372036854775807\n"),
    "sint64 above 2^31": ("Singular", "90018080808010", True, "sint64_field: 2147483648\n"),
    "minus zero is set": ("Singular", "090000000000000080", True, "double_field: -0\n"),
    "NaN": ("Singular", "09000000000000f87f", True, "double_field: nan\n"),
    "float infinity": ("Singular", "150000807f", True, "float_field: inf\n"),
    "fixed64 of all ones": ("Singular", "31ffffffffffffffff", True, "fixed64_field: 18446744073709551615\n"),
    "sfixed32 -2": ("Singular", "7dfeffffff", True, "sfixed32_field: -2\n"),
    "unknown enum number": ("Singular", "7063", True, "enum_field: 99\n"),
    "known enum number": ("Singular", "7002", True, "enum_field: COLOR_BLUE\n"),
    "bool of many bits": ("Singular", "4080808010", True, "bool_field: true\n"),
    "the last of two wins": ("Singular", "28012802", True, "int32_field: 2\n"),
    "messages merge": ("Singular", "5a0208025a021200", True, "message_field {\n  number: 1\n  parts {\n  }\n}\n"),
    "wrong wire type is unknown": ("Singular", "2d01000000", True, ""),
    "a group is unknown": ("Singular", "a306080128012da4069a00a406", True, ""),
    "a group cut off": ("Singular", "a3060801", False, ""),
    "group end without start": ("Singular", "a406", False, ""),
    "group ends with another number": ("Singular", "a3060801ac06", False, ""),
    "field number 0": ("Singular", "0001", False, ""),
    "reserved wire type": ("Singular", "0f", False, ""),
    "varint cut off": ("Singular", "2880", False, ""),
    "varint of eleven bytes": ("Singular", "28ffffffffffffffffffff01", False, ""),
    "tag of six bytes": ("Singular", "a8808080800001", False, ""),
    "fixed64 cut off": ("Singular", "31ffffff", False, ""),
    "length beyond the end": ("Singular", "4a05616263", False, ""),
    "length of 2^63": ("Singular", "4a80808080808080808001", False, ""),
    "optional zero is set": ("Optionals", "2800", True, "int32_field: 0\n"),
    "optional empty text is set": ("Optionals", "4a00", True, 'string_field: ""\n'),
    "oneof: the last wins": ("Choices", "28014a0178", True, 'string_field: "x"\n'),
    "oneof: zero is set": ("Choices", "2800", True, "int32_field: 0\n"),
    "oneof: messages merge": ("Choices", "5a0208025a021200", True, "message_field {\n  number: 1\n  parts {\n  }\n}\n"),
    "packed list cut off within": ("Lists", "2a0280", False, ""),
    "packed list ends in a varint": ("Lists", "2a028080", False, ""),
    "packed fixed of odd length": ("Lists", "3a0501000000ff", False, ""),
    "map entry without key and value": ("Maps", "3a00", True, 'by_string {\n  key: ""\n  value: 0\n}\n'),
    "map entry backwards": ("Maps", "3a0815070000000a0161", True, 'by_string {\n  key: "a"\n  value: 7\n}\n'),
    "map key twice": ("Maps", "42020801420410010801", True, "by_uint32 {\n  key: 1\n  value: true\n}\n"),
    "map entry with an unknown field": ("Maps", "420608011001180a", True, "by_uint32 {\n  key: 1\n  value: true\n}\n"),
}


def test_golden_vectors(roundtrip: Roundtrip) -> None:
    sent = [(f"wire_test.v1.{name}", bytes.fromhex(data)) for name, data, _, _ in VECTORS.values()]
    answers = roundtrip(sent)
    found = {label: (answer.accepted, answer.text) for label, answer in zip(VECTORS, answers, strict=True)}
    assert found == {label: (accepted, text) for label, (_, _, accepted, text) in VECTORS.items()}
    python = {label: parsed(*message) is not None for label, message in zip(VECTORS, sent, strict=True)}
    assert python == {label: accepted for label, (_, _, accepted, _) in VECTORS.items()}


TEXTS: dict[bytes, bool] = {
    b"plain": True,
    b"exactly8": True,
    "grüße 漢字 😀 \ud7ff\ue000\U0010ffff".encode(): True,
    b"": True,
    b"\x80": False,  # a continuation byte alone
    b"12345678\xc3": False,  # cut off after the fast part
    b"\xc0\x80": False,  # overlong
    b"\xc1\xbf": False,
    b"\xe0\x9f\xbf": False,
    b"\xf0\x8f\xbf\xbf": False,
    b"\xed\xa0\x80": False,  # a surrogate
    b"\xed\x9f\xbf": True,
    b"\xf4\x90\x80\x80": False,  # above U+10FFFF
    b"\xf4\x8f\xbf\xbf": True,
    b"\xf5\x80\x80\x80": False,
    b"\xff": False,
    b"\xe2\x82": False,
    b"\xe2\x28\xa1": False,
    b"a\0b": False,  # valid, but no Godot String
    b"12345678\0": False,
}


def test_texts_are_refused_unless_they_are_utf8_without_zero(roundtrip: Roundtrip) -> None:
    answers = roundtrip([("wire_test.v1.Singular", b"\x4a" + bytes([len(text)]) + text) for text in TEXTS])
    assert {text: answer.accepted for text, answer in zip(TEXTS, answers, strict=True)} == TEXTS
    refused = {answer.data for answer in answers if not answer.accepted}
    assert refused == {b"string_field: not UTF-8, or with U+0000"}
