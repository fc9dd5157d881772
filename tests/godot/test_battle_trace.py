"""A battle played by Godot over gRPC gives the same Entry trace as the same actions in process (issue: end to end)."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import grpc
import pytest

from bridge.pb.gcs.v1 import service_pb2, service_pb2_grpc
from runtime.battle import act, entry_lines, read_events, start_battle
from runtime.battle.action_types import Action, Answer, EndTurn, PlayCard, Raise
from runtime.battle.choices import CARD_CHOICE
from runtime.battle.state import Battle
from runtime.loading import encounter_of, load_content
from tests.godot.peers import running
from tools.godot import run_headless

THUNDER = "2f0c1a52-6d7e-4f8b-9a1b-0c2d3e4f5a6b"
LIMIT = 120.0
MAX_TURNS = 100


def play_in_godot(godot: Path, project: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the demo's headless scene to its end."""
    return run_headless(godot, project, "res://demo/play_trace.tscn", "--", *arguments, limit=LIMIT)


def action_of(battle: Battle, written: dict[str, Any]) -> Action:
    """An action of the trace file as the runtime takes it."""
    if "play_card" in written:
        names = [unit.name for unit in battle.units]
        target = names.index(written["target"]) if written["target"] else -1
        return PlayCard(int(written["play_card"].removeprefix("c")), target)
    if "raise" in written:
        event = battle.content.events_by_guid[written["raise"]]
        return Raise(event, {"arg": written["arg"]})
    if "option" in written:
        assert battle.choice is not None
        picks = [int(card.removeprefix("c")) for card in written["cards"]]
        return Answer(picks if battle.choice.kind == CARD_CHOICE else [written["option"]])
    return EndTurn()


@pytest.mark.parametrize(
    ("encounter", "seed", "deck"),
    [
        ("first_fight", 7, []),
        ("tide_pool", 11, []),
        ("chapel", 3, ["lightning_rod", "lightning_rod", "lightning_rod", "lightning_rod", "strike"]),
    ],
)
def test_same_entry_trace_as_in_process(
    godot: Path, godot_project: Path, tmp_path: Path, encounter: str, seed: int, deck: list[str]
) -> None:
    file = tmp_path / "trace.json"
    with running("gcs_server") as peer:
        arguments = [
            f"--address={peer.split('=')[1]}",
            f"--encounter={encounter}",
            f"--seed={seed}",
            f"--deck={','.join(deck)}",
            f"--raise={THUNDER}",
            "--arg=3",
            f"--trace-file={file}",
            f"--max-turns={MAX_TURNS}",
        ]
        done = play_in_godot(godot, godot_project, arguments)
    assert done.returncode == 0, done.stdout
    assert "ERROR" not in done.stdout, done.stdout
    written = json.loads(file.read_text(encoding="utf-8"))

    content = load_content("starter")
    battle = start_battle(content, encounter_of(content, encounter, deck=deck or None), seed=seed, max_turns=MAX_TURNS)
    for action in written["actions"]:
        rejection = act(battle, action_of(battle, action))
        assert rejection is None, f"{action}: {rejection}"
    expected = entry_lines(read_events(battle, 0), [unit.name for unit in battle.units])
    assert written["entries"] == expected
    assert any("raise" in action for action in written["actions"]), "the battle ended before the event was raised"
    if "lightning_rod" in deck:
        assert "on_ges_event status:lightning_rod@player" in written["entries"]
    last = done.stdout.rstrip().splitlines()[-1]
    assert last.startswith(("== won", "== lost", "== undecided")), last


def test_no_server_is_told_in_a_line(godot: Path, godot_project: Path, free_port: int) -> None:
    done = play_in_godot(godot, godot_project, [f"--address=127.0.0.1:{free_port}"])
    assert done.returncode == 1
    told = [line for line in done.stdout.splitlines() if line.startswith("play_trace:")]
    assert len(told) == 1, done.stdout
    assert "no server answers there" in told[0]
    assert f"127.0.0.1:{free_port}" in told[0]


def test_unknown_encounter_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    with running("gcs_server") as peer:
        done = play_in_godot(godot, godot_project, [f"--address={peer.split('=')[1]}", "--encounter=no_such_fight"])
    assert done.returncode == 1
    assert "play_trace: the battle cannot be played: NOT_FOUND" in done.stdout


def test_full_server_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    with running("gcs_one_battle") as peer:
        address = peer.split("=")[1]
        with grpc.insecure_channel(address) as channel:
            taken = service_pb2.StartBattleRequest(pack="starter", encounter="first_fight")
            service_pb2_grpc.BattleServiceStub(channel).StartBattle(taken, timeout=LIMIT)
        done = play_in_godot(godot, godot_project, [f"--address={address}"])
    assert done.returncode == 1, done.stdout
    told = [line for line in done.stdout.splitlines() if line.startswith("play_trace:")]
    expected = "play_trace: the battle cannot be played: RESOURCE_EXHAUSTED: the server has 1 battles already"
    assert told == [expected], done.stdout
    assert "ERROR" not in done.stdout, done.stdout


def test_stream_that_keeps_breaking_is_told_in_a_line(godot: Path, godot_project: Path) -> None:
    with running("gcs_breaking") as peer:
        done = play_in_godot(godot, godot_project, [f"--address={peer.split('=')[1]}", "--encounter=slow_reader"])
    assert done.returncode == 1, done.stdout
    told = [line for line in done.stdout.splitlines() if line.startswith("play_trace:")]
    assert told == [
        "play_trace: the battle cannot be played: RESOURCE_EXHAUSTED: 3 messages wait to be read; join again"
    ], done.stdout


@pytest.fixture
def free_port() -> int:
    """A port of the loopback where nothing listens."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
