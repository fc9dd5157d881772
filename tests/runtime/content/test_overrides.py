"""Encounter objects and overrides that a battle is started with (content.md, "Scenario files")."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.content.overrides import check_deck, check_encounter, check_player
from runtime.content.problems import PackError, Problem
from runtime.packs import load_pack
from tests.runtime.content.sample import sample

PACK = load_pack(sample())


def refused(check: Any, value: object) -> list[Problem]:
    with pytest.raises(PackError) as caught:
        check(PACK, value)
    return caught.value.problems


def test_an_encounter_by_id() -> None:
    assert check_encounter(PACK, "first_fight") is PACK.encounters["first_fight"]
    assert refused(check_encounter, "first_figth")[0].hint == 'did you mean "first_fight"?'


def test_an_encounter_object_needs_no_id() -> None:
    given = {"enemies": ["slime"], "deck": "starter", "player": {"hp": 5}}
    asset = check_encounter(PACK, given)
    assert (asset.id, asset.enemies, asset.player.energy) == ("", ["slime"], 3)
    assert check_encounter(PACK, b'{"enemies": ["slime"], "deck": "starter", "player": {"hp": 5}}') == asset


def test_a_wrong_encounter_object_tells_everything() -> None:
    given = {"enemies": ["slim"], "player": {"hp": 0, "statuses": {"posion": 1}}, "rewards": [{"cards": ["a"]}]}
    found = refused(check_encounter, given)
    assert {problem.path for problem in found} == {
        "$.enemies[0]",
        "$.deck",
        "$.player.hp",
        "$.player.statuses.posion",
        "$.rewards[0].cards[0]",
    }
    assert refused(check_encounter, 7)[0].expected == "an object"
    assert refused(check_encounter, b'{"deck": "a", "deck": "b"}')[0].path == "$.deck"


def test_any_field_of_the_player_may_be_given() -> None:
    assert check_player(PACK, {}) == {}
    given = {"hp": 30, "statuses": {"poison": 1}, "variables": {"gold": -5}, "energy": 0}
    assert check_player(PACK, given) == given


def test_wrong_fields_of_the_player() -> None:
    found = refused(check_player, {"hp": 30, "max_hp": 20, "statuses": {"posion": 1}, "draw": True, "enrgy": 1})
    assert {(problem.path, problem.hint) for problem in found} == {
        ("$.hp", ""),
        ("$.statuses.posion", 'did you mean "poison"?'),
        ("$.draw", ""),
        ("$.enrgy", 'did you mean "energy"?'),
    }
    assert refused(check_player, None)[0].expected == "an object"


def test_a_deck() -> None:
    assert check_deck(PACK, ["strike", "curse", "strike"]) == ["strike", "curse", "strike"]
    assert check_deck(PACK, b'["strike"]') == ["strike"]
    assert [problem.path for problem in refused(check_deck, ["strike", "strik", 3])] == ["$[2]", "$[1]"]
    for wrong in ([], {}, "strike", None):
        assert refused(check_deck, wrong)[0].expected == "a list of at least one card id"
