"""The scenario files in `data`: those in `pass` hold, those in `fail` are reported, in process and over gRPC alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridge.cli.players import RandomViewPlayer
from bridge.scenario import (
    BattleSpec,
    Driver,
    GrpcDriver,
    InProcessDriver,
    Packs,
    read_scenario,
    report_lines,
    run_scenario,
)
from bridge.scenario.packs import pack_object
from bridge.scenario.runner import Failure, Mismatch
from runtime.content.problems import PackError
from runtime.packs import load_pack
from tests.bridge.processes import gcs_server

DATA = Path(__file__).resolve().parents[1] / "data"
PASSING = sorted((DATA / "pass").glob("*.json"))
PACKS = Packs()

# File: where, expected, actual, and the marked line of those around it.
FAILING = {
    "wrong_state": ("steps[1] (end_turn)", "player.hp = 21", "player.hp = 20", None),
    "wrong_type": ("steps[0] (play strike on enemy0)", "enemies.0.alive = 1", "enemies.0.alive = true", None),
    "wrong_path": ("steps[0] (end_turn)", "enemies.4.hp = 20", "no enemies.4: there are 2", None),
    "wrong_entry": (
        "steps[1] (play strike on enemy0)",
        "entries[1]: on_damage_taken status:mark@enemy0 amount=7",
        "on_damage_taken status:mark@enemy0 amount=6 source=player target=enemy0",
        "on_damage_taken status:mark@enemy0 amount=6 source=player target=enemy0",
    ),
    "entry_too_few": (
        "steps[0] (play strike on enemy0)",
        "entries[1]: on_damage_taken",
        "no further Entry",
        "(no further Entry)",
    ),
    "entry_too_many": (
        "steps[0] (play strike on enemy0)",
        "entries[0]: no further Entry",
        "on_card_played card:strike card=strike",
        "on_card_played card:strike card=strike",
    ),
    "missing_entry": (
        "end",
        "entries_contain[1]: on_card_played card:defend",
        "no such Entry after 'on_card_played card:strike card=strike'",
        "(no further Entry)",
    ),
    "excluded_entry": (
        "end",
        "entries_exclude[0]: no on_card_played card:strike card=strike",
        "on_card_played card:strike card=strike",
        "on_card_played card:strike card=strike",
    ),
    "unexpected_rejection": (
        "steps[0] round 2 steps[0] (play mallet on enemy0)",
        "accepted",
        "rejected: UNKNOWN_CARD (the hand is strike, defend, strike, defend)",
        None,
    ),
    "unexpected_acceptance": (
        "steps[0] (play mallet on enemy0)",
        "rejected: NOT_ENOUGH_ENERGY",
        "accepted",
        None,
    ),
    "other_rejection": (
        "steps[0] (play omen)",
        "rejected: NOT_ENOUGH_ENERGY",
        "rejected: UNKNOWN_CARD (the hand is strike, defend, mallet, strike, defend)",
        None,
    ),
    "no_fault": ("end", "a fault", "no fault", None),
    "a_warning": ("end", "no warning", "warning: divide by zero in divide: the result is 0", None),
    "wrong_raised": ("end", "raised []", 'raised ["flash"]', None),
}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with gcs_server("--allow-set-state") as (found, _):
        yield found


@pytest.fixture(params=["in process", "over gRPC"])
def make_driver(request: pytest.FixtureRequest) -> Callable[[], Driver]:
    if request.param == "in process":
        return InProcessDriver
    at: str = request.getfixturevalue("address")
    return lambda: GrpcDriver(at)


@pytest.mark.parametrize("path", PASSING, ids=lambda path: path.stem)
def test_passes(path: Path, make_driver: Callable[[], Driver]) -> None:
    failure = run_scenario(read_scenario(path), make_driver, PACKS)
    assert failure is None, "\n".join(report_lines(failure))


def test_every_failing_file_is_listed() -> None:
    assert sorted(path.stem for path in (DATA / "fail").glob("*.json")) == sorted(FAILING)


@pytest.mark.parametrize("name", FAILING)
def test_fails(name: str, make_driver: Callable[[], Driver]) -> None:
    path = DATA / "fail" / f"{name}.json"
    failure = run_scenario(read_scenario(path), make_driver, PACKS)
    assert failure is not None
    where, expected, actual, marked = FAILING[name]
    assert (failure.path, failure.step) == (path, where)
    (mismatch,) = failure.mismatches
    assert (mismatch.expected, mismatch.actual) == (expected, actual)
    lines = report_lines(failure)
    assert lines[0] == f"{path.as_posix()}: {where}"
    assert [line for line in lines if line.startswith("  >")] == ([f"  >   {marked}"] if marked else [])


def test_report_shows_the_entries_around_the_wrong_one() -> None:
    entries = ("on_turn_start status:a@player", "on_turn_end status:b@player")
    failure = Failure(
        Path("x.json"), "end", (Mismatch("entries[1]: on_turn_start", entries[1], entries, 1),), "what it shows"
    )
    assert report_lines(failure) == [
        "x.json: end",
        "  note      what it shows",
        "  expected  entries[1]: on_turn_start",
        "  actual    on_turn_end status:b@player",
        "  entries around it",
        "      on_turn_start status:a@player",
        "  >   on_turn_end status:b@player",
    ]


def test_both_drivers_show_the_same_battle(address: str) -> None:
    """Views and events, not only the Entries, are the same on both ways."""
    for path in PASSING:
        drivers: list[Driver] = [InProcessDriver(), GrpcDriver(address)]
        for driver in drivers:
            assert run_scenario(read_scenario(path), lambda chosen=driver: chosen, PACKS) is None
        here, there = drivers
        assert here.view == there.view
        assert here.happenings == there.happenings


@pytest.mark.parametrize("seed", range(6))
def test_random_battles_are_the_same_on_both_ways(address: str, seed: int) -> None:
    """R8.1: the same seed and actions, the same state and events after every action."""
    pack = load_pack("starter")
    encounter = list(pack.encounters)[seed % len(pack.encounters)]
    here, there = InProcessDriver(), GrpcDriver(address)
    player = RandomViewPlayer(seed)
    for driver in (here, there):
        driver.start(BattleSpec(pack, encounter, seed=seed))
    for _ in range(150):
        assert here.view == there.view
        assert here.happenings == there.happenings
        if here.view.over:
            break
        action = player.choose(here.view)
        assert here.act(action) is None
        assert there.act(action) is None
    there.close()


def test_a_server_that_does_not_allow_set_state_says_so() -> None:
    with gcs_server() as (at, _):
        path = DATA / "pass" / "repeat_and_win.json"
        failure = run_scenario(read_scenario(path), lambda: GrpcDriver(at), PACKS)
    assert failure is not None
    assert failure.mismatches[0].actual.startswith("rejected: NOT_ALLOWED")


def test_a_server_that_is_not_there() -> None:
    path = PASSING[0]
    failure = run_scenario(read_scenario(path), lambda: GrpcDriver("127.0.0.1:1"), PACKS)
    assert failure is not None
    assert failure.step == "set-up"
    assert failure.mismatches[0].actual == "no server answers at 127.0.0.1:1"


def test_a_pack_sent_as_an_object_is_the_same_content() -> None:
    """R8.2: the content hash of a pack does not depend on the way it came."""
    pack = load_pack(DATA / "pack")
    assert load_pack(pack_object(pack)).content_hash == pack.content_hash


@pytest.mark.parametrize(
    ("changes", "path", "told"),
    [
        ({"deck": ["stirke"]}, "$.deck[0]", 'did you mean "strike"?'),
        ({"player": {"hp": None}}, "$.player.hp", "wrong type"),
        ({"player": {"mana": 1}}, "$.player.mana", 'unknown field "mana"'),
        ({"encounter": "ratss"}, "$.encounter", 'did you mean "rats"?'),
        ({"encounter": {"enemies": ["rat"], "deck": "basic"}}, "$.encounter.player", "missing field"),
        ({"pack": {"cards": [{"id": "x", "cost": 1}]}}, "$.pack.cards[0].target", "missing field"),
    ],
)
def test_a_wrong_setup_is_told_by_its_place_in_the_file(
    tmp_path: Path, changes: dict[str, Any], path: str, told: str
) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"pack": (DATA / "pack").as_posix(), "encounter": "rats", **changes}))
    with pytest.raises(PackError) as caught:
        run_scenario(read_scenario(file), InProcessDriver, PACKS)
    first = caught.value.problems[0]
    assert (first.file, first.path) == (file.as_posix(), path)
    assert told in str(first)


def test_a_missing_pack_is_told(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"pack": "nowhere", "encounter": "rats"}')
    with pytest.raises(PackError, match="nowhere"):
        run_scenario(read_scenario(file), InProcessDriver, PACKS)


def test_a_path_is_looked_for_from_the_file_and_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DATA)
    file = tmp_path / "x.json"
    file.write_text('{"pack": "./pack", "encounter": "rats"}')
    assert run_scenario(read_scenario(file), InProcessDriver) is None
    (tmp_path / "pack").mkdir()
    with pytest.raises(PackError, match=r"pack\.json"):
        run_scenario(read_scenario(file), InProcessDriver)


def test_all_wrong_expectations_of_a_step_are_reported(tmp_path: Path, make_driver: Callable[[], Driver]) -> None:
    """And those of later steps are not: they would only follow from it."""
    file = tmp_path / "x.json"
    expect = {
        "entries": [],
        "entries_exclude": ["on_card_played"],
        "state": {"player.hp": 1, "enemies.7.hp": 1, "turn": 1},
        "fault": True,
        "raised": ["flash"],
    }
    steps: list[Any] = [
        {"play": "strike", "target": "enemy0", "expect": expect},
        {"end_turn": True, "expect": {"fault": True}},
    ]
    start = {"pack": (DATA / "pack").as_posix(), "encounter": "rats", "deck": ["strike"]}
    file.write_text(json.dumps({**start, "steps": steps}))
    failure = run_scenario(read_scenario(file), make_driver, PACKS)
    assert failure is not None
    assert failure.step == "steps[0] (play strike on enemy0)"
    assert [mismatch.expected for mismatch in failure.mismatches] == [
        "entries[0]: no further Entry",
        "entries_exclude[0]: no on_card_played",
        "player.hp = 1",
        "enemies.7.hp = 1",
        "a fault",
        'raised ["flash"]',
    ]
    lines = report_lines(failure)
    assert lines.count("  >   on_card_played card:strike card=strike") == 2
    assert "  expected  player.hp = 1" in lines


def test_an_event_is_raised_by_its_id(tmp_path: Path, make_driver: Callable[[], Driver]) -> None:
    file = tmp_path / "x.json"
    start = {"pack": "starter", "encounter": "first_fight", "shuffle": False}
    steps: list[Any] = [
        {"raise": "thunder", "arg": 3},
        {"raise": "thunder", "arg": "x", "expect": {"rejected": "INVALID_ARGUMENT"}},
    ]
    file.write_text(json.dumps({**start, "deck": ["strike"] * 5 + ["weathercock"], "steps": steps}))
    failure = run_scenario(read_scenario(file), make_driver, PACKS)
    assert failure is None, report_lines(failure)
