"""The relay as a whole: where it listens, how many it takes, how it stops."""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import dataclass
from typing import Final

from bridge.net.addresses import UNIX, ListenError, join, split
from bridge.net.tls import Certificate
from bridge.relay.capacity import Capacity, counted_address, leave
from bridge.relay.channel import Channel
from bridge.relay.connection import UnwelcomeError, greet, pass_on, reach, refuse, why_not
from bridge.relay.first_call import FirstCall
from bridge.settings import RelaySettings

_log: Final = logging.getLogger(__name__)

NO_SERVER: Final = "the server behind the relay does not answer"
TOO_MANY: Final = "the relay has as many connections as it may have"
TOO_MANY_FROM_ADDRESS: Final = "the relay has as many connections from this address as it may have"
_BACKLOG: Final = 128
# How long to wait when the process has no file left for one more connection.
_BREATHER_SECONDS: Final = 0.5


@dataclass(slots=True)
class _Peer:
    """Who connects: its address and port, what it is counted under, and whether the server has let no call in yet."""

    name: str
    address: str
    is_stranger: bool = True


class Relay:
    """Takes connections and passes each on to a server.

    Attributes:
        address: Where it listens, once started: ``HOST:PORT``.
    """

    def __init__(self, settings: RelaySettings, to: str, certificate: Certificate | None = None) -> None:
        """Makes a relay that does not listen yet.

        Args:
            settings: Its settings.
            to: ``HOST:PORT`` or ``unix:PATH`` of the server's plain port.
            certificate: What TLS shows; None: connections are not encrypted.

        Raises:
            ListenError: ``to`` is no address.
        """
        if not to.startswith(UNIX):
            split(to)
        self._settings = settings
        self._to = to
        self._certificate = certificate
        self.address = settings.listen
        self._listeners: list[asyncio.Task[None]] = []
        self._connections: set[asyncio.Task[None]] = set()
        self._capacity = Capacity(settings)

    @property
    def urls(self) -> tuple[str, str]:
        """What clients connect to, for gRPC and for WebSocket."""
        schemes = ("grpcs", "wss") if self._certificate else ("grpc", "ws")
        return f"{schemes[0]}://{self.address}", f"{schemes[1]}://{self.address}"

    async def start(self) -> None:
        """Listens.

        Raises:
            ListenError: The address is none, or cannot be listened on.
        """
        host, port = split(self._settings.listen)
        sockets: list[socket.socket] = []
        try:
            for family, place in await _places(host, port):
                # All addresses of a name get the port that the first one was given.
                chosen = sockets[0].getsockname()[1] if sockets and not port else port
                listener = socket.create_server((place, chosen), family=family, backlog=_BACKLOG)
                listener.setblocking(False)
                sockets.append(listener)
        except OSError as error:
            for listener in sockets:
                listener.close()
            raise ListenError(f"cannot listen on {self._settings.listen}: {error.strerror or error}") from error
        self.address = join(host, sockets[0].getsockname()[1])
        self._listeners = [asyncio.create_task(self._accept(listener)) for listener in sockets]

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        with listener:
            while True:
                try:
                    accepted, peer = await loop.sock_accept(listener)
                except ConnectionError:
                    # It was gone before it was taken.
                    continue
                except OSError as error:
                    _log.warning("a connection could not be taken: %s", error)
                    await asyncio.sleep(_BREATHER_SECONDS)
                    continue
                stranger = _Peer(join(*peer[:2]), counted_address(peer[0]))
                if not self._capacity.has_room_for_stranger(stranger.address):
                    _log.info("%s was closed: too many connections have made no call yet", stranger.name)
                    accepted.close()
                    continue
                self._capacity.strangers[stranger.address] += 1
                task = asyncio.create_task(self._serve(accepted, stranger))
                self._connections.add(task)
                task.add_done_callback(self._connections.discard)

    async def _serve(self, accepted: socket.socket, peer: _Peer) -> None:
        strangers, greeted = self._capacity.strangers, self._capacity.greeted
        client: Channel | None = None
        try:
            client = await greet(accepted, self._certificate.context() if self._certificate else None, self._settings)
            _log.debug("%s is connected", peer.name)
            greeted[peer.address] += 1
            await self._relay(client, peer)
        except (OSError, UnwelcomeError) as error:
            _log.info("%s was not let in: %s", peer.name, why_not(error))
        finally:
            if peer.is_stranger:
                leave(strangers, peer.address)
            if client is None:
                accepted.close()
            else:
                leave(greeted, peer.address)
                client.abort()

    async def _relay(self, client: Channel, peer: _Peer) -> None:
        if self._capacity.is_full():
            _log.warning("a connection was sent away: there are %d", self._settings.connections)
            await refuse(client, TOO_MANY)
            return
        if self._capacity.is_full_for(peer.address):
            _log.info(
                "%s was sent away: its address has %d connections", peer.name, self._settings.connections_per_address
            )
            await refuse(client, TOO_MANY_FROM_ADDRESS)
            return
        try:
            server = await reach(self._to)
        except OSError as error:
            _log.warning("no server at %s: %s", self._to, error)
            await refuse(client, NO_SERVER)
            return

        def cut() -> None:
            _log.info("%s was cut off: no call of it was let in within %g s", peer.name, seconds)
            client.abort()
            server.abort()

        def let_in() -> None:
            deadline.cancel()
            peer.is_stranger = False
            leave(self._capacity.strangers, peer.address)

        seconds = self._settings.first_call_seconds
        deadline = asyncio.get_running_loop().call_later(seconds, cut)
        try:
            await pass_on(client, server, self._settings, FirstCall(let_in))
        finally:
            deadline.cancel()
            server.abort()

    async def stop_listening(self) -> None:
        """Takes no more connections; those that stand go on."""
        for task in self._listeners:
            task.cancel()
        await asyncio.gather(*self._listeners, return_exceptions=True)

    async def stop(self, seconds: float = 0.0) -> None:
        """Takes no more connections, and cuts off those that stand.

        Args:
            seconds: How long those that stand may take to end by themselves.
        """
        await self.stop_listening()
        if self._connections and seconds > 0:
            await asyncio.wait(self._connections, timeout=seconds)
        left = tuple(self._connections)
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)


async def _places(host: str, port: int) -> list[tuple[socket.AddressFamily, str]]:
    """The addresses that a host stands for."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return list(dict.fromkeys((family, str(place[0])) for family, _, _, _, place in found))
