"""Battles with as many enemies as fit into a message."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from bridge.pb.gcs.v1 import service_pb2
from tools.attacks.attack import Door, meanwhile
from tools.attacks.raw_http2 import raw_connection

_METHOD: Final = "/gcs.v1.BattleService/StartBattle"
_ENEMIES: Final = 4_000
_PACK: Final = {
    "id": "crowd",
    "cards": [{"id": "wait", "cost": 0, "target": "none"}],
    "enemies": [{"id": "one", "hp": 10}],
    "decks": [{"id": "few", "cards": ["wait"]}],
}


@asynccontextmanager
async def many_enemies(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Starts `size` battles with 4,000 enemies each, one after the other."""
    crowd = {"enemies": ["one"] * _ENEMIES, "max_enemies": _ENEMIES, "deck": "few", "player": {"hp": 50}}
    request = service_pb2.StartBattleRequest(pack_json=json.dumps(_PACK), encounter_json=json.dumps(crowd))
    start = request.SerializeToString()

    async def attack(begun: asyncio.Event) -> None:
        async with raw_connection(door, counts, token=door.token) as connection:
            for number in range(size):
                connection.call(_METHOD, start)
                counts["sent"] += 1
                while sum(counts[f"status {code}"] for code in range(17)) <= number:
                    if not await connection.flush():
                        return
                    await asyncio.sleep(0.001)
                begun.set()

    async with meanwhile(attack):
        yield
