"""The measurement in Godot comes to its end and reports every row. No figure is judged here: machines are noisy."""

from __future__ import annotations

from pathlib import Path

from benchmarks import godot as cost


def test_every_row_is_reported(godot: Path, godot_project: Path) -> None:
    assert godot_project == cost.PROJECT
    rows = {row["what"]: row for row in cost.measure(godot, frames=60)}
    assert set(cost.TARGETS) <= rows.keys()
    snapshot = rows["snapshot decoded"]
    # The size.
    assert (snapshot["units"], snapshot["cards"]) == (5, 30)
    battle = rows["a frame of the battle"]
    assert battle["updates"] > 0
    assert battle["events"] > battle["updates"]
    assert all(usec > 0 for usec in battle["usec"])


def test_figures_are_milliseconds() -> None:
    assert cost.figures([1_000, 2_000, 3_000]) == {"best": 1.0, "median": 2.0, "p99": 2.98}
