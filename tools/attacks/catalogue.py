"""All attacks by name."""

from __future__ import annotations

from typing import Final

from bridge.settings import ServerLimits
from tools.attacks.attack import Attack
from tools.attacks.health_watches import health_watches
from tools.attacks.large_metadata import large_metadata
from tools.attacks.many_enemies import many_enemies
from tools.attacks.open_streams import open_streams
from tools.attacks.rapid_reset import rapid_reset
from tools.attacks.repeating_raises import repeating_raises
from tools.attacks.silent_connections import silent_connections
from tools.attacks.slow_readers import slow_readers
from tools.attacks.untaken_answers import untaken_answers

ATTACKS: Final[dict[str, Attack]] = {
    "open-streams": Attack("calls without a token that never end", open_streams, short=400, long=20_000),
    "rapid-reset": Attack(
        "calls cancelled as soon as they are begun, over TLS", rapid_reset, short=2_000, long=200_000, relayed=True
    ),
    "health-watches": Attack("watches of the server's health without end", health_watches, short=500, long=20_000),
    "untaken-answers": Attack("calls whose answers are never taken", untaken_answers, short=500, long=5_000),
    "large-metadata": Attack("calls without a token with 200 kB of metadata", large_metadata, short=20, long=2_000),
    "slow-readers": Attack(
        "streams of updates that are never read",
        slow_readers,
        short=20,
        long=90,
        limits=ServerLimits(queued_messages=16),
    ),
    "many-enemies": Attack("battles with 4,000 enemies", many_enemies, short=3, long=300),
    "repeating-raises": Attack("raises each millisecond into flows that double", repeating_raises, short=10, long=500),
    "silent-connections": Attack(
        "TLS connections to the relay that say nothing", silent_connections, short=80, long=1_100, relayed=True
    ),
}
