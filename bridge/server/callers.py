"""Who calls: by the metadata ``gcs-caller``, or by the connection; and for whom actions are counted."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import count
from typing import Final

from bridge.battles.callers import NAMED
from bridge.errors import invalid
from bridge.net.addresses import UNIX
from bridge.server.rpc import Context

KEY: Final = "gcs-caller"
_STREAM: Final = "stream/"
_streams: Final = count(1)
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
            return f"{NAMED}{value}"
    return context.peer()


def counted_for(context: Context, joined: Container[str]) -> tuple[str, ...]:
    """For whom an action is counted: for the connection, and for the caller if that names itself.

    So a client gains nothing by calling itself something else each time, nor by a second connection under its name.
    Connections over a unix socket cannot be told apart. There the caller alone counts, once it has started or joined
    the battle, for a new name could be made up for each call; all others count as one.

    Args:
        context: The call.
        joined: Who has started or joined what the action is for.

    Raises:
        CallError: What the caller calls itself is no name.
    """
    caller, peer = caller_of(context), context.peer()
    if not peer.startswith(UNIX):
        return (peer, caller) if caller != peer else (peer,)
    return (caller if caller in joined else peer,)


def stream_counted_for(context: Context) -> tuple[str, ...]:
    """For whom the actions of a `Play` stream are counted: as `counted_for`; without a name over a unix socket, itself.

    Raises:
        CallError: What the caller calls itself is no name.
    """
    caller = caller_of(context)
    if caller.startswith(UNIX):
        return (f"{_STREAM}{next(_streams)}",)
    return counted_for(context, (caller,))
