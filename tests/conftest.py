"""What all tests share: the Godot project under test and the engine to run it with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.godot import find

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--godot-project`, so that the GDScript collection can itself be tested on a small project."""
    parser.addoption(
        "--godot-project",
        type=Path,
        default=ROOT / "godot_project",
        help="the Godot project whose tests and scripts are run (default: godot_project)",
    )


@pytest.fixture(scope="session")
def godot() -> Path:
    """A real Godot; a machine where none can be had fails the test, for nothing may hide a missing engine."""
    return find().path
