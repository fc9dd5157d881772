"""What an attack is, and the server that it is aimed at."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field

from bridge.settings import ServerLimits


@dataclass(frozen=True, slots=True)
class Door:
    """Where clients of the attacked server knock.

    Attributes:
        address: Its plain port on this machine, ``HOST:PORT``.
        relay: Its relay, which speaks TLS: ``HOST:PORT``.
        token: What its callers show.
        trusted: PEM text of the authority of the relay's certificate.
    """

    address: str
    relay: str
    token: str
    trusted: str


# Attacks as long as the context is entered: gets the door, the size, and what it may count what happens in.
Run = Callable[[Door, int, Counter[str]], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack.

    Attributes:
        summary: What it does, in one line.
        run: Does it.
        short: Its size in the suite: connections, calls or whatever it counts.
        long: Its size by default when it is measured.
        relayed: Whether attacker and bystander come through the relay; otherwise to the plain port.
        limits: Those of the attacked server.
    """

    summary: str
    run: Run
    short: int
    long: int
    relayed: bool = False
    limits: ServerLimits = field(default_factory=ServerLimits)


@asynccontextmanager
async def meanwhile(attacking: Callable[[asyncio.Event], Awaitable[None]]) -> AsyncIterator[None]:
    """Goes on attacking while the context is entered, which it is once something was done.

    Args:
        attacking: Attacks until it is cancelled or has done all that it may, and sets the event once it has begun.
    """
    begun = asyncio.Event()
    task = asyncio.ensure_future(attacking(begun))
    first = asyncio.create_task(begun.wait())
    await asyncio.wait((task, first), return_when=asyncio.FIRST_COMPLETED)
    try:
        yield
    finally:
        first.cancel()
        task.cancel()
        await asyncio.wait((task, first))
        if not task.cancelled():
            task.result()
