"""Run GDScript tests in a real Godot: find them in the files, run one file per process, and sort its output by test.

The runner inside Godot (`godot_project/tests/runner/`) prints events as lines of JSON. Everything else that the engine
prints between the start and the end of a test belongs to that test, so an engine error fails the test it happened in.
"""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import sysconfig
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tools.godot import run_headless

MARK = "@gdtest "
RUNNER = "res://tests/runner/runner.tscn"
CHECKER = "res://tests/runner/check_scripts.tscn"
START_LIMIT = 60.0
"""Seconds that the engine gets to start, and to quit after the last test."""
GRACE = 15.0
"""Seconds on top of a test's own limit before the process counts as hung."""

_TEST = re.compile(r"^func (test_\w+)\(", re.MULTILINE)
_NEEDS = re.compile(r'^const NEEDS: String = "([^"]*)"', re.MULTILINE)
_ERROR = re.compile(r"^(?:\x1b\[[\d;]*m)*(?:USER |SCRIPT |USER SCRIPT )?ERROR: ")


@dataclass(frozen=True, slots=True)
class GdTestFile:
    """A test file of a Godot project.

    Attributes:
        path: The path inside the project, such as `res://tests/test_hpack.gd`.
        tests: Names of its test functions in the order of the file.
        needs: Names of the peers that it declares with `const NEEDS`.
    """

    path: str
    tests: tuple[str, ...]
    needs: tuple[str, ...]


@dataclass(slots=True)
class GdOutcome:
    """What happened to one test; it passed when `problems` is empty.

    Attributes:
        problems: One text per failed check, engine error or reason why the test did not finish.
        output: What the engine printed meanwhile.
    """

    problems: list[str] = field(default_factory=list)
    output: list[str] = field(default_factory=list)


def find_tests(project: Path) -> list[GdTestFile]:
    """All `tests/**/test_*.gd` of a project, in a fixed order."""
    files = []
    for path in sorted((project / "tests").rglob("test_*.gd")):
        text = path.read_text(encoding="utf-8")
        needs = _NEEDS.search(text)
        files.append(
            GdTestFile(
                path=f"res://{path.relative_to(project).as_posix()}",
                tests=tuple(_TEST.findall(text)),
                needs=tuple(needs.group(1).split()) if needs else (),
            )
        )
    return files


def import_project(godot: Path, project: Path) -> str:
    """Let the engine register class names and import resources; without it no script finds another one by name.

    Returns:
        What the engine printed.

    Raises:
        AssertionError: The engine failed or did not finish; the message holds its output.
    """
    try:
        done = run_headless(godot, project, "--import", limit=START_LIMIT * 2)
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"godot --import did not finish within {error.timeout:.0f} s") from error
    assert done.returncode == 0, f"godot --import ended with exit code {done.returncode}:\n{done.stdout}"
    return done.stdout


def run_file(godot: Path, project: Path, file: GdTestFile, peers: Sequence[str] = ()) -> dict[str, GdOutcome]:
    """Run all tests of a file in one Godot process.

    Args:
        godot: The engine.
        project: The project's folder, already imported.
        file: Which tests.
        peers: `NAME=ADDRESS=PID` for every peer that the file needs.

    Returns:
        The outcome of each test of the file. What goes wrong outside a test (the script does not parse, the process
        crashes between tests or ends with an unexpected code) is a problem of every test that it kept from passing, or
        of the last one.
    """
    arguments = [RUNNER, "--", f"--file={file.path}", *(f"--peer={peer}" for peer in peers)]
    outcomes = {name: GdOutcome() for name in file.tests}
    finished: set[str] = set()
    outside = GdOutcome()
    current, expected_errors, ended = outside, list[str](), False
    running = ""
    with _Engine(godot, project, arguments) as engine:
        for line in engine.lines():
            if not line.startswith(MARK):
                current.output.append(line)
                continue
            event = json.loads(line[len(MARK) :])
            match event["event"]:
                case "start":
                    running = event["test"]
                    current = outcomes.setdefault(running, GdOutcome())
                    expected_errors = []
                    engine.allow(event["limit"] + GRACE)
                case "failure":
                    place = f"{event['file']}:{event['line']}: " if event["line"] else f"{event['file']}: "
                    current.problems.append(place + event["what"])
                case "expect_error":
                    expected_errors.append(event["text"])
                case "done":
                    current.problems += engine_errors(current.output, expected_errors)
                    finished.add(running)
                    current, running = outside, ""
                    engine.allow(START_LIMIT)
                case "broken":
                    outside.problems.append(event["what"])
                case "end":
                    ended = event["count"] == len(file.tests)
                    engine.allow(START_LIMIT)
        code = engine.wait()
    any_failed = any(outcome.problems for outcome in outcomes.values())
    outside.problems += engine_errors(outside.output, [])
    if engine.timed_out:
        outside.problems.append("Godot hung and was killed")
    elif code not in ((0, 1) if any_failed else (0,)):
        outside.problems.append(f"Godot ended with exit code {code}")
    elif not ended:
        outside.problems.append("Godot quit before all tests had run")
    _blame(outcomes, finished, running, outside)
    return outcomes


