"""What a `.proto` file holds, as plain data with every GDScript name decided. `descriptors.read` makes it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """A field's type on the wire. The value is the name in GDScript's `ProtoField.Kind`."""

    DOUBLE = "DOUBLE"
    FLOAT = "FLOAT"
    INT64 = "INT64"
    UINT64 = "UINT64"
    INT32 = "INT32"
    FIXED64 = "FIXED64"
    FIXED32 = "FIXED32"
    BOOL = "BOOL"
    STRING = "STRING"
    MESSAGE = "MESSAGE"
    BYTES = "BYTES"
    UINT32 = "UINT32"
    ENUM = "ENUM"
    SFIXED32 = "SFIXED32"
    SFIXED64 = "SFIXED64"
    SINT32 = "SINT32"
    SINT64 = "SINT64"

    @property
    def wire_type(self) -> int:
        """0 varint, 1 eight bytes, 2 a length and bytes, 5 four bytes."""
        if self in (Kind.STRING, Kind.BYTES, Kind.MESSAGE):
            return 2
        if self in (Kind.DOUBLE, Kind.FIXED64, Kind.SFIXED64):
            return 1
        if self in (Kind.FLOAT, Kind.FIXED32, Kind.SFIXED32):
            return 5
        return 0


class Presence(Enum):
    """How a field tells whether it is set. The value is the name in GDScript's `ProtoField.Presence`."""

    IMPLICIT = "IMPLICIT"
    """Set when it differs from its default."""
    EXPLICIT = "EXPLICIT"
    """`optional` on a scalar: a flag beside it."""
    MESSAGE = "MESSAGE"
    """Set when it is not null."""
    ONEOF = "ONEOF"
    """Set when the oneof's case says so."""
    REPEATED = "REPEATED"
    """A list; never absent."""
    MAP = "MAP"
    """A map; never absent."""


@dataclass(frozen=True, slots=True)
class Type:
    """What one value of a field is.

    Attributes:
        kind: The wire type.
        name: The GDScript type: `int`, `String`, `GcsV1Battle.Card` and so on.
        default: The GDScript expression of the default value.
    """

    kind: Kind
    name: str
    default: str


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message.

    Attributes:
        name: The name in the `.proto` file.
        member: The GDScript property.
        number: The field number.
        type: One value of it; for a map, the value's.
        key: A map's key, else None.
        presence: How it tells whether it is set.
        packed: For a list, whether it is written packed.
        has: The method that tells whether it is set, for the presences that have one; else empty.
        clear: The method that unsets it; else empty.
        flag: The private flag of an explicit presence; else empty.
        reader: The private method that reads one entry of a map; else empty.
        oneof: The oneof it belongs to, else None.
        case: Its name in the oneof's case enum; else empty.
        comment: Lines of documentation.
    """

    name: str
    member: str
    number: int
    type: Type
    key: Type | None
    presence: Presence
    packed: bool
    has: str
    clear: str
    flag: str
    reader: str
    oneof: Oneof | None
    case: str
    comment: tuple[str, ...]

    @property
    def tag(self) -> int:
        """Field number and wire type as they are written."""
        if self.packed or self.presence is Presence.MAP:
            return self.number << 3 | 2
        return self.number << 3 | self.type.kind.wire_type


@dataclass(frozen=True, slots=True)
class Oneof:
    """A oneof: one slot for the value of whichever field is set.

    Attributes:
        name: The name in the `.proto` file.
        slot: The private member that holds the value.
        case_slot: The private member that holds the case.
        case_member: The property that tells the case.
        case_enum: The enum's name inside the message.
        case_type: The enum as a full type.
        not_set: The name of the enum's 0.
        clear: The method that unsets it.
        comment: Lines of documentation.
    """

    name: str
    slot: str
    case_slot: str
    case_member: str
    case_enum: str
    case_type: str
    not_set: str
    clear: str
    comment: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnumType:
    """An enum: its name, its full type, and name, number and documentation of each value."""

    name: str
    type: str
    values: tuple[tuple[str, int, tuple[str, ...]], ...]
    comment: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Attributes:
        full_name: As on the wire, `gcs.v1.Card`.
        name: The public name, a constant in the class around it.
        inner: The name of the GDScript class.
        type: The full type, `GcsV1Battle.Card`.
        fields: In the order of the `.proto` file.
        oneofs: Without those that stand for `optional`.
        messages: Nested messages, without map entries.
        enums: Nested enums.
        comment: Lines of documentation.
    """

    full_name: str
    name: str
    inner: str
    type: str
    fields: tuple[Field, ...]
    oneofs: tuple[Oneof, ...]
    messages: tuple[Message, ...]
    enums: tuple[EnumType, ...]
    comment: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """One call of a service: function name, path, types, and which sides stream."""

    name: str
    path: str
    request: str
    response: str
    client_streams: bool
    server_streams: bool
    comment: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Service:
    """A service: its full name, and public name and class name of its client."""

    full_name: str
    name: str
    inner: str
    methods: tuple[Method, ...]
    comment: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class File:
    """One `.proto` file: where its code goes, the global class, and what is in it."""

    path: str
    output: str
    class_name: str
    messages: tuple[Message, ...]
    enums: tuple[EnumType, ...]
    services: tuple[Service, ...]
    comment: tuple[str, ...]
