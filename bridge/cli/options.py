"""Options that several commands share: a server's address, TLS, the relay's limits, how long the process stays."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final, get_type_hints

import typer

from bridge.cli.output import USAGE, fail
from bridge.net.addresses import ListenError
from bridge.settings import RelaySettings, ServerLimits, TlsFiles, limits

RELAY_DEFAULTS: Final = RelaySettings("")

ADDRESS_FORMS: Final = "HOST:PORT, unix:PATH, or grpcs://HOST:PORT for TLS; its token is taken from GCS_TOKEN"

TlsCert = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="PEM file with the certificate, and those between it and its authority."),
]
TlsKey = Annotated[Path | None, typer.Option(metavar="FILE", help="PEM file with the certificate's private key.")]
TlsClientCa = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="PEM file with the authorities that a client's certificate has to be from; needed then."
    ),
]
Origins = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ORIGIN",
        help="A web page that may connect by WebSocket, such as https://game.example; may be repeated; *: all pages.",
    ),
]
Connections = Annotated[int, typer.Option(min=1, help="The most connections through the relay.")]
ConnectionsPerAddress = Annotated[
    int, typer.Option(min=0, help="The most connections through the relay from one address; 0: no such limit.")
]
Handshakes = Annotated[
    int, typer.Option(min=1, help="The most connections to the relay of which the server has let no call in yet.")
]
FirstCallSeconds = Annotated[
    float, typer.Option(min=0.1, help="How long it may take then until the server lets a call of the connection in.")
]
StalledSeconds = Annotated[
    float, typer.Option(min=0.1, help="How long a client of the relay may take nothing of what the server sends.")
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


def with_limits(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameter `limits` is an option of the command line for each limit of a server.

    Args:
        command: The command; its parameter `limits` is a ServerLimits.
    """
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        if parameter.name != "limits":
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        for name, (limit, default) in limits().items():
            least = limit.least if isinstance(default, int) else float(limit.least)
            option = typer.Option(min=least, help=limit.meaning.replace("`", ""))
            hint: Any = Annotated[int, option] if isinstance(default, int) else Annotated[float, option]
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint))

    def run(**given: Any) -> None:
        chosen = {name: given.pop(name) for name in limits()}
        command(limits=ServerLimits(**chosen), **given)

    run.__name__ = command.__name__
    run.__doc__ = command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    order = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in parameters]
    run.__signature__ = inspect.Signature(order)  # type: ignore[attr-defined]
    return run


def tls_files(cert: Path | None, key: Path | None, client_ca: Path | None) -> TlsFiles | None:
    """The files of TLS; None when there is none.

    Raises:
        ListenError: Some are given without the others that they need.
    """
    if cert is not None and key is not None:
        return TlsFiles(cert, key, client_ca)
    if cert is not None or key is not None:
        raise ListenError("--tls-cert and --tls-key go together")
    if client_ca is not None:
        raise ListenError("--tls-client-ca is for a server that speaks TLS: give --tls-cert and --tls-key as well")
    return None


def checked_address(address: str) -> str:
    """The address, as it is; one that no client could call ends the command."""
    # A late import: grpc takes a while.
    from bridge.net.channel import AddressError, check_address

    try:
        check_address(address)
    except AddressError as error:
        fail(str(error), USAGE)
    return address