def engine_errors(output: Sequence[str], expected: Sequence[str]) -> list[str]:
    """Engine errors in the output with their places, less the expected ones, plus expected ones not seen."""
    problems: list[str] = []
    unseen = list(expected)
    for index, line in enumerate(output):
        if not _ERROR.match(line):
            continue
        wanted = [text for text in expected if text in line]
        if wanted:
            unseen = [text for text in unseen if text not in wanted]
            continue
        details = []
        for follower in output[index + 1 : index + 12]:
            if not follower.startswith("   "):
                break
            details.append(follower)
        problems.append("\n".join([line, *details]))
    return problems + [f"no engine error contained: {text}" for text in unseen]


def check_scripts(godot: Path, project: Path) -> dict[str, list[str]]:
    """Compile every script of a project in one run.

    Returns:
        For each script's path inside the project its problems; empty when it compiles without an error or warning.

    Raises:
        AssertionError: The run did not come to its end.
    """
    problems: dict[str, list[str]] = {}
    pending: list[str] = []
    count = -1
    with _Engine(godot, project, [CHECKER]) as engine:
        for line in engine.lines():
            if not line.startswith(MARK):
                pending.append(line)
                continue
            event = json.loads(line[len(MARK) :])
            if event["event"] == "script":
                found = engine_errors(pending, [])
                problems[event["file"]] = [] if event["ok"] else found or ["does not compile"]
                pending = []
            elif event["event"] == "end":
                count = event["count"]
        code = engine.wait()
    output = "\n".join(pending)
    assert not engine.timed_out, f"the script check hung:\n{output}"
    assert count == len(problems), f"the script check stopped early with exit code {code}:\n{output}"
    return problems


def _blame(outcomes: dict[str, GdOutcome], finished: set[str], running: str, outside: GdOutcome) -> None:
    """Hand problems outside any test to the tests that they kept from passing."""
    unfinished = [name for name in outcomes if name not in finished]
    culprits = [running] if running else unfinished or list(outcomes)[-1:]
    for name in culprits if outside.problems else ():
        outcomes[name].problems += outside.problems
        outcomes[name].output += outside.output
    for name in unfinished:
        if not outcomes[name].problems:
            outcomes[name].problems.append(f"did not run: Godot ended in {running or 'an earlier test'}")


class _Engine:
    """A Godot process whose merged output is read line by line against a deadline that every event moves on."""

    def __init__(self, godot: Path, project: Path, arguments: Sequence[str]) -> None:
        self.timed_out = False
        self._deadline = time.monotonic() + START_LIMIT
        self._lines: queue.Queue[str | None] = queue.Queue()
        # The addon looks for `gcs` on the PATH.
        path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
        self._process = subprocess.Popen(
            [str(godot), "--headless", "--path", str(project), *arguments],
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> _Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join(timeout=5)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def allow(self, seconds: float) -> None:
        """Move the deadline to `seconds` from now."""
        self._deadline = time.monotonic() + seconds

    def lines(self) -> Iterator[str]:
        """Lines as they come, until the process closes its output or the deadline passes."""
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, self._deadline - time.monotonic()))
            except queue.Empty:
                self.timed_out = True
                self._process.kill()
                return
            if line is None:
                return
            yield line

    def wait(self) -> int:
        """The exit code, once the output has ended."""
        try:
            return self._process.wait(timeout=max(1.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.timed_out = True
            self._process.kill()
            return self._process.wait()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)
