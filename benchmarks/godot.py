"""``python -m benchmarks.godot``: what the client costs a game, measured in Godot against a real server, as a table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.console import Console
from rich.table import Table

from bridge.testing.process import ServerProcess
from tools.godot import GodotMissingError, find, run_headless
from tools.play import PlayError, import_project

PROJECT = Path(__file__).resolve().parents[1] / "godot_project"
SCENE = "res://tests/cost/cost.tscn"
MARK = "@cost "
LIMIT = 300.0
FRAMES = 900
# Milliseconds that a row is meant to stay below, and at which percentile.
TARGETS = {
    "those of them that nothing disturbed": (2.0, "p99"),
    "snapshot decoded": (1.0, "median"),
}


class CostError(Exception):
    """The scene did not come to its end; the message holds its output."""


def measure(godot: Path, frames: int = FRAMES) -> list[dict[str, Any]]:
    """The rows that the scene reports: `what`, `usec` for each sample, and sizes.

    Args:
        godot: The engine.
        frames: How many frames of the battle to measure.

    Raises:
        CostError: It did not come to its end.
    """
    with ServerProcess() as server:
        done = run_headless(godot, PROJECT, SCENE, "--", server.address, str(frames), limit=LIMIT)
    rows = [json.loads(line.removeprefix(MARK)) for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode != 0 or not rows:
        raise CostError(f"the scene ended with exit code {done.returncode}:\n{done.stdout}")
    return rows


def figures(samples: list[int]) -> dict[str, float]:
    """Best, median and 99th percentile of samples in microseconds, in milliseconds."""
    return {
        "best": min(samples) / 1e3,
        "median": median(samples) / 1e3,
        "p99": quantiles(samples, n=100, method="inclusive")[-1] / 1e3,
    }


def print_table(rows: list[dict[str, Any]], version: str) -> None:
    table = Table(title=f"The client in Godot {version}, ms")
    for column in ("what", "best", "median", "p99", "target", "samples", "of"):
        table.add_column(column, justify="left" if column in ("what", "of") else "right")
    for row in rows:
        # On a busy machine it can happen that everything was disturbed.
        found = figures(row["usec"]) if len(row["usec"]) > 1 else {}
        limit, at = TARGETS.get(row["what"], (0.0, ""))
        sizes = ", ".join(f"{value:,.0f} {name}" for name, value in row.items() if name not in ("what", "usec"))
        table.add_row(
            row["what"],
            *(f"{found[name]:.2f}" if found else "" for name in ("best", "median", "p99")),
            f"{at} {limit:.0f}" if at else "",
            str(len(row["usec"])),
            sizes,
        )
    Console(width=140).print(table)


def main() -> int:
    try:
        godot = find()
        import_project(godot.path, PROJECT)
        print_table(measure(godot.path), godot.version)
    except (GodotMissingError, PlayError, CostError) as error:
        print(f"benchmarks.godot: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
