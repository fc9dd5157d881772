"""A pack that has been read, as one JSON object again."""

from __future__ import annotations

from typing import Any

import msgspec

from runtime.content.assets import Pack, PackInfo, PackObject
from runtime.content.draft import KINDS


def pack_text(pack: Pack) -> bytes:
    """A pack as JSON text, in the form in which it can be sent and read again: it has the same content hash."""
    fields: dict[str, Any] = {name: getattr(pack.info, name) for name in PackInfo.__struct_fields__}
    fields |= {kind: list(getattr(pack, kind).values()) for kind in KINDS}
    return msgspec.json.encode(PackObject(**fields))
