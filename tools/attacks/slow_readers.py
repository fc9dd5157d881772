"""Readers of a battle's updates that take nothing, while somebody causes one update after the other."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from tools.attacks.attack import Door, meanwhile
from tools.attacks.raw_http2 import RawConnection, raw_connection

# The starter pack's event `thunder`.
_THUNDER: Final = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
_ON_EACH_BATTLE: Final = 30
_RAISES: Final = 2_000
_AT_ONCE: Final = 20
_PATIENCE: Final = 30.0


@asynccontextmanager
async def slow_readers(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Opens `size` streams, 30 on each battle, with a window of 0, and raises events in all those battles."""
    async with AsyncExitStack() as stack:
        raising = await stack.enter_async_context(raw_connection(door, Counter(), token=door.token))
        # Those of another round are there still.
        names = [f"slow{os.getpid()}-{number}" for number in range(-(-size // _ON_EACH_BATTLE))]
        for name in names:
            start = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight", battle_id=name)
            raising.call("/gcs.v1.BattleService/StartBattle", start.SerializeToString())
        await _answered(raising, len(names))
        readers = await stack.enter_async_context(raw_connection(door, counts, token=door.token, window=0))
        for number in range(size):
            watch = service_pb2.WatchRequest(battle_id=names[number // _ON_EACH_BATTLE])
            readers.call("/gcs.v1.BattleService/Watch", watch.SerializeToString())
            counts["sent"] += 1
        await readers.flush()

        async def attack(begun: asyncio.Event) -> None:
            for number in range(0, _RAISES, _AT_ONCE):
                for _ in range(_AT_ONCE):
                    raised = ges_pb2.RaiseRequest(
                        battle_id=names[number // _AT_ONCE % len(names)],
                        guid=_THUNDER,
                        arg=ges_pb2.Payload(int_value=1),
                    )
                    raising.call("/gcs.v1.GesService/Raise", raised.SerializeToString())
                await _answered(raising, len(names) + number + _AT_ONCE)
                counts["raises"] += _AT_ONCE
                begun.set()

        async with meanwhile(attack):
            yield


async def _answered(connection: RawConnection, calls: int) -> None:
    async with asyncio.timeout(_PATIENCE):
        while sum(count for what, count in connection.counts.items() if what.startswith("status")) < calls:
            if not await connection.flush():
                raise ConnectionError("the server has ended the connection")
            await asyncio.sleep(0.001)
