"""Messages put together from parts that are encoded already.

Building a message costs more than the rules that it tells of. So what is told again and again (that a
card is drawn, that a card lies in hand and can be played) is encoded once and remembered, and an update,
which goes to all who listen inside messages of several types, is encoded once for all of them. What wraps
a part is a tag and a length; parts of one message may be encoded apart and joined, since a message's
bytes are its fields one after the other.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

_CONTINUES: Final = 0x80
_TWO_BYTES: Final = 0x4000
_VARINT: Final = 0
_LENGTH_DELIMITED: Final = 2
_TAG_BITS: Final = 3
_PREPARED: Final = 1024

_ONE_BYTE: Final = tuple([bytes((value,)) for value in range(_CONTINUES)])


def varint(value: int) -> bytes:
    """A number of 0 or more as protobuf writes it: seven bits in a byte, the lowest first.

    Raises:
        ValueError: The number is negative.
    """
    if 0 <= value < _CONTINUES:
        return _ONE_BYTE[value]
    if value < _TWO_BYTES:
        # Made anew: a large table would have to be fetched from far away between two messages.
        return bytes((value & 0x7F | _CONTINUES, value >> 7))
    parts = bytearray()
    while value >= _CONTINUES:
        parts.append(value & 0x7F | _CONTINUES)
        value >>= 7
    parts.append(value)
    return bytes(parts)


# What stands before the length of a field that holds a message or a text, by the field's number.
_TAGS: Final = tuple([varint(field << _TAG_BITS | _LENGTH_DELIMITED) for field in range(64)])


class Numbers(dict[int, bytes]):
    """A field that holds a number of 0 or more: its bytes by its value; none for 0, which is the default."""

    def __init__(self, field: int) -> None:
        """Prepares the field.

        Args:
            field: Its number.
        """
        self._tag = varint(field << _TAG_BITS | _VARINT)
        super().__init__({value: self._tag + varint(value) for value in range(1, _PREPARED)})
        self[0] = b""

    def __missing__(self, value: int) -> bytes:
        return self._tag + varint(value)


class TellingNumbers(Numbers):
    """An optional field that holds a number of 0 or more: told, 0 is a number like the others."""

    def __init__(self, field: int) -> None:
        """Prepares the field.

        Args:
            field: Its number.
        """
        super().__init__(field)
        self[0] = self._tag + varint(0)


class Lengths(dict[int, bytes]):
    """A field that holds a message or a text: what stands before it, by its length in bytes."""

    def __init__(self, field: int) -> None:
        """Prepares the field.

        Args:
            field: Its number.
        """
        self._tag = varint(field << _TAG_BITS | _LENGTH_DELIMITED)
        super().__init__({length: self._tag + varint(length) for length in range(_PREPARED)})

    def __missing__(self, length: int) -> bytes:
        return self._tag + varint(length)


def submessage(field: int, encoded: bytes) -> bytes:
    """An encoded message as a field of another message.

    Args:
        field: The field's number, below 64.
        encoded: The message.
    """
    return _TAGS[field] + varint(len(encoded)) + encoded


def sized(encoded: bytes) -> bytes:
    """An encoded message with its length before it, as it stands behind a tag."""
    return varint(len(encoded)) + encoded


def tag(field: int) -> bytes:
    """What stands before the length of a field, numbered below 64, that holds a message or a text."""
    return _TAGS[field]


class Memory(dict[Hashable, bytes]):
    """Encoded messages by what they say; it starts anew when it has grown too large."""

    # What a remembered message costs beside its bytes.
    _OVERHEAD: Final = 300

    def __init__(self, most_bytes: int = 16 * 1024 * 1024) -> None:
        """Makes it empty.

        Args:
            most_bytes: How large it may grow.
        """
        super().__init__()
        self._most_bytes = most_bytes
        self._size = 0

    def keep(self, key: Hashable, encoded: bytes) -> bytes:
        """Remembers a message and returns it."""
        self._size += len(encoded) + self._OVERHEAD
        if self._size > self._most_bytes:
            self.clear()
            self._size = len(encoded) + self._OVERHEAD
        self[key] = encoded
        return encoded
