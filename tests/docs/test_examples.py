"""Everything in the pages that looks as if it could be run is run."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from runtime.packs import check_pack
from tests.docs.pages import LANGUAGES, ROOT, Block, blocks_of, name_of, pages_with_examples
from tests.docs.session import RUN_ELSEWHERE, Session, commands_of, matches

PAGES = pages_with_examples()
BLOCKS = [block for page in PAGES for block in blocks_of(page)]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page)], ids=name_of)
def test_the_examples_of_a_page_run_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    session = Session(tmp_path)
    for block in blocks_of(page):
        session.run(block)
    for pack in session.packs():
        problems = [str(problem) for problem in check_pack(pack).problems]
        assert not problems, "\n".join(problems)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.place)
def test_every_block_is_of_a_kind_that_is_checked(block: Block) -> None:
    assert block.language in LANGUAGES
    if block.language in ("json", "gdscript"):
        assert block.file, f"{block.place}: name the file that this is"
    assert set(block.options) <= {"file", "exit"}


@pytest.mark.parametrize("command", RUN_ELSEWHERE)
def test_a_command_that_is_not_run_here_has_a_test_that_exists(command: str) -> None:
    name, _, function = RUN_ELSEWHERE[command].partition("::")
    tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
    tests = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assert function in tests if function else any(test.startswith("test_") for test in tests)


def test_every_excepted_command_stands_in_a_page() -> None:
    shown = {command for block in BLOCKS if block.language == "console" for command, _ in commands_of(block)}
    assert sorted(set(RUN_ELSEWHERE) - shown) == []


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        (["a", "..."], ["a", "b", "c"], True),
        (["...", "c"], ["a", "b", "c"], True),
        (["a", "...", "c"], ["a", "c"], True),
        (["a"], ["a", "b"], False),
        (["a", "..."], ["b"], False),
        (["...", "d"], ["a", "b"], False),
        (["a ..."], ["a b"], True),
        (["a ..."], ["b a"], False),
    ],
)
def test_output_is_compared(expected: list[str], actual: list[str], same: bool) -> None:
    assert matches(expected, actual) is same
