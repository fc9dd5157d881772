"""The hash of what a pack means in a battle (R8.2)."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from runtime.content.assets import GraphAsset, Pack
from runtime.content.draft import KINDS

# Only shown, or only the editor's: nothing that a battle does depends on it. A card's and an enemy's other
# texts stay in, for graphs can read them (Card Info gives name and type, leaves carry their text). A field
# that is not named here is in the hash.
PRESENTATION: Final[dict[str, frozenset[str]]] = {
    "cards": frozenset({"text", "extra"}),
    "statuses": frozenset({"name", "text", "visible", "extra"}),
    "enemies": frozenset({"name", "text", "extra"}),
    "encounters": frozenset({"name", "extra"}),
    "decks": frozenset({"name", "extra"}),
    "events": frozenset({"name", "category", "extra"}),
    "flows": frozenset({"extra"}),
}

# Objects whose order means something: statuses are given in it (R2.4).
_ORDERED: Final = "statuses"


def content_hash(pack: Pack) -> str:
    """The SHA-256, in hexadecimal, of everything in a pack that can change how a battle goes.

    In it are all assets, with their graphs, the default rule set and the bound notices. Not in it are
    what is only shown (`PRESENTATION`), ``extra``, the notes and positions of editors, and the pack's
    own id, name and version: a pack sent inline has the hash of the folder that it was read from. The
    order of files, of keys and of links does not matter; the order of nodes, cards, enemies, rewards
    and given statuses does.
    """
    form: dict[str, Any] = {"rules": pack.info.rules, "notify": pack.info.notify}
    for kind in KINDS:
        hidden = PRESENTATION[kind]
        form[kind] = [_canonical(asset, hidden) for _, asset in sorted(getattr(pack, kind).items())]
    return hashlib.sha256(msgspec.json.encode(form, order="sorted")).hexdigest()


def _canonical(asset: msgspec.Struct, hidden: frozenset[str]) -> dict[str, Any]:
    form: dict[str, Any] = {}
    for name in asset.__struct_fields__:
        value = getattr(asset, name)
        if name in hidden or value is msgspec.UNSET:
            continue
        if isinstance(value, GraphAsset):
            form[name] = [[[node.id, node.type, node.params] for node in value.nodes], sorted(value.links)]
        elif name == _ORDERED:
            form[name] = list(value.items())
        elif isinstance(value, msgspec.Struct):
            form[name] = _canonical(value, frozenset())
        else:
            form[name] = value
    return form
