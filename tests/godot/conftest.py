"""Fixtures of the tests that run in a real Godot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.godot.gdscript import import_project


@pytest.fixture(scope="session")
def godot_project(godot: Path, pytestconfig: pytest.Config) -> Path:
    """The Godot project under test, imported once per session."""
    project: Path = pytestconfig.getoption("--godot-project")
    import_project(godot, project)
    return project
