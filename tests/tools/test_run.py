"""The task runner: when the environment is made anew, and that one failed step fails the task."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tools import run

ROOT = Path(__file__).resolve().parents[2]


def test_the_environment_is_made_anew_when_its_inputs_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in run.INSTALL_INPUTS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("one", encoding="utf-8")
    monkeypatch.setattr(run, "ROOT", tmp_path)
    before = run.fingerprint()
    assert run.fingerprint() == before
    (tmp_path / "pyproject.toml").write_text("two", encoding="utf-8")
    assert run.fingerprint() != before


def test_a_failed_step_fails_the_task_and_later_steps_still_run(capfd: pytest.CaptureFixture[str]) -> None:
    steps = [[sys.executable, "-c", "raise SystemExit(1)"], [sys.executable, "-c", "print('second')"]]
    assert run.run_all(steps) == 1
    captured = capfd.readouterr()
    assert captured.out == "second\n"
    assert "failed: " in captured.err
    assert run.run_all(steps[1:]) == 0


@pytest.mark.parametrize(("others", "built", "code"), [(0, 0, 0), (0, 1, 1), (1, 0, 1)])
def test_the_tests_fail_where_either_build_fails(
    others: int,
    built: int,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def run_tests(_python: str, _arguments: list[str], log: Path) -> int:
        log.write_text("what the compiled build told\n", encoding="utf-8")
        return built

    monkeypatch.setattr(run.compiled, "TEST_LOG", tmp_path / "tests.log")
    monkeypatch.setattr(run.compiled, "run_tests", run_tests)
    monkeypatch.setattr(run.compiled, "has_compiler", lambda: True)
    monkeypatch.setattr(run, "run_all", lambda _commands: others)
    monkeypatch.setattr(run.subprocess, "run", lambda *_arguments, **_options: None)
    assert run.task_test([]) == code
    captured = capfd.readouterr()
    assert captured.out == "what the compiled build told\n"
    assert ("failed: tests of runtime and bridge, compiled" in captured.err) == bool(built)


def test_every_make_target_is_one_plain_command_of_the_task_runner() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = dict(re.findall(r"^([\w-]+):[^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.MULTILINE))
    assert targets == {task: f"\tpython3 tools/run.py {task}\n" for task in run.TASKS}


def test_ci_runs_the_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    assert script.rstrip().endswith("make test")
