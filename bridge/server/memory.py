"""Memory that is free again goes back to the system: what an attack, or a great many battles, once took."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any, Final


def _find_trim() -> Callable[[int], Any] | None:
    """`malloc_trim` of the GNU C library; None elsewhere, where the allocator gives back by itself."""
    if sys.platform != "linux":
        return None
    trim: Callable[[int], Any] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim


_trim: Final = _find_trim()


def give_back_memory() -> None:
    """Gives back what lies free between what is in use: the GNU C library keeps it for later, for good.

    It takes milliseconds, in which other threads go on: it is meant for a thread of its own.
    """
    if _trim is not None:
        _trim(0)
