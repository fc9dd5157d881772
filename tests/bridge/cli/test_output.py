"""What commands print reaches any terminal, and names from packs reach it as text."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[1] / "data"
# Sequences that colour, links and ends of markup, an override of direction, line ends that forge a line.
HOSTILE = "Bad\x1b[31m\x1b]8;;http://x [link=http://x]x[/nope] \u202egnp\u200b\u2028\n== won, 99 HP ==\x9b"
SHOWN = r"Bad\x1b[31m\x1b]8;;http://x [link=http://x]x[/nope] \u202egnp\u200b\u2028\n== won, 99 HP ==\x9b"
CONTROLS = set("\x1b\u202e\u200b\u2028\x9b")
UMLAUTS = "Grüße ☄ 傷害"


def pack_with_names(folder: Path, name: str) -> Path:
    """The small pack with everything named so."""
    pack = folder / "pack"
    shutil.copytree(DATA / "pack", pack)
    for path in pack.rglob("*.json"):
        value: Any = json.loads(path.read_text(encoding="utf-8"))
        if path.parent.name in ("cards", "enemies", "statuses", "encounters"):
            value["name"] = name
        for node in value.get("graph", {}).get("nodes", []):
            if "prompt" in node.get("params", {}):
                node["params"]["prompt"] = name
        path.write_text(json.dumps(value), encoding="utf-8")
    return pack


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return pack_with_names(tmp_path, HOSTILE)


@pytest.fixture
def umlauts(tmp_path: Path) -> Path:
    return pack_with_names(tmp_path, UMLAUTS)


Command = tuple[int, tuple[str, ...], str]

# Runs one command after the other as `gcs` does, and writes how each ended into a file.
_RUNNER = """
import io, json, sys
from pathlib import Path
from bridge.cli import main

report, commands = Path(sys.argv[1]), json.loads(sys.argv[2])
codes = []
for _, arguments, typed in commands:
    sys.argv = ["gcs", *arguments]
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), "utf-8")
    try:
        main()
    except SystemExit as ended:
        codes.append(ended.code or 0)
