"""The record of `make mutate`: what was run when, and what no test noticed. Needs nothing but Python."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
RECORD: Final = ROOT / "tests" / "mutants.json"
FOLDERS: Final = ("runtime/battle", "runtime/graph", "runtime/nodes")
SAME: Final = "same:"
"""How the reason of a survivor begins that means the same as the code."""


def fingerprint(source: str) -> str:
    """What a record remembers of a module, to tell whether it is still that: its lines but comments and empty ones."""
    lines = [line for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def read_record() -> dict[str, Any]:
    """The record, by module."""
    record: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return record


def store(module: Path, found: dict[str, Any]) -> None:
    """Writes what came of a module into the record; the reasons of survivors that are still there stay."""
    record = read_record()
    name = module.relative_to(ROOT).as_posix()
    known = {
        (each["function"], each["before"], each["after"]): each["reason"]
        for each in record.get(name, {}).get("survivors", ())
    }
    for each in found["survivors"]:
        each["reason"] = known.get((each["function"], each["before"], each["after"]), "")
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    record[name] = {"commit": commit, **found}
    RECORD.write_text(json.dumps(dict(sorted(record.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def chosen(names: Sequence[str]) -> list[Path]:
    """The modules of files and folders; without any those that have changed since they were recorded.

    Raises:
        SystemExit: There is no such file or folder.
    """
    if missing := [name for name in names if not (ROOT / name).exists()]:
        raise SystemExit(f"mutate: there is no {missing[0]}")
    found: list[Path] = []
    for name in names or FOLDERS:
        path = ROOT / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    if names:
        return found
    current = {name for name, recorded in read_record().items() if is_current(name, recorded)}
    return [path for path in found if path.relative_to(ROOT).as_posix() not in current]


def recorded_as_they_are(names: Sequence[str]) -> list[Path]:
    """The modules of the record, or those of them that are named, that have not changed since."""
    return [
        ROOT / name
        for name, recorded in read_record().items()
        if is_current(name, recorded) and (not names or name in names)
    ]


def is_current(name: str, recorded: dict[str, Any]) -> bool:
    """Whether a module is still the one that was recorded."""
    path = ROOT / name
    return path.exists() and recorded["source"] == fingerprint(path.read_text(encoding="utf-8"))


def unexplained(recorded: dict[str, Any]) -> list[dict[str, str]]:
    """The survivors of a module that do not mean the same as the code."""
    return [each for each in recorded["survivors"] if not each["reason"].startswith(SAME)]
