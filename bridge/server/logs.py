"""The log of a server: one line for each thing, for people or as JSON, always with the ids that it is about.

A line's fields (``battle_id``, ``action_id`` and so on) are handed to the standard library's loggers as ``extra``, so
lines of grpc, of asyncio and of plugins come out in the same format.
"""

from __future__ import annotations

import atexit
import json
import logging
import re
from enum import StrEnum
from typing import Final

from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.msgspec import MsgspecFormatter

from bridge.server.repeats import RepeatsFilter
from bridge.visible_text import visible

# Below INFO they tell of their own insides, for each call.
_CHATTY: Final = ("asyncio", "grpc")
_NO_FIELDS: Final = frozenset(RESERVED_ATTRS)
# Everything else is quoted, so that what a client has made up can neither end a line nor begin another field.
_PLAIN: Final = re.compile(r"[\w.:/@-]+")


class LogFormat(StrEnum):
    """How lines look."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """What is told: this and all that is worse."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class TextFormatter(logging.Formatter):
    """A line for people, its fields behind the message as ``name=value``."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name of the standard library
        """The line without a traceback."""
        line = visible(super().formatMessage(record))
        fields = [f" {name}={_shown(value)}" for name, value in vars(record).items() if name not in _NO_FIELDS]
        return line + "".join(fields)


def _shown(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _json_formatter() -> logging.Formatter:
    return MsgspecFormatter(
        ["levelname", "name", "message"], rename_fields={"levelname": "level", "name": "logger"}, timestamp="time"
    )


def configure_logging(log_format: LogFormat = LogFormat.TEXT, level: LogLevel = LogLevel.INFO) -> None:
    """Sends the log of this process to stderr.

    Args:
        log_format: How lines look.
        level: What is told.
    """
    handler = logging.StreamHandler()
    repeats = RepeatsFilter(handler)
    handler.addFilter(repeats)
    atexit.register(repeats.tell)
    handler.setFormatter(TextFormatter() if log_format is LogFormat.TEXT else _json_formatter())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.getLogger().level, logging.INFO))
