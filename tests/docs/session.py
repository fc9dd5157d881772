"""Runs the examples of one page, from top to bottom, in a folder of its own that looks like the repository."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.docs.pages import ROOT, Block

# Seconds for one command or script; the longest plays a hundred battles.
LIMIT: Final = 120.0
# What commands in the pages read. Whatever they write lands beside these links, in the page's own folder.
_LINKED: Final = ("packs", "docs", "tests", "proto", "godot_project")
# Commands that are shown but run by a test of their own, since they set up a machine, never end or play on a display.
RUN_ELSEWHERE: Final = {
    "make play": "tests/tools/test_run.py::test_every_make_target_is_one_plain_command_of_the_task_runner",
    "make test": "tests/tools/test_run.py::test_ci_runs_the_test_command",
    "make bench": "tests/tools/test_run.py::test_every_make_target_is_one_plain_command_of_the_task_runner",
    "python3 tools/run.py test -k armor": "tests/tools/test_run.py",
    "py tools/run.py play": "tests/tools/test_play.py",
    "py tools/run.py test": "tests/tools/test_run.py",
    "gcs events starter": "tests/bridge/ges/test_monitor.py::test_gcs_events_prints_it",
    "gcs serve --relay 0.0.0.0:8443 --tls-cert server.crt --tls-key server.key --token-file token": (
        "tests/bridge/relay/test_battles.py::test_a_public_address_with_tls_a_token_and_a_relay"
    ),
    "gcs relay --listen 0.0.0.0:8443 --to 127.0.0.1:50051 --tls-cert server.crt --tls-key server.key": (
        "tests/bridge/relay/test_battles.py::test_a_public_relay_of_its_own"
    ),
    "openssl req -x509 -newkey rsa:2048 -nodes -days 365 -subj /CN=localhost"
    " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout server.key -out server.crt": (
        "tests/bridge/relay/test_battles.py"
    ),
    "gcs serve --metrics 127.0.0.1:9464 --log-format json": (
        "tests/bridge/server/test_logs.py::test_every_line_about_a_battle_tells_which"
    ),
    "python tools/screenshots.py": "tests/godot/test_screenshots.py",
    "python tools/screenshots.py --all --size 2560x1440 --out DIR": "tests/godot/test_screenshots.py",
    "python tools/screenshots.py --record": "tests/godot/test_screenshots.py",
    "python3 -m benchmarks.godot": "tests/godot/test_cost.py",
    "python3 -m tools.export build/game --bundle": "tests/godot/test_export.py",
    "python3 -m tools.bundle --pack packs/starter --target build/game": "tests/godot/test_export.py",
    "gcs serve --allow-set-state": "tests/scenarios/test_scenarios.py",
    "gcs serve --store battles.db": "tests/bridge/store/test_sqlite.py::test_a_store_is_for_one_server_at_a_time",
    "python -m benchmarks.bridge": "tests/benchmarks/test_bridge_benchmark.py::test_the_tables_are_printed",
    "python -m benchmarks.store": "tests/benchmarks/test_store_benchmark.py::test_the_table_is_printed",
    "gcs scenario run thorns.json --address 127.0.0.1:50051": "tests/scenarios/test_scenarios.py::test_over_grpc",
}
_PROGRAMS: Final = {
    "gcs": ("-m", "bridge.cli"),
    "pytest": ("-m", "pytest", "-p", "no:cacheprovider"),
    "python3": (),
}


class Session:
    """The folder in which a page's examples run."""

    def __init__(self, folder: Path) -> None:
        """Makes the folder ready."""
        self.folder = folder
        for name in _LINKED:
            (folder / name).symlink_to(ROOT / name, target_is_directory=True)

    def run(self, block: Block) -> None:
        """Does with a block what its language asks for.

        Raises:
            AssertionError: Something is not as the page says.
        """
        if block.file:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            done = self._start([sys.executable, "-W", "error", "-c", block.text])
            assert done.returncode == 0, f"{block.place}: the example fails\n{done.stdout}"
        elif block.language == "console":
            for command, expected in commands_of(block):
                self._run_command(block, command, expected)

    def packs(self) -> list[Path]:
        """The folders of the packs that the page's blocks have made."""
        found = [path.parent for path in self.folder.glob("*/pack.json")]
        return sorted(path for path in found if not path.is_symlink())

    def _run_command(self, block: Block, command: str, expected: list[str]) -> None:
        if command in RUN_ELSEWHERE:
            return
        program, *arguments = shlex.split(command)
        assert program in _PROGRAMS, f"{block.place}: nothing runs {command!r}; see RUN_ELSEWHERE"
        done = self._start([sys.executable, *_PROGRAMS[program], *arguments])
        code = int(block.options.get("exit", "0"))
        assert done.returncode == code, f"{block.place}: {command}: exit code {done.returncode}\n{done.stdout}"
        if expected:
            actual = [line.rstrip() for line in done.stdout.splitlines()]
            assert matches(expected, actual), f"{block.place}: {command} prints\n{done.stdout}"

    def _start(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return subprocess.run(
            command,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )


def commands_of(block: Block) -> list[tuple[str, list[str]]]:
    """The commands of a console block with the output that is shown behind each."""
    found: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            # What stands behind two spaces and # is for the reader.
            found.append((re.split(r"\s{2,}# ", line[2:])[0].strip(), []))
        else:
            assert found, f"{block.place}: a console block begins with a command"
            found[-1][1].append(line.rstrip())
    return found


def matches(expected: list[str], actual: list[str]) -> bool:
    """Whether lines are as expected: a line ``...`` stands for any lines, ``...`` at a line's end for its rest."""
    if not expected:
        return not actual
    line, rest = expected[0], expected[1:]
    if line.strip() == "...":
        return any(matches(rest, actual[start:]) for start in range(len(actual) + 1))
    if not actual:
        return False
    same = actual[0].startswith(line.removesuffix("...")) if line.endswith("...") else actual[0] == line
    return same and matches(rest, actual[1:])