report.write_text(json.dumps(codes))
"""


def run_all(
    folder: Path, commands: Sequence[Command], encoding: str = "utf-8", **streams: Any
) -> subprocess.CompletedProcess[bytes]:
    """Runs commands in one process, and checks that each ends with its own exit code."""
    report = folder / "codes.json"
    done = subprocess.run(
        [sys.executable, "-c", _RUNNER, str(report), json.dumps(commands)],
        env={**os.environ, "PYTHONIOENCODING": encoding, "COLUMNS": "300", "TERM": "dumb"},
        timeout=120,
        check=False,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )
    assert b"Traceback" not in (done.stderr or b""), done.stderr
    assert done.returncode == 0
    assert json.loads(report.read_text()) == [code for code, _, _ in commands]
    return done


def commands_of(pack: Path) -> list[Command]:
    """Every command that ends by itself, with its exit code and what is typed."""
    at = str(pack)
    battle = (at, "--encounter", "rat", "--seed", "1")
    failing = DATA / "fail" / "wrong_state.json"
    return [
        (0, ("--help",), ""),
        (0, ("check", at), ""),
        (0, ("check", at, "--json"), ""),
        (1, ("check", at + "ø"), ""),
        (0, ("play", *battle, "--bot", "greedy"), ""),
        (1, ("play", *battle, "--deck", "strike,recall"), "1\n"),
        (0, ("trace", *battle, "--turns", "1"), ""),
        (0, ("simulate", *battle, "--battles", "2"), ""),
        (0, ("simulate", *battle, "--battles", "2", "--json"), ""),
        (0, ("graph", "card:strike", "--pack", at), ""),
        (0, ("graph", "card:strike", "--pack", at, "--dot"), ""),
        (0, ("catalog",), ""),
        (0, ("schema",), ""),
        (1, ("scenario", "run", str(failing)), ""),
        (1, ("trace", "--scenario", str(failing)), ""),
        (2, ("replay", "verify", at + "☄.json"), ""),
        (2, ("events", "--address", "127.0.0.1:1"), ""),
        (2, ("play", at, "--encounter", "傷"), ""),
    ]


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_character_that_the_terminal_lacks_ends_no_command(umlauts: Path, encoding: str, tmp_path: Path) -> None:
    done = run_all(tmp_path, commands_of(umlauts), encoding)
    shown = {"cp1252": "Grüße", "cp437": "Grüße", "ascii": r"Gr\xfc\xdfe"}[encoding] + r" \u2604 \u50b7\u5bb3"
    assert f"small: {shown}, seed 1" in done.stdout.decode(encoding)


def test_a_sign_of_the_board_looks_alike(umlauts: Path, tmp_path: Path) -> None:
    done = run_all(tmp_path, [(1, ("play", str(umlauts), "--encounter", "rat", "--seed", "1"), "")], "ascii")
    assert "energy 3/3 * draw 3 * discard 0 * exhaust 0" in done.stdout.decode("ascii")


def test_json_is_json_in_every_encoding(umlauts: Path, tmp_path: Path) -> None:
    done = run_all(tmp_path, [(1, ("check", str(umlauts) + "ß\u202e\U0001f409", "--json"), "")], "ascii")
    (problem,) = json.loads(done.stdout.decode("ascii"))["problems"]
    assert problem["file"].endswith("ß\u202e\U0001f409")


def test_output_that_cannot_be_written_leaves_the_exit_code(umlauts: Path, tmp_path: Path) -> None:
    """A full disk, or any other that takes nothing: a file that is open for reading stands for it."""
    commands = commands_of(umlauts)
    with Path(os.devnull).open("rb") as reading:
        done = run_all(tmp_path, commands, stdout=reading)
        run_all(tmp_path, commands, stderr=reading)
    # Those that end with wrong usage have printed nothing.
    told = "gcs: the output cannot be written: Bad file descriptor"
    assert done.stderr.decode().splitlines().count(told) == sum(code != 2 for code, _, _ in commands)


def test_a_reader_that_has_gone_leaves_the_exit_code(umlauts: Path, tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = run_all(tmp_path, commands_of(umlauts), stdout=theirs)
    os.close(theirs)
    assert b"cannot be written" not in done.stderr


def test_names_are_text_in_every_command(hostile: Path, tmp_path: Path) -> None:
    at = str(hostile)
    battle = (at, "--encounter", "rat", "--seed", "1")
    commands: list[Command] = [
        (1, ("play", *battle, "--deck", "omen"), "1\n"),
        (0, ("play", *battle, "--bot", "greedy"), ""),
        (0, ("simulate", *battle, "--battles", "2"), ""),
        (0, ("trace", *battle), ""),
        (0, ("check", at), ""),
    ]
    done = run_all(tmp_path, commands)
    output = done.stdout.decode() + done.stderr.decode()
    assert not set(output) & CONTROLS
    assert "\n== won, 99 HP" not in output
    assert f"small: {SHOWN}, greedy, seeds 1 to 2\n" in output
    assert f" {SHOWN} · turn 1 · seed 1 " in output
    # As the prompt of a choice.
    assert f"\n{SHOWN}\n  1  " in output


def test_ids_and_paths_of_files_are_text(tmp_path: Path) -> None:
    """What is wrong in a file is told with the words of the file."""
    pack = tmp_path / "[bold]a"
    shutil.copytree(DATA / "pack", pack)
    (pack / "decks" / "basic.json").write_text(json.dumps({"id": "basic", "cards": [HOSTILE]}), encoding="utf-8")
    scenario = tmp_path / "s[link].json"
    scenario.write_text(json.dumps({"pack": DATA.joinpath("pack").as_posix(), "encounter": HOSTILE}), encoding="utf-8")
    at = str(pack)
    done = run_all(
        tmp_path, [(1, ("check", at), ""), (1, ("play", at), ""), (1, ("scenario", "run", str(scenario)), "")]
    )
    output = (done.stdout + done.stderr).decode()
    assert output.count("x[/nope]") == 6
    assert "[bold]a: 1 error" in output
    assert "s[link].json" in output
    assert not set(output) & CONTROLS
