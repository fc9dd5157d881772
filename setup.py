"""The parts of the build that depend on the environment or on the folders; everything else is in pyproject.toml.

`GCS_COMPILE=1` compiles `runtime`, and what of `bridge` runs for every action, with mypyc. How hard the C compiler then
tries is `MYPYC_OPT_LEVEL`, 0 to 3, by default 3.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from setuptools import find_packages, setup

ROOT = Path(__file__).resolve().parent
# msgspec builds its classes with a metaclass of its own when a module is imported; mypyc cannot make native classes of
# those.
# Classes that are derived from in plain Python cannot be compiled either.
DERIVED_FROM = ("runtime/battle/agent.py", "runtime/bots.py")
INTERPRETED = re.compile(r"^(?:import|from) msgspec\b", re.MULTILINE)
# What runs for every action, from the message to the update; the rest of `bridge` waits for others most of the time.
OF_BRIDGE = (
    "wire/*.py",
    "battles/battle_raises.py",
    "battles/battle_updates.py",
    "battles/timetable.py",
    "battles/event_window.py",
    "battles/session.py",
)


def modules_to_compile() -> list[str]:
    """Paths of all modules that mypyc compiles, relative to this file."""
    paths = [*(ROOT / "runtime").rglob("*.py")]
    for pattern in OF_BRIDGE:
        paths += (ROOT / "bridge").glob(pattern)
    return sorted(
        path.relative_to(ROOT).as_posix()
        for path in paths
        if not INTERPRETED.search(path.read_text(encoding="utf-8"))
        and path.relative_to(ROOT).as_posix() not in DERIVED_FROM
    )


def extensions() -> list[object]:
    """C extensions of the compiled build; none otherwise."""
    if os.environ.get("GCS_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    level = os.environ.get("MYPYC_OPT_LEVEL", "3")
    return list(mypycify(["--config-file", "pyproject.toml", *modules_to_compile()], opt_level=level))


def pack_folders() -> dict[str, str]:
    """Folders of `packs` by the package they are installed as: data, without a line of Python.

    The packs lie at the top of the repository, where designers look, and are installed inside `bridge`.
    """
    top = ROOT / "packs"
    folders = [top, *sorted(path for path in top.rglob("*") if path.is_dir() and not path.name.startswith(("_", ".")))]
    return {
        ".".join(("bridge", "packs", *folder.relative_to(top).parts)): folder.relative_to(ROOT).as_posix()
        for folder in folders
    }


PACKS = pack_folders()

setup(
    packages=[*find_packages(include=["bridge*", "protoc_gdscript*", "runtime*"]), *PACKS],
    package_dir=PACKS,
    package_data={**{package: ["*"] for package in PACKS}, "bridge": ["py.typed"], "runtime": ["py.typed"]},
    ext_modules=extensions(),
)
