"""Assets against their classes, and against each other: what, where, hint (content.md, "Assets", "Strictness")."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runtime.content.problems import PackError
from runtime.packs import load_pack
from tests.runtime.content.sample import RAIN, THUNDER, asset, check, only, problems, sample, write

# Stands for a field that is taken away.
GONE = object()


def test_the_sample_is_right_as_an_object_and_as_a_folder(tmp_path: Path) -> None:
    inline = check(sample())
    folder = check(write(sample(), tmp_path / "anything"))
    assert inline.problems == []
    assert folder.problems == []
    assert inline.pack is not None
    assert folder.pack == inline.pack


def test_a_pack_is_in_one_form() -> None:
    pack = load_pack(sample())
    assert list(pack.cards) == ["curse", "strike", "strike_plus", "whirl"]
    assert pack.info.notify == {"card_played": THUNDER}
    assert pack.events["rain"].guid == RAIN
    graph = pack.cards["whirl"].graph
    assert graph.nodes[6].params == {"event": THUNDER, "arg": 3}
    assert pack.cards["strike_plus"].rarity == ""
    assert pack.flows["storm"].triggers[0].pass_


def test_a_pack_object_needs_nothing() -> None:
    checked = check({})
    assert checked.problems == []
    assert checked.pack is not None
    assert checked.pack.info.id == "inline"


def test_null_means_not_given() -> None:
    pack = sample()
    asset(pack, "enemies", "slime")["graph"]["nodes"][6]["params"]["ges_event"] = None
    checked = check(pack)
    assert checked.problems == []
    assert checked.pack is not None
    assert checked.pack.enemies["slime"].graph.nodes[6].params == {}


# What is wrong; the asset; the fields that are changed; where it is reported; parts of expected, found and hint.
# fmt: off
MISTAKES = [
    ("unknown field", "cards/curse", {"csot": 1}, "$.csot", "", '"csot"', '"cost"'),
    ("missing cost", "cards/curse", {"cost": GONE}, "$.cost", "an integer from 0", "", ""),
    ("missing target", "cards/curse", {"target": GONE}, "$.target", '"any", "enemy"', "", ""),
    ("missing hp", "enemies/slime", {"hp": GONE}, "$.hp", "an integer", "", ""),
    ("no player hp", "encounters/first_fight", {"player": {}}, "$.player.hp", "an integer", "", ""),
    ("missing enemies", "encounters/first_fight", {"enemies": GONE}, "$.enemies", "a list of at least 1", "", ""),
    ("missing deck", "encounters/first_fight", {"deck": GONE}, "$.deck", "a text", "", ""),
    ("true is no Int", "cards/curse", {"cost": True}, "$.cost", "an integer from 0", "true", ""),
    ("1.0 is no Int", "cards/curse", {"cost": 1.0}, "$.cost", "an integer from 0", "1.0", ""),
    ("negative cost", "cards/curse", {"cost": -1}, "$.cost", "an integer from 0", "-1", ""),
    ("cost of 33 bits", "cards/curse", {"cost": 2**31}, "$.cost", "2147483647", "2147483648", ""),
    ("unknown cost", "cards/curse", {"cost": "y"}, "$.cost", '"x"', '"y"', ""),
    ("cost of null", "cards/curse", {"cost": None}, "$.cost", 'an integer from 0 to 2147483647 or "x"', "null", ""),
    ("var of 33 bits", "cards/curse", {"vars": {"a": -(2**31) - 1}}, "$.vars.a", "-2147483648", "-2147483649", ""),
    ("unknown target", "cards/curse", {"target": "enmy"}, "$.target", '"self"', '"enmy"', '"enemy"'),
    ("unknown keyword", "cards/curse", {"keywords": ["retian"]}, "$.keywords[0]", '"retain"', '"retian"', '"retain"'),
    ("unknown upgrade", "cards/curse", {"upgrade": "strke"}, "$.upgrade", "", '"strke"', '"strike"'),
    ("unknown graph_of", "cards/curse", {"graph_of": "whril"}, "$.graph_of", "", '"whril"', '"whirl"'),
    ("graph and graph_of", "cards/curse", {"graph": {}, "graph_of": "whirl"}, "$.graph_of", "", "", ""),
    ("graph_of itself", "cards/curse", {"graph_of": "curse"}, "$.graph_of", "a card that has a graph", "", ""),
    ("stack rule", "statuses/poison", {"stack_rule": "addd"}, "$.stack_rule", '"replace"', '"addd"', '"add"'),
    ("no stacks ever", "statuses/poison", {"max_stacks": 0}, "$.max_stacks", "from 1", "0", ""),
    ("no HP", "enemies/slime", {"hp": 0}, "$.hp", "from 1", "0", ""),
    ("HP of 33 bits", "enemies/slime", {"hp": 2**31}, "$.hp", "from 1", "2147483648", ""),
    ("low HP of 0", "enemies/slime", {"hp": [0, 4]}, "$.hp[0]", "from 1", "0", ""),
    ("one end of HP", "enemies/slime", {"hp": [4]}, "$.hp", "a list of 2", "a list of 1", ""),
    ("ends swapped", "enemies/slime", {"hp": [5, 4]}, "$.hp", "[low, high]", "[5, 4]", ""),
    ("unknown status", "enemies/slime", {"statuses": {"poisn": 1}}, "$.statuses.poisn", "", '"poisn"', '"poison"'),
    ("no stacks", "enemies/slime", {"statuses": {"poison": 0}}, "$.statuses.poison", "from 1", "0", ""),
    ("unknown enemy", "encounters/first_fight", {"enemies": ["slim"]}, "$.enemies[0]", "", '"slim"', '"slime"'),
    ("nobody to fight", "encounters/first_fight", {"enemies": []}, "$.enemies", "at least 1", "an empty list", ""),
    ("unknown deck", "encounters/first_fight", {"deck": "startr"}, "$.deck", "", '"startr"', '"starter"'),
    ("unknown reward", "encounters/first_fight", {"rewards": [{"cards": ["whirls"]}]}, "$.rewards[0].cards[0]", "", "",
     '"whirl"'),
    ("no weight", "encounters/first_fight", {"rewards": [{"weight": 0}]}, "$.rewards[0].weight", "from 1", "0", ""),
    ("player's HP", "encounters/first_fight", {"player": {"hp": 0}}, "$.player.hp", "from 1", "0", ""),
    ("HP above max_hp", "encounters/first_fight", {"player": {"hp": 9, "max_hp": 8}}, "$.player.hp",
     "at most max_hp, 8", "9", ""),
    ("player's status", "encounters/first_fight", {"player": {"hp": 1, "statuses": {"posion": 1}}},
     "$.player.statuses.posion", "", '"posion"', '"poison"'),
    ("player's variable", "encounters/first_fight", {"player": {"hp": 1, "variables": {"gold": "1"}}},
     "$.player.variables.gold", "an integer", '"1"', ""),
    ("player's field", "encounters/first_fight", {"player": {"hp": 1, "enrgy": 1}}, "$.player.enrgy", "", "",
     '"energy"'),
    ("empty deck", "decks/starter", {"cards": []}, "$.cards", "at least 1", "an empty list", ""),
    ("unknown card", "decks/starter", {"cards": ["strik"]}, "$.cards[0]", "", '"strik"', '"strike"'),
    ("a number for a card", "decks/starter", {"cards": [1]}, "$.cards[0]", "a text", "1", ""),
    ("malformed GUID", "events/rain", {"guid": "2f0c"}, "$.guid", "32 hexadecimal digits", '"2f0c"', ""),
    ("argument", "events/thunder", {"argument": "itn"}, "$.argument", '"vector2"', '"itn"', '"int"'),
    ("extra", "decks/starter", {"extra": []}, "$.extra", "an object", "an empty list", ""),
    ("pos", "cards/curse", {"graph": {"nodes": [{"id": "a", "type": "on_card_played", "pos": [1]}]}},
     "$.graph.nodes[0].pos", "a list of 2", "a list of 1", ""),
    ("unknown notice", "pack", {"notify": {"card_playd": THUNDER}}, "$.notify.card_playd", "", "", '"card_played"'),
    ("notice with prefix", "pack", {"notify": {"gcs.card_played": THUNDER}}, '$.notify["gcs.card_played"]', "", "",
     '"card_played"'),
    ("notice to no GUID", "pack", {"notify": {"card_played": "thunder"}}, "$.notify.card_played", "32 hexadecimal",
     '"thunder"', ""),
    ("notice to nothing", "pack", {"notify": {"card_played": THUNDER[:-1] + "0"}}, "$.notify.card_played", "", "",
     THUNDER),
    ("rule set", "pack", {"rules": "document"}, "$.rules", '"extended"', '"document"', '"documented"'),
]
# fmt: on


@pytest.mark.parametrize(
    ("file", "fields", "path", "expected", "found", "hint"), [pytest.param(*case[1:], id=case[0]) for case in MISTAKES]
)
def test_one_mistake(
    file: str, fields: dict[str, Any], path: str, expected: str, found: str, hint: str, tmp_path: Path
) -> None:
    pack = sample()
    kind, _, asset_id = file.partition("/")
    target = asset(pack, kind, asset_id) if asset_id else pack
    for name, value in fields.items():
        if value is GONE:
            del target[name]
        else:
            target[name] = value
    problem = only(write(pack, tmp_path / "sample"))
    assert (problem.file, problem.path) == (f"{file}.json", path)
    assert expected in problem.expected
    assert found in problem.found
    assert hint in problem.hint
    inline = only(pack)
    assert inline.file == ""
    assert inline.path.endswith(path.removeprefix("$"))
    assert inline.message == problem.message


def test_a_doubled_guid_names_both_places(tmp_path: Path) -> None:
    pack = sample()
    asset(pack, "events", "rain")["guid"] = THUNDER.upper().replace("-", "")
    inline = only(pack)
    assert (inline.path, inline.hint) == ("$.events[1].guid", "also at $.events[0].guid")
    in_files = only(write(pack, tmp_path / "sample"))
    assert (in_files.file, in_files.path) == ("events/thunder.json", "$.guid")
    assert in_files.hint == "also at events/rain.json: $.guid"


def test_all_mistakes_at_once() -> None:
    pack = sample()
    asset(pack, "cards", "strike")["cost"] = "one"
    asset(pack, "cards", "strike")["graph"]["nodes"][2]["type"] = "deal_damag"
    asset(pack, "statuses", "poison")["kind"] = "bad"
    asset(pack, "decks", "starter")["cards"].append("nothing")
    paths = [problem.path for problem in problems(pack)]
    assert paths == [
        "$.cards[0].cost",
        "$.statuses[0].kind",
        "$.decks[0].cards[3]",
        "$.cards[0].graph.nodes[2].type",
    ]


def test_what_is_malformed_has_no_consequences() -> None:
    pack = sample()
    pack["cards"][0] = "strike"
    found = problems(pack)
    assert found[0].path == "$.cards[0]"
    # The card is unknown now, which is true; nothing is said of what a text lacks to be a card.
    assert {problem.message.split(" ")[0] for problem in found[1:]} == {"unknown"}


def test_duplicate_ids_are_reported_and_both_are_checked() -> None:
    pack = sample()
    pack["cards"].append({"id": "strike", "cost": 0, "target": "none", "upgrade": "nothing"})
    first, second = problems(pack)
    assert (first.path, first.hint) == ("$.cards[4].id", "also at $.cards[0].id")
    assert second.path == "$.cards[4].upgrade"


def test_an_encounter_in_a_pack_needs_an_id() -> None:
    pack = sample()
    del pack["encounters"][0]["id"]
    assert only(pack).path == "$.encounters[0].id"


@pytest.mark.parametrize("name", ["Strike", "9lives", "_x", "a-b", "a b", "ü", "strike\n", ""])
def test_ids_are_lower_snake_case(name: str) -> None:
    assert (
        only(
            {"decks": [], "cards": [{"id": name, "cost": 0, "target": "none", "graph": {}, "keywords": ["unplayable"]}]}
        ).path
        == "$.cards[0].id"
    )


def test_a_chain_of_graph_of_is_allowed_and_a_circle_is_not() -> None:
    pack = sample()
    pack["cards"].append({"id": "best", "cost": 1, "target": "enemy", "vars": {"damage": 9}, "graph_of": "strike_plus"})
    assert check(pack).problems == []
    first = asset(pack, "cards", "strike")
    del first["graph"]
    first["graph_of"] = "best"
    assert [problem.path for problem in problems(pack)] == [f"$.cards[{index}].graph_of" for index in (0, 1, 4)]


def test_load_raises_with_everything() -> None:
    pack = sample()
    asset(pack, "decks", "starter")["cards"] = []
    with pytest.raises(PackError, match=r"\$\.decks\[0\]\.cards: error: too short") as caught:
        load_pack(pack)
    assert [problem.path for problem in caught.value.problems] == ["$.decks[0].cards"]


def with_hail(**fields: Any) -> dict[str, Any]:
    pack = sample()
    pack["events"].append({"id": "hail", "guid": "7a1f0c52-3d7e-4f8b-9a1b-0c2d3e4f5a6b", **fields})
    return pack


def test_fields_are_those_of_a_struct() -> None:
    assert check(with_hail(argument="struct", fields={"drops": "int", "where": "unit"})).problems == []
    assert only(with_hail(argument="struct", fields={"drops": "itn"})).hint == 'did you mean "int"?'
    problem = only(with_hail(argument="int", fields={"drops": "int"}))
    assert problem.message == "an event that carries int has no fields"


def test_a_field_is_not_called_like_the_sender() -> None:
    problem = only(with_hail(argument="struct", sender=True, fields={"sender": "unit"}))
    assert problem.path == "$.events[2].fields.sender"
