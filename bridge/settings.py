"""What a server is started with."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TypeVar

DEFAULT_ADDRESS = "127.0.0.1:50051"
ANY_ORIGIN = "*"
# Where a token is found, and the metadata that shows it as ``Bearer TOKEN``.
TOKEN_VARIABLE = "GCS_TOKEN"
TOKEN_METADATA = "authorization"
# Where a client finds the certificate that it shows, if the server asks for one, and the key.
CLIENT_CERT_VARIABLE = "GCS_TLS_CLIENT_CERT"
CLIENT_KEY_VARIABLE = "GCS_TLS_CLIENT_KEY"
# Begins the answers of those calls that take no token: a relay is not to take their clients for known ones.
NO_TOKEN_METADATA = "gcs-takes-no-token"


class CannotServeError(Exception):
    """A server or relay cannot run as its settings say: an address, a token, a certificate or a store is wrong."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What is known of a limit beside its default: the command line and docs/reference/limits.md are made of it.

    Attributes:
        meaning: What it limits, in a sentence.
        beyond: What happens to whoever asks for more.
        least: The smallest value that it may be set to.
    """

    meaning: str
    beyond: str
    least: int


_T = TypeVar("_T", int, float)


def _limit(default: _T, meaning: str, beyond: str, least: int = 1) -> _T:
    declared: _T = field(default=default, metadata={"limit": Limit(meaning, beyond, least)})
    return declared


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """How much a server takes on. What each limit is about stands in its declaration; `limits` tells all of them.

    Whoever asks for more gets ``RESOURCE_EXHAUSTED`` with a reason, where nothing else is said.
    """

    battles: int = _limit(
        10_000,
        "The most battles, those that are over and those in the store included.",
        "`TOO_MANY_BATTLES`",
    )
    streams_per_battle: int = _limit(
        32,
        "The most open `Play` and `Watch` streams of one battle.",
        "`TOO_MANY_STREAMS`",
    )
    listen_streams: int = _limit(
        256,
        "The most open `Listen` streams, of listeners to GES events.",
        "`TOO_MANY_STREAMS`",
    )
    message_bytes: int = _limit(
        4 * 1024 * 1024,
        "The largest message taken from a client, inline packs included.",
        "the code alone; gRPC says so itself",
        least=1024,
    )
    calls_per_connection: int = _limit(
        100,
        "The most calls and streams that are open on one connection.",
        "clients wait until one has ended, as HTTP/2 has it",
    )
    untaken_bytes: int = _limit(
        16 * 1024 * 1024,
        "The most bytes of answers of 16 KiB or more that wait on one connection until the client takes them; a single "
        "answer may be larger.",
        "`ANSWERS_NOT_TAKEN`",
        least=65_536,
    )
    metadata_bytes: int = _limit(
        8 * 1024,
        "The largest metadata of a call, all its names and values together.",
        "the code alone; gRPC says so itself",
        least=1024,
    )
    connection_idle_seconds: float = _limit(
        1_800.0,
        "How long a connection may stay without a call.",
        "it is told goodbye (GOAWAY), and clients connect again when they need to",
    )
    health_streams: int = _limit(
        256,
        "The most open watches of the health service, which take no token; one connection may have four.",
        "`TOO_MANY_STREAMS`",
        least=0,
    )
    events_kept: int = _limit(
        20_000,
        "Events of one battle kept for clients that come back.",
        "`OUT_OF_RANGE`, `EVENTS_GONE`",
    )
    event_bytes: int = _limit(
        4 * 1024 * 1024,
        "Bytes of the events of one battle kept for clients that come back; its last update stays whatever its size.",
        "`OUT_OF_RANGE`, `EVENTS_GONE`",
        least=1024,
    )
    battle_bytes: int = _limit(
        64 * 1024 * 1024,
        "Bytes of actions, raises and passed time that one battle keeps for its replay.",
        "`BATTLE_TOO_LARGE`, and its clock stands still",
        least=1024,
    )
    idle_seconds: float = _limit(
        3_600.0,
        "How long a battle stays that nobody asks for or listens to with a stream for it.",
        "it is dropped: `NOT_FOUND`, `UNKNOWN_BATTLE`",
    )
    actions_per_second: int = _limit(
        0,
        "The most actions and raises of one client in a second; 0: no limit.",
        "`TOO_MANY_ACTIONS`; a `Play` stream ends with it",
        least=0,
    )
    node_budget: int = _limit(
        100_000,
        "The most flow nodes under one root that a battle may be started with (R2.5).",
        "`INVALID_ARGUMENT`, `INVALID_FIELD`",
    )
    deck_cards: int = _limit(
        5_000,
        "The most cards in the deck that a battle is started with, its encounter's own included.",
        "`TOO_MANY_CARDS`",
    )
    enemies: int = _limit(
        100,
        "The most enemies that a battle is started with, and the largest `max_enemies` of its encounter.",
        "`TOO_MANY_ENEMIES`",
    )
    statuses: int = _limit(
        1_000,
        "The most statuses that player and enemies begin with, all together.",
        "`TOO_MANY_STATUSES`",
        least=0,
    )
    variables: int = _limit(
        1_000,
        "The most variables that a battle begins with.",
        "`TOO_MANY_VARIABLES`",
        least=0,
    )
    queued_messages: int = _limit(
        512,
        "The most messages that wait for one reader.",
        "the stream ends: `SLOW_READER`",
    )
    inline_packs: int = _limit(
        16,
        "Compiled packs from clients that are kept for the next battle.",
        "the oldest is compiled again when it is next asked for",
    )
    scheduled_raises: int = _limit(
        1_000,
        "The most delayed and repeating raises that callers have in one battle.",
        "`TOO_MANY_SCHEDULED`",
    )
    repeats_per_second: int = _limit(
        1_000,
        "How often all repeating raises of one battle with the server's clock come in a second.",
        "`TOO_MANY_REPEATS`",
    )
    queued_raises: int = _limit(
        1_000,
        "The most raises that wait behind the open choice of one battle; of a repeating one a single beat waits.",
        "`TOO_MANY_QUEUED`",
    )
    advanced_raises: int = _limit(
        10_000,
        "The most scheduled raises that one call of `AdvanceClock` carries out.",
        "`TOO_MANY_RAISES`; time stands still there",
    )
    simulated_battles: int = _limit(
        100_000,
        "The most battles that one call of `Simulate` may ask for.",
        "`INVALID_ARGUMENT`, `INVALID_FIELD`",
    )


def limits() -> dict[str, tuple[Limit, int | float]]:
    """All limits of a server by name, each with its default."""
    defaults = ServerLimits()
    return {each.name: (each.metadata["limit"], getattr(defaults, each.name)) for each in fields(ServerLimits)}


@dataclass(frozen=True, slots=True)
class TlsFiles:
    """Where a certificate and its key lie.

    Attributes:
        cert: PEM file with the certificate, and those between it and its authority.
        key: PEM file with its private key, without a password.
        client_ca: PEM file with the authorities of which clients need a certificate; None: clients need none.
    """

    cert: Path
    key: Path
    client_ca: Path | None = None


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
        packs: Packs, or folders of packs, beside the installed packs.
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
        metrics_hosts: Names that those who read the metrics may call this machine by, beside its own name.
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
    metrics_hosts: tuple[str, ...] = ()
    grace_seconds: float = 3.0
