"""The record of `make mutate`: nearly every small change of the runtime is noticed, and what is not has its reason."""

from __future__ import annotations

import json

from tools.mutants import FOLDERS, RECORD, SAME, fingerprint, is_current, read_record, unexplained

RECORDED = read_record()
NOTICED = 0.95


def test_the_record_is_about_modules_of_the_runtime() -> None:
    assert RECORDED
    assert [name for name in RECORDED if not name.startswith(FOLDERS)] == []
    assert list(RECORDED) == sorted(RECORDED)
    assert RECORD.read_text(encoding="utf-8") == json.dumps(RECORDED, indent=1, ensure_ascii=False) + "\n"


def test_at_least_95_percent_of_what_means_something_else_are_noticed() -> None:
    current = [recorded for name, recorded in RECORDED.items() if is_current(name, recorded)]
    same = sum(each["reason"].startswith(SAME) for recorded in current for each in recorded["survivors"])
    mutants = sum(recorded["mutants"] for recorded in current) - same
    survivors = sum(len(unexplained(recorded)) for recorded in current)
    assert mutants - survivors >= NOTICED * mutants


def test_every_survivor_has_its_reason() -> None:
    missing = [
        f"{name} {each['function']}: {each['before']} -> {each['after']}"
        for name, recorded in RECORDED.items()
        if is_current(name, recorded)
        for each in recorded["survivors"]
        if not each["reason"]
    ]
    assert missing == []


def test_comments_and_empty_lines_leave_a_module_as_it_was_recorded() -> None:
    code = "def f() -> int:\n    return 1\n"
    assert fingerprint("# Why.\n\n" + code.replace("    return", "    # so\n    return")) == fingerprint(code)
    assert fingerprint(code.replace("1", "2")) != fingerprint(code)
