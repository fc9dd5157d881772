"""One connection of a relay, from the accepted socket to its end."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from typing import Final

from bridge.net.addresses import UNIX, split
from bridge.relay.channel import LINGER_SECONDS, PIECE, Channel, StreamChannel, join
from bridge.relay.first_call import FirstCall
from bridge.relay.websocket import WebSocketChannel
from bridge.settings import RelaySettings

_log: Final = logging.getLogger(__name__)

# What a client of HTTP/2 says first, and how an HTTP/1.1 request for WebSocket begins.
_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_GET: Final = b"GET "
# A fatal TLS alert: the handshake failed.
_ALERT: Final = bytes((21, 3, 3, 0, 2, 2, 40))
# How long a server may take to answer, and how long, and how often, one that does not listen is asked again: one that
# restarts is waited for.
_SERVER_SECONDS: Final = 10.0
_REFUSED_SECONDS: Final = 1.0
_AGAIN_SECONDS: Final = 0.1


class UnwelcomeError(Exception):
    """What came is neither gRPC nor a WebSocket that may connect."""


async def greet(accepted: socket.socket, tls: ssl.SSLContext | None, settings: RelaySettings) -> Channel:
    """Takes a client in: TLS, the first bytes, and the upgrade to WebSocket.

    Args:
        accepted: Its socket.
        tls: TLS to speak with it; None: none.
        settings: Those of the relay.

    Raises:
        UnwelcomeError: It speaks neither HTTP/2 nor WebSocket, or comes from a page that may not connect.
        TimeoutError: It took too long.
        OSError: The connection broke, or TLS could not be agreed on.
    """
    # A peer that is gone without a word is noticed, if late.
    accepted.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    async with asyncio.timeout(settings.handshake_seconds):
        reader, writer = await _streams(accepted, tls, settings)
        try:
            return await _identify(reader, writer, settings)
        except BaseException:
            writer.transport.abort()
            raise


def why_not(error: OSError | UnwelcomeError) -> str:
    """Why `greet` has not taken a client in, for the log."""
    if isinstance(error, TimeoutError):
        return "it took too long"
    # asyncio's, without a word, for a connection that ends before TLS stands.
    if isinstance(error, ConnectionError) and not str(error):
        return "it hung up during the TLS handshake, as clients do that do not trust the certificate"
    return str(error) or type(error).__name__


async def _streams(
    accepted: socket.socket, tls: ssl.SSLContext | None, settings: RelaySettings
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(PIECE)
    protocol = asyncio.StreamReaderProtocol(reader)
    with accepted.dup() as kept:
        try:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                accepted,
                ssl=tls,
                ssl_handshake_timeout=settings.handshake_seconds if tls else None,
                ssl_shutdown_timeout=LINGER_SECONDS if tls else None,
            )
        except ssl.SSLError:
            # asyncio closes without the alert by which a client without TLS learns what the port speaks.
            kept.send(_ALERT)
            raise
    return reader, asyncio.StreamWriter(transport, protocol, reader, loop)


async def _identify(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, settings: RelaySettings) -> Channel:
    first = b""
    while len(first) < len(_PREFACE):
        data = await reader.read(PIECE)
        if not data:
            raise UnwelcomeError("it closed without saying what it speaks")
        first += data
        if first.startswith(_GET):
            channel = WebSocketChannel(reader, writer, settings, first)
            refused = await channel.upgrade()
            if refused:
                raise UnwelcomeError(refused)
            return channel
        if not _PREFACE.startswith(first[: len(_PREFACE)]) and not _GET.startswith(first):
            raise UnwelcomeError(f"expected HTTP/2 or WebSocket, it began with {first[:16]!r}")
    return StreamChannel(reader, writer, first)


async def reach(address: str) -> Channel:
    """A connection to the server behind the relay.

    Args:
        address: ``HOST:PORT`` or ``unix:PATH`` of its plain port.

    Raises:
        OSError: It does not answer.
    """
    loop = asyncio.get_running_loop()
    give_up_at = loop.time() + _REFUSED_SECONDS
    while True:
        try:
            async with asyncio.timeout(_SERVER_SECONDS):
                if address.startswith(UNIX):
                    return StreamChannel(*await asyncio.open_unix_connection(address.removeprefix(UNIX), limit=PIECE))
                return StreamChannel(*await asyncio.open_connection(*split(address), limit=PIECE))
        except (ConnectionRefusedError, FileNotFoundError):
            if loop.time() + _AGAIN_SECONDS > give_up_at:
                raise
            await asyncio.sleep(_AGAIN_SECONDS)


async def refuse(client: Channel, why: str) -> None:
    """Tells a client why it is not passed on, and gives it time to read that."""
    try:
        async with asyncio.timeout(LINGER_SECONDS):
            await client.refuse(why)
        await client.close()
    except OSError as error:
        _log.debug("a client did not wait to be told: %s", error)


async def pass_on(client: Channel, server: Channel, settings: RelaySettings, first_call: FirstCall) -> None:
    """Passes bytes both ways until the connection is over.

    Args:
        client: The client.
        server: The server.
        settings: Those of the relay.
        first_call: Reads what the server sends, until it has let a call in.
    """
    try:
        await join(client, server, settings.stalled_seconds, first_call)
        await client.close()
        await server.close()
    except* OSError as errors:
        _log.debug("a connection broke: %s", errors.exceptions[0])
