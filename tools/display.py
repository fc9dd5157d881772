"""A virtual screen for pictures of the demo on machines without one: Xvfb from PATH, or Debian's in the cache folder.

`python tools/display.py COMMAND...` runs a command on such a screen, rendering on the CPU.
"""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools import debian
from tools.godot import cache_folder, software_rendering

SIZE = "2560x1440x24"
START_LIMIT = 30.0
STOP_LIMIT = 10.0
_COMPILED_IN = b"\0/usr/bin\0"
_RELATIVE = b"\0./xkbbin\0"


class DisplayError(Exception):
    """No virtual screen; the message is one line that says why."""


@contextmanager
def virtual_display() -> Iterator[dict[str, str]]:
    """Run an Xvfb for as long as the block lasts.

    Yields:
        The environment variables that put a program on its screen and make Mesa render on the CPU.

    Raises:
        DisplayError: Xvfb could not be had or did not start.
    """
    if not sys.platform.startswith("linux"):
        raise DisplayError("a virtual screen needs Linux; elsewhere use the real one")
    command, folder, environment = find_xvfb()
    read_end, write_end = os.pipe()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, "-displayfd", str(write_end), "-screen", "0", SIZE, "-nolisten", "tcp", "-noreset"],
            cwd=folder,
            env={**os.environ, **environment},
            pass_fds=[write_end],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        os.close(write_end)
        try:
            number = _read_number(read_end)
            if not number:
                log.seek(0)
                raise DisplayError(f"Xvfb did not start: {' '.join(log.read().split())}")
            yield {"DISPLAY": f":{number}", **software_rendering()}
        finally:
            os.close(read_end)
            process.terminate()
            try:
                process.wait(timeout=STOP_LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _read_number(descriptor: int) -> str:
    """The display number that Xvfb writes once it is ready; empty when it ended or took too long."""
    text = ""
    while not text.endswith("\n"):
        if not select.select([descriptor], [], [], START_LIMIT)[0]:
            return ""
        part = os.read(descriptor, 16)
        if not part:
            return ""
        text += part.decode("ascii")
    return text.strip()


def find_xvfb() -> tuple[list[str], Path | None, dict[str, str]]:
    """The command that starts Xvfb, the folder to start it in, and variables it needs."""
    installed = shutil.which("Xvfb")
    if installed:
        return [installed], None, {}
    root = cache_folder() / "xvfb"
    try:
        debian.ensure_root(root, ("xvfb",), _make_relocatable)
        libraries = debian.library_folder(root)
        start = [str(debian.loader(root)), "--library-path", str(libraries), str(root / "usr" / "bin" / "Xvfb")]
    except debian.DebianError as error:
        raise DisplayError(f"no Xvfb ({error}): install the package xvfb") from error
    keyboards = root / "usr" / "share" / "X11" / "xkb"
    return [*start, "-xkbdir", str(keyboards)], root, {"LIBGL_DRIVERS_PATH": str(libraries / "dri")}


def _make_relocatable(root: Path) -> None:
    """Let Xvfb find its keymap compiler below its working folder.

    The place of xkbcomp is compiled into Xvfb, and no option changes it; a relative path of the same length does.
    """
    binary = root / "usr" / "bin" / "Xvfb"
    content = binary.read_bytes()
    if content.count(_COMPILED_IN) != 1:
        raise debian.DebianError("this Xvfb names the folder of xkbcomp in an unknown way")
    binary.write_bytes(content.replace(_COMPILED_IN, _RELATIVE))
    loader = debian.loader(root).relative_to(root)
    libraries = debian.library_folder(root).relative_to(root)
    script = root / "xkbbin" / "xkbcomp"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {loader} --library-path {libraries} usr/bin/xkbcomp "$@"\n', encoding="utf-8")
    script.chmod(0o755)


def main() -> int:
    """Run the command line's command on a virtual screen and return its exit code."""
    if len(sys.argv) < 2:
        print("usage: python tools/display.py COMMAND...", file=sys.stderr)
        return 2
    try:
        with virtual_display() as environment:
            return subprocess.run(sys.argv[1:], env={**os.environ, **environment}, check=False).returncode
    except DisplayError as error:
        print(f"display: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
