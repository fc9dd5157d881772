"""The arrows of the house run one way: bridge → runtime; inside it battle → graph → content."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime"

# What the runtime may never import, and what each of its folders may not import from the others.
OUTSIDE = ("bridge", "grpc", "google", "asyncio", "threading", "socket", "time", "typer", "rich")
FORBIDDEN = {
    "content": ("runtime.graph", "runtime.nodes", "runtime.battle"),
    "graph": ("runtime.nodes", "runtime.battle"),
    "battle": ("runtime.nodes",),
}


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Modules that a file imports when it runs, with their lines; imports for type checkers alone are left out."""
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if is_type_checking(node):
            continue
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module or ""
        todo.extend(ast.iter_child_nodes(node))


def below(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


@pytest.mark.parametrize("path", sorted(RUNTIME.rglob("*.py")), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_arrows_run_one_way(path: Path) -> None:
    folder = path.relative_to(RUNTIME).parts[0]
    banned = OUTSIDE + FORBIDDEN.get(folder, ())
    wrong = [f"{path.name}:{line} {module}" for line, module in imports(path) for name in banned if below(module, name)]
    assert wrong == []


def test_a_battle_is_played_without_grpc_protobuf_or_bridge_being_loaded() -> None:
    program = (
        "import sys\n"
        "from runtime.battle import EndTurn, act, start_battle\n"
        "from runtime.loading import encounter_of, load_content\n"
        "content = load_content('starter')\n"
        "battle = start_battle(content, encounter_of(content, 'first_fight'), seed=7)\n"
        "assert act(battle, EndTurn()) is None\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('grpc', 'google', 'bridge')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
