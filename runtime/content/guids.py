"""GUIDs of GES events: written with or without hyphens, in any case; compared in one form (R6.4)."""

from __future__ import annotations

import re
import uuid
from typing import Final

EXPECTED: Final = "32 hexadecimal digits, with or without hyphens as in 2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"

_GUID: Final = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def normalize_guid(text: str) -> str | None:
    """A GUID in lower case with hyphens; None when the text is no GUID."""
    return str(uuid.UUID(text)) if _GUID.fullmatch(text) else None
