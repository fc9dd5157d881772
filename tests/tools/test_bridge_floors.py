"""The rooms of bridge stand on floors: each imports from those below it alone, imports for type checkers included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BRIDGE = ROOT / "bridge"

# From the ground up; a room imports from rooms on floors below its own, never from a neighbour.
FLOORS = (
    ("pb", "settings", "error_reasons", "visible_text", "__init__"),
    ("errors",),
    ("net", "store", "wire"),
    ("ges", "relay", "scenario"),
    ("battles",),
    ("server",),
    ("testing", "cli"),
)
FLOOR_OF = {room: number for number, floor in enumerate(FLOORS) for room in floor}
# The command line imports what takes long when a command needs it; pytest's fixtures are imported by those who use
# them. Neither is for a circle.
LATE = ("cli", "testing")
# `gcs --version` and `GetServerInfo` read the version from the package itself.
PACKAGE = "__init__"

FILES = sorted(path for path in BRIDGE.rglob("*.py") if "pb" not in path.relative_to(BRIDGE).parts)
MODULES = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}


def room_of(path: Path) -> str:
    return path.relative_to(BRIDGE).with_suffix("").parts[0]


def imported(path: Path) -> Iterator[tuple[ast.ImportFrom | ast.Import, str]]:
    """Everything of bridge that a file imports anywhere, as full names of modules."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "bridge":
            for name in node.names:
                full = f"{node.module}.{name.name}"
                yield node, full if full in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from ((node, name.name) for name in node.names if name.name.split(".")[0] == "bridge")


def test_every_room_has_its_floor() -> None:
    assert {room_of(path) for path in FILES} - set(FLOOR_OF) == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_imports_from_floors_below_alone(path: Path) -> None:
    own = room_of(path)
    wrong = []
    for node, module in imported(path):
        room = [*module.split("."), PACKAGE][1]
        if room != own and FLOOR_OF[room] >= FLOOR_OF[own]:
            wrong.append(f"{path.name}:{node.lineno} {module}")
    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_of_ours_is_imported_late(path: Path) -> None:
    if room_of(path) in LATE:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    late = [
        f"{path.name}:{node.lineno}"
        for function in functions
        for node in ast.walk(function)
        # What other platforms lack is imported late as well, but that is none of ours.
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("bridge", "runtime")
    ]
    assert late == []


def test_no_files_import_each_other_in_a_circle() -> None:
    arrows = {name: {module for _, module in imported(path)} & set(MODULES) - {name} for name, path in MODULES.items()}
    # Whoever imports nothing that is left can be taken away; what then stays is a circle or stands on one.
    while ends := [name for name, others in arrows.items() if not others & set(arrows)]:
        for name in ends:
            del arrows[name]
    assert sorted(arrows) == []
