"""The relay in front of a grpcio server of its own.

The tests' certificate and key, `localhost.crt` and `localhost.key`, and the token beside this file are good for nothing
else.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from pathlib import Path

import grpc

from bridge.net.tls import Certificate
from bridge.relay import Relay
from bridge.settings import RelaySettings, TlsFiles
from tests.godot.peers_grpc.echo_server import Echo

HERE = Path(__file__).parent
FILES = TlsFiles(HERE / "localhost.crt", HERE / "localhost.key")


async def main() -> None:
    """Serves until SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["tls", "plain"])
    certificate = Certificate(FILES) if parser.parse_args().kind == "tls" else None
    options = [("grpc.http2.min_ping_interval_without_data_ms", 10), ("grpc.keepalive_permit_without_calls", 1)]
    echo = Echo("127.0.0.1:0", options, grpc.Compression.NoCompression)
    port = await echo.start_server()
    relay = Relay(RelaySettings("localhost:0"), f"127.0.0.1:{port}", certificate)
    await relay.start()
    print(f"relay {os.getpid()} listening on {relay.address}", flush=True)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()
    await relay.stop()


if __name__ == "__main__":
    asyncio.run(main())
