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
    TlsClientCa,
    TlsKey,
    tls_files,
    with_limits,
)
from bridge.cli.output import USAGE, fail
from bridge.server.logs import LogFormat, LogLevel, configure_logging
from bridge.settings import (
    DEFAULT_ADDRESS,
    TOKEN_VARIABLE,
    CannotServeError,
    RelaySettings,
    ServerLimits,
    ServerSettings,
)
from runtime.content.problems import PackError


@with_limits
def serve(
    limits: ServerLimits,
    address: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen: HOST:PORT (port 0: a free one) or unix:PATH.")
    ] = DEFAULT_ADDRESS,
    packs: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="A pack, or a folder of packs, to serve beside the installed ones; may be repeated."
        ),
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
    metrics: Annotated[
        str, typer.Option(metavar="HOST:PORT", help="Where Prometheus reads metrics, at /metrics; not given: nowhere.")
    ] = "",
    public_metrics: Annotated[
        bool, typer.Option("--public-metrics", help="Let other machines read the metrics.")
    ] = False,
    metrics_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name by which the metrics may be asked for; may be repeated."),
    ] = None,
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
    tls_client_ca: TlsClientCa = None,
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
    from bridge.server.tokens import read_tokens

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
            limits=limits,
            metrics=metrics,
            public_metrics=public_metrics,
            metrics_hosts=tuple(metrics_host or ()),
            grace_seconds=grace_seconds,
            tokens=read_tokens(token_file, os.environ.get(TOKEN_VARIABLE, "")),
            tls=tls_files(tls_cert, tls_key, tls_client_ca),
            relay=relay_settings,
        )
        asyncio.run(serve(settings, lambda line: print(f"gcs: {line}", flush=True)))  # noqa: T201
    except (CannotServeError, FileNotFoundError, PackError) as error:
        fail(str(error), USAGE)
