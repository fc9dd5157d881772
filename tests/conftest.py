"""What all tests share: the Godot project under test and the engine to run it with."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tools.godot import find

ROOT = Path(__file__).resolve().parents[1]

# No test asserts how long something takes: the machine may be busy.
settings.register_profile("any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--godot-project`, so that the GDScript collection can itself be tested on a small project."""
    parser.addoption(
        "--godot-project",
        type=Path,
        default=ROOT / "godot_project",
        help="the Godot project whose tests and scripts are run (default: godot_project)",
    )


# Folders whose tests run Godot on the one project of the repository, which is imported once.
WITH_GODOT = frozenset({"docs", "godot", "tools"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """For several workers (`pytest -n`): all tests with Godot go to one, and files are not torn apart."""
    for item in items:
        place = item.path.relative_to(ROOT).parts[1:] if item.path.is_relative_to(ROOT) else item.path.parts
        group = "godot" if place[0] in WITH_GODOT else "/".join(place)
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def godot() -> Path:
    """A real Godot; a machine where none can be had fails the test, for nothing may hide a missing engine."""
    return find().path
