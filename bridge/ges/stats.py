"""What was seen of a GES event, as it is told."""

from __future__ import annotations

from bridge.ges.monitor import Argument, EventStats
from bridge.pb.gcs.v1 import events_pb2, ges_pb2

_NS_PER_MS = 1_000_000


def write_stats(message: ges_pb2.EventStats, stats: EventStats, per_second: int) -> None:
    """Writes what was seen of an event into an empty message.

    Args:
        message: The message.
        stats: What was seen.
        per_second: How many raises there were in the last second.
    """
    message.count = stats.count
    message.per_second = per_second
    message.mean_ms = stats.mean_ns / _NS_PER_MS
    message.max_ms = stats.max_ns / _NS_PER_MS
    for argument in stats.last_arguments:
        _write_argument(message.last_arguments.add(), argument)
    for kind, (count, text) in sorted(stats.warnings.items()):
        message.warnings.add(kind=kind, message=text, count=count)


def _write_argument(port: events_pb2.Port, argument: Argument) -> None:
    name, kind, value = argument
    port.name = name
    if kind == "card":
        port.value.card_value.card_id = str(value)
    else:
        setattr(port.value, f"{kind}_value", value)
