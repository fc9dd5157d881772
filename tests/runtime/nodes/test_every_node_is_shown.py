"""Every node type, and every port and param of it, has a behaviour test in this folder that names it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from runtime.nodes import BUILT_IN
from tests.runtime.nodes.documented import documented_nodes

HERE = Path(__file__).resolve().parent


@cache
def shown() -> dict[str, set[str]]:
    """What the tests of this folder show, by node type: read from their `@shows` lines."""
    found: dict[str, set[str]] = {}
    for path in HERE.glob("test_*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef) or not function.name.startswith("test_"):
                continue
            for decorator in function.decorator_list:
                if isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "shows":
                    for argument in decorator.args:
                        assert isinstance(argument, ast.Constant), f"{path.name}: {function.name}"
                        type_, _, names = str(argument.value).partition(":")
                        found.setdefault(type_, set()).update(names.split())
    return found


def test_every_node_type_has_a_behaviour_test() -> None:
    missing = [node.type for node in BUILT_IN if node.type not in shown()]
    assert not missing, f"no test shows {', '.join(missing)}"


def test_every_port_and_param_has_a_behaviour_test() -> None:
    found = shown()
    missing = [
        f"{node.type}.{name}"
        for node in documented_nodes().values()
        for name in node.names
        if name not in found.get(node.type, set())
    ]
    assert not missing, f"no test shows {', '.join(missing)}"


def test_no_test_shows_what_there_is_not() -> None:
    documented = documented_nodes()
    strange = [
        f"{type_}.{name}"
        for type_, names in shown().items()
        for name in names
        if type_ not in documented or name not in documented[type_].names
    ]
    assert not strange, f"no such node, port or param: {', '.join(strange)}"
