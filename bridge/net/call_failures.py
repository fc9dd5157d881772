"""What a failed call means to whoever runs a command, and what to do about it."""

from __future__ import annotations

import os
import re
import socket
import ssl
from typing import Final, cast

import grpc

from bridge.net.addresses import ListenError, split
from bridge.net.channel import PLAIN, TLS
from bridge.settings import TOKEN_VARIABLE

_PROBE_SECONDS: Final = 2.0
# What gRPC says of connections that were not made. It has no codes for it.
_NOT_CONNECTED: Final = "failed to connect to all addresses"
_NOT_TRUSTED: Final = re.compile(r"CERTIFICATE_VERIFY_FAILED(?:: ([\w ,-]+))?")
_OTHER_NAME: Final = re.compile(r"Hostname Verification Check failed|Peer name .* is not in peer certificate")
_NO_TLS: Final = "WRONG_VERSION_NUMBER"


def failure_of(error: grpc.RpcError, address: str) -> str:
    """Why a call has failed, in one line.

    Where no connection was made without TLS it asks the port whether it speaks TLS, which takes a moment.

    Args:
        error: The call's error.
        address: As it was given to `bridge.net.channel.open_channel`, which took the token of the environment.
    """
    # The error of a unary call is the call itself, which only the documentation says.
    call = cast(grpc.Call, error)
    code, details = call.code(), call.details() or ""
    if code is grpc.StatusCode.UNAUTHENTICATED:
        if os.environ.get(TOKEN_VARIABLE):
            return f"the server at {address} refuses the token of the environment variable {TOKEN_VARIABLE}: {details}"
        return f"the server at {address} takes calls with a token alone: set the environment variable {TOKEN_VARIABLE}"
    if code is grpc.StatusCode.UNAVAILABLE:
        why = _tls_failure(address, details) if address.startswith(TLS) else _plain_failure(address, details)
        return why or f"no server answers at {address}"
    return f"the server at {address} refuses: {code.name}: {details}"


def _tls_failure(address: str, details: str) -> str:
    not_trusted = _NOT_TRUSTED.search(details)
    if not_trusted:
        reason = f" ({not_trusted[1].strip()})" if not_trusted[1] else ""
        return (
            f"the certificate of the server at {address} is not trusted{reason}: "
            "name a PEM file with its authority in the environment variable GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"
        )
    if _OTHER_NAME.search(details):
        return f"the certificate of the server at {address} is for another name: connect to a name that it is for"
    if _NO_TLS in details:
        return f"the server at {address} speaks no TLS: try {address.removeprefix(TLS)}"
    return ""


def _plain_failure(address: str, details: str) -> str:
    if not details.startswith(_NOT_CONNECTED):
        return ""
    bare = address.removeprefix(PLAIN)
    try:
        host, port = split(bare)
        raw = socket.create_connection((host, port), _PROBE_SECONDS)
    except (ListenError, OSError):
        return ""
    context = ssl.create_default_context()
    # What it speaks is asked for, not who it is: nothing is sent.
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with raw:
        try:
            context.wrap_socket(raw, server_hostname=host).close()
        except OSError:
            return f"what listens at {address} does not answer gRPC: if it speaks TLS, try {TLS}{bare}"
    return f"the server at {address} speaks TLS: try {TLS}{bare}"
