"""The ``--address`` of commands that call a server."""

from __future__ import annotations

from typing import Final

from bridge.cli.output import USAGE, fail

ADDRESS_FORMS: Final = "HOST:PORT, unix:PATH, or grpcs://HOST:PORT for TLS; its token is taken from GCS_TOKEN"


def checked_address(address: str) -> str:
    """The address, as it is; one that no client could call ends the command."""
    # A late import: grpc takes a while.
    from bridge.client_channel import AddressError, check_address

    try:
        check_address(address)
    except AddressError as error:
        fail(str(error), USAGE)
    return address
