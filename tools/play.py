"""Play one battle: start the server on a free port, let Godot play against it, stop the server whatever happens."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tools.godot import GodotMissingError, find, run_headless

WINDOW_SCENE = "res://demo/battle.tscn"
TRACE_SCENE = "res://demo/play_trace.tscn"
SERVER_START_LIMIT = 60.0
SERVER_STOP_LIMIT = 10.0
IMPORT_LIMIT = 180.0
TRACE_LIMIT = 300.0
"""Seconds for a whole battle without a display; a player in front of a window has all the time in the world."""
_LISTENING = re.compile(r"^gcs: listening on (\S+)")


class PlayError(Exception):
    """The battle could not be played; the message is one line."""


def play(gcs: Path, project: Path, extra: Sequence[str] = ()) -> int:
    """Play one battle and return the exit code of the game.

    Args:
        gcs: The installed `gcs` command.
        project: The Godot project with the demo.
        extra: Further user arguments for the demo.

    Raises:
        PlayError: The server did not start, or Godot did not finish.
    """
    try:
        godot = find()
    except GodotMissingError as error:
        print(f"{error}; playing in the terminal instead", file=sys.stderr, flush=True)
        return subprocess.run([str(gcs), "play", "--bot", "random"], check=False).returncode
    print(f"Godot {godot.version} ({godot.source}: {godot.path})", file=sys.stderr, flush=True)
    import_project(godot.path, project)
    windowed = has_display()
    scene = [WINDOW_SCENE] if windowed else ["--headless", TRACE_SCENE]
    with server(gcs) as address:
        command = [str(godot.path), "--path", str(project), *scene, "--", f"--address={address}", *extra]
        try:
            return subprocess.run(command, check=False, timeout=None if windowed else TRACE_LIMIT).returncode
        except subprocess.TimeoutExpired as error:
            raise PlayError(f"the battle did not end within {error.timeout:.0f} s") from error


def has_display() -> bool:
    """Whether a window can be opened."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def import_project(godot: Path, project: Path) -> None:
    """Let Godot import the project, which a fresh clone needs before any script finds another by name.

    Raises:
        PlayError: Godot failed; its output was printed.
    """
    try:
        done = run_headless(godot, project, "--import", limit=IMPORT_LIMIT)
    except subprocess.TimeoutExpired as error:
        raise PlayError(f"Godot did not import {project.name} within {error.timeout:.0f} s") from error
    if done.returncode != 0:
        print(done.stdout, file=sys.stderr)
        raise PlayError(f"Godot could not import {project.name} (exit code {done.returncode})")


@contextmanager
def server(gcs: Path) -> Iterator[str]:
    """Run `gcs serve` on a free loopback port for as long as the block lasts.

    Yields:
        Its address, `127.0.0.1:PORT`.

    Raises:
        PlayError: It ended or said nothing instead of listening.
    """
    process = subprocess.Popen(
        [str(gcs), "serve", "--address", "127.0.0.1:0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    addresses: queue.Queue[str | None] = queue.Queue()
    # The reader goes on after the address: a full pipe would stop the server.
    reader = threading.Thread(target=_read_addresses, args=(process, addresses), daemon=True)
    reader.start()
    try:
        yield _first_address(process, addresses)
    finally:
        process.terminate()
        try:
            process.wait(timeout=SERVER_STOP_LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        reader.join(timeout=SERVER_STOP_LIMIT)


def _read_addresses(process: subprocess.Popen[str], addresses: queue.Queue[str | None]) -> None:
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            found = _LISTENING.match(line)
            if found:
                addresses.put(found.group(1))
    addresses.put(None)


def _first_address(process: subprocess.Popen[str], addresses: queue.Queue[str | None]) -> str:
    started = time.monotonic()
    try:
        address = addresses.get(timeout=SERVER_START_LIMIT)
    except queue.Empty:
        raise PlayError(f"the server did not listen within {SERVER_START_LIMIT:.0f} s") from None
    if address is None:
        seconds = time.monotonic() - started
        raise PlayError(f"the server ended after {seconds:.1f} s instead of listening (exit code {process.wait()})")
    return address
