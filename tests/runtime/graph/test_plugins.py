"""Nodes from an installed package (entry point ``gcs.nodes``) work like the built-in ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "examples" / "more_nodes"

CARD = {
    "id": "pickpocket",
    "cost": 0,
    "target": "enemy",
    "graph": {
        "nodes": [
            {"id": "played", "type": "on_card_played"},
            {"id": "count", "type": "count_statuses", "params": {"kind": "debuff", "unit": "chosen"}},
            {"id": "sum", "type": "int_math", "params": {"op": "multiply", "b": 3}},
            {"id": "steal", "type": "steal_armor"},
            {"id": "hit", "type": "deal_damage"},
        ],
        "links": [
            ["played.out", "steal.in"],
            ["count.result", "sum.a"],
            ["sum.result", "steal.amount"],
            ["steal.out", "hit.in"],
            ["steal.stolen", "hit.amount"],
        ],
    },
}
PACK: dict[str, Any] = {
    "cards": [CARD],
    "statuses": [{"id": "marked", "kind": "debuff"}, {"id": "slow", "kind": "debuff"}, {"id": "proud", "kind": "buff"}],
    "enemies": [{"id": "guard", "hp": 30, "armor": 9, "statuses": {"marked": 1, "slow": 2, "proud": 1}}],
    "decks": [{"id": "deck", "cards": ["pickpocket"]}],
    "encounters": [{"id": "gate", "enemies": ["guard"], "deck": "deck", "player": {"hp": 20}}],
}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example package, really installed, in a folder of its own."""
    target = tmp_path_factory.mktemp("packages")
    source = tmp_path_factory.mktemp("source") / "more_nodes"
    for path in EXAMPLE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = source / path.relative_to(EXAMPLE)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(target), str(source)], check=True)
    return target


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with the package on the path."""
    path = os.pathsep.join([str(installed), str(ROOT)])
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_its_nodes_are_in_the_catalog(installed: Path) -> None:
    done = run(installed, "-m", "bridge.cli", "catalog", "--json")
    assert done.returncode == 0, done.stderr
    nodes = {node["type"]: node for node in json.loads(done.stdout)["nodes"]}
    assert nodes["steal_armor"]["name"] == "Steal Armor"
    assert [output["name"] for output in nodes["count_statuses"]["outputs"]] == ["result"]


def test_its_nodes_run(installed: Path, tmp_path: Path) -> None:
    scenario = {
        "pack": PACK,
        "encounter": "gate",
        "shuffle": False,
        "steps": [{"play": "pickpocket", "target": "enemy0"}],
        "expect": {"state": {"player.armor": 6, "enemies.0.armor": 0, "enemies.0.hp": 27}},
    }
    file = tmp_path / "steal.json"
    file.write_text(json.dumps(scenario), encoding="utf-8")
    done = run(installed, "-m", "bridge.cli", "scenario", "run", str(file))
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_nodes_are_checked(installed: Path) -> None:
    program = (
        "import json, sys\n"
        "from runtime.packs import check_pack\n"
        "pack = json.loads(sys.argv[1])\n"
        "del pack['cards'][0]['graph']['links'][2]\n"
        "pack['cards'][0]['graph']['nodes'][1]['params']['kind'] = 'debuf'\n"
        "print('\\n'.join(str(problem) for problem in check_pack(pack).problems))\n"
    )
    done = run(installed, "-c", program, json.dumps(PACK))
    assert done.returncode == 0, done.stderr
    assert "amount" in done.stdout
    assert "debuff" in done.stdout


def test_a_type_that_is_there_already_is_refused(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "twice-1.0.dist-info").mkdir()
    (tmp_path / "twice-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: twice\nVersion: 1.0\n")
    (tmp_path / "twice-1.0.dist-info" / "entry_points.txt").write_text("[gcs.nodes]\ntwice = more_nodes:NODES\n")
    done = run(
        installed,
        "-c",
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from runtime.nodes import library; library()",
    )
    assert done.returncode == 1
    assert "NodeLibraryError" in done.stderr
    assert "declared already" in done.stderr
