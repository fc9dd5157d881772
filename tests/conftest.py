"""What all tests share: the Godot project under test and the engine to run it with."""

from __future__ import annotations

from collections.abc import Iterator
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """For several workers (`pytest -n`): files are not torn apart, for their tests share servers and packs.

    All that run Godot on the project of the repository go to one worker: it is imported once, and what the demo stores
    is stored once. Who has a project of its own may run beside them.
    """
    for item in items:
        shares_project = "godot_project" in getattr(item, "fixturenames", ())
        place = item.path.relative_to(ROOT) if item.path.is_relative_to(ROOT) else item.path
        item.add_marker(pytest.mark.xdist_group("godot_project" if shares_project else place.as_posix()))


@pytest.fixture(scope="session", autouse=True)
def editor_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Editor settings of its own for each worker: editors that run at once write the same file, and not the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session")
def godot() -> Path:
    """A real Godot; a machine where none can be had fails the test, for nothing may hide a missing engine."""
    return find().path
