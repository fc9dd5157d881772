"""What clients cause in the log: one line of level INFO, and what comes again and again counted instead of repeated."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

# Its errors about calls are tracebacks of its own insides.
_GRPC: Final = "grpc._cython.cygrpc"
# Who is heard as often as clients like: what they say first is logged, the rest of the next seconds is counted.
_BY_CLIENTS: Final = (_GRPC, "asyncio", "bridge.relay", "bridge.server.rpc", "bridge.store")
_SECONDS: Final = 10.0
# Kinds of lines remembered at a time.
_MOST_KINDS: Final = 1_000

_Kind = tuple[str, int, str, str]


@dataclass(slots=True)
class _Seen:
    since: float
    more: int = 0


class RepeatsFilter(logging.Filter):
    """For a handler: calls that ended with their client become one line, and lines that repeat are counted.

    Of lines of one kind, which is one logger's format string and one type of error, one is let through in ten
    seconds; how many more there were stands in a line of its own afterwards.
    """

    def __init__(self, handler: logging.Handler, clock: Callable[[], float] = time.monotonic) -> None:
        """Makes it for a handler, which it hands the counts to.

        Args:
            handler: The handler that it is added to.
            clock: Seconds that only grow.
        """
        super().__init__()
        self._handler = handler
        self._clock = clock
        self._seen: dict[_Kind, _Seen] = {}
        self._telling = False

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is to be handled."""
        if self._telling:
            return True
        now = self._clock()
        self._tell_counts([kind for kind, seen in self._seen.items() if now - seen.since >= _SECONDS])
        if not record.name.startswith(_BY_CLIENTS):
            return True
        _calm(record)
        if record.levelno < logging.getLogger(record.name).getEffectiveLevel():
            return False
        # asyncio's lines go on with what differs each time.
        first_line = str(record.msg).partition("\n")[0]
        kind = (record.name, record.levelno, first_line, _type_of_error(record))
        seen = self._seen.get(kind)
        if seen is not None:
            seen.more += 1
            return False
        if len(self._seen) < _MOST_KINDS:
            self._seen[kind] = _Seen(now)
        return True

    def tell(self) -> None:
        """Hands over what has been counted and not told yet."""
        self._tell_counts(list(self._seen))

    def _tell_counts(self, kinds: list[_Kind]) -> None:
        for kind in kinds:
            more = self._seen.pop(kind).more
            if not more:
                continue
            name, level, message, error = kind
            text = f"{message} {error}".strip()
            line = logging.LogRecord(name, level, "", 0, "%d more of: %s", (more, text), None)
            self._telling = True
            try:
                self._handler.handle(line)
            finally:
                self._telling = False


def _type_of_error(record: logging.LogRecord) -> str:
    return record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""


def _calm(record: logging.LogRecord) -> None:
    """Makes gRPC's traceback about a client that is gone what it is: a line about a client."""
    if record.name != _GRPC or not record.exc_info:
        return
    error = record.exc_info[1]
    # What gRPC raises, within itself, for a call whose client is gone or is done with it. By name: importing it takes a
    # while, and commands without it have a log as well.
    if not any((kind.__module__, kind.__name__) == (_GRPC, "BaseError") for kind in type(error).__mro__):
        return
    record.msg, record.args = f"a client is gone before its call was over ({type(error).__name__})", ()
    record.levelno, record.levelname = logging.INFO, "INFO"
    record.exc_info = record.exc_text = None
