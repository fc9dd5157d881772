"""Addresses to listen on: ``HOST:PORT`` or ``unix:PATH``, who can reach them, and whether they are free."""

from __future__ import annotations

import errno
import ipaddress
import os
import socket
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from bridge.settings import CannotServeError

UNIX: Final = "unix:"


class ListenError(CannotServeError):
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


def check_free(address: str) -> None:
    """Tries whether an address can be listened on, and lets go of it again: why it cannot, gRPC tells no caller.

    Raises:
        ListenError: It is no address, or none that this process can listen on now.
    """
    try:
        if address.startswith(UNIX):
            _try_path(address.removeprefix(UNIX))
        else:
            _try_port(*split(address))
    except OSError as error:
        raise ListenError(f"cannot listen on {address}: {error.strerror or error}") from error


@contextmanager
def claimed(address: str) -> Iterator[None]:
    """Keeps other servers of ours from taking a ``unix:`` address between the look whether it is free and listening.

    gRPC takes the place of any socket at a path, so that of two servers which look at the same moment the second would
    push out the first. What is locked is the folder: a lock beside the socket would be left there.

    Raises:
        ListenError: The folder cannot be opened.
    """
    if not address.startswith(UNIX) or sys.platform == "win32":
        yield
        return
    import fcntl

    try:
        folder = os.open(os.path.dirname(address.removeprefix(UNIX)) or ".", os.O_RDONLY)
    except OSError as error:
        raise ListenError(f"cannot listen on {address}: {error.strerror or error}") from error
    try:
        # Waits for servers that are about to listen, which takes them no time.
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _try_port(host: str, port: int) -> None:
    failed: OSError | None = None
    can_bind = False
    for family, kind, number, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        try:
            with socket.socket(family, kind, number) as tried:
                if os.name == "posix":
                    # As gRPC does: connections of a server that has just ended hold nobody up, and the port of one that
                    # listens is taken all the same. On Windows it would be shared.
                    tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(place)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise
            failed = error
        else:
            can_bind = True
    # A name may have addresses that this machine lacks: one that it has is enough, for gRPC as well.
    if failed is not None and not can_bind:
        raise failed


def _try_path(path: str) -> None:
    if sys.platform == "win32":
        # Python has no such sockets there.
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as tried:
        if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):
            # gRPC takes the place of any socket, that of a server which runs as well as of one that was killed.
            tried.setblocking(False)
            answer = tried.connect_ex(path)
            if answer != errno.ECONNREFUSED:
                answer = errno.EADDRINUSE if answer in (0, errno.EAGAIN) else answer
                raise OSError(answer, os.strerror(answer))
        else:
            tried.bind(path)
            os.unlink(path)
