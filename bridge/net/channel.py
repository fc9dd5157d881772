"""A channel to a server for clients in Python: plain or TLS by the address, with the token on every call."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc

from bridge.settings import CLIENT_CERT_VARIABLE, CLIENT_KEY_VARIABLE, TOKEN_METADATA, TOKEN_VARIABLE, TlsFiles

TLS: Final = "grpcs://"
PLAIN: Final = "grpc://"
# What gRPC resolves itself, with or without slashes.
_OF_GRPC: Final = ("unix", "unix-abstract", "dns", "ipv4", "ipv6", "vsock", "xds")
_WEBSOCKET: Final = ("ws", "wss")


class AddressError(ValueError):
    """No server could be at an address: the message says what was expected."""


def check_address(address: str) -> None:
    """Refuses addresses of other protocols, of which gRPC would say that a name does not resolve.

    Raises:
        AddressError: It is one; or it speaks TLS, and the certificate that the environment names cannot be read.
    """
    scheme, slashes, _ = address.partition("://")
    if address.startswith(TLS):
        _identity_of_environment()
    if not slashes or f"{scheme}://" in (TLS, PLAIN) or scheme in _OF_GRPC:
        return
    message = f"{address!r} is no address of a gRPC server: expected HOST:PORT, unix:PATH, or {TLS}HOST:PORT for TLS"
    if scheme in _WEBSOCKET:
        message += f"; {scheme}:// is for Godot, and a relay takes {TLS if scheme == 'wss' else PLAIN} at the same port"
    raise AddressError(message)


def open_channel(
    address: str,
    *,
    token: str | None = None,
    trusted: bytes | None = None,
    identity: TlsFiles | None = None,
    options: Sequence[tuple[str, Any]] = (),
) -> grpc.Channel:
    """A channel that connects at its first call.

    Args:
        address: ``HOST:PORT`` or ``unix:PATH``; ``grpcs://HOST:PORT`` for TLS.
        token: What the server asks for; None: that of the environment variable ``GCS_TOKEN``, if there is one.
        trusted: PEM text of the authorities that may have signed the server's certificate; None: gRPC's, which are
            the file named by ``GRPC_DEFAULT_SSL_ROOTS_FILE_PATH`` or those it comes with.
        identity: The certificate to show to a server that asks for one, and its key; None: those of the files that
            ``GCS_TLS_CLIENT_CERT`` and ``GCS_TLS_CLIENT_KEY`` name, if they do.
        options: Channel arguments of gRPC.

    Raises:
        AddressError: The address has another scheme.
        OSError: A file of the certificate cannot be read.
    """
    check_address(address)
    if address.startswith(TLS):
        shown = identity or _identity_of_environment()
        key = shown.key.read_bytes() if shown else None
        cert = shown.cert.read_bytes() if shown else None
        credentials = grpc.ssl_channel_credentials(trusted, key, cert)
        channel = grpc.secure_channel(address.removeprefix(TLS), credentials, list(options))
    else:
        channel = grpc.insecure_channel(address.removeprefix(PLAIN), list(options))
    if token is None:
        token = os.environ.get(TOKEN_VARIABLE, "")
    return grpc.intercept_channel(channel, _WithToken(token)) if token else channel


def _identity_of_environment() -> TlsFiles | None:
    cert, key = os.environ.get(CLIENT_CERT_VARIABLE, ""), os.environ.get(CLIENT_KEY_VARIABLE, "")
    if not cert and not key:
        return None
    for variable, name in ((CLIENT_CERT_VARIABLE, cert), (CLIENT_KEY_VARIABLE, key)):
        if not Path(name).is_file():
            raise AddressError(f"{variable} names no file, but {name!r}: expected a PEM file")
    return TlsFiles(Path(cert), Path(key))


class _Details(NamedTuple):
    method: str
    timeout: float | None
    metadata: Sequence[tuple[str, str | bytes]] | None
    credentials: grpc.CallCredentials | None
    wait_for_ready: bool | None
    compression: grpc.Compression | None


class _WithToken(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Puts the token on each call. gRPC's own call credentials go over TLS alone, ours over loopback as well."""

    def __init__(self, token: str) -> None:
        self._entry = (TOKEN_METADATA, f"Bearer {token}")

    def _start(self, continuation: Callable[[Any, Any], Any], details: Any, request: Any) -> Any:
        metadata = (*(details.metadata or ()), self._entry)
        kept = (details.credentials, details.wait_for_ready, details.compression)
        return continuation(_Details(details.method, details.timeout, metadata, *kept), request)

    def intercept_unary_unary(
        self, continuation: Callable[[Any, Any], Any], client_call_details: grpc.ClientCallDetails, request: Any
    ) -> Any:
        """Goes on with the token."""
        return self._start(continuation, client_call_details, request)

    def intercept_unary_stream(
        self, continuation: Callable[[Any, Any], Any], client_call_details: grpc.ClientCallDetails, request: Any
    ) -> Any:
        """Goes on with the token."""
        return self._start(continuation, client_call_details, request)

    def intercept_stream_unary(
        self,
        continuation: Callable[[Any, Any], Any],
        client_call_details: grpc.ClientCallDetails,
        request_iterator: Any,
    ) -> Any:
        """Goes on with the token."""
        return self._start(continuation, client_call_details, request_iterator)

    def intercept_stream_stream(
        self,
        continuation: Callable[[Any, Any], Any],
        client_call_details: grpc.ClientCallDetails,
        request_iterator: Any,
    ) -> Any:
        """Goes on with the token."""
        return self._start(continuation, client_call_details, request_iterator)
