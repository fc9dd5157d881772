"""Battles played by bots inside the server, beside the battles of its clients."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator
from typing import Final

from bridge.battles.battle_setup import BattleSetup, resolve_setup
from bridge.battles.packs import PackLibrary
from bridge.battles.simulated_battle import play_simulated
from bridge.errors import CallError, invalid
from bridge.pb.gcs.v1 import service_pb2
from bridge.settings import ServerSettings
from runtime.battle.random_streams import DRAWN_SEEDS, MOST_SEED
from runtime.bots import BOTS

# Seconds of playing between two messages.
_SLICE: Final = 0.25
_SEEDS: Final = MOST_SEED + 1


class Simulator:
    """Plays battles in a thread of its own, one simulation at a time, so that clients are served meanwhile."""

    def __init__(self, library: PackLibrary, settings: ServerSettings) -> None:
        self._library = library
        self._settings = settings
        self._turn = asyncio.Semaphore(1)
        self._closed: CallError | None = None

    def close(self, error: CallError) -> None:
        """Ends all simulations with an error, within a fraction of a second."""
        self._closed = error

    async def run(self, request: service_pb2.SimulateRequest) -> AsyncIterator[service_pb2.SimulateResponse]:
        """Plays all battles of a request and yields the results as they come.

        Raises:
            CallError: Something in the request is wrong.
        """
        most = self._settings.limits.simulated_battles
        if request.bot not in BOTS:
            raise invalid("bot", " or ".join(BOTS), repr(request.bot[:40]))
        if not 1 <= request.battle_count <= most:
            raise invalid("battle_count", f"a number from 1 to {most}", request.battle_count)
        setup = await resolve_setup(request.start, self._library, self._settings)
        seed = request.start.seed if request.start.HasField("seed") else _drawn_seed(request.battle_count)
        done = 0
        while done < request.battle_count:
            async with self._turn:
                if self._closed is not None:
                    raise self._closed
                played = await asyncio.to_thread(
                    play_slice, setup, request.bot, seed + done, request.battle_count - done
                )
            done += len(played)
            yield service_pb2.SimulateResponse(battles=played, done=done, total=request.battle_count)


def _drawn_seed(battles: int) -> int:
    """A seed for the first of some battles, so that no seed of theirs is 2**53 or more."""
    return secrets.randbelow(DRAWN_SEEDS - battles + 1)


def play_slice(setup: BattleSetup, bot: str, seed: int, count: int) -> list[service_pb2.SimulatedBattle]:
    """Plays battles with consecutive seeds for a fraction of a second, at least one.

    Args:
        setup: What they are started with.
        bot: Who plays, one of `runtime.bots.BOTS`.
        seed: That of the first battle; after 2**64 - 1 comes 0.
        count: The most battles.
    """
    played: list[service_pb2.SimulatedBattle] = []
    end = time.monotonic() + _SLICE
    for number in range(seed, seed + count):
        played.append(play_simulated(setup, bot, number % _SEEDS))
        if time.monotonic() > end:
            break
    return played
