"""A gcs server with a token, and two relays with TLS in front of it, each in a process of its own.

Says `listening on RELAY@PID,RELAY@PID,SERVER@PID`: a test may kill any of them and go on. They end with this process,
however that ends.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

from bridge.testing.process import FREE_PORT
from tests.godot.peers_grpc.relay import FILES, HERE

_SAID = re.compile(r"gcs: (?:listening on |relay on grpcs://)([^\s,]+)")
_SERVE = ("serve", "--address", FREE_PORT, "--token-file", str(HERE / "token"), "--log-level", "warning")
_RELAY = ("relay", "--listen", FREE_PORT, "--tls-cert", str(FILES.cert), "--tls-key", str(FILES.key))


def start(*arguments: str) -> subprocess.Popen[str]:
    """Starts `gcs` with these arguments."""
    command = [sys.executable, "-m", "bridge.cli", *arguments, "--exit-with-parent"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def address_of(process: subprocess.Popen[str]) -> str:
    """Where a process listens, once it does."""
    assert process.stdout is not None
    said = _SAID.match(process.stdout.readline())
    assert said is not None, "it ended instead of listening"
    return said.group(1)


def main() -> None:
    """Serves until it is ended."""
    server = start(*_SERVE)
    behind = address_of(server)
    relays = [start(*_RELAY, "--to", behind) for _ in range(2)]
    processes = [*((address_of(relay), relay) for relay in relays), (behind, server)]
    told = ",".join(f"{address}@{process.pid}" for address, process in processes)
    print(f"two_relays {os.getpid()} listening on {told}", flush=True)
    for _, process in processes:
        process.wait()


if __name__ == "__main__":
    main()
