"""The process of an attacker: ``python -m tools.attacks.attacker NAME SIZE DOOR``.

It says ``ready`` once the attack has begun, goes on until its standard input ends or says something, and tells then
what it has counted, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter

import msgspec

from tools.attacks.attack import Door
from tools.attacks.catalogue import ATTACKS


async def attack(name: str, size: int, door: Door) -> dict[str, int]:
    """Attacks until standard input has a line or an end; gives what was counted."""
    counts: Counter[str] = Counter()
    async with ATTACKS[name].run(door, size, counts):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
    return dict(counts)


if __name__ == "__main__":
    found = asyncio.run(attack(sys.argv[1], int(sys.argv[2]), msgspec.json.decode(sys.argv[3], type=Door)))
    print(json.dumps(found), flush=True)
