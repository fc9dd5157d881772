"""The generated reference pages are current, and the ids of the rules are all there to be linked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.error_reasons import ErrorReason
from bridge.pb.gcs.v1 import battle_pb2
from runtime.battle.rejections import REASONS
from tests.docs.pages import ROOT, anchors_of
from tests.rules.ids import RULES
from tools import error_reference, reference

RULES_PAGE = ROOT / "docs" / "reference" / "rules.md"


@pytest.mark.parametrize("path", reference.pages(), ids=lambda path: path.name)
def test_a_generated_page_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == reference.pages()[path], "run `python3 -m tools.reference`"


@pytest.mark.parametrize("path", error_reference.scripts(), ids=lambda path: path.name)
def test_a_generated_script_of_the_addon_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == error_reference.scripts()[path], "run `python3 -m tools.reference`"


def test_every_rejection_of_the_runtime_is_one_of_the_wire() -> None:
    on_the_wire = [name.removeprefix("REJECTION_REASON_") for name, _ in battle_pb2.RejectionReason.items()]
    assert [*REASONS] == on_the_wire[1:]


def test_every_error_reason_is_given_somewhere() -> None:
    sources = [path for path in (ROOT / "bridge").rglob("*.py") if path.name != "error_reasons.py"]
    code = "".join(path.read_text(encoding="utf-8") for path in sources)
    # `not_found` makes the reason from the kind of thing that is missing.
    ways = {
        reason.name: (f"ErrorReason.{reason.name},", f'not_found("{reason.name.removeprefix("UNKNOWN_").lower()}"')
        for reason in ErrorReason
    }
    unused = [name for name, given in ways.items() if not any(way in code for way in given)]
    assert unused == []


def test_the_pictures_are_current() -> None:
    pictures = reference.pictures()
    assert len(pictures) == len(reference.PICTURES)
    for path, text in pictures.items():
        assert reference.is_current(path, text), f"{path.name}: run `python3 -m tools.reference`"


def test_check_names_what_is_not_current_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(reference, "DOCS", tmp_path)
    assert reference.main([]) == 0
    assert (tmp_path / "reference" / "godot" / "battle.md").exists()
    assert reference.main(["--check"]) == 0
    page, picture = tmp_path / "reference" / "cli.md", tmp_path / "graphs" / "card_strike.svg"
    page.write_text("old", encoding="utf-8")
    picture.write_text(picture.read_text(encoding="utf-8").replace(">out<", ">exit<", 1), encoding="utf-8")
    capsys.readouterr()
    assert reference.main(["--check"]) == 1
    assert capsys.readouterr().out == "reference/cli.md\ngraphs/card_strike.svg\n"
    assert page.read_text(encoding="utf-8") == "old"


def test_every_rule_has_its_place_in_the_page_of_rules() -> None:
    anchors = anchors_of(RULES_PAGE)
    assert [rule for rule in RULES if rule.lower().replace(".", "-") not in anchors] == []
