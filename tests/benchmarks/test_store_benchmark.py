"""The benchmark of the store measures what it says (issue: with --store, the added cost reported)."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from benchmarks.store import WITH, WITHOUT, play, servers

ROOT = Path(__file__).resolve().parents[2]


def test_both_servers_play_the_same(tmp_path: Path) -> None:
    with servers(tmp_path) as running:
        results = asyncio.run(play(running, 2, 1))
    assert len(results[WITH].seconds) == len(results[WITHOUT].seconds) > 10
    assert (tmp_path / "battles.db").is_file()


def test_the_table_is_printed() -> None:
    command = [sys.executable, "-m", "benchmarks.store", "--battles", "1", "--crowd", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    for words in ("memory alone", "--store", "p50 ratio", "flushed to this disk"):
        assert words in done.stdout
