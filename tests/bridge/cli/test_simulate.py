"""``gcs simulate``: the battles of the service, in this process or on a server, and what it tells of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from bridge.cli import app
from runtime.battle import OUTCOMES, start_battle
from runtime.bots import make_bot, play_out
from runtime.loading import encounter_of, load_content
from tests.bridge.processes import gcs_server


def simulate(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["simulate", *arguments], env={"COLUMNS": "160", "TERM": "dumb"})


def report_of(*arguments: str) -> dict[str, Any]:
    result = simulate(*arguments, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def test_the_battles_are_those_of_the_runtime() -> None:
    """R8.1: same seed, bot and deck, same end."""
    content = load_content("starter")
    deck = ["strike"] * 6 + ["mallet"]
    expected = []
    for seed in range(2**64 - 3, 2**64 + 5):
        number = seed % 2**64
        battle = start_battle(content, encounter_of(content, "tide_pool", deck=deck), seed=number, max_turns=60)
        assert play_out(battle, make_bot("random", number))
        expected.append(
            {
                "seed": number,
                "outcome": OUTCOMES[battle.outcome],
                "turns": battle.turn,
                "hp": battle.player.hp,
                "fault_count": 0,
            }
        )
    report = report_of(
        *("--encounter", "tide_pool", "--deck", ",".join(deck), "--bot", "random", "--max-turns", "60"),
        *("--seed", str(2**64 - 3), "--battles", "8"),
    )
    assert report["battles"] == expected
    assert (report["pack"], report["encounter"], report["bot"]) == ("starter", "tide_pool", "random")


def test_each_battle_is_that_of_play() -> None:
    (battle,) = report_of("--encounter", "tide_pool", "--seed", "3", "--battles", "1")["battles"]
    played = CliRunner().invoke(app, ["play", "--encounter", "tide_pool", "--seed", "3", "--bot", "greedy"])
    assert f"{battle['outcome']} on turn {battle['turns']} with {battle['hp']} HP" in played.stdout


def test_the_table_sums_the_battles_up() -> None:
    arguments = ("--encounter", "tide_pool", "--seed", "3", "--battles", "40")
    report = report_of(*arguments)
    title, header, *lines = simulate(*arguments).stdout.splitlines()
    assert title == "starter: Tide pool, greedy, seeds 3 to 42"
    assert header.split() == ["outcome", "battles", "%", "turns", "least", "most", "HP", "left", "least", "most"]
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert list(rows) == ["won", "lost", "undecided", "all"]
    assert rows["undecided"] == ["0", "0.0", *"------"]
    for outcome in ("won", "lost", "all"):
        some = [battle for battle in report["battles"] if outcome in ("all", battle["outcome"])]
        assert len(some) == report["outcomes"].get(outcome, 40) > 0
        expected = [str(len(some)), f"{len(some) / 40:.1%}".removesuffix("%")]
        for name in ("turns", "hp"):
            values = [battle[name] for battle in some]
            expected += [f"{sum(values) / len(values):.1f}", str(min(values)), str(max(values))]
        assert rows[outcome] == expected


def test_battles_beyond_the_turn_limit_are_undecided() -> None:
    report = report_of("--seed", "1", "--battles", "5", "--max-turns", "1", "--bot", "random")
    assert report["outcomes"] == {"won": 0, "lost": 0, "undecided": 5, "running": 0}


def test_without_a_seed_there_is_a_new_one() -> None:
    seeds = [report_of("--battles", "2")["battles"][0]["seed"] for _ in range(2)]
    assert seeds[0] != seeds[1]


def test_on_a_server_the_battles_are_the_same() -> None:
    arguments = ("reference", "--seed", "7", "--battles", "6")
    with gcs_server("--simulated-battles", "6") as (address, _):
        assert report_of(*arguments, "--address", address) == report_of(*arguments)
        many = simulate("--battles", "7", "--address", address)
    assert (many.exit_code, many.stdout) == (1, "")
    assert many.stderr.startswith(f"gcs: the server at {address} refuses: INVALID_ARGUMENT: battle_count: ")


def test_what_is_wrong_is_told() -> None:
    gone = simulate("--address", "127.0.0.1:1")
    assert (gone.exit_code, gone.stderr) == (1, "gcs: no server answers at 127.0.0.1:1\n")
    for arguments, message in (
        (("--encounter", "dragon"), "no encounter 'dragon'"),
        (("nowhere",), "no pack 'nowhere'"),
        (("--battles", "0"), "--battles"),
        (("--bot", "wise"), "--bot"),
    ):
        wrong = simulate(*arguments)
        assert wrong.exit_code == 2
        assert message in wrong.stderr


def faulty_pack(folder: Path) -> str:
    """A pack whose one card raises its own event without end, and another that comes back for nothing."""
    spiral = {
        "nodes": [
            {"id": "played", "type": "on_card_played"},
            {"id": "again", "type": "raise_internal_event", "params": {"event": "spin"}},
            {"id": "heard", "type": "on_internal_event", "params": {"event": "spin"}},
            {"id": "more", "type": "raise_internal_event", "params": {"event": "spin"}},
            {"id": "hit", "type": "deal_damage", "params": {"amount": 4}},
        ],
        "links": [["played.out", "hit.in"], ["hit.out", "again.in"], ["heard.out", "more.in"]],
    }
    back = {
        "nodes": [
            {"id": "played", "type": "on_card_played"},
            {"id": "gain", "type": "gain_armor", "params": {"amount": 1}},
            {"id": "back", "type": "move_card", "params": {"to": "hand"}},
        ],
        "links": [["played.out", "gain.in"], ["gain.out", "back.in"], ["played.card", "back.card"]],
    }
    wait = {
        "nodes": [
            {"id": "start", "type": "on_enemy_behavior_start"},
            {"id": "wait", "type": "leaf_intent", "params": {"kind": "defend"}},
        ],
        "links": [["start.out", "wait.in"]],
    }
    files: dict[str, Any] = {
        "pack": {"id": "faulty", "name": "Faulty"},
        "cards/spiral": {"id": "spiral", "cost": 1, "target": "enemy", "graph": spiral},
        "cards/boomerang": {"id": "boomerang", "cost": 0, "target": "self", "graph": back},
        "decks/spirals": {"id": "spirals", "cards": ["spiral"] * 5},
        "decks/boomerangs": {"id": "boomerangs", "cards": ["boomerang"]},
        "enemies/post": {"id": "post", "hp": 8, "graph": wait},
        "encounters/fight": {"id": "fight", "enemies": ["post"], "deck": "spirals", "player": {"hp": 9}},
    }
    for name, value in files.items():
        path = folder / "faulty" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
    return str(folder / "faulty")


def test_faults_are_counted_with_the_card_that_they_come_from(tmp_path: Path) -> None:
    """R2.5: two plays kill the enemy, so one fault comes before the end, and none after it (R2.7)."""
    arguments = (faulty_pack(tmp_path), "--seed", "4", "--battles", "3")
    report = report_of(*arguments)
    faults = report["fault_count"]
    assert faults >= 3
    assert sum(battle["fault_count"] for battle in report["battles"]) == faults
    assert report["faults"] == [
        {
            "kind": "depth",
            "place": "card:spiral on_internal_event/more",
            "root": "card:spiral on_card_played/again",
            "message": "dispatch nested deeper than 128",
            "seed": 4,
            "count": faults,
            "battles": 3,
        }
    ]
    assert (report["out_of_turns"], report["out_of_actions"]) == (0, [])
    table = simulate(*arguments).stdout
    assert f"{faults} faults in 3 battles:\n" in table
    line = (
        "  card:spiral on_internal_event/more (under card:spiral on_card_played/again): depth: dispatch nested deeper"
    )
    assert line in table
    assert f"    {faults} in 3 battles, first seed 4\n" in table
    with gcs_server() as (address, _):
        assert report_of(*arguments, "--address", address) == report


def test_battles_that_ran_out_of_actions_name_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridge.battles.simulated_battle.MOST_ACTIONS", 300)
    monkeypatch.setattr("bridge.cli.simulate.MOST_ACTIONS", 300)
    arguments = (faulty_pack(tmp_path), "--seed", "4", "--battles", "2", "--deck", "boomerangs")
    report = report_of(*arguments)
    assert report["out_of_actions"] == [{"seed": seed, "repeated_card": "boomerang"} for seed in (4, 5)]
    told = "2 battles ran out of 300 actions, playing boomerang again and again, first seed 4\n"
    assert told in simulate(*arguments).stdout


def test_battles_that_ran_out_of_turns_are_told() -> None:
    arguments = ("--seed", "1", "--battles", "5", "--max-turns", "1", "--bot", "random")
    assert report_of(*arguments)["out_of_turns"] == 5
    assert simulate(*arguments).stdout.endswith("5 battles ran out of 1 turn, first seed 1\n")
