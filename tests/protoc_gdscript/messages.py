"""Message classes of the `.proto` files under test, made from descriptors, and random messages of them."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from protoc_gdscript.generate import PROTO, TEST_PROTO, descriptor_set, proto_names

# The order of TYPES in godot_project/tests/protobuf/vectors.gd.
TYPES = (
    "wire_test.v1.Singular",
    "wire_test.v1.Optionals",
    "wire_test.v1.Lists",
    "wire_test.v1.UnpackedLists",
    "wire_test.v1.Choices",
    "wire_test.v1.Maps",
    "wire_test.v1.Everything",
    "wire_test.v1.Older",
    "gcs.v1.BattleState",
    "gcs.v1.Update",
    "gcs.v1.Payload",
)

_DOUBLES = (0.0, -0.0, 1.5, -1e308, 5e-324, float("inf"), float("-inf"), float("nan"), 0.1, 1 / 3)
_FLOATS = (0.0, -0.0, 1.5, 1e-45, 3.4028234663852886e38, float("inf"), float("-inf"), float("nan"))
_CHARACTERS = 'aZ09 _-"\\\n\r\t\x01\x7f\x80äßł€漢😀\ud7ff\ue000\uffff\U00010000\U0010ffff'
_BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}


@cache
def _pool() -> DescriptorPool:
    pool = DescriptorPool()
    known: set[str] = set()
    for root in (PROTO, TEST_PROTO):
        for file in descriptor_set(proto_names(root), root).file:
            if file.name not in known:
                known.add(file.name)
                pool.Add(file)
    return pool


@cache
def message_class(name: str) -> type[Message]:
    """The Python class of a message by its full name."""
    return GetMessageClass(_pool().FindMessageTypeByName(name))


def random_message(name: str, rng: random.Random, depth: int = 4) -> Message:
    """A message with random content, extreme values often; `depth` bounds what is nested."""
    message = message_class(name)()
    _fill(message, rng, depth)
    return message


def _fill(message: Message, rng: random.Random, depth: int) -> None:
    descriptor: Descriptor = message.DESCRIPTOR
    chosen = {oneof.name: rng.choice([*oneof.fields, None]) for oneof in descriptor.oneofs}
    density = rng.choice((0.1, 0.5, 1.0))
    for field in descriptor.fields:
        oneof = field.containing_oneof
        if oneof is not None and len(oneof.fields) > 1:
            if chosen[oneof.name] is not field:
                continue
        elif rng.random() > density:
            continue
        _fill_field(message, field, rng, depth)


def _fill_field(message: Message, field: FieldDescriptor, rng: random.Random, depth: int) -> None:
    target: Any = getattr(message, field.name)
    nested = field.message_type
    if nested is not None and nested.GetOptions().map_entry:
        key, value = nested.fields_by_name["key"], nested.fields_by_name["value"]
        for _ in range(rng.randrange(4)):
            if value.message_type is not None:
                if depth > 0:
                    _fill(target[_scalar(key, rng)], rng, depth - 1)
            else:
                target[_scalar(key, rng)] = _scalar(value, rng)
    elif field.is_repeated:
        for _ in range(rng.choice((0, 1, 2, 5))):
            if nested is None:
                target.append(_scalar(field, rng))
            elif depth > 0:
                _fill(target.add(), rng, depth - 1)
    elif nested is not None:
        if depth > 0:
            target.SetInParent()
            _fill(target, rng, depth - 1)
    else:
        setattr(message, field.name, _scalar(field, rng))


def _scalar(field: FieldDescriptor, rng: random.Random) -> Any:
    makers: dict[int, Callable[[], Any]] = {
        FieldDescriptor.CPPTYPE_BOOL: lambda: rng.random() < 0.5,
        FieldDescriptor.CPPTYPE_DOUBLE: lambda: rng.choice((*_DOUBLES, rng.uniform(-1e6, 1e6))),
        FieldDescriptor.CPPTYPE_FLOAT: lambda: rng.choice((*_FLOATS, _float32(rng.uniform(-1e6, 1e6)))),
        FieldDescriptor.CPPTYPE_STRING: lambda: _text_or_bytes(field, rng),
    }
    bounds = _BOUNDS.get(field.cpp_type)
    return _integer(*bounds, rng) if bounds is not None else makers[field.cpp_type]()


def _float32(value: float) -> float:
    result: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return result


def _integer(low: int, high: int, rng: random.Random) -> int:
    near = rng.choice((low, high, 0, 1, 127, 128, 16383, 16384, 2**21, 2**28, 2**31, 2**35, 2**56, 2**63))
    value = rng.choice((near, near - 1, -near, rng.randint(low, high), rng.randrange(200)))
    return min(max(value, low), high)


def _text_or_bytes(field: FieldDescriptor, rng: random.Random) -> str | bytes:
    length = rng.choice((0, 1, 3, 7, 8, 9, 20, 200))
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(length)
    alphabet = _CHARACTERS if rng.random() < 0.4 else "abcdefghijklmnop_0123"
    return "".join(rng.choice(alphabet) for _ in range(length))
