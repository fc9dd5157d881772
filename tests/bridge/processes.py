"""Real `gcs` processes."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

START_LIMIT = 60.0
STOP_LIMIT = 20.0
_LISTENING = re.compile(r"gcs: listening on (\S+)")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "bridge.cli", *arguments]


def run_gcs(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end."""
    return subprocess.run(
        command(*arguments), check=False, capture_output=True, encoding="utf-8", timeout=120, stdin=subprocess.DEVNULL
    )


@contextmanager
def gcs_server(*options: str, log: TextIO | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Runs `gcs serve` on a free port; yields its address and the process. Its log goes to a file, or nowhere."""
    process = subprocess.Popen(
        command("serve", "--address", "127.0.0.1:0", *options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=log or subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert process.stdout is not None
    # Ends the wait below for a server that says nothing.
    watchdog = threading.Timer(START_LIMIT, process.kill)
    watchdog.start()
    try:
        found = _LISTENING.match(process.stdout.readline())
        watchdog.cancel()
        assert found is not None, f"the server ended with exit code {process.wait(STOP_LIMIT)}"
        yield found.group(1), process
    finally:
        watchdog.cancel()
        process.terminate()
        try:
            process.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
