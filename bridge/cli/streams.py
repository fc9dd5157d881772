"""The standard streams of a command: nothing that they cannot take ends it, so its exit code is always its own.

A terminal may not know a character (``PYTHONIOENCODING=cp437``): it is replaced by what looks like it, or escaped. A
disk may be full, or the reader of a pipe gone: the rest is thrown away, and a full disk is told on the standard error.
"""

from __future__ import annotations

import codecs
import errno
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ERRORS: Final = "gcs.look_alike"
# What commands write themselves beyond ASCII, and common punctuation of texts.
_LOOK_ALIKES: Final = str.maketrans(
    {"·": "*", "…": "...", "–": "-", "—": "-", "−": "-", "×": "x", "‘": "'", "’": "'", "“": '"', "”": '"', "→": "->"}
    | dict.fromkeys("─━╸╺", "-")
)


def _look_alike(error: UnicodeError) -> tuple[str | bytes, int]:
    """An error handler for encoding: look-alikes, and escapes for what has none."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_LOOK_ALIKES)
    return text.encode("ascii", errors="backslashreplace").decode("ascii"), error.end


codecs.register_error(_ERRORS, _look_alike)


class _Sink(io.RawIOBase):
    """A file that takes whatever is written; from the first error on it throws it away.

    Attributes:
        error: The first error.
    """

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self._raw = raw
        self.error: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        number: int = self._raw.fileno()
        return number

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def write(self, data: ReadableBuffer, /) -> int | None:
        if self.error is None:
            try:
                written: int | None = self._raw.write(data)
                return written
            except OSError as error:
                self.error = error
        return memoryview(data).nbytes


@contextmanager
def tolerant_streams() -> Iterator[None]:
    """Puts streams in the place of the standard output and error that take everything, and lets input be anything."""
    before = sys.stdout, sys.stderr
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    sinks = [_replaced("stdout"), _replaced("stderr")]
    try:
        yield
    finally:
        if (out := sinks[0]) is not None:
            sys.stdout.flush()
            # A reader that has gone, as `head` does, has read what it wanted.
            if out.error is not None and out.error.errno not in (errno.EPIPE, errno.EINVAL):
                sys.stderr.write(f"gcs: the output cannot be written: {out.error.strerror or out.error}\n")
        if sinks[1] is not None:
            sys.stderr.flush()
        sys.stdout, sys.stderr = before


def _replaced(name: str) -> _Sink | None:
    """Replaces a standard stream; None where there is none."""
    stream: TextIO | None = getattr(sys, name)
    if stream is None:
        return None
    # Unbuffered (`python -u`), the text stands on the file itself.
    sink = _Sink(getattr(stream.buffer, "raw", stream.buffer))
    buffer = io.BufferedWriter(sink)
    wrapper = io.TextIOWrapper(buffer, stream.encoding, _ERRORS, line_buffering=sink.isatty() or name == "stderr")
    setattr(sys, name, wrapper)
    return sink
