"""Battles whose repeating raises come every millisecond, each into flows that double; then nothing more is sent."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any, Final

import grpc

from bridge.pb.gcs.v1 import ges_pb2, service_pb2
from bridge.pb.gcs.v1.ges_pb2_grpc import GesServiceStub
from bridge.pb.gcs.v1.service_pb2_grpc import BattleServiceStub
from tools.attacks.attack import Door

_DOUBLINGS: Final = 6
_NAMES: Final = [f"e{number}" for number in range(_DOUBLINGS + 1)]
_GUIDS: Final = [f"{number:032x}" for number in range(1, _DOUBLINGS + 2)]
_PACK: Final = {
    "id": "doubling",
    "cards": [{"id": "wait", "cost": 0, "target": "none"}],
    "enemies": [{"id": "one", "hp": 10}],
    "decks": [{"id": "few", "cards": ["wait"]}],
    "events": [
        {"id": name, "guid": guid, "argument": "none", "sender": False}
        for name, guid in zip(_NAMES, _GUIDS, strict=True)
    ],
    "flows": [
        {
            "id": "doubling",
            "triggers": [{"from": source, "to": target} for source, target in pairwise(_NAMES) for _ in range(2)],
            "chains": [],
        }
    ],
}
_ENCOUNTER: Final = {"enemies": ["one"], "max_enemies": 1, "deck": "few", "player": {"hp": 50}}


@asynccontextmanager
async def repeating_raises(door: Door, size: int, counts: Counter[str]) -> AsyncIterator[None]:
    """Starts `size` battles with a raise each millisecond that 126 others follow."""
    metadata = (("authorization", f"Bearer {door.token}"),)
    async with grpc.aio.insecure_channel(door.address) as channel:
        # The generated stubs have no types of their own for asyncio.
        battles: Any = BattleServiceStub(channel)
        ges: Any = GesServiceStub(channel)
        names = [f"doubling{number}" for number in range(size)]
        for name in names:
            start = service_pb2.StartBattleRequest(
                battle_id=name, pack_json=json.dumps(_PACK), encounter_json=json.dumps(_ENCOUNTER)
            )
            await battles.StartBattle(start, metadata=metadata)
            repeated = ges_pb2.RaiseRequest(battle_id=name, guid=_GUIDS[0], raise_id="again")
            request = ges_pb2.RaiseRepeatingRequest(request=repeated, interval_ms=1, count=-1)
            await ges.RaiseRepeating(request, metadata=metadata)
            counts["sent"] += 1
        yield
        for name in names:
            await battles.EndBattle(service_pb2.EndBattleRequest(battle_id=name), metadata=metadata)
