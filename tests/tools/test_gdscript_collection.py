"""A GDScript test that fails in any way makes pytest fail: proved on a project whose tests fail in every way."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = Path(__file__).with_name("godot_fixture")
LIMIT = 300.0
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]

PASSING = {
    "test_checks.gd::test_passes",
    "test_checks.gd::test_expected_engine_error",
    "test_waits_forever.gd::test_after_it",
    "test_hangs.gd::test_before",
    "test_crashes.gd::test_before",
}
FAILING = {
    "test_checks.gd::test_condition_fails": "res://tests/test_checks.gd:24: the reason",
    "test_checks.gd::test_types_differ": "int is not float: expected 1.0 (float), got 1 (int)",
    "test_checks.gd::test_not_near": "NaN: expected 1.0",
    "test_checks.gd::test_signal_never_comes": "res://tests/test_checks.gd:36: silence: no silence within 0.05 s",
    "test_checks.gd::test_script_error": "res://tests/test_checks.gd:41",
    "test_checks.gd::test_engine_error": "pushed by the test",
    "test_checks.gd::test_expected_error_missing": "no engine error contained: never pushed",
    "test_checks.gd::test_unknown_peer": "no peer nobody in this run",
    "test_waits_forever.gd::test_never_finishes": "did not finish within 0.2 s",
    "test_hangs.gd::test_loops": "Godot hung and was killed",
    "test_hangs.gd::test_after": "did not run: Godot ended in test_loops",
    "test_crashes.gd::test_crash": "Godot ended with exit code",
    "test_crashes.gd::test_after": "did not run: Godot ended in test_crash",
    "test_quits.gd::test_quit": "Godot quit before all tests had run",
    "test_quits.gd::test_after": "did not run: Godot ended in test_quit",
    "test_does_not_parse.gd::test_one": "test_does_not_parse.gd:5",
    "test_does_not_parse.gd::test_two": "test_does_not_parse.gd:5",
    "test_warns.gd::test_untyped": "Warning treated as error",
    "test_other_base.gd::test_alone": "does not extend GcsTest",
    "test_empty.gd::no-tests": "has no func test_*()",
    "test_unknown_need.gd::test_never_runs": "no peer 'no_such_peer'",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixture project with the real runner in it."""
    folder = tmp_path_factory.mktemp("godot") / "project"
    shutil.copytree(FIXTURE, folder)
    shutil.copytree(ROOT / "godot_project" / "tests" / "runner", folder / "tests" / "runner")
    return folder


def run_pytest(module: str, project: Path, tmp_path: Path) -> tuple[int, dict[str, str | None]]:
    """Run one of the collecting modules over the project: exit code, and per test id its failure text or None."""
    report = tmp_path / "report.xml"
    done = subprocess.run(
        [*PYTEST, module, f"--godot-project={project}", f"--junitxml={report}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    results: dict[str, str | None] = {}
    for case in ET.parse(report).getroot().iter("testcase"):
        bad = [child for child in case if child.tag in ("failure", "error", "skipped")]
        text = "\n".join(f"{child.get('message')}\n{child.text}" for child in bad)
        results[case.get("name", "").partition("[")[2].removesuffix("]")] = text if bad else None
    return done.returncode, results


def test_each_kind_of_failure_is_reported(godot: Path, project: Path, tmp_path: Path) -> None:
    code, results = run_pytest("tests/godot/test_gdscript.py", project, tmp_path)
    assert code == 1
    assert {name for name, failure in results.items() if failure is None} == PASSING
    assert set(results) == PASSING | set(FAILING)
    for name, text in FAILING.items():
        assert text in (results[name] or ""), f"{name}:\n{results[name]}"


def test_scripts_that_do_not_compile_are_reported(godot: Path, project: Path, tmp_path: Path) -> None:
    code, results = run_pytest("tests/godot/test_scripts_compile.py", project, tmp_path)
    assert code == 1
    broken = {name for name, failure in results.items() if failure is not None}
    assert broken == {"res://tests/test_does_not_parse.gd", "res://tests/test_warns.gd"}
    assert "Warning treated as error" in (results["res://tests/test_warns.gd"] or "")


def test_a_missing_godot_fails(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GODOT", str(tmp_path / "nowhere"))
    code, results = run_pytest("tests/godot/test_scripts_compile.py", project, tmp_path)
    assert code == 1
    assert results
    assert all("is not a Godot >= 4.4" in (failure or "") for failure in results.values())
