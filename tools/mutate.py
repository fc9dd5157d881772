"""Change the runtime in small ways and ask whether a test notices: `make mutate`, in parts, with a record.

Operators are those of cosmic-ray, and one more: a statement left out. The tests are collected and run once, to learn
which of them reach which line. Then each mutant gets a fork of that warm process: the changed function's code takes the
place of the old one, and the tests that reach the changed line run until one fails, those first that noticed most so
far. Survivors stand in the record (`tests/mutants.json`) with the reason that somebody has written down for each.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import cosmic_ray.plugins
import coverage
import parso.python.tree
import pytest
from _pytest.runner import runtestprotocol
from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator

from tools.mutants import ROOT, chosen, fingerprint, read_record, recorded_as_they_are, store

TESTS: Final = ("tests/runtime/battle", "tests/runtime/graph", "tests/runtime/nodes", "tests/scenarios")
# Left out: they play many battles to find what nobody thought of, and a rule wants a test of its own that notices; over
# gRPC the runtime runs in another process, where nothing is changed.
NOT_RULES: Final = ("fast_lanes", "invariants", "determinism", "hostile", "right_graphs", "plugins", "over_grpc")
OPERATORS: Final = (
    "AddNot",
    "NumberReplacer",
    "ReplaceAndWithOr",
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_BitAnd_BitOr",
    "ReplaceBinaryOperator_BitOr_BitAnd",
    "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_Mul_FloorDiv",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBreakWithContinue",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceContinueWithBreak",
    "ReplaceFalseWithTrue",
    "ReplaceOrWithAnd",
    "ReplaceTrueWithFalse",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_USub_UAdd",
    "ZeroIterationForLoop",
)
# What one mutant's tests may take: a multiple of what they took unchanged, and a start; bytes of address space.
CPU_FACTOR: Final = 5
CPU_SECONDS: Final = 10
MEMORY: Final = 4 << 30


class StatementLeftOut(Operator):
    """Leaves a statement of a line out, other than imports, docstrings and `pass`."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        """Where a statement begins and ends."""
        if node.type == "simple_stmt" and node.children[0].type not in (
            "string",
            "strings",
            "import_name",
            "import_from",
            "nonlocal_stmt",
        ):
            first = node.get_first_leaf()
            if first.value not in ("pass", "raise", "import", "from"):
                yield (first.start_pos, node.end_pos)

    def mutate(self, node: Any, _index: int) -> Any:
        """`pass` in the place of the statement."""
        return parso.python.tree.PythonErrorLeaf("", f"{node.get_first_leaf().prefix}pass\n", node.start_pos)

    @classmethod
    def examples(cls) -> tuple[()]:
        """None: these are for cosmic-ray's own tests."""
        return ()


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one function.

    Attributes:
        function: Its qualified name within the module.
        operator: What was done.
        line: Where, counted from 1.
        before: That line, without indentation.
        after: What became of it.
        code: What takes the place of the function's code.
    """

    function: str
    operator: str
    line: int
    before: str
    after: str
    code: CodeType


class _Positions(Visitor):
    def __init__(self, operator: Any) -> None:
        self.operator = operator
        self.lines: list[int] = []

    def visit(self, node: Any) -> Any:
        self.lines += [start[0] for start, _ in self.operator.mutation_positions(node)]
        return node


def functions_in(code: CodeType) -> dict[str, CodeType]:
    """The outermost functions and methods of a module's code, by qualified name."""
    found: dict[str, CodeType] = {}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            is_class = "__qualname__" in constant.co_names and not constant.co_flags & 0x1
            found |= functions_in(constant) if is_class else {constant.co_qualname: constant}
    return found


def same(one: CodeType, other: CodeType) -> bool:
    """Whether two codes do the same, wherever their lines stand."""
    if (one.co_code, one.co_names, one.co_varnames, len(one.co_consts)) != (
        other.co_code,
        other.co_names,
        other.co_varnames,
        len(other.co_consts),
    ):
        return False
    return all(
        same(a, b) if isinstance(a, CodeType) and isinstance(b, CodeType) else (type(a), a) == (type(b), b)
        for a, b in zip(one.co_consts, other.co_consts, strict=True)
    )


def mutants_of(source: str, path: str) -> Iterator[Mutant]:
    """All mutants of a module's functions; what stands outside of functions is left as it is."""
    before = functions_in(compile(source, path, "exec"))
    lines = source.splitlines()
    operators = [(name, cosmic_ray.plugins.get_operator(f"core/{name}")()) for name in OPERATORS]
    for name, operator in [*operators, ("StatementLeftOut", StatementLeftOut())]:
        positions = _Positions(operator)
        positions.walk(get_ast(source))
        for occurrence, line in enumerate(positions.lines):
            text = mutate_code(source, operator, occurrence)
            try:
                changed = functions_in(compile(text, path, "exec"))
            except SyntaxError:
                continue
            for function, code in changed.items():
                if function in before and not same(before[function], code):
                    after = text.splitlines()[line - 1]
                    yield Mutant(function, name, line, lines[line - 1].strip(), after.strip(), code)


