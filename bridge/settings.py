"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_ADDRESS = "127.0.0.1:50051"
ANY_ORIGIN = "*"
# Where a token is found, and the metadata that shows it as ``Bearer TOKEN``.
TOKEN_VARIABLE = "GCS_TOKEN"
TOKEN_METADATA = "authorization"
# Begins the answers of those calls that take no token: a relay is not to take their clients for known ones.
NO_TOKEN_METADATA = "gcs-takes-no-token"


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """How much a server takes on. Whoever asks for more gets ``RESOURCE_EXHAUSTED`` with a reason.

    Attributes:
        battles: Live battles, those that are over but not yet dropped included.
        streams_per_battle: Open `Play` and `Watch` streams of one battle.
        listen_streams: Open `Listen` streams.
        message_bytes: The largest message taken from a client, an inline pack included.
        calls_per_connection: Calls and streams that may be open on one connection at a time; a client keeps further
            ones to itself until one has ended, as HTTP/2 has it.
        metadata_bytes: The largest metadata of a call, all its names and values together.
        connection_idle_seconds: A connection without a call for so long is told goodbye; clients connect again when
            they need to.
        health_streams: Open `Watch` streams of the health service, which take no token; one connection may have four.
        events_kept: Events of one battle kept for clients that come back; older ones are forgotten.
        idle_seconds: A battle that nobody asked for or listened to, with a stream for it, for so long is dropped.
        actions_per_second: Actions and raises that one client may send in a second (`bridge.server.callers`
            tells clients apart); 0: no limit.
        node_budget: The most flow nodes under one root that a battle may be started with (R2.5).
        deck_cards: The most cards in the deck of a battle. Setting up so many takes a few hundredths of a second, in
            which nobody else is served, and every action looks at all of them.
        enemies: The most enemies that a battle may be started with, and the largest `max_enemies`.
        statuses: The most statuses that the units of a battle, all together, may begin with.
        variables: The most variables that a battle may begin with.
        queued_messages: Messages that may wait for one reader; a slower one is cut off.
        inline_packs: Compiled packs from clients that are kept for the next battle.
        scheduled_raises: Delayed and repeating raises that callers may have scheduled in one battle.
        repeats_per_second: How often all repeating raises of one battle with the server's clock may come in a second.
        queued_raises: Raises from outside, and time that passes, that may wait behind the open choice of one battle.
        advanced_raises: Scheduled raises after which one call of `AdvanceClock` stops.
        simulated_battles: The most battles that one call of `Simulate` may ask for.
    """

    battles: int = 10_000
    streams_per_battle: int = 32
    listen_streams: int = 256
    message_bytes: int = 4 * 1024 * 1024
    calls_per_connection: int = 100
    metadata_bytes: int = 8 * 1024
    connection_idle_seconds: float = 1_800.0
    health_streams: int = 256
    events_kept: int = 20_000
    idle_seconds: float = 3_600.0
    actions_per_second: int = 0
    node_budget: int = 100_000
    deck_cards: int = 5_000
    enemies: int = 100
    statuses: int = 1_000
    variables: int = 1_000
    queued_messages: int = 512
    inline_packs: int = 16
    scheduled_raises: int = 1_000
    repeats_per_second: int = 1_000
    queued_raises: int = 1_000
    advanced_raises: int = 10_000
    simulated_battles: int = 100_000


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where a certificate and its key lie.

    Attributes:
        cert: PEM file with the certificate, and those between it and its authority.
        key: PEM file with its private key, without a password.
    """

    cert: Path
    key: Path


@dataclass(frozen=True, slots=True)
class RelaySettings:
    """All settings of a relay.

    Attributes:
        listen: ``HOST:PORT`` to listen on; port 0: a free one.
        origins: The web pages that may connect by WebSocket, such as ``https://game.example``; ``*``: all. A browser
            tells the page; clients that tell none, such as an exported game, may always connect.
        connections: The most open connections; the next one is told so and closed.
        connections_per_address: The most open connections from one address, of IPv6 from one network of 64 bits; the
            next one is told so and closed. 0: no such limit, as behind a proxy that all clients come through.
        handshakes: The most connections of which the server has not yet let a call in; the next one is closed.
        handshake_seconds: How long a connection may take for TLS, its first bytes and the WebSocket upgrade together.
        first_call_seconds: How long it may take after that until the server lets a call of it in. From then on it may
            be silent: how long it may be without a call is the server's business.
        stalled_seconds: How long a client, or the server, may take nothing of what the other sends.
        message_bytes: The largest WebSocket message taken from a client.
    """

    listen: str
    origins: tuple[str, ...] = ()
    connections: int = 1_024
    connections_per_address: int = 64
    handshakes: int = 256
    handshake_seconds: float = 10.0
    first_call_seconds: float = 10.0
    stalled_seconds: float = 60.0
    message_bytes: int = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """All settings of a server.

    Attributes:
        address: ``HOST:PORT`` (port 0: a free one) or ``unix:PATH``.
        packs: Folders of packs, each holding a ``pack.json``, beside the installed packs.
        allow_inline_packs: Whether a client may send its own pack.
        allow_set_state: Whether actions may write state, for tests.
        store: The SQLite file in which battles are kept, so that they outlive the server; None: in memory alone.
        exit_with_parent: Whether the server stops once standard input ends or its parent process is gone.
        limits: How much it takes on.
        tokens: What callers show, one of them; empty: callers need none.
        tls: The certificate of the relay and, where other machines can reach it or there is no relay, of the address.
        relay: The relay in front of it; None: there is none.
        metrics: ``HOST:PORT`` (port 0: a free one) of the metrics; empty: none.
        public_metrics: Whether the metrics may be where other machines reach them. They are neither encrypted nor
            protected.
        grace_seconds: How long calls may take to end once the server stops.
    """

    address: str = DEFAULT_ADDRESS
    packs: tuple[Path, ...] = ()
    allow_inline_packs: bool = True
    allow_set_state: bool = False
    store: Path | None = None
    exit_with_parent: bool = False
    limits: ServerLimits = field(default_factory=ServerLimits)
    tokens: tuple[str, ...] = field(default=(), repr=False)
    tls: TlsFiles | None = None
    relay: RelaySettings | None = None
    metrics: str = ""
    public_metrics: bool = False
    grace_seconds: float = 3.0
