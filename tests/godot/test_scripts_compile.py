"""Every script of the Godot project compiles in a real Godot, with the warnings that project.godot sets to errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.godot.gdscript import check_scripts


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test per `.gd` file of the project."""
    if "script" not in metafunc.fixturenames:
        return
    project: Path = metafunc.config.getoption("--godot-project")
    scripts = sorted(path.relative_to(project) for path in project.rglob("*.gd"))
    metafunc.parametrize(
        "script", [f"res://{path.as_posix()}" for path in scripts if not path.parts[0].startswith(".")]
    )


@pytest.fixture(scope="module")
def problems(godot: Path, godot_project: Path) -> dict[str, list[str]]:
    """Problems by script, from one run of the engine."""
    return check_scripts(godot, godot_project)


def test_script_compiles(script: str, problems: dict[str, list[str]]) -> None:
    assert script in problems, f"the engine did not see {script}"
    if problems[script]:
        pytest.fail("\n".join(problems[script]), pytrace=False)