def live_functions(path: str) -> dict[str, list[FunctionType]]:
    """The functions of a module as they are in this process, by qualified name."""
    found: dict[str, list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename == path:
            found.setdefault(each.__code__.co_qualname, []).append(each)
    return found


class Mutation:
    """A pytest plugin that runs the mutants of modules in place of the tests.

    Args:
        modules: Files of the runtime.
        store: Is given what came of a module as soon as it is done.
        deadline: When, by `time.monotonic`, no further module is begun.
        again: Whether only those are run that survived the last time.
    """

    def __init__(
        self,
        modules: Sequence[Path],
        store: Callable[[Path, dict[str, Any]], None],
        deadline: float = math.inf,
        again: bool = False,
    ) -> None:
        self.modules = modules
        self.again = again
        self.store = store
        self.deadline = deadline
        self.seconds: dict[str, float] = {}
        self.killers: Counter[str] = Counter()
        self.say: Callable[..., None] = print

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Runs all tests once, watched, then the mutants.

        Raises:
            Failed: A test fails without any change.
        """
        items = {item.nodeid: item for item in session.items}
        self.say = session.config.get_terminal_writer().line
        self.say()
        reached = self._watch(list(items.values()))
        for module in self.modules:
            if time.monotonic() > self.deadline:
                self.say(f"time is up before {module.relative_to(ROOT)}")
                break
            self._run(module, reached.get_data().contexts_by_lineno(str(module)), items)
        return True

    def _watch(self, items: Sequence[pytest.Item]) -> coverage.Coverage:
        watch = coverage.Coverage(
            data_file=None,
            include=[str(module) for module in self.modules],
            concurrency=["greenlet"],
            config_file=False,
        )
        watch.start()
        for item, following in zip(items, [*items[1:], None], strict=True):
            watch.switch_context(item.nodeid)
            begun = time.process_time()
            if not _passes(item, following):
                pytest.fail(f"{item.nodeid} fails without any change", pytrace=False)
            self.seconds[item.nodeid] = time.process_time() - begun
        watch.stop()
        return watch

    def _run(self, module: Path, contexts: dict[int, list[str]], items: dict[str, pytest.Item]) -> None:
        source = module.read_text(encoding="utf-8")
        name = module.relative_to(ROOT).as_posix()
        live = live_functions(str(module))
        count, survivors = 0, []
        recorded = read_record().get(name, {})
        known = {(each["function"], each["before"], each["after"]) for each in recorded.get("survivors", ())}
        begun = time.monotonic()
        for mutant in mutants_of(source, str(module)):
            if mutant.function not in live:
                continue
            count += 1
            if self.again and (mutant.function, mutant.before, mutant.after) not in known:
                continue
            reaching = [items[test] for test in contexts.get(mutant.line, ()) if test in items]
            reaching.sort(key=lambda item: (-self.killers[item.nodeid], self.seconds[item.nodeid]))
            killer = self._killer(mutant, live[mutant.function], reaching)
            if killer:
                self.killers[killer] += 1
            else:
                survivors.append({"function": mutant.function, "before": mutant.before, "after": mutant.after})
                self.say(f"{name}:{mutant.line} {mutant.function}: {mutant.before}  ->  {mutant.after}", flush=True)
        self.say(f"{name}: {count} mutants, {len(survivors)} survive, {time.monotonic() - begun:.0f} s", flush=True)
        self.store(module, {"source": fingerprint(source), "mutants": count, "survivors": survivors})

    def _killer(self, mutant: Mutant, functions: Sequence[FunctionType], tests: Sequence[pytest.Item]) -> str:
        """The test that noticed a mutant, or "" when it survives its tests."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.close(reading)
                seconds = sum(self.seconds[item.nodeid] for item in tests)
                limit = CPU_SECONDS + math.ceil(CPU_FACTOR * seconds)
                resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                for function in functions:
                    function.__code__ = mutant.code
                for item, following in zip(tests, [*tests[1:], None], strict=True):
                    os.write(writing, f"{item.nodeid}\n".encode())
                    if not _passes(item, following):
                        break
                else:
                    code = 0
            finally:
                os._exit(code)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as started:
            last = started.read().split("\n")
        _, status = os.waitpid(child, 0)
        # A mutant that runs for ever is killed by the limit, in the test that it was in.
        return "" if status == 0 else last[-2] if len(last) > 1 else "before any test"


def _passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=following)
    return not any(report.failed for report in reports)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the mutants of modules. Returns an exit code: 1 when the tests fail without any change."""
    parser = argparse.ArgumentParser(prog="mutate", description="Ask whether a test notices small changes.")
    parser.add_argument("modules", nargs="*", help="files or folders; default: what has changed since it was recorded")
    parser.add_argument(
        "--again", action="store_true", help="only what survived the last time, in modules as they were"
    )
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no further module after this time")
    options = parser.parse_args(arguments)
    modules = recorded_as_they_are(options.modules) if options.again else chosen(options.modules)
    if not modules:
        print("nothing is left to run")
        return 0
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    plugin = Mutation(modules, store, time.monotonic() + options.minutes * 60, options.again)
    command = ["-q", "-p", "no:cacheprovider", "-k", " and ".join(f"not {word}" for word in NOT_RULES), *TESTS]
    return int(pytest.main(command, plugins=[plugin]))


if __name__ == "__main__":
    sys.exit(main())
