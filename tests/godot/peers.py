"""Peer processes of GDScript tests: what a test file names in `const NEEDS` and how it is started.

A peer is a real process started from the repository root. When it is ready it prints one line that contains
`listening on ADDRESS` on its standard output; a termination signal ends it.
"""

from __future__ import annotations

import queue
import re
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
START_LIMIT = 60.0
STOP_LIMIT = 10.0
_READY = re.compile(r"listening on (\S+)")
_TLS = (
    "--tls-cert",
    str(HERE / "peers_grpc" / "localhost.crt"),
    "--tls-key",
    str(HERE / "peers_grpc" / "localhost.key"),
)
_RELAY = re.compile(r"relay on grpcs?://([^\s,]+)")


@dataclass(frozen=True, slots=True)
class Peer:
    """How to start a peer: its command line, and what it prints with the address that tests connect to."""

    command: tuple[str, ...]
    ready: re.Pattern[str] = _READY


def _grpc(program: str, *arguments: str) -> Peer:
    return Peer((sys.executable, "-m", f"tests.godot.peers_grpc.{program}", *arguments))


def _gcs(*options: str) -> Peer:
    return Peer((str(Path(sysconfig.get_path("scripts")) / "gcs"), "serve", "--address", "127.0.0.1:0", *options))


def _gcs_relay(*options: str) -> Peer:
    token = ("--token-file", str(HERE / "peers_grpc" / "token"))
    return Peer(_gcs("--relay", "127.0.0.1:0", *token, *options).command, _RELAY)


PEERS: dict[str, Peer] = {
    "gcs_server": _gcs(),
    "gcs_one_battle": _gcs("--battles", "1"),
    "gcs_one_stream": _gcs("--streams-per-battle", "1"),
    "gcs_relay": _gcs_relay(),
    "gcs_relay_tls": _gcs_relay(*_TLS),
    "gcs_two_relays": Peer((sys.executable, "-m", "tests.godot.two_relays")),
    "gcs_breaking": Peer((sys.executable, "-m", "tests.godot.breaking_server")),
    "gcs_not_ready": Peer((sys.executable, "-m", "tests.godot.not_ready_server")),
    "gcs_other_version": Peer((sys.executable, "-m", "tests.godot.other_version_server")),
    "grpc_echo": _grpc("echo_server"),
    "grpc_echo_gzip": _grpc("echo_server", "--gzip"),
    "grpc_echo_impatient": _grpc("echo_server", "--impatient"),
    "grpc_echo_one_stream": _grpc("echo_server", "--max-streams", "1"),
    "grpc_echo_tls": _grpc("echo_server", "--tls"),
    "grpc_echo_unix": _grpc("echo_server", "--unix"),
    "grpc_relay_tls": _grpc("relay", "tls"),
    "grpc_relay_plain": _grpc("relay", "plain"),
    "grpc_scripted": _grpc("scripted_server"),
    "protobuf_shop": Peer((sys.executable, "-m", "tests.protoc_gdscript.shop_server")),
}


class PeerError(Exception):
    """A peer that a test file needs could not be started."""


@contextmanager
def running(name: str) -> Iterator[str]:
    """Start a peer, wait until it listens, and stop it at the end.

    Yields:
        `NAME=ADDRESS=PID`, as the runner inside Godot takes it.

    Raises:
        PeerError: No such peer, or it ended or said nothing instead of listening; the message holds its output.
    """
    if name not in PEERS:
        raise PeerError(f"no peer {name!r}; tests/godot/peers.py has {', '.join(sorted(PEERS))}")
    process = subprocess.Popen(
        PEERS[name].command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    )
    lines: queue.Queue[str | None] = queue.Queue()
    reader = threading.Thread(target=_read, args=(process, lines), daemon=True)
    reader.start()
    try:
        yield f"{name}={_wait_until_listening(name, lines)}={process.pid}"
    finally:
        _stop(process)
        reader.join(timeout=5)
        assert process.stdout is not None
        process.stdout.close()


def _read(process: subprocess.Popen[str], lines: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def _wait_until_listening(name: str, lines: queue.Queue[str | None]) -> str:
    deadline = time.monotonic() + START_LIMIT
    output = ""
    while True:
        try:
            line = lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise PeerError(f"peer {name} did not listen within {START_LIMIT:.0f} s:\n{output}") from None
        if line is None:
            raise PeerError(f"peer {name} ended before it listened:\n{output}")
        output += line
        ready = PEERS[name].ready.search(line)
        if ready:
            return ready.group(1)


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(timeout=STOP_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
