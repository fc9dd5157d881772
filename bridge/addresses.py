"""Addresses to listen on: ``HOST:PORT`` or ``unix:PATH``, and who can reach them."""

from __future__ import annotations

import ipaddress
from typing import Final

UNIX: Final = "unix:"


class ListenError(Exception):
    """An address cannot be listened on, or must not be: the message says why and what to do."""


def split(address: str) -> tuple[str, int]:
    """Host, without brackets, and port of ``HOST:PORT``.

    Raises:
        ListenError: It is no such address.
    """
    host, _, port = address.rpartition(":")
    name = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    # An IPv6 address without its brackets would give its last part as the port.
    if not name or (":" in host and not host.startswith("[")) or not port.isdecimal() or int(port) > 65_535:
        raise ListenError(f"{address!r} is no address: expected HOST:PORT or unix:PATH")
    return name, int(port)


def join(host: str, port: int) -> str:
    """``HOST:PORT``, with brackets around an IPv6 address."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_local(address: str) -> bool:
    """Whether this machine alone can reach an address.

    Raises:
        ListenError: It is no address.
    """
    if address.startswith(UNIX):
        return True
    host, _ = split(address)
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_exposure(option: str, address: str, *, tls: bool, token: bool) -> None:
    """Lets an address that other machines can reach be served only encrypted, and only to those who have a token.

    Args:
        option: The option that names the address, for the message.
        address: The address.
        tls: Whether it speaks TLS.
        token: Whether calls need a token.

    Raises:
        ListenError: It is no address, or must not be listened on.
    """
    if is_local(address) or (tls and token):
        return
    missing = [
        name for name, given in (("--tls-cert and --tls-key", tls), ("--token-file or GCS_TOKEN", token)) if not given
    ]
    raise ListenError(
        f"{option} {address} can be reached from other machines, which takes TLS and a token: "
        f"give {' and '.join(missing)}, or listen on 127.0.0.1 or a unix: socket"
    )
