"""Run a task of the repository in a virtual environment that it sets up by itself: `python3 tools/run.py TASK`.

Needs only Python >= 3.11 with venv. Everything after the task's name goes to the command it runs, as in
`python3 tools/run.py test -k armor`. Nothing is ever asked.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools import compiled, play  # noqa: E402 - the script's own folder is on the path, the repository's is not

VENV = ROOT / ".venv"
STAMP = VENV / "installed.sha256"
# Tests with Godot in one worker (tests/conftest.py), all others in two: most of them wait for processes of their own.
WORKERS = ("-n", "3", "--dist", "loadgroup")
INSTALL_INPUTS = ("pyproject.toml", "setup.py", "tools/build_backend.py")


class TaskError(Exception):
    """A task cannot run; the message is one line that says what to do."""


def fingerprint() -> str:
    """A hash of all that decides what is installed: while it is unchanged, the environment is used as it is."""
    digest = hashlib.sha256(f"{sys.version}\n{ROOT}\n{os.environ.get('GCS_COMPILE', '')}\n".encode())
    for name in INSTALL_INPUTS:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def script(name: str) -> Path:
    """The path of a command installed in the virtual environment."""
    if sys.platform == "win32":
        return VENV / "Scripts" / f"{name}.exe"
    return VENV / "bin" / name


def _base_python() -> str:
    """The Python that virtual environments are made with; not that of `.venv`, which is about to be made anew."""
    return str(getattr(sys, "_base_executable", sys.executable))


def ensure_environment() -> None:
    """Make `.venv` and install the project with its development tools, unless that was done with the same inputs.

    Raises:
        TaskError: Python is too old or has no venv, or pip failed.
    """
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == fingerprint():
        return
    print("setting up .venv (once; again when pyproject.toml changes)", file=sys.stderr)
    if VENV.exists():
        shutil.rmtree(VENV)
    try:
        subprocess.run([_base_python(), "-m", "venv", str(VENV)], check=True, stdout=sys.stderr)
    except subprocess.CalledProcessError as error:
        raise TaskError("python3 -m venv failed; on Debian and Ubuntu install the package python3-venv") from error
    install = [str(script("python")), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    done = subprocess.run([*install, "--editable", f"{ROOT}[dev]"], check=False, stdout=sys.stderr)
    if done.returncode != 0:
        raise TaskError("pip could not install the project; its output above says why")
    STAMP.write_text(fingerprint(), encoding="utf-8")


def run_all(commands: Sequence[Sequence[str]]) -> int:
    """Run every command, also after one that failed; 1 when any did, with the failed ones named at the end."""
    failed: list[str] = []
    for command in commands:
        shown = shlex.join([Path(command[0]).stem, *command[1:]])
        print(f"$ {shown}", file=sys.stderr, flush=True)
        if subprocess.run(command, cwd=ROOT, check=False).returncode != 0:
            failed.append(shown)
    for shown in failed:
        print(f"failed: {shown}", file=sys.stderr)
    return 1 if failed else 0


def task_play(extra: Sequence[str]) -> int:
    """Play one battle in Godot against a server of its own; in the terminal where no Godot can be had."""
    return play.play(script("gcs"), ROOT / "godot_project", extra)


def task_lint(extra: Sequence[str]) -> int:
    """Check style, format and types."""
    if extra:
        raise TaskError(f"lint takes no arguments, got {shlex.join(extra)}")
    return run_all(_lint_commands())


def task_format(extra: Sequence[str]) -> int:
    """Format Python, put imports in order, and break the pages into lines of one width."""
    if extra:
        raise TaskError(f"format takes no arguments, got {shlex.join(extra)}")
    ruff, python = str(script("ruff")), str(script("python"))
    folders = (ROOT.glob("*.md"), *((ROOT / name).rglob("*.md") for name in ("docs", "examples", "packs")))
    pages = [str(page.relative_to(ROOT)) for folder in folders for page in sorted(folder) if not _is_generated(page)]
    return run_all([[ruff, "check", "--fix"], [ruff, "format"], [python, "-m", "mdformat", *pages]])


def task_test(extra: Sequence[str]) -> int:
    """Check style, format and types and run all tests, those of runtime and bridge compiled as well.

    Arguments go to pytest. With them the compiled build is left out: they pick single tests.
    """
    commands = [*_lint_commands(), [str(script("python")), "-m", "pytest", *(extra or WORKERS)]]
    if extra or not compiled.has_compiler():
        return run_all(commands) if extra else max(run_all(commands), task_test_compiled(extra))
    # Compiling takes minutes of one core, fetching Godot waits for a mirror, and most tests wait for processes of their
    # own: all at once. What could not be fetched fails the tests that need it.
    python = str(script("python"))
    with ThreadPoolExecutor(2) as pool:
        pool.submit(subprocess.run, [python, "-m", "tools.fetch"], cwd=ROOT, check=False)
        beside = pool.submit(compiled.run_tests, python, [], compiled.TEST_LOG)
        failed = run_all(commands)
        print("$ tests of runtime and bridge, compiled", file=sys.stderr, flush=True)
        compiled_failed = beside.result()
    if compiled.TEST_LOG.exists():
        print(compiled.TEST_LOG.read_text(encoding="utf-8"), end="", flush=True)
    if compiled_failed:
        print("failed: tests of runtime and bridge, compiled", file=sys.stderr)
    return 1 if failed or compiled_failed else 0


def task_test_compiled(extra: Sequence[str]) -> int:
    """Run the tests of runtime and bridge on a build that mypyc has compiled; arguments go to pytest."""
    if not compiled.has_compiler():
        if os.environ.get("CI"):
            raise TaskError("no C compiler is there, and CI has to test the compiled build: install gcc or clang")
        print("no C compiler is there: the compiled build is not tested (install gcc or clang)", file=sys.stderr)
        return 0
    print("$ tests of runtime and bridge, compiled", file=sys.stderr, flush=True)
    return 1 if compiled.run_tests(str(script("python")), list(extra)) else 0


def task_proto(extra: Sequence[str]) -> int:
    """Generate the wire code for Python and GDScript from proto/."""
    return run_all([[str(script("python")), "-m", "protoc_gdscript.generate", *extra]])


def task_bench(extra: Sequence[str]) -> int:
    """Measure the reference battle."""
    return run_all([[str(script("python")), "-m", "benchmarks", *extra]])


def task_mutate(extra: Sequence[str]) -> int:
    """Change the runtime in small ways and ask whether a test notices; what has changed since the last time, or files.

    Raises:
        TaskError: pip could not install what it needs.
    """
    python = str(script("python"))
    needed = "import cosmic_ray, coverage"
    if subprocess.run([python, "-c", needed], check=False, stderr=subprocess.DEVNULL).returncode != 0:
        install = [python, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
        if subprocess.run([*install, "--editable", f"{ROOT}[mutate]"], check=False, stdout=sys.stderr).returncode != 0:
            raise TaskError("pip could not install the extra `mutate`; its output above says why")
    return run_all([[python, "-m", "tools.mutate", *extra]])


def task_serve(extra: Sequence[str]) -> int:
    """Start the server in the foreground."""
    return run_all([[str(script("gcs")), "serve", *extra]])


TASKS: dict[str, Callable[[Sequence[str]], int]] = {
    "play": task_play,
    "test": task_test,
    "test-compiled": task_test_compiled,
    "lint": task_lint,
    "format": task_format,
    "proto": task_proto,
    "bench": task_bench,
    "mutate": task_mutate,
    "serve": task_serve,
}


def main() -> int:
    """Run the task named on the command line and return its exit code."""
    parser = argparse.ArgumentParser(
        description="Set up .venv and run a task.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"  {name:14}{(task.__doc__ or '').splitlines()[0]}" for name, task in TASKS.items()),
    )
    parser.add_argument("task", choices=TASKS, metavar="TASK", help="one of the tasks below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="handed on to the command of the task")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _exit_on_signal)
    try:
        ensure_environment()
        return TASKS[options.task](options.arguments)
    except (TaskError, play.PlayError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _is_generated(page: Path) -> bool:
    return "<!-- Generated by " in page.read_text(encoding="utf-8")


def _lint_commands() -> list[list[str]]:
    ruff, python = str(script("ruff")), str(script("python"))
    return [[ruff, "check"], [ruff, "format", "--check"], [python, "-m", "mypy"]]


def _exit_on_signal(number: int, _frame: FrameType | None) -> None:
    # As an exception, so that a server started by the task is stopped on the way out.
    raise SystemExit(128 + number)


if __name__ == "__main__":
    sys.exit(main())
