"""Who calls: by the metadata ``gcs-caller``, or by the connection."""

from __future__ import annotations

import re
from typing import Final

from bridge.errors import invalid
from bridge.rpc import Context

KEY: Final = "gcs-caller"
_NAMED: Final = "caller/"
_CALLER: Final = re.compile(r"[A-Za-z0-9_.:-]{1,128}")


def caller_of(context: Context) -> str:
    """The caller's name: what it calls itself, else the address of its connection.

    Raises:
        CallError: What it calls itself is no name.
    """
    for name, value in context.invocation_metadata() or ():
        if name == KEY:
            if not isinstance(value, str) or not _CALLER.fullmatch(value):
                raise invalid(KEY, "1 to 128 letters, digits, points, colons, hyphens or underscores", repr(value))
            # Nobody can pass for another's connection: those have a slash, or no such letters.
            return f"{_NAMED}{value}"
    return context.peer()


def lasting(caller: str) -> str:
    """The caller, if it names itself; empty for a connection: after a restart, its address may be another's.

    Args:
        caller: The caller's name.
    """
    return caller if caller.startswith(_NAMED) else ""
