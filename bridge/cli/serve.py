"""``gcs serve``: the server in the foreground."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from bridge.cli.options import (
    RELAY_DEFAULTS,
    Connections,
    ConnectionsPerAddress,
    ExitWithParent,
    FirstCallSeconds,
    Handshakes,
    HandshakeSeconds,
    Origins,
    RelayMessageBytes,
    StalledSeconds,
    TlsCert,
    TlsKey,
    tls_files,
)
from bridge.cli.output import USAGE, fail
from bridge.net.addresses import ListenError
from bridge.server.logs import LogFormat, LogLevel, configure_logging
from bridge.settings import DEFAULT_ADDRESS, TOKEN_VARIABLE, RelaySettings, ServerLimits, ServerSettings
from runtime.content.problems import PackError

_LIMITS = ServerLimits()


def serve(
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen: HOST:PORT (port 0: a free one) or unix:PATH.")
    ] = DEFAULT_ADDRESS,
    packs: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="A pack's folder to serve beside the installed packs; may be repeated."),
    ] = None,
    allow_inline: Annotated[bool, typer.Option(help="Whether a client may send its own pack.")] = True,
    allow_set_state: Annotated[
        bool, typer.Option("--allow-set-state", help="Let actions write state, for tests.")
    ] = False,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="A file, made if need be, in which battles are kept: they outlive the server."
        ),
    ] = None,
    exit_with_parent: ExitWithParent = False,
    battles: Annotated[int, typer.Option(min=1, help="The most live battles.")] = _LIMITS.battles,
    streams_per_battle: Annotated[
        int, typer.Option(min=1, help="The most open streams of one battle.")
    ] = _LIMITS.streams_per_battle,
    listen_streams: Annotated[
        int, typer.Option(min=1, help="The most open streams of listeners to GES events.")
    ] = _LIMITS.listen_streams,
    message_bytes: Annotated[
        int, typer.Option(min=1024, help="The largest message taken from a client.")
    ] = _LIMITS.message_bytes,
    calls_per_connection: Annotated[
        int, typer.Option(min=1, help="The most calls and streams that are open on one connection.")
    ] = _LIMITS.calls_per_connection,
    metadata_bytes: Annotated[
        int, typer.Option(min=1024, help="The largest metadata of a call.")
    ] = _LIMITS.metadata_bytes,
    connection_idle_seconds: Annotated[
        float, typer.Option(min=1.0, help="A connection without a call for so long is told goodbye.")
    ] = _LIMITS.connection_idle_seconds,
    health_streams: Annotated[
        int, typer.Option(min=0, help="The most open watches of the health service.")
    ] = _LIMITS.health_streams,
    events_kept: Annotated[
        int, typer.Option(min=1, help="Events of one battle kept for clients that come back.")
    ] = _LIMITS.events_kept,
    idle_seconds: Annotated[
        float, typer.Option(min=1.0, help="A battle that nobody asked for or listened to in this time is dropped.")
    ] = _LIMITS.idle_seconds,
    actions_per_second: Annotated[
        int, typer.Option(min=0, help="The most actions and raises of one client in a second; 0: no limit.")
    ] = _LIMITS.actions_per_second,
    node_budget: Annotated[
        int, typer.Option(min=1, help="The most flow nodes under one root that a battle may be started with.")
    ] = _LIMITS.node_budget,
    deck_cards: Annotated[
        int, typer.Option(min=1, help="The most cards in the deck that a battle may be started with.")
    ] = _LIMITS.deck_cards,
    enemies: Annotated[
        int,
        typer.Option(min=1, help="The most enemies that a battle may be started with, and its largest max_enemies."),
    ] = _LIMITS.enemies,
    statuses: Annotated[
        int, typer.Option(min=0, help="The most statuses that all units of a battle together may begin with.")
    ] = _LIMITS.statuses,
    variables: Annotated[
        int, typer.Option(min=0, help="The most variables that a battle may begin with.")
    ] = _LIMITS.variables,
    queued_messages: Annotated[
        int, typer.Option(min=1, help="Messages that may wait for one reader; a slower one is cut off.")
    ] = _LIMITS.queued_messages,
    inline_packs: Annotated[
        int, typer.Option(min=1, help="Compiled packs from clients that are kept for the next battle.")
    ] = _LIMITS.inline_packs,
    scheduled_raises: Annotated[
        int, typer.Option(min=1, help="The most delayed and repeating raises that callers may have in one battle.")
    ] = _LIMITS.scheduled_raises,
    repeats_per_second: Annotated[
        int, typer.Option(min=1, help="How often all repeating raises of one battle may come in a second.")
    ] = _LIMITS.repeats_per_second,
    queued_raises: Annotated[
        int, typer.Option(min=1, help="The most raises that may wait behind the open choice of one battle.")
    ] = _LIMITS.queued_raises,
    advanced_raises: Annotated[
        int, typer.Option(min=1, help="The most scheduled raises that one call of AdvanceClock carries out.")
    ] = _LIMITS.advanced_raises,
    simulated_battles: Annotated[
        int, typer.Option(min=1, help="The most battles that one call of Simulate may ask for.")
    ] = _LIMITS.simulated_battles,
    metrics: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where Prometheus reads metrics, at /metrics; not given: nowhere.")
    ] = "",
    public_metrics: Annotated[
        bool, typer.Option("--public-metrics", help="Let other machines read the metrics.")
    ] = False,
    grace_seconds: Annotated[
        float, typer.Option(min=0.0, help="How long calls may take to end once the server stops.")
    ] = ServerSettings().grace_seconds,
    log_format: Annotated[LogFormat, typer.Option(help="How lines of the log look.")] = LogFormat.TEXT,
    log_level: Annotated[LogLevel, typer.Option(help="What is logged: this and all that is worse.")] = LogLevel.INFO,
    token_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file with the token that callers need, or several on a line each. "
            "Without it the environment variable GCS_TOKEN is taken.",
        ),
    ] = None,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    relay: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Where a relay listens for TLS from Godot and for WebSocket: HOST:PORT."),
    ] = None,
    relay_origin: Origins = None,
    relay_connections: Connections = RELAY_DEFAULTS.connections,
    relay_connections_per_address: ConnectionsPerAddress = RELAY_DEFAULTS.connections_per_address,
    relay_handshakes: Handshakes = RELAY_DEFAULTS.handshakes,
    relay_handshake_seconds: HandshakeSeconds = RELAY_DEFAULTS.handshake_seconds,
    relay_first_call_seconds: FirstCallSeconds = RELAY_DEFAULTS.first_call_seconds,
    relay_stalled_seconds: StalledSeconds = RELAY_DEFAULTS.stalled_seconds,
    relay_message_bytes: RelayMessageBytes = RELAY_DEFAULTS.message_bytes,
) -> None:
    """Serve battles over gRPC until SIGTERM or Ctrl+C. Prints the address once it listens.

    Addresses that other machines can reach take TLS and a token.
    """
    # A late import: grpc takes a while, and the other commands do without the server.
    from bridge.server.server import serve
    from bridge.server.tokens import TokenError, read_tokens
    from bridge.store import StoreError

    relay_settings = None
    if relay is not None:
        relay_settings = RelaySettings(
            listen=relay,
            origins=tuple(relay_origin or ()),
            connections=relay_connections,
            connections_per_address=relay_connections_per_address,
            handshakes=relay_handshakes,
            handshake_seconds=relay_handshake_seconds,
            first_call_seconds=relay_first_call_seconds,
            stalled_seconds=relay_stalled_seconds,
            message_bytes=relay_message_bytes,
        )
    configure_logging(log_format, log_level)
    try:
        settings = ServerSettings(
            address=address,
            packs=tuple(packs or ()),
            allow_inline_packs=allow_inline,
            allow_set_state=allow_set_state,
            store=store,
            exit_with_parent=exit_with_parent,
            limits=ServerLimits(
                battles=battles,
                streams_per_battle=streams_per_battle,
                message_bytes=message_bytes,
                calls_per_connection=calls_per_connection,
                metadata_bytes=metadata_bytes,
                connection_idle_seconds=connection_idle_seconds,
                health_streams=health_streams,
                events_kept=events_kept,
                idle_seconds=idle_seconds,
                actions_per_second=actions_per_second,
                node_budget=node_budget,
                deck_cards=deck_cards,
                enemies=enemies,
                statuses=statuses,
                variables=variables,
                queued_messages=queued_messages,
                inline_packs=inline_packs,
                listen_streams=listen_streams,
                scheduled_raises=scheduled_raises,
                repeats_per_second=repeats_per_second,
                queued_raises=queued_raises,
                advanced_raises=advanced_raises,
                simulated_battles=simulated_battles,
            ),
            metrics=metrics,
            public_metrics=public_metrics,
            grace_seconds=grace_seconds,
            tokens=read_tokens(token_file, os.environ.get(TOKEN_VARIABLE, "")),
            tls=tls_files(tls_cert, tls_key),
            relay=relay_settings,
        )
        asyncio.run(serve(settings, lambda line: print(f"gcs: {line}", flush=True)))  # noqa: T201
    except (ListenError, TokenError, FileNotFoundError, PackError, StoreError) as error:
        fail(str(error), USAGE)
