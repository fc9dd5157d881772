"""``gcs simulate``: the battles of the service, in this process or on a server, and what it tells of them."""

from __future__ import annotations

import json
from typing import Any

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
            {"seed": number, "outcome": OUTCOMES[battle.outcome], "turns": battle.turn, "hp": battle.player.hp}
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
