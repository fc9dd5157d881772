"""A misspelt id in what a scenario expects is a problem with its place and a hint, not a test that proves nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bridge.cli import app
from bridge.scenario import InProcessDriver, read_scenario, run_scenario
from runtime.content.problems import PackError

THUNDER = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"


def write(folder: Path, expect: dict[str, Any], **changes: Any) -> Path:
    path = folder / "scenario.json"
    scenario = {
        "pack": "starter",
        "encounter": "first_fight",
        "seed": 7,
        "shuffle": False,
        "deck": ["strike", "mallet"],
    }
    path.write_text(json.dumps({**scenario, "expect": expect, **changes}))
    return path


def run(path: Path) -> object:
    return run_scenario(read_scenario(path), InProcessDriver)


@pytest.mark.parametrize(
    ("expect", "path", "message", "hint"),
    [
        (
            {"state": {"enemies.0.statuses.vulnerabel": 0}},
            '$.expect.state["enemies.0.statuses.vulnerabel"]',
            'unknown status "vulnerabel"',
            'did you mean "vulnerable"?',
        ),
        ({"state": {"player.statuses.xyz": 2}}, '$.expect.state["player.statuses.xyz"]', 'unknown status "xyz"', ""),
        (
            {"state": {"hand": ["strike", "malelt"]}},
            "$.expect.state.hand",
            'unknown card "malelt"',
            'did you mean "mallet"?',
        ),
        ({"state": {"rewards": ["xyz"]}}, "$.expect.state.rewards", 'unknown card "xyz"', ""),
        (
            {"entries_contain": ["on_damage_taken status:poisn@enemy0"]},
            "$.expect.entries_contain[0]",
            'unknown status "poisn"',
            'did you mean "poison"?',
        ),
        ({"entries": ["on_card_played card:xyz"]}, "$.expect.entries[0]", 'unknown card "xyz"', ""),
        (
            {"entries_exclude": ["on_card_played card:strike", "on_card_played card:mallet card=mallett"]},
            "$.expect.entries_exclude[1]",
            'unknown card "mallett"',
            'did you mean "mallet"?',
        ),
        (
            {"entries_contain": ["on_status_received status:poison@player status=poisno"]},
            "$.expect.entries_contain[0]",
            'unknown status "poisno"',
            'did you mean "poison"?',
        ),
        ({"raised": ["thundr"]}, "$.expect.raised[0]", 'unknown event "thundr"', 'did you mean "thunder"?'),
        ({"raised": [THUNDER[:-1] + "0"]}, "$.expect.raised[0]", f'unknown event "{THUNDER[:-1]}0"', ""),
    ],
)
def test_an_unknown_id(tmp_path: Path, expect: dict[str, Any], path: str, message: str, hint: str) -> None:
    file = write(tmp_path, expect)
    with pytest.raises(PackError) as caught:
        run(file)
    (problem,) = caught.value.problems
    assert (problem.file, problem.path, problem.message) == (file.as_posix(), path, message)
    if hint or "xyz" in message:
        assert problem.hint == hint


@pytest.mark.parametrize(
    "expect",
    [
        {"state": {"player.statuses.xyz": 0}},
        {"entries_exclude": ["on_turn_start status:xyz@player"]},
        {"state": {"player.variables.vulnerabel": 0, "hand": ["strike", "mallet"]}},
        {"entries_exclude": ["on_damage_dealt card:strike source=none"]},
        {"raised": []},
    ],
)
def test_an_absence_of_what_is_like_nothing_in_the_pack_is_true(tmp_path: Path, expect: dict[str, Any]) -> None:
    assert run(write(tmp_path, expect)) is None


def test_steps_inside_steps_are_looked_through_and_all_is_told_at_once(tmp_path: Path) -> None:
    inner = {"play": "mallet", "target": "enemy0", "expect": {"state": {"enemies.0.statuses.weka": 0}}}
    step = {"repeat": 1, "steps": [inner], "expect": {"state": {"discard": ["malelt"]}}}
    result = CliRunner().invoke(app, ["scenario", "run", str(write(tmp_path, {}, steps=[step]))])
    assert result.exit_code == 1
    assert '$.steps[0].steps[0].expect.state["enemies.0.statuses.weka"]: error: unknown status "weka"' in result.stdout
    assert '(did you mean "weak"?)' in result.stdout
    assert '$.steps[0].expect.state.discard: error: unknown card "malelt"' in result.stdout


def test_what_is_played_may_be_any_card(tmp_path: Path) -> None:
    """That a card is nowhere is what such a step shows."""
    steps = [{"play": "nowhere", "expect": {"rejected": "UNKNOWN_CARD"}}]
    assert run(write(tmp_path, {}, steps=steps)) is None


@pytest.mark.parametrize(
    ("step", "path", "message", "hint"),
    [
        ({"raise": "thundre"}, "$.steps[0].raise", 'unknown event "thundre"', 'did you mean "thunder"?'),
        ({"raise": THUNDER.replace("2", "3")}, "$.steps[0].raise", "unknown event", ""),
        (
            {"set": {"enemies.0.statuses.poisn": 1}},
            '$.steps[0].set["enemies.0.statuses.poisn"]',
            'unknown status "poisn"',
            'did you mean "poison"?',
        ),
    ],
)
def test_an_id_in_a_step(tmp_path: Path, step: dict[str, Any], path: str, message: str, hint: str) -> None:
    with pytest.raises(PackError) as caught:
        run(write(tmp_path, {}, steps=[step]))
    (problem,) = caught.value.problems
    assert (problem.path, problem.hint) == (path, hint)
    assert problem.message.startswith(message)
    reason = "INVALID_ARGUMENT" if "raise" in step else "INVALID_ACTION"
    assert run(write(tmp_path, {}, steps=[{**step, "expect": {"rejected": reason}}])) is None
