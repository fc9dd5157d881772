"""What is wrong in a scenario file is told with file and JSON path, all of it at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridge.scenario import read_scenario
from bridge.scenario.format import Expect, ScenarioFile, Step
from runtime.content.problems import PackError

NAMES = sorted({name for part in (ScenarioFile, Step, Expect) for name in part.__struct_encode_fields__})


def problems_of(path: Path) -> list[tuple[str, str]]:
    with pytest.raises(PackError) as caught:
        read_scenario(path)
    assert {problem.file for problem in caught.value.problems} == {path.as_posix()}
    return [(problem.path, problem.message) for problem in caught.value.problems]


def write(folder: Path, **changes: Any) -> Path:
    path = folder / "scenario.json"
    path.write_text(json.dumps({"pack": "starter", "encounter": "first_fight", **changes}))
    return path


def in_step(step: dict[str, Any]) -> dict[str, Any]:
    return {"steps": [{"end_turn": True}, step]}


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"sed": 7}, "$.sed", 'unknown field "sed"'),
        ({"seed": -1}, "$.seed", "out of range"),
        ({"seed": True}, "$.seed", "wrong type"),
        ({"rules": "house"}, "$.rules", "unknown word"),
        ({"shuffle": 0}, "$.shuffle", "wrong type"),
        ({"deck": "strike"}, "$.deck", "wrong type"),
        ({"steps": {}}, "$.steps", "wrong type"),
        ({"steps": ["end_turn"]}, "$.steps[0]", "wrong type"),
        ({"expect": {"entrys": []}}, "$.expect.entrys", 'unknown field "entrys"'),
        ({"expect": {"rejected": "UNPLAYABLE"}}, "$.expect.rejected", "only a step can be rejected"),
        (in_step({}), "$.steps[1]", "a step does one thing"),
        (in_step({"play": "strike", "end_turn": True}), "$.steps[1]", "a step does one thing"),
        (in_step({"play": "strike", "targets": "enemy0"}), "$.steps[1].targets", 'unknown field "targets"'),
        (in_step({"play": "strike", "target": "enemy01"}), "$.steps[1].target", "no unit"),
        (in_step({"play": 1.5}), "$.steps[1].play", "wrong type"),
        (in_step({"end_turn": True, "target": "enemy0"}), "$.steps[1].target", '"target" goes with "play"'),
        (in_step({"play": 0, "arg": 3}), "$.steps[1].arg", '"arg" goes with "raise"'),
        (in_step({"end_turn": False}), "$.steps[1].end_turn", "a step that does nothing"),
        (in_step({"repeat": 2}), "$.steps[1].steps", 'missing field "steps"'),
        (in_step({"repeat": -1, "steps": []}), "$.steps[1].repeat", "out of range"),
        (
            in_step({"repeat": 1, "steps": [{"set": {"player.hp": "1"}}]}),
            '$.steps[1].steps[0].set["player.hp"]',
            "wrong type",
        ),
        (
            in_step({"repeat": 1, "steps": [], "expect": {"rejected": "UNPLAYABLE"}}),
            "$.steps[1].expect.rejected",
            "only a single step can be rejected",
        ),
        (
            in_step({"play": 0, "expect": {"rejected": "NO_ENERGY"}}),
            "$.steps[1].expect.rejected",
            'unknown reason "NO_ENERGY"',
        ),
        (in_step({"play": 0, "expect": {"state": {"a..b": 1}}}), '$.steps[1].expect.state["a..b"]', "no state path"),
        ({"expect": {"entries_exclude": ["on_card_playd"]}}, "$.expect.entries_exclude[0]", "unknown Entry"),
        ({"expect": {"entries": [""]}}, "$.expect.entries[0]", "an empty line"),
        (
            {"expect": {"entries_contain": ["on_card_played strike"]}},
            "$.expect.entries_contain[0]",
            "no owner behind the Entry",
        ),
        (
            {"expect": {"entries": ["on_card_played card:strike amount=3"]}},
            "$.expect.entries[0]",
            "on_card_played has no port 'amount'",
        ),
    ],
)
def test_a_mistake(tmp_path: Path, changes: dict[str, Any], path: str, message: str) -> None:
    assert problems_of(write(tmp_path, **changes)) == [(path, message)]


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"pak": "starter", "seed": 1, "seed": 2, "steps": [{"end_turn": 1}]}')
    assert sorted(problems_of(path)) == [
        ("$.encounter", 'missing field "encounter"'),
        ("$.pack", 'missing field "pack"'),
        ("$.pak", 'unknown field "pak"'),
        ("$.seed", 'duplicate key "seed"'),
        ("$.steps[0].end_turn", "wrong type"),
    ]


@pytest.mark.parametrize("text", [b"", b"[]", b"{", b"\xff", b'{"pack": NaN}'])
def test_no_scenario_at_all(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(text)
    assert problems_of(path)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["strike", "enemy0"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=200)
@given(
    fields=st.dictionaries(st.sampled_from(NAMES), JSON),
    steps=st.lists(st.dictionaries(st.sampled_from(NAMES), JSON), max_size=3),
)
def test_reading_raises_nothing_but_problems(tmp_path: Path, fields: dict[str, Any], steps: list[Any]) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"pack": "starter", "encounter": "first_fight", "steps": steps, **fields}))
    try:
        scenario = read_scenario(path)
    except PackError as error:
        wrong = {problem.file for problem in error.problems}
    else:
        wrong = {scenario.path.as_posix()}
    assert wrong == {path.as_posix()}


def test_a_folder_is_no_scenario_file(tmp_path: Path) -> None:
    assert problems_of(tmp_path) == [("$", "cannot be read")]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (
            "player.hpp",
            'no state path; expected hp, max_hp, armor, alive, energy, statuses, variables or intent; found "hpp"',
        ),
        ("plyer.hp", 'found "plyer" (did you mean "player"?)'),
        ("enemies.hp", 'expected <number>; found "hp"'),
        ("enemies.0.energy", 'found "energy"'),
        ("enemies.0", "found the end of the path"),
        ("enemies.0.intent.amont", '(did you mean "amount"?)'),
        ("hand.0.cots", '(did you mean "cost"?)'),
        ("hand.first.cost", 'expected size or <number>; found "first"'),
        ("draw.0", 'expected size; found "0"'),
        ("choice.card", '(did you mean "cards"?)'),
        ("turn.number", 'expected the end of the path; found "number"'),
        ("variables", "expected <name>; found the end of the path"),
    ],
)
def test_a_state_path_that_no_battle_has(tmp_path: Path, path: str, told: str) -> None:
    with pytest.raises(PackError) as caught:
        read_scenario(write(tmp_path, expect={"state": {path: 1}}))
    (problem,) = caught.value.problems
    assert problem.path.startswith("$.expect.state")
    assert told in str(problem)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("turn", 'cannot be set; expected player, enemies or variables; found "turn"'),
        ("player.alive", "cannot be set; expected hp, max_hp, armor, energy, statuses or variables"),
        ("enemies.0.intent.amount", 'cannot be set; expected hp, max_hp, armor, statuses or variables; found "intent"'),
        ("enemies.0.energy", 'no state path; expected hp, max_hp, armor, statuses or variables; found "energy"'),
        ("player.mana", "no state path"),
    ],
)
def test_a_field_that_cannot_be_set(tmp_path: Path, path: str, told: str) -> None:
    with pytest.raises(PackError) as caught:
        read_scenario(write(tmp_path, steps=[{"set": {path: 1}}]))
    (problem,) = caught.value.problems
    assert problem.path.startswith("$.steps[0].set")
    assert told in str(problem)
    rejected = {"set": {path: 1}, "expect": {"rejected": "INVALID_ACTION"}}
    assert read_scenario(write(tmp_path, steps=[rejected])).file.steps


def test_every_path_that_can_be_read_or_set_is_right(tmp_path: Path) -> None:
    unit = ("hp", "max_hp", "armor", "statuses.poison", "variables.rage")
    settable = [
        "player.energy",
        "variables.rage",
        *(f"{who}.{field}" for who in ("player", "enemies.3") for field in unit),
    ]
    read = [
        *settable,
        "turn",
        "phase",
        "outcome",
        "rewards",
        "player.alive",
        "enemies.0.alive",
        "choice.kind",
        "choice.cards",
    ]
    read += [f"{pile}{end}" for pile in ("hand", "draw", "discard", "exhaust") for end in ("", ".size")]
    read += ["hand.2.cost", "hand.2.playable", *(f"enemies.1.intent.{field}" for field in ("kind", "amount", "hits"))]
    path = write(tmp_path, steps=[{"set": dict.fromkeys(settable, 1)}], expect={"state": dict.fromkeys(read, 1)})
    assert read_scenario(path).file.expect
