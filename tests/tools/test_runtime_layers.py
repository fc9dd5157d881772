"""Files of the runtime form no circle; imports for type checkers alone keep to a few declared arrows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.tools.test_layers import FORBIDDEN, RUNTIME, below, imports, is_type_checking

# What a folder may name for its types although it does not import it: frames and values carry what a battle holds.
FOR_TYPES = {"graph": ("runtime.battle.state",)}
# Imports within a function, each with the reason why it cannot stand at the top.
LATE = {
    (
        "runtime.battle.dispatch",
        "runtime.battle.death",
    ): "what ends early may decide the battle, and E2 is dispatched",
    ("runtime.packs", "runtime.nodes"): "no circle: who brings nodes of their own does not need the built-in ones",
}
MODULES = {
    path.relative_to(RUNTIME.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__"): path
    for path in RUNTIME.rglob("*.py")
}


def for_types(path: Path) -> Iterator[str]:
    """Modules that a file imports for type checkers alone."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if is_type_checking(node):
            for inner in ast.walk(node):
                if isinstance(inner, ast.ImportFrom):
                    yield inner.module or ""


def late(path: Path) -> Iterator[str]:
    """Modules that a file imports within a function."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.ImportFrom):
                    yield inner.module or ""


def test_imports_for_types_keep_to_the_arrows_that_are_declared() -> None:
    wrong = []
    for module, path in MODULES.items():
        folder = path.relative_to(RUNTIME).parts[0]
        for found in for_types(path):
            banned = any(below(found, name) for name in ("bridge", *FORBIDDEN.get(folder, ())))
            if banned and found not in FOR_TYPES.get(folder, ()):
                wrong.append(f"{module} → {found}")
    assert wrong == []


def test_late_imports_are_declared_with_their_reason() -> None:
    found = {(module, name) for module, path in MODULES.items() for name in late(path)}
    assert found == set(LATE)
    assert len(LATE) <= 3


def test_no_circle_of_files() -> None:
    arrows = {
        module: {name for _, name in imports(path) if name in MODULES and (module, name) not in LATE}
        for module, path in MODULES.items()
    }
    left = dict(arrows)
    while True:
        leaves = [module for module, targets in left.items() if not targets & left.keys() - {module}]
        if not leaves:
            break
        for module in leaves:
            del left[module]
    assert left == {}, f"in or behind a circle: {sorted(left)}"
