"""How many connections a relay has, of strangers and of guests, in all and from one address."""

from __future__ import annotations

import ipaddress
from collections import Counter
from typing import Final

from bridge.settings import RelaySettings

# A household or a server has at least that much of IPv6 to itself.
_IPV6_PREFIX: Final = 64


class Capacity:
    """Counts connections. Strangers are those of which the server has not let a call in yet.

    Attributes:
        strangers: Their number by address.
        greeted: Connections that have said what they speak, by address; strangers among them.
    """

    def __init__(self, settings: RelaySettings) -> None:
        """Makes it empty.

        Args:
            settings: Those of the relay, with its limits.
        """
        self._settings = settings
        self.strangers: Counter[str] = Counter()
        self.greeted: Counter[str] = Counter()

    def has_room_for_stranger(self, address: str) -> bool:
        """Whether one more connection may be taken that has not said a word yet."""
        settings = self._settings
        most = settings.connections_per_address
        return self.strangers.total() < settings.handshakes and (not most or self.strangers[address] < most)

    def is_full(self) -> bool:
        """Whether there are more connections than there may be."""
        return self.greeted.total() > self._settings.connections

    def is_full_for(self, address: str) -> bool:
        """Whether there are more connections from an address than there may be."""
        most = self._settings.connections_per_address
        return bool(most) and self.greeted[address] > most


def leave(counted: Counter[str], address: str) -> None:
    """Counts one less; addresses that nobody comes from any more take no place."""
    counted[address] -= 1
    if counted[address] <= 0:
        del counted[address]


def counted_address(host: str) -> str:
    """What connections from a host are counted under: the address, of IPv6 the first 64 bits.

    Args:
        host: As the system tells it, such as ``127.0.0.1`` or ``fe80::1%eth0``.
    """
    address = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, _IPV6_PREFIX), strict=False))
