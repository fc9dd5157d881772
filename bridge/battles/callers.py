"""Names of callers, as battles keep them; `bridge.server.callers` finds out who calls."""

from __future__ import annotations

from typing import Final

# What a name begins with that a caller has given itself; all others are addresses of connections.
NAMED: Final = "caller/"


def lasting(caller: str) -> str:
    """The caller, if it names itself; empty for a connection: after a restart, its address may be another's.

    Args:
        caller: The caller's name.
    """
    return caller if caller.startswith(NAMED) else ""
