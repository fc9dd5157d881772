"""The packs that come with the project: free of problems, in one layout, as big as they promise to be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.battle import start_battle
from runtime.battle.texts import card_text
from runtime.loading import encounter_of, load_content
from runtime.packs import check_pack, installed_packs, load_pack

PACKS = installed_packs()


def graphs(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    for file in sorted(folder.rglob("*.json")):
        graph = json.loads(file.read_text(encoding="utf-8")).get("graph")
        if graph is not None:
            yield file, graph


def test_the_packs_are_there() -> None:
    assert sorted(PACKS) == ["reference", "starter"]


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_has_no_problem_not_even_a_warning(pack: str) -> None:
    assert [str(problem) for problem in check_pack(pack).problems] == []


def id_of(name: str) -> str:
    """The id that a display name asks for: snake case, without an article in front."""
    plain = name.lower().replace("'", "").replace("+", " plus").removeprefix("the ")
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


@pytest.mark.parametrize("pack", PACKS)
def test_an_id_is_the_name_that_players_read(pack: str) -> None:
    for file in sorted(PACKS[pack].glob("*/*.json")):
        asset = json.loads(file.read_text(encoding="utf-8"))
        if "name" in asset:
            assert asset["id"] == id_of(asset["name"]), file


WRONG_WORDS = (
    r"\b1 (?:cards|turns|stacks)\b",
    r"\b(?:[02-9]|\d\d+) (?:card|turn)\b",
    r"\d %",
    r"  ",
    r"\b(\w+) \1\b",
    r" [.,]",
    r"[^.]$",
)


@pytest.mark.parametrize("pack", PACKS)
def test_texts_read_right(pack: str) -> None:
    """As they are in a battle: numbers agree with their nouns, sentences end."""
    content = load_content(pack)
    asset = "reference" if pack == "reference" else "first_fight"
    for card in content.pack.cards.values():
        if card.text:
            battle = start_battle(content, encounter_of(content, asset, deck=[card.id]), seed=1)
            text = card_text(battle, len(battle.cards) - 1)
            for wrong in WRONG_WORDS:
                assert not re.search(wrong, text), f"{card.id}: {text}"
    for status in content.pack.statuses.values():
        assert not re.search(r"\d %|  | [.,]|[^.]$", status.text or "."), f"{status.id}: {status.text}"


@pytest.mark.parametrize("pack", PACKS)
def test_percentages_are_what_the_graph_does(pack: str) -> None:
    told = 0
    for file, graph in graphs(PACKS[pack]):
        text = json.loads(file.read_text(encoding="utf-8"))["text"] if file.parent.name == "statuses" else ""
        scaled = [node["params"]["percent"] for node in graph["nodes"] if node["type"] == "scale_percent"]
        for number, way in re.findall(r"(\d+)% (more|less)", text):
            told += 1
            assert scaled == [100 + int(number) if way == "more" else 100 - int(number)], f"{file}: {text}"
        if "halved" in text:
            assert scaled == [50], f"{file}: {text}"
    assert told >= (4 if pack == "starter" else 1)


@pytest.mark.parametrize("pack", PACKS)
def test_every_node_has_a_place_of_its_own_in_the_picture(pack: str) -> None:
    for file, graph in graphs(PACKS[pack]):
        places = [tuple(node["pos"]) for node in graph["nodes"]]
        assert len(set(places)) == len(places), file


@pytest.mark.parametrize("pack", PACKS)
def test_links_run_from_left_to_right_in_the_picture(pack: str) -> None:
    for file, graph in graphs(PACKS[pack]):
        across = {node["id"]: node["pos"][0] for node in graph["nodes"]}
        for source, target in graph["links"]:
            assert across[source.split(".")[0]] < across[target.split(".")[0]], f"{file}: {source} to {target}"


@pytest.mark.parametrize("pack", PACKS)
def test_the_files_are_laid_out_alike(pack: str) -> None:
    """Two spaces a level, one asset field, node or link a line, and a line end at the end."""
    for file, graph in graphs(PACKS[pack]):
        lines = file.read_text(encoding="utf-8").splitlines()
        nodes = [line for line in lines if line.startswith('      {"id": ')]
        links = [line for line in lines if line.startswith('      ["')]
        assert (len(nodes), len(links)) == (len(graph["nodes"]), len(graph["links"])), file
    for file in sorted(PACKS[pack].rglob("*.json")):
        text = file.read_text(encoding="utf-8")
        assert text.endswith("}\n"), file
        for number, line in enumerate(text.splitlines(), 1):
            indent = len(line) - len(line.lstrip(" "))
            assert indent % 2 == 0, f"{file}:{number}"
            assert "\t" not in line, f"{file}:{number}"
            assert line == line.rstrip(), f"{file}:{number}"


def test_the_starter_pack_is_big_enough_to_show_something() -> None:
    pack = load_pack("starter")
    upgrades = {card.upgrade for card in pack.cards.values() if card.upgrade is not None}
    assert len(pack.cards.keys() - upgrades) >= 40
    assert len(pack.statuses) >= 20
    assert len(pack.enemies) >= 10
    assert len(pack.encounters) >= 8
    assert len(pack.decks) >= 2
    assert len(pack.events) >= 4
    assert len(pack.flows) >= 1
    bosses = [
        encounter.id
        for encounter in pack.encounters.values()
        if any("boss" in pack.enemies[enemy].tags for enemy in encounter.enemies)
    ]
    assert bosses == ["light_eater"]


def test_everything_in_the_starter_pack_has_a_name_and_every_encounter_rewards() -> None:
    pack = load_pack("starter")
    for assets in (pack.cards, pack.statuses, pack.enemies, pack.encounters, pack.decks, pack.events):
        assert [asset.id for asset in assets.values() if not asset.name] == []
    assert [card.id for card in pack.cards.values() if not card.text] == []
    assert [status.id for status in pack.statuses.values() if not status.text] == []
    assert [encounter.id for encounter in pack.encounters.values() if not encounter.rewards] == []


def test_the_demo_finds_a_picture_and_a_colour_for_everything_it_draws() -> None:
    pack = load_pack("starter")
    for assets in (pack.cards, pack.statuses, pack.enemies, pack.decks):
        for asset in assets.values():
            assert asset.extra["art"], asset.id
            assert len(asset.extra["color"]) == 7, asset.id


def test_no_card_of_the_starter_pack_is_out_of_reach() -> None:
    """In a deck, in a reward, made by a graph, or the upgrade of such a card."""
    pack = load_pack("starter")
    reached = {card for deck in pack.decks.values() for card in deck.cards}
    reached |= {card for fight in pack.encounters.values() for row in fight.rewards for card in row.cards}
    pools = set()
    for _, graph in graphs(PACKS["starter"]):
        for node in graph["nodes"]:
            params = node.get("params", {})
            if "card" in params:
                reached.add(params["card"])
            if "pool" in params:
                pools.add(params["pool"]["type"])
    reached |= {card.id for card in pack.cards.values() if card.type in pools}
    reached |= {card.upgrade for card in pack.cards.values() if card.upgrade is not None and card.id in reached}
    assert sorted(pack.cards.keys() - reached) == []


def test_the_reference_battle_is_the_one_that_is_measured() -> None:
    pack = load_pack("reference")
    assert pack.decks["reference"].cards == ["strike"] * 5 + ["defend"] * 4 + ["mallet"]
    encounter = pack.encounters["reference"]
    assert (encounter.enemies, encounter.deck, encounter.player.hp) == (["lugworm"], "reference", 80)
    assert pack.enemies["lugworm"].hp == (40, 44)
