"""The compiled build under the same tests: a copy of the repository in which mypyc has compiled what setup.py names.

The copy lies in `.compiled` and is kept; it is built anew when a source of the runtime or the bridge has changed.
Unless `MYPYC_OPT_LEVEL` says otherwise the C compiler does not optimise: what is tested is what mypyc has made of the
code, and gcc takes four times as long to optimise it as to translate it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".compiled"
STAMP = FOLDER / "compiled.sha256"
TEST_LOG = FOLDER / "tests.log"
# What the build and its tests need; Godot has no part in them.
COPIED = ("runtime", "bridge", "packs", "tests", "benchmarks", "tools", "examples", "proto", "docs")
COPIED_FILES = ("setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
# The tests that exercise what setup.py compiles: the runtime, and what of the bridge runs for every action.
# Connections, addresses, logs, metrics, tokens and limits are plain Python in either build: theirs run on the other.
TESTS = (
    "tests/runtime",
    "tests/scenarios",
    "tests/packs",
    "tests/benchmarks/test_reference_battle.py",
    "tests/bridge/battles",
    "tests/bridge/ges",
    "tests/bridge/testing",
    "tests/bridge/wire",
    "tests/bridge/server/test_battle_service.py",
    "tests/bridge/server/test_hostile.py",
    "tests/bridge/server/test_play.py",
    "tests/bridge/server/test_raise.py",
    "tests/bridge/server/test_resume.py",
    "tests/bridge/server/test_services.py",
    "tests/bridge/store/test_kill.py",
    "tests/bridge/store/test_restart.py",
)
STACK_KILOBYTES = 65536
COMPILERS = ("cc", "gcc", "clang", "cl")


def has_compiler() -> bool:
    """Whether a C compiler is on the path."""
    return any(shutil.which(name) for name in COMPILERS)


def optimisation() -> str:
    """How hard the C compiler tries."""
    return os.environ.get("MYPYC_OPT_LEVEL", "0")


def fingerprint() -> str:
    """A hash of all that is compiled and of what compiles it."""
    digest = hashlib.sha256(f"{sys.version}\n{optimisation()}\n".encode())
    sources = sorted([*(ROOT / "runtime").rglob("*.py"), *(ROOT / "bridge").rglob("*.py")])
    for path in (ROOT / "setup.py", ROOT / "pyproject.toml", *sources):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def copy_sources() -> None:
    """Brings the copy up to date; extensions that are there already stay."""
    ignored = shutil.ignore_patterns("__pycache__", ".godot", "*.so", "*.pyd")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, FOLDER / name, ignore=ignored, dirs_exist_ok=True)
    for name in COPIED_FILES:
        shutil.copy2(ROOT / name, FOLDER / name)


def build(python: str) -> int:
    """Makes the copy and compiles it, unless that was done with the same sources. Returns an exit code."""
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == fingerprint():
        for name in ("tests", "packs", "benchmarks"):
            shutil.rmtree(FOLDER / name, ignore_errors=True)
        copy_sources()
        return 0
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    copy_sources()
    print("compiling runtime and bridge with mypyc (some minutes)", file=sys.stderr, flush=True)
    log = FOLDER / "compiled.log"
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(
            [python, "setup.py", "build_ext", "--inplace"],
            cwd=FOLDER,
            env={**os.environ, "GCS_COMPILE": "1", "MYPYC_OPT_LEVEL": optimisation()},
            stdout=output,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode != 0:
        print("\n".join(log.read_text(encoding="utf-8").splitlines()[-30:]), file=sys.stderr)
        return done.returncode
    STAMP.write_text(fingerprint(), encoding="utf-8")
    return 0


def run_tests(python: str, arguments: list[str], log: Path | None = None) -> int:
    """Builds, makes sure that what is compiled is what is imported, and runs its tests.

    Args:
        python: The interpreter of the environment.
        arguments: What else pytest is given.
        log: Where what the tests print goes instead of the terminal.

    Returns:
        An exit code.
    """
    if log is not None:
        log.unlink(missing_ok=True)
    failed = build(python)
    if failed:
        return failed
    proof = (
        "import bridge.battles.session as session, runtime.battle.run_nodes as flow; "
        "raise SystemExit(any(module.__file__.endswith('.py') for module in (session, flow)))"
    )
    if subprocess.run([python, "-c", proof], cwd=FOLDER, check=False).returncode != 0:
        print("what is compiled is not what is imported", file=sys.stderr)
        return 1
    command = [python, "-m", "pytest", "-q", "-n", "2", "--dist", "loadgroup", *TESTS, *arguments]
    if os.name == "posix" and optimisation() == "0":
        # Without optimising, every local variable of the C code has a place of its own on the stack: the deepest
        # battle that the limits allow takes some 11 MB of it, more than a process usually has.
        command = ["sh", "-c", f'ulimit -s {STACK_KILOBYTES}; exec "$@"', "sh", *command]
    if log is None:
        return subprocess.run(command, cwd=FOLDER, check=False).returncode
    with log.open("w", encoding="utf-8") as output:
        return subprocess.run(command, cwd=FOLDER, check=False, stdout=output, stderr=subprocess.STDOUT).returncode
