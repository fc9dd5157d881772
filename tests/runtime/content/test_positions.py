"""Line and column of a value in JSON text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from runtime.content.positions import Steps, find_positions
from runtime.packs import check_pack

TEXT = """{
  "id": "slap", "cost": [1,
    {"deep": true}],\r
  "a\\"b": {}
}"""


def test_values_are_found_by_their_paths() -> None:
    wanted: list[Steps] = [(), ("cost",), ("cost", 0), ("cost", 1), ("cost", 1, "deep"), ('a"b',)]
    assert list(find_positions(TEXT, wanted).values()) == [(1, 1), (2, 17), (2, 26), (3, 5), (3, 6), (4, 3)]


def test_what_is_missing_has_the_place_of_what_is_around_it() -> None:
    assert find_positions(TEXT, [("cost", 1, "wide"), ("cost", 7), ("graph", "nodes")]) == {
        ("cost", 1, "wide"): (3, 5),
        ("cost", 7): (2, 17),
        ("graph", "nodes"): (1, 1),
    }


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


def paths(value: Any) -> list[Steps]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((step, *path) for step, part in items for path in paths(part))]


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_of_every_text_is_found_at_its_place(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    lines = text.split("\n")
    for path, (line, column) in find_positions(text, paths(value)).items():
        # Line ends other than \n stand inside of texts alone, escaped.
        rest = "\n".join([lines[line - 1][column - 1 :], *lines[line:]])
        part = value
        for step in path:
            part = part[step]
        if path and isinstance(path[-1], str):
            key, end = json.JSONDecoder().raw_decode(rest)
            assert key == path[-1]
            rest = rest[end:].lstrip().removeprefix(":").lstrip()
        assert json.JSONDecoder().raw_decode(rest)[0] == part


def test_problems_of_files_have_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "pack.json").write_text('{\n  "id": "p",\n  "name": "P",\n  "version": "1",\n  "rules": "odd"\n}')
    (problem,) = check_pack(tmp_path).problems
    assert (problem.line, problem.column) == (5, 3)
    assert str(problem).startswith("pack.json:5:3: $.rules: error: ")


def test_no_json_has_line_and_column_as_well(tmp_path: Path) -> None:
    (tmp_path / "pack.json").write_text('{\n  "id": p\n}')
    (problem,) = check_pack(tmp_path).problems
    assert (problem.line, problem.column) == (2, 9)


def test_a_schema_for_editors_is_no_content(tmp_path: Path) -> None:
    (tmp_path / "pack.json").write_text('{"$schema": "pack.schema.json", "id": "p", "name": "P", "version": "1"}')
    assert check_pack(tmp_path).problems == []
    (tmp_path / "pack.json").write_text('{"$schema": 1, "id": "p", "name": "P", "version": "1"}')
    assert [problem.path for problem in check_pack(tmp_path).problems] == ['$["$schema"]']
