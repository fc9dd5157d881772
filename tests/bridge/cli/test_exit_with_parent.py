"""`--exit-with-parent`: a game's own server ends with the game, however that ends (issue: server bundled)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from tests.bridge.processes import START_LIMIT, STOP_LIMIT, command
from tests.godot.peers import PEERS

SERVE = command("serve", "--address", "127.0.0.1:0", "--exit-with-parent")
RELAY = command("relay", "--listen", "127.0.0.1:0", "--exit-with-parent")
# A parent that a process was started by and that does nothing else: it names that process and waits.
PARENT = """
import subprocess, sys
started = subprocess.Popen(sys.argv[1:])
print("started", started.pid, flush=True)
started.wait()
"""


@contextmanager
def watched(process: subprocess.Popen[str]) -> Iterator[IO[str]]:
    """The output of a process that is killed when it says nothing for too long, so that no read waits for ever."""
    assert process.stdout is not None
    watchdog = threading.Timer(START_LIMIT, process.kill)
    watchdog.start()
    try:
        yield process.stdout
    finally:
        watchdog.cancel()
        process.kill()
        process.wait(STOP_LIMIT)
        process.stdout.close()


def end_of(output: IO[str], *left: int) -> None:
    """Waits for the end of an output: it comes with the end of the last process that holds it.

    Args:
        output: The output.
        left: The processes that may hold it. When they still do after a while, they are killed and the test fails.
    """
    rest: list[str] = []
    reading = threading.Thread(target=lambda: rest.append(output.read()), daemon=True)
    reading.start()
    reading.join(STOP_LIMIT)
    if not rest:
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        reading.join(STOP_LIMIT)
        pytest.fail(f"{left} outlived their parent")


@pytest.mark.parametrize(("arguments", "said"), [(SERVE, "gcs: listening on "), (RELAY, "gcs: relay on ")])
def test_it_stops_gracefully_when_its_input_ends(arguments: list[str], said: str) -> None:
    process = subprocess.Popen(
        arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    )
    assert process.stdin is not None
    with watched(process) as output:
        assert output.readline().startswith(said)
        process.stdin.write("what it is told does not matter\n")
        process.stdin.flush()
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(STOP_LIMIT) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no record of a new parent; the input tells there")
@pytest.mark.parametrize("arguments", [SERVE, RELAY])
def test_it_stops_when_the_parent_is_killed_although_another_process_holds_its_input(arguments: list[str]) -> None:
    read_end, write_end = os.pipe()
    try:
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, *arguments],
            stdin=read_end,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        with watched(parent) as output:
            started, listening = output.readline(), output.readline()
            assert started.startswith("started ")
            assert listening.startswith("gcs: ")
            parent.kill()
            end_of(output, int(started.removeprefix("started ")))
    finally:
        os.close(read_end)
        os.close(write_end)


def test_the_processes_of_a_peer_that_is_killed_end_with_it() -> None:
    """They hold the peer's output, which `tests.godot.peers.running` reads to its end."""
    peer = PEERS["gcs_two_relays"]
    process = subprocess.Popen(
        peer.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    )
    with watched(process) as output:
        ready = next(found for found in map(peer.ready.search, output) if found is not None)
        left = [int(each.rpartition("@")[2]) for each in ready.group(1).split(",")]
        assert len(left) == 3
        process.kill()
        end_of(output, *left)
