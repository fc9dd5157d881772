"""Options that ``gcs serve`` and ``gcs relay`` share: TLS, the relay's limits, and how long the process stays."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridge.addresses import ListenError
from bridge.settings import RelaySettings, TlsFiles

RELAY_DEFAULTS = RelaySettings("")

TlsCert = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="PEM file with the certificate, and those between it and its authority."),
]
TlsKey = Annotated[Path | None, typer.Option(metavar="FILE", help="PEM file with the certificate's private key.")]
Origins = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ORIGIN",
        help="A web page that may connect by WebSocket, such as https://game.example; may be repeated; *: all pages.",
    ),
]
Connections = Annotated[int, typer.Option(min=1, help="The most connections through the relay.")]
Handshakes = Annotated[
    int, typer.Option(min=1, help="The most connections to the relay that have not yet said what they speak.")
]
HandshakeSeconds = Annotated[
    float, typer.Option(min=0.1, help="How long a connection to the relay may take to say what it speaks.")
]
ExitWithParent = Annotated[
    bool,
    typer.Option(
        "--exit-with-parent", help="Stop once standard input ends or the process that started this one is gone."
    ),
]
RelayMessageBytes = Annotated[
    int, typer.Option(min=1024, help="The largest WebSocket message that the relay takes from a client.")
]


def tls_files(cert: Path | None, key: Path | None) -> TlsFiles | None:
    """The certificate's two files; None when neither is given.

    Raises:
        ListenError: One is given without the other.
    """
    if cert is not None and key is not None:
        return TlsFiles(cert, key)
    if cert is None and key is None:
        return None
    raise ListenError("--tls-cert and --tls-key go together")
