"""A lock on a file itself, whatever name it is opened by; held by the operating system, it goes with the process.

Not `flock`, which on BSD and macOS is in the way of SQLite's own locks, nor a file beside it, which may be removed.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from pathlib import Path
from typing import Final

# Far beyond the bytes that SQLite locks, and beyond the end of any store: nobody is kept from reading.
_PLACE: Final = 1 << 50
# Files that this process has locked. A lock belongs to the process where it does not to an opened file; and closing a
# second descriptor would take away SQLite's.
_locked: Final[set[tuple[int, int]]] = set()


class LockedError(Exception):
    """Somebody else holds the lock."""


class FileLock:
    """The lock on a file, from the start on.

    Attributes:
        identity: What tells the file from others, whatever its names are.
    """

    def __init__(self, path: Path) -> None:
        """Takes the lock. A file that is not there is made, for its owner alone to read and write.

        Args:
            path: The file.

        Raises:
            LockedError: Somebody else holds it.
            OSError: The file cannot be opened for writing, or cannot be made.
        """
        if identity_of(path) in _locked:
            raise LockedError
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.identity = _identity(os.fstat(self._descriptor))
        try:
            _lock(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
                raise LockedError from error
            raise
        _locked.add(self.identity)

    def release(self) -> None:
        """Lets go of it. SQLite must have closed the file before."""
        _locked.discard(self.identity)
        os.close(self._descriptor)


def identity_of(path: Path) -> tuple[int, int] | None:
    """What tells a file from others; None when there is none of that name."""
    try:
        return _identity(os.stat(path))
    except FileNotFoundError:
        return None


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

elif sys.platform == "linux":
    import fcntl

    def _lock(descriptor: int) -> None:
        # One that belongs to this opened file, not to the process: it does not go when SQLite closes the same file.
        lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, _PLACE, 1, 0)
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, lock)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PLACE, os.SEEK_SET)
