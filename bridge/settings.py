"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_ADDRESS = "127.0.0.1:50051"


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """How much a server takes on. Whoever asks for more gets ``RESOURCE_EXHAUSTED`` with a reason.

    Attributes:
        battles: Live battles, those that are over but not yet dropped included.
        streams_per_battle: Open `Play` and `Watch` streams of one battle.
        listen_streams: Open `Listen` streams.
        message_bytes: The largest message taken from a client, an inline pack included.
        events_kept: Events of one battle kept for clients that come back; older ones are forgotten.
        idle_seconds: A battle that nobody asked for or listened to for so long is dropped.
        actions_per_second: Actions and raises that one client may send in a second; 0: no limit.
        node_budget: The most flow nodes under one root that a battle may be started with (R2.5).
        queued_messages: Messages that may wait for one reader; a slower one is cut off.
        inline_packs: Compiled packs from clients that are kept for the next battle.
        scheduled_raises: Delayed and repeating raises that callers may have scheduled in one battle.
        simulated_battles: The most battles that one call of `Simulate` may ask for.
    """

    battles: int = 10_000
    streams_per_battle: int = 32
    listen_streams: int = 256
    message_bytes: int = 4 * 1024 * 1024
    events_kept: int = 20_000
    idle_seconds: float = 3_600.0
    actions_per_second: int = 0
    node_budget: int = 100_000
    queued_messages: int = 512
    inline_packs: int = 16
    scheduled_raises: int = 1_000
    simulated_battles: int = 100_000


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings of a server.

    Attributes:
        address: ``HOST:PORT`` (port 0: a free one) or ``unix:PATH``.
        packs: Folders of packs, each holding a ``pack.json``, beside the installed packs.
        allow_inline_packs: Whether a client may send its own pack.
        allow_set_state: Whether actions may write state, for tests.
        limits: How much it takes on.
        metrics: ``HOST:PORT`` (port 0: a free one) of the metrics; empty: none.
        public_metrics: Whether the metrics may be where other machines reach them. They are neither encrypted nor
            protected.
        grace_seconds: How long calls may take to end once the server stops.
    """

    address: str = DEFAULT_ADDRESS
    packs: tuple[Path, ...] = ()
    allow_inline_packs: bool = True
    allow_set_state: bool = False
    limits: ServerLimits = field(default_factory=ServerLimits)
    metrics: str = ""
    public_metrics: bool = False
    grace_seconds: float = 3.0
