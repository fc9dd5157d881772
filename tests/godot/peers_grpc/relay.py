"""A relay in front of a grpcio server of its own: ends TLS or WebSocket and passes the bytes of HTTP/2 on.

The tests' certificate and key, `localhost.crt` and `localhost.key`, lie beside this file and are good for nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import ssl
from pathlib import Path

import grpc
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from tests.godot.peers_grpc.echo_server import Echo

HERE = Path(__file__).parent
CERTIFICATE = HERE / "localhost.crt"
KEY = HERE / "localhost.key"
PIECE = 65_536


def tls_context() -> ssl.SSLContext:
    """Server-side TLS with the test's certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE, KEY)
    return context


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Passes bytes on until one side closes."""
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
    writer.close()


async def relay_stream(port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Joins a client's connection to the server's."""
    server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
    await asyncio.gather(copy(reader, server_writer), copy(server_reader, writer))


async def relay_websocket(port: int, socket: ServerConnection) -> None:
    """Joins a client's binary messages to the server's connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def down() -> None:
        while piece := await reader.read(PIECE):
            await socket.send(piece)
        await socket.close()

    task = asyncio.create_task(down())
    with contextlib.suppress(ConnectionClosed):
        async for message in socket:
            writer.write(message if isinstance(message, bytes) else message.encode())
            await writer.drain()
    writer.close()
    task.cancel()


async def main() -> None:
    """Serves until SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["tls", "ws", "wss"])
    kind = parser.parse_args().kind
    options = [("grpc.http2.min_ping_interval_without_data_ms", 10), ("grpc.keepalive_permit_without_calls", 1)]
    echo = Echo("127.0.0.1:0", options, grpc.Compression.NoCompression)
    port = await echo.start_server()
    context = None if kind == "ws" else tls_context()
    if kind == "tls":
        server = await asyncio.start_server(lambda r, w: relay_stream(port, r, w), "127.0.0.1", 0, ssl=context)
        listening = server.sockets[0].getsockname()[1]
    else:
        sockets = await serve(lambda s: relay_websocket(port, s), "127.0.0.1", 0, ssl=context, max_size=1 << 24)
        listening = next(iter(sockets.sockets)).getsockname()[1]
    print(f"relay {os.getpid()} listening on localhost:{listening}", flush=True)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()


if __name__ == "__main__":
    asyncio.run(main())
