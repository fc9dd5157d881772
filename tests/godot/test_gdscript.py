"""Every GDScript test of the Godot project, one result each, run in a real Godot with the peers that its file needs."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.godot.gdscript import GdOutcome, GdTestFile, find_tests, run_file
from tests.godot.peers import PeerError, running


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test per `func test_*` of every `tests/**/test_*.gd`; a file without any fails."""
    if "gd_file" not in metafunc.fixturenames:
        return
    files = find_tests(metafunc.config.getoption("--godot-project"))
    cases = [(file, name) for file in files for name in file.tests or ("",)]
    ids = [f"{file.path.removeprefix('res://tests/')}::{name or 'no-tests'}" for file, name in cases]
    metafunc.parametrize(("gd_file", "gd_test"), cases, ids=ids)


@pytest.fixture(scope="module")
def outcomes(godot: Path, godot_project: Path) -> OutcomesByFile:
    """Outcomes of the files run so far; a file runs when its first test is asked for."""
    return OutcomesByFile(godot, godot_project)


class OutcomesByFile:
    """Runs each file once and remembers the outcomes."""

    def __init__(self, godot: Path, project: Path) -> None:
        self._godot = godot
        self._project = project
        self._known: dict[str, dict[str, GdOutcome]] = {}

    def of(self, file: GdTestFile) -> dict[str, GdOutcome]:
        """The outcome of each test of the file."""
        if file.path not in self._known:
            try:
                with ExitStack() as stack:
                    peers = [stack.enter_context(running(name)) for name in file.needs]
                    self._known[file.path] = run_file(self._godot, self._project, file, peers)
            except PeerError as error:
                self._known[file.path] = {name: GdOutcome([str(error)]) for name in file.tests}
        return self._known[file.path]


def test_gdscript(gd_file: GdTestFile, gd_test: str, outcomes: OutcomesByFile) -> None:
    assert gd_test, f"{gd_file.path} has no func test_*()"
    outcome = outcomes.of(gd_file)[gd_test]
    print("\n".join(outcome.output))
    if outcome.problems:
        pytest.fail("\n".join(outcome.problems), pytrace=False)
