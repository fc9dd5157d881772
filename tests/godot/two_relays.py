"""A gcs server with a token, and two relays with TLS in front of it, each in a process of its own.

Says `listening on RELAY@PID,RELAY@PID`: a test may kill one of them and go on over the other.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys

from bridge.server import serve
from bridge.settings import ServerSettings
from bridge.testing.process import FREE_PORT
from bridge.tokens import read_tokens
from tests.godot.peers_grpc.relay import FILES, HERE

_SAID = re.compile(r"gcs: relay on grpcs://([^\s,]+)")


def start_relay(to: str) -> subprocess.Popen[str]:
    """Starts a relay in front of a server."""
    options = ("--listen", FREE_PORT, "--to", to, "--tls-cert", str(FILES.cert), "--tls-key", str(FILES.key))
    return subprocess.Popen([sys.executable, "-m", "bridge.cli", "relay", *options], stdout=subprocess.PIPE, text=True)


def address_of(relay: subprocess.Popen[str]) -> str:
    """Where a relay listens, with its process."""
    assert relay.stdout is not None
    said = _SAID.match(relay.stdout.readline())
    assert said is not None, "the relay ended instead of listening"
    return f"{said.group(1)}@{relay.pid}"


def main() -> None:
    """Serves until SIGTERM."""
    relays: list[subprocess.Popen[str]] = []

    def announce(line: str) -> None:
        relays.extend(start_relay(line.removeprefix("listening on ")) for _ in range(2))
        print(f"two_relays {os.getpid()} listening on {','.join(map(address_of, relays))}", flush=True)

    try:
        asyncio.run(serve(ServerSettings(address=FREE_PORT, tokens=read_tokens(HERE / "token")), announce))
    finally:
        for relay in relays:
            relay.kill()
            relay.wait()


if __name__ == "__main__":
    main()
