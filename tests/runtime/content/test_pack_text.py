"""A pack as one JSON object means the same as the folder that it was read from (R8.2)."""

from __future__ import annotations

import msgspec
import pytest

from runtime.content.pack_text import pack_text
from runtime.loading import load_content
from runtime.packs import load_pack


@pytest.mark.parametrize("name", ["starter", "reference"])
def test_r8_2_it_is_read_again_as_the_same_pack(name: str) -> None:
    pack = load_pack(name)
    text = pack_text(pack)
    assert load_pack(text) == pack
    assert pack_text(load_pack(text)) == text
    assert load_content(text).hash == pack.content_hash
    assert msgspec.json.decode(text)["id"] == name
