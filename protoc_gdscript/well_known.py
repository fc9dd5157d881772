"""What messages of google.protobuf can do beyond their fields."""

from __future__ import annotations

_ANY = """\
## Wraps [param message]: its bytes, under its name.
func pack(message: ProtoMessage) -> void:
	type_url = "type.googleapis.com/" + message.message_name()
	value = message.to_bytes()

## Whether a message of class [param type] is in it, such as [code]GcsV1Battle.Card[/code].
func holds(type: GDScript) -> bool:
	var message: ProtoMessage = type.new()
	return type_url.get_slice("/", type_url.get_slice_count("/") - 1) == message.message_name()

## The message of class [param type] that is in it; null when it is of another class or malformed.
func unpack(type: GDScript) -> ProtoMessage:
	if not holds(type):
		return null
	var message: ProtoMessage = type.new()
	return message if message.parse(value) else null"""

_DURATION = """\
## The duration in seconds.
func to_seconds() -> float:
	return seconds + nanos / 1e9

## Sets the duration from seconds, to the nanosecond.
func from_seconds(amount: float) -> void:
	seconds = int(amount)
	nanos = roundi((amount - int(amount)) * 1e9)
	if absi(nanos) == 1_000_000_000:
		seconds += signi(nanos)
		nanos = 0"""

_TIMESTAMP = """\
## The time in seconds since 1970 UTC, as [method Time.get_unix_time_from_system] has it.
func to_unix_time() -> float:
	return seconds + nanos / 1e9

## Sets the time from seconds since 1970 UTC, to the nanosecond that a float can tell.
func from_unix_time(time: float) -> void:
	seconds = floori(time)
	nanos = roundi((time - floorf(time)) * 1e9)
	if nanos == 1_000_000_000:
		seconds += 1
		nanos = 0"""

WELL_KNOWN_METHODS: dict[str, str] = {
    "google.protobuf.Any": _ANY,
    "google.protobuf.Duration": _DURATION,
    "google.protobuf.Timestamp": _TIMESTAMP,
}
"""GDScript methods by full message name, indented for the level of a class body."""
