"""The content hash: what changes a battle changes it, and nothing else does (R8.2)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.content.content_hash import PRESENTATION
from runtime.content.draft import KINDS
from runtime.packs import load_pack
from tests.runtime.content.sample import RAIN, asset, sample, write

Change = Callable[[dict[str, Any]], object]


def hash_of(change: Change = lambda pack: None) -> str:
    pack = sample()
    change(pack)
    return load_pack(pack).content_hash


def test_presentation_names_fields_that_there_are() -> None:
    assert set(PRESENTATION) == set(KINDS)
    for kind, names in PRESENTATION.items():
        assert names <= set(KINDS[kind].__struct_fields__)


def test_a_folder_and_an_object_have_one_hash(tmp_path: Path) -> None:
    folder = write(sample(), tmp_path / "sample")
    path = folder / "cards" / "strike.json"
    # Other keys first, other white space, a byte order mark.
    content = dict(reversed(json.loads(path.read_text()).items()))
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(content, indent=4).encode())
    assert load_pack(folder).content_hash == hash_of()


SAME: dict[str, Change] = {
    "pack id": lambda pack: pack.update(id="other", name="Other", version="9"),
    "extra of the pack": lambda pack: pack.pop("extra"),
    "order of assets": lambda pack: pack["cards"].reverse(),
    "text": lambda pack: asset(pack, "cards", "strike").update(text=""),
    "extra": lambda pack: asset(pack, "cards", "strike").pop("extra"),
    "positions and notes": lambda pack: asset(pack, "cards", "strike")["graph"]["nodes"][0].update(pos=[3, 4], note=""),
    "groups": lambda pack: asset(pack, "cards", "strike")["graph"].pop("groups"),
    "order of links": lambda pack: asset(pack, "cards", "strike")["graph"]["links"].reverse(),
    "a default written out": lambda pack: asset(pack, "cards", "strike").update(keywords=[], graph_of=None),
    "name of a status": lambda pack: asset(pack, "statuses", "poison").update(name="Venom", visible=False),
    "spelling of a GUID": lambda pack: asset(pack, "events", "rain").update(guid=RAIN),
    "category": lambda pack: asset(pack, "events", "thunder").pop("category"),
}


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_what_is_only_shown_does_not_count(change: Change) -> None:
    assert hash_of(change) == hash_of()


OTHER: dict[str, Change] = {
    "rules": lambda pack: pack.update(rules="extended"),
    "notices": lambda pack: pack.update(notify={}),
    "cost": lambda pack: asset(pack, "cards", "strike").update(cost=2),
    "name of a card": lambda pack: asset(pack, "cards", "strike").update(name="Hit"),
    "rarity": lambda pack: asset(pack, "cards", "strike").update(rarity="common"),
    "a var": lambda pack: asset(pack, "cards", "strike")["vars"].update(damage=7),
    "a param": lambda pack: asset(pack, "cards", "strike")["graph"]["nodes"][3]["params"].update(source="none"),
    "a node's id": lambda pack: asset(pack, "cards", "curse").update(graph={"nodes": [{"id": "a", "type": "player"}]}),
    "order of nodes": lambda pack: asset(pack, "statuses", "poison")["graph"]["nodes"].reverse(),
    "a link": lambda pack: asset(pack, "cards", "strike")["graph"]["links"].pop(2),
    "HP": lambda pack: asset(pack, "enemies", "slime").update(hp=[40, 45]),
    "order of a deck": lambda pack: asset(pack, "decks", "starter")["cards"].reverse(),
    "player": lambda pack: asset(pack, "encounters", "first_fight")["player"].update(energy=4),
    "rewards": lambda pack: asset(pack, "encounters", "first_fight")["rewards"][0].update(weight=1),
    "an event": lambda pack: asset(pack, "events", "thunder").update(sender=True),
    "a flow": lambda pack: asset(pack, "flows", "storm")["triggers"][0].update(delay_ms=11),
    "a condition": lambda pack: asset(pack, "flows", "storm")["triggers"][0].update(when=None),
    "one more asset": lambda pack: pack["statuses"].append({"id": "weak"}),
}


@pytest.mark.parametrize("change", OTHER.values(), ids=OTHER)
def test_what_a_battle_depends_on_counts(change: Change) -> None:
    assert hash_of(change) != hash_of()


def test_the_order_of_given_statuses_counts() -> None:
    def given(*order: str) -> str:
        def change(pack: dict[str, Any]) -> None:
            pack["statuses"].append({"id": "weak"})
            asset(pack, "enemies", "slime")["statuses"] = dict.fromkeys(order, 1)

        return hash_of(change)

    assert given("poison", "weak") != given("weak", "poison")


def test_the_hash_is_what_it_was() -> None:
    # Replays name it: a change of its form makes them unusable and has to be meant.
    assert hash_of() == "c1a58e9f8d0860ecadad7fc3ade003049712c78cd571c00e54a0cfec996dda86"
