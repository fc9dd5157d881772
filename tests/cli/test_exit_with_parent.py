"""`gcs serve --exit-with-parent`: a game's own server ends with the game, however that ends (issue: server bundled)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import pytest

from tests.cli.processes import START_LIMIT, STOP_LIMIT, command

SERVE = command("serve", "--address", "127.0.0.1:0", "--exit-with-parent")
# A parent that the server was started by and that does nothing else: it names the server's process and waits.
PARENT = """
import subprocess, sys
server = subprocess.Popen(sys.argv[1:])
print("server", server.pid, flush=True)
server.wait()
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


def test_it_stops_gracefully_when_its_input_ends() -> None:
    process = subprocess.Popen(
        SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8"
    )
    assert process.stdin is not None
    with watched(process) as output:
        assert output.readline().startswith("gcs: listening on ")
        process.stdin.write("what it is told does not matter\n")
        process.stdin.flush()
        assert process.poll() is None
        process.stdin.close()
        assert process.wait(STOP_LIMIT) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps no record of a new parent; the input tells there")
def test_it_stops_when_the_parent_is_killed_although_another_process_holds_its_input() -> None:
    read_end, write_end = os.pipe()
    try:
        parent = subprocess.Popen(
            [sys.executable, "-c", PARENT, *SERVE],
            stdin=read_end,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )
        with watched(parent) as output:
            started = output.readline() + output.readline()
            server = re.search(r"^server (\d+)$", started, re.MULTILINE)
            assert server is not None, started
            assert "listening on" in started
            parent.kill()
            # The server holds the other end of this pipe: its end comes with the end of the server.
            rest: list[str] = []
            reading = threading.Thread(target=lambda: rest.append(output.read()), daemon=True)
            reading.start()
            reading.join(STOP_LIMIT)
            if not rest:
                os.kill(int(server.group(1)), signal.SIGKILL)
                reading.join(STOP_LIMIT)
                pytest.fail("the server outlived its parent")
    finally:
        os.close(read_end)
        os.close(write_end)
