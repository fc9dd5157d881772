"""``gcs relay``: TLS and WebSocket in front of a server, in a process of its own."""

from __future__ import annotations

import asyncio
import os
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
)
from bridge.cli.output import USAGE, fail
from bridge.net.addresses import ListenError, check_exposure, is_local
from bridge.server.logs import configure_logging
from bridge.server.stopping import stop_signals, stop_with_parent
from bridge.settings import DEFAULT_ADDRESS, RelaySettings, TlsFiles


def relay(
    listen: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Where to listen: HOST:PORT (port 0: a free one).", show_default=False),
    ],
    to: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The server's plain port: HOST:PORT or unix:PATH.")
    ] = DEFAULT_ADDRESS,
    tls_cert: TlsCert = None,
    tls_key: TlsKey = None,
    tls_client_ca: TlsClientCa = None,
    origin: Origins = None,
    connections: Connections = RELAY_DEFAULTS.connections,
    connections_per_address: ConnectionsPerAddress = RELAY_DEFAULTS.connections_per_address,
    handshakes: Handshakes = RELAY_DEFAULTS.handshakes,
    handshake_seconds: HandshakeSeconds = RELAY_DEFAULTS.handshake_seconds,
    first_call_seconds: FirstCallSeconds = RELAY_DEFAULTS.first_call_seconds,
    stalled_seconds: StalledSeconds = RELAY_DEFAULTS.stalled_seconds,
    message_bytes: RelayMessageBytes = RELAY_DEFAULTS.message_bytes,
    exit_with_parent: ExitWithParent = False,
) -> None:
    """Relay gRPC over TLS, and over WebSocket, to a server's plain port, until SIGTERM or Ctrl+C."""
    settings = RelaySettings(
        listen=listen,
        origins=tuple(origin or ()),
        connections=connections,
        connections_per_address=connections_per_address,
        handshakes=handshakes,
        handshake_seconds=handshake_seconds,
        first_call_seconds=first_call_seconds,
        stalled_seconds=stalled_seconds,
        message_bytes=message_bytes,
    )
    configure_logging()
    try:
        asyncio.run(_run(settings, to, tls_files(tls_cert, tls_key, tls_client_ca), exit_with_parent))
    except ListenError as error:
        fail(str(error), USAGE)


async def _run(settings: RelaySettings, to: str, files: TlsFiles | None, exit_with_parent: bool) -> None:
    parent = os.getppid()
    # Late imports: grpc takes a while, and the other commands do without the relay.
    from bridge.net.tls import Certificate
    from bridge.relay import Relay
    from bridge.relay.probe import check_token_demanded

    check_exposure("--listen", settings.listen, tls=files is not None, token=True)
    certificate = Certificate(files) if files else None
    if not is_local(settings.listen):
        await check_token_demanded(to, settings.listen)
    in_front = Relay(settings, to, certificate)
    await in_front.start()
    with stop_signals() as stopped:
        watching = asyncio.create_task(stop_with_parent(stopped, parent)) if exit_with_parent else None
        print(f"gcs: relay on {', '.join(in_front.urls)}", flush=True)  # noqa: T201
        await stopped.wait()
        if watching is not None:
            watching.cancel()
    await in_front.stop()
